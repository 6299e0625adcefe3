package cli

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	guideLink    = regexp.MustCompile(`!?\[([^\]]+)\]\([^)]*\)`)
	guideComment = regexp.MustCompile(`(?m)^(<!--.*-->|!\[.*\]\(.*\))\n`)
	// guideItem begins a paragraph of its own.
	guideItem = regexp.MustCompile(`^(?: *[-*] | *[0-9]+\. |#+ )`)
)

// onTerminal is a guide for a terminal: paragraphs broken to a width, links as their text, headings in bold if it is styled.
// Code and tables stay as they are.
func onTerminal(guide string, width int, styled bool) string {
	if width <= 0 || width > helpWidth {
		width = helpWidth
	}
	var out strings.Builder
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out.WriteString(filled(strings.Join(paragraph, " "), width, styled))
		}
		paragraph = nil
	}
	fenced := false
	for line := range strings.Lines(guideComment.ReplaceAllString(guide, "")) {
		line = strings.TrimSuffix(line, "\n")
		fence := strings.HasPrefix(line, "```")
		switch {
		case fence || fenced || line == "" || line[0] == '|' || strings.HasPrefix(line, "    "):
			flush()
			out.WriteString(line + "\n")
			fenced = fence != fenced
		case guideItem.MatchString(line):
			flush()
			paragraph = []string{strings.TrimRight(line, " ")}
			if line[0] == '#' {
				flush()
			}
		default:
			paragraph = append(paragraph, strings.TrimSpace(line))
		}
	}
	flush()
	return out.String()
}

// filled is a paragraph broken at blanks; an item of a list is indented below its bullet.
func filled(text string, width int, styled bool) string {
	text = guideLink.ReplaceAllString(text, "$1")
	item := guideItem.FindString(text)
	if strings.HasPrefix(item, "#") {
		return emphasised(text, "1", styled) + "\n"
	}
	lines := []string{item}
	for _, word := range strings.Fields(text[len(item):]) {
		last := &lines[len(lines)-1]
		switch n := utf8.RuneCountInString(*last); {
		case n > len(item) && n+1+utf8.RuneCountInString(word) > width:
			lines = append(lines, strings.Repeat(" ", len(item))+word)
		case n > len(item):
			*last += " " + word
		default:
			*last += word
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// emphasised is text in a style of the terminal's, such as 1, bold.
func emphasised(text, style string, styled bool) string {
	if !styled {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}
