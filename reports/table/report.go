package table

import (
	"io"
	"slices"
	"strings"

	"bourse/reports/terminal"
)

// Formats are those in which a Report can be written.
var Formats = []string{"text", "markdown", "latex", "csv", "parquet", "json", "html"}

// Report is an answer: tables, and below them sentences.
type Report struct {
	Tables []*Table
	// Data is the table in CSV and Parquet, where it is not the first of Tables.
	Data *Table
	// Document is what JSON has instead of the rows of Tables and the answers.
	Document any
	// Text is what a terminal has instead of Tables and Answers.
	Text string
	// Answers end the report: what won, by how much, how sure.
	Answers []string
}

// Output is where a report goes, and how.
type Output struct {
	W io.Writer
	// Format is one of Formats; empty means text.
	Format string
	// Width is that of the terminal in characters: columns that do not fit are left out
	// with a note, and notes are wrapped. 0 is no limit.
	Width int
	// Styled means that W is a terminal that shows bold and dim text: rows of text are marked,
	// and in every format what would steer the terminal in the words of cells is spelt out.
	Styled bool
	// Methods is where readers find how intervals and verdicts are made.
	Methods string
	// Version is the program's, for the metadata of files.
	Version string
}

// Write renders the report.
func (o *Output) Write(r *Report) error {
	if o.Styled && o.Format != "" && o.Format != "text" {
		plain := *o
		plain.W, plain.Styled = terminal.Plain(o.W), false
		return plain.Write(r)
	}
	switch o.Format {
	case "json":
		return r.writeJSON(o.W)
	case "csv", "parquet":
		return r.data().Write(o.W, "standard output", o.Format, o.Version)
	case "html":
		return o.writeHTML(r)
	}
	var text strings.Builder
	if r.Text != "" && (o.Format == "" || o.Format == "text") {
		return o.plain(r.Text)
	}
	for i, part := range r.shown() {
		if i > 0 {
			text.WriteString(map[string]string{"latex": "%"}[o.Format] + "\n")
		}
		o.table(&text, part)
	}
	for _, line := range r.Answers {
		text.WriteString(o.line(line))
	}
	_, err := io.WriteString(o.W, text.String())
	return err
}

// plain writes a text that is ready.
func (o *Output) plain(text string) error {
	if o.Styled {
		text = terminal.Clean(text)
	}
	_, err := io.WriteString(o.W, text)
	return err
}

// shown are the tables that readers see.
func (r *Report) shown() (parts []*Table) {
	for _, t := range r.Tables {
		if len(t.Columns) == 0 || slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Heading != "" }) {
			parts = append(parts, t.shown()...)
		}
	}
	return parts
}

// data is the table for programs that read rows.
func (r *Report) data() *Table {
	if r.Data != nil {
		return r.Data
	}
	return r.Tables[0]
}

// table writes one table with its title and notes.
func (o *Output) table(text *strings.Builder, t *Table) {
	if t.Title != "" {
		text.WriteString(o.title(t))
	}
	if len(t.Rows) > 0 {
		switch o.Format {
		case "markdown":
			text.WriteString(markdown(t))
		case "latex":
			text.WriteString(latex(t))
		default:
			text.WriteString(o.text(t))
		}
	}
	for _, note := range o.notes(t) {
		text.WriteString(o.line(note))
	}
}

// title is the line above a table, or the heading of a section, which has no columns.
func (o *Output) title(t *Table) string {
	section := len(t.Columns) == 0
	switch {
	case section && o.Format == "latex":
		return "\\section*{" + forLaTeX.Replace(t.Title) + "}\n"
	case section && o.Format == "markdown":
		return "## " + forMarkdown.Replace(t.Title) + "\n"
	case o.Format == "markdown":
		return o.line(t.Title)[1:] + "\n"
	}
	return o.line(t.Title)
}

// notes are those of a table, the method last.
func (o *Output) notes(t *Table) []string {
	switch {
	case t.Method == "":
		return t.Notes
	case o.Methods == "":
		return append(slices.Clip(t.Notes), t.Method)
	}
	return append(slices.Clip(t.Notes), t.Method+"; see "+o.Methods)
}

// line renders a line of prose: in LaTeX a comment, so that a document can take the file
// in.
func (o *Output) line(line string) string {
	switch o.Format {
	case "markdown":
		return "\n" + forMarkdown.Replace(line) + "\n"
	case "latex":
		return "% " + line + "\n"
	}
	if !o.Styled {
		return wrap(line, o.Width)
	}
	line = wrap(terminal.Clean(line), o.Width)
	if rest, ok := strings.CutPrefix(line, "note:"); ok {
		line = "\x1b[33mnote:\x1b[0m" + rest // yellow
	}
	return line
}

// Print writes a report as text without limits of width.
func Print(w io.Writer, r *Report) error { return (&Output{W: w}).Write(r) }
