package terminal

import (
	"fmt"
	"io"
	"strings"
)

// Formats are the layouts of a table: for a terminal, as Markdown, as LaTeX.
var Formats = []string{"text", "markdown", "latex"}

var (
	forMarkdown = strings.NewReplacer("|", `\|`, "*", `\*`, "~", `\~`, "<", "&lt;")
	forLaTeX    = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
		"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`, "*", `$*$`, "<", `$<$`, ">", `$>$`)
)

// WriteAs prints the table in one of Formats.
func (t *Table) WriteAs(w io.Writer, format string) error {
	var text string
	switch format {
	case "markdown":
		var rule []string
		for i := range t.head {
			rule = append(rule, map[bool]string{true: ":--", false: "--:"}[t.left[i]])
		}
		text = t.lines(forMarkdown, "| ", " | ", " |\n", "| "+strings.Join(rule, " | ")+" |\n")
	case "latex":
		columns := ""
		for i := range t.head {
			columns += map[bool]string{true: "l", false: "r"}[t.left[i]]
		}
		text = "\\begin{tabular}{" + columns + "}\n\\hline\n" + t.lines(forLaTeX, "", " & ", " \\\\\n", "\\hline\n") + "\\hline\n\\end{tabular}\n"
	default:
		return t.Write(w)
	}
	_, err := io.WriteString(w, text)
	return err
}

// lines are the rows, the first of them the headings, which the rule ends.
func (t *Table) lines(escape *strings.Replacer, begin, between, end, rule string) string {
	var text strings.Builder
	for i, row := range append([][]string{t.head}, t.rows...) {
		text.WriteString(begin)
		for k, cell := range row {
			if k > 0 {
				text.WriteString(between)
			}
			text.WriteString(escape.Replace(cell))
		}
		text.WriteString(end)
		if i == 0 {
			text.WriteString(rule)
		}
	}
	return text.String()
}

// WriteLine prints a line of prose beside tables in one of Formats: in LaTeX a comment, so
// that a document can take the file in.
func WriteLine(w io.Writer, format, line string) error {
	switch format {
	case "markdown":
		line = "\n" + forMarkdown.Replace(line)
	case "latex":
		line = "% " + line
	}
	_, err := fmt.Fprintln(w, line)
	return err
}
