package main

import (
	"regexp"
	"strings"
)

var (
	commandLine = regexp.MustCompile(`(?m)^  ([a-z]+(?: [a-z]+)?)(?: [A-Z\[]\S*(?: \S+)*)? {2,}(\S.*)$`)
	kindLine    = regexp.MustCompile(`(?m)^([A-Z]+)$`)
	listed      = regexp.MustCompile(`([a-z0-9]),([a-z])`)
	groupLine   = regexp.MustCompile(`(?m)^([^|\n]+)\n\n\|`)
)

// commands makes a page of the help of every command.
func (s *site) commands() error {
	all, err := s.run("help", "all")
	if err != nil {
		return err
	}
	var page strings.Builder
	page.WriteString("# Commands\n\n| | |\n|---|---|\n")
	found := commandLine.FindAllStringSubmatch(all, -1)
	for _, m := range found {
		page.WriteString("| [" + m[1] + "](#" + strings.ReplaceAll(m[1], " ", "-") + ") | " + strings.ReplaceAll(m[2], "|", "\\|") + " |\n")
	}
	for _, m := range found {
		help, err := s.run(append(strings.Fields(m[1]), "--help")...)
		if err != nil {
			return err
		}
		page.WriteString("\n## " + m[1] + "\n\n" + m[2] + ".\n\n```text\n" + help + "```\n")
	}
	return s.render("", "commands.html", "Commands", []byte(page.String()))
}

// kinds are those that bourse list knows.
func (s *site) kinds() (names []string) {
	all, _ := s.run("list") // without it a page would be missing, and the menu is checked
	for _, m := range kindLine.FindAllStringSubmatch(all, -1) {
		names = append(names, strings.ToLower(m[1]))
	}
	return names
}

// lists makes a page of each kind.
func (s *site) lists(kinds []string) error {
	for _, kind := range kinds {
		text, err := s.run("list", kind, "--format", "markdown")
		if err != nil {
			return err
		}
		title := strings.ToUpper(kind[:1]) + kind[1:]
		text = listed.ReplaceAllString(strings.ReplaceAll(text, "<", "&lt;"), "$1,<wbr>$2")
		text = groupLine.ReplaceAllString(text, "## $1\n\n|")
		text = "# " + title + "\n\nAs `bourse list " + kind + "` prints them.\n\n" + text
		if kind == "columns" {
			continue
		}
		if err := s.render("", "list-"+kind+".html", title, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}
