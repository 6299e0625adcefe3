package table

import (
	"html/template"
	"strings"
)

var (
	forMarkdown = strings.NewReplacer("|", `\|`, "*", `\*`, "~", `\~`, "<", "&lt;")
	forLaTeX    = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
		"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`, "*", `$*$`, "<", `$<$`, ">",
		`$>$`)
)

func markdown(t *Table) string {
	var rule []string
	for i, c := range t.Columns {
		rule = append(rule, map[bool]string{true: ":--", false: "--:"}[c.isLeft(i)])
	}
	return lines(t, forMarkdown, "| ", " | ", " |\n", "| "+strings.Join(rule, " | ")+" |\n")
}

func latex(t *Table) string {
	columns := ""
	for i, c := range t.Columns {
		columns += map[bool]string{true: "l", false: "r"}[c.isLeft(i)]
	}
	return "\\begin{tabular}{" + columns + "}\n\\hline\n" + lines(t, forLaTeX, "", " & ", " \\\\\n", "\\hline\n") +
		"\\hline\n\\end{tabular}\n"
}

// lines are the rows, the first of them the headings, which the rule ends.
func lines(t *Table, escape *strings.Replacer, begin, between, end, rule string) string {
	var text strings.Builder
	for i, line := range gridOf(t).lines {
		text.WriteString(begin)
		for k, cell := range line {
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

var htmlTemplate = template.Must(template.New("report").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
:root { color-scheme: light dark }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1rem; overflow-wrap: anywhere }
div { overflow-x: auto }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #8885; white-space: nowrap }
th.l, td.l { text-align: left }
tr.b { font-weight: bold } tr.w { opacity: .7 }
</style>
{{range .}}{{with .Title}}<h2>{{.}}</h2>
{{end}}{{if .Rows}}<div><table>
<thead><tr>{{range .Head}}<th{{if .Left}} class="l"{{end}}{{with .Doc}} title="{{.}}"{{end}}>{{.Text}}</th>{{end}}</tr></thead>
<tbody>
{{range .Rows}}<tr{{with .Class}} class="{{.}}"{{end}}>{{range .Cells}}<td{{if .Left}} class="l"{{end}}{{with .Value}} data-value="{{.}}"{{end}}>{{.Text}}</td>{{end}}</tr>
{{end}}</tbody></table></div>
{{end}}{{range .Lines}}<p>{{.}}</p>
{{end}}{{end}}</html>
`))

// HTML is a table as templates take it; of cells with a figure Value has all digits.
type HTML struct {
	Title string
	Head  []HTMLCell
	Rows  []HTMLRow
	Lines []string
}

// HTMLRow is a row, of Class b if it is the best and w if it is worse.
type HTMLRow struct {
	Class string
	Cells []HTMLCell
}

// HTMLCell is a heading or a cell, aligned to the Left or the right.
type HTMLCell struct {
	Text, Doc, Value string
	Left             bool
}

// writeHTML writes the report as a page without scripts; cells carry their values with all
// digits.
func (o *Output) writeHTML(r *Report) error {
	var parts []HTML
	for _, part := range r.shown() {
		parts = append(parts, part.HTML(o.notes(part)...))
	}
	parts = append(parts, HTML{Lines: r.Answers})
	return htmlTemplate.Execute(o.W, parts)
}

// HTML returns the table for a template, with notes.
func (t *Table) HTML(notes ...string) HTML {
	out := HTML{Title: t.Title, Lines: notes}
	for i, c := range t.Columns {
		out.Head = append(out.Head, HTMLCell{Text: c.Heading, Doc: c.Doc, Left: c.isLeft(i)})
	}
	for _, r := range t.Rows {
		row := HTMLRow{Class: map[Mark]string{Best: "b", Worse: "w"}[r.Mark]}
		for i, cell := range r.Cells {
			c := HTMLCell{Text: cell.Text(t.Columns[i].Unit), Left: t.Columns[i].isLeft(i)}
			if x := cell.Value().Mean; x == x {
				c.Value = cell.csv()
			}
			row.Cells = append(row.Cells, c)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
