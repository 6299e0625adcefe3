package explain

import (
	_ "embed"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"text/template"
	"unicode/utf8"

	"bourse/events"
	"bourse/policies"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/suggest"
)

//go:embed explanation.tmpl
var words string

// shown is how many events are printed at the begin and at the end.
const shown = 8

// width is the number of columns.
const width = 88

// Report is the explanation as text in at most 90 columns, the answer last; as tables of the
// receipt, the price schemes and the causes of waiting; and as a document.
func (x *Explanation) Report() *table.Report {
	r := &table.Report{Document: x, Text: wrap(x.render("explanation")), Answers: []string{x.Answer}}
	if x.Paying {
		r.Tables = append(r.Tables, x.receipt(false))
	}
	if x.Schemes != nil {
		r.Tables = append(r.Tables, x.schemes())
	}
	r.Tables = append(r.Tables, table.Structs(x.Causes))
	r.Tables[0].Title = x.render("title")
	return r
}

// sentences is the template, with functions of no explanation.
var sentences = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs((&Explanation{}).functions()).Parse(words))
})

// render returns the words of a part.
func (x *Explanation) render(part string) string {
	var text strings.Builder
	t := template.Must(sentences().Clone())
	if err := t.Funcs(x.functions()).ExecuteTemplate(&text, part, x); err != nil {
		panic(err) // the template is ours, and a Builder takes everything
	}
	return text.String()
}

// functions are what the template calls.
func (x *Explanation) functions() template.FuncMap {
	events, causes := 0, 0 // the widths of their times
	for i := range x.Timeline {
		events = max(events, len(terminal.Since.Text(x.Timeline[i].At)))
	}
	for i := range x.Causes {
		causes = max(causes, len(terminal.Clock.Text(x.Causes[i].Wait)))
	}
	return template.FuncMap{
		"root": func() *Explanation { return x },
		"name": x.Name, "date": x.date, "hidden": x.hidden, "holds": x.holds,
		"when": func(text string) string { return fmt.Sprintf("%-*s", events, text) },
		"part": func(text string) string { return fmt.Sprintf("%*s", causes, text) },
		"few": func(jobs []JobRef, of int) map[string]any {
			return map[string]any{"Jobs": jobs, "Last": len(jobs) - 1, "Of": of}
		},
		"receipt": func() string { return indented(x.receipt(true)) },
		"schemes": func() string { return indented(x.schemes()) },

		"clock": terminal.Clock.Text, "since": terminal.Since.Text, "exact": terminal.Exact.Text,
		"money": terminal.Money.Text, "price": terminal.Price.Text, "amount": terminal.Amount.Text,
		"figure": terminal.Figure, "short": terminal.Seconds.Text, "percent": terminal.PercentOf,
		"digits": func(n int, v float64) string { return terminal.Significant(n).Text(v) },
		"value":  func(v float64) float64 { return v }, "abs": math.Abs,
		"whole": func(v float64) int { return int(v) },

		"thousands": func(n any) string { return terminal.Thousands(reflect.ValueOf(n).Int()) },
		"count":     func(n any, one string) string { return terminal.Count(int(reflect.ValueOf(n).Int()), one, one+"s") },
		"counts":    terminal.Count, "plural": terminal.Plural,
		"shown": func() int { return shown }, "sum": func(a, b int) int { return a + b },
	}
}

// date is that of a moment in seconds since the submission, in a column of its own, "" in a log without dates.
func (x *Explanation) date(since float64) string {
	if x.Dates == nil {
		return ""
	}
	at, _ := events.FromSeconds(x.Request.Submit + since)
	return x.Dates.At(at).Format("Mon _2 Jan 15:04  ")
}

// hidden is how many events are not shown, unless all are.
func (x *Explanation) hidden() int {
	if x.Every {
		return 0
	}
	return max(0, len(x.Timeline)-2*shown)
}

// receipt is the bill line by line, for readers with a line of the total.
func (x *Explanation) receipt(total bool) *table.Table {
	t := table.Structs(x.Receipt)
	ranged := slices.ContainsFunc(x.Receipt, func(l Line) bool { return l.Low != l.High })
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Name == "share" && !x.Shared || strings.HasSuffix(c.Name, "est_price") && !ranged {
			c.Heading = ""
		}
	}
	if l := &x.total; total {
		t.Add("total", "", l.Held, l.Share, l.Price, "", "", l.Charge)
	}
	return t
}

// schemes compares what the price schemes would have charged.
func (x *Explanation) schemes() *table.Table {
	t := table.Structs(x.Schemes)
	t.Columns[2].Heading = "a " + x.Unit
	t.Rows[0].Cells[4] = t.Rows[0].Cells[4].As("charged")
	return t
}

// holds says how much of the machine the running jobs have.
func (x *Explanation) holds(q QueueState) string {
	held, total := policies.Amount(q.Held), policies.Amount(q.Total)
	if !x.Pool {
		return fmt.Sprintf("%s of %s processors", terminal.Amount.Text(held.CPU), terminal.Amount.Text(total.CPU))
	}
	var parts []string
	for r, name := range [...]string{"CPU", "memory", "GPUs", "disk"} {
		if all := total.At(r); all > 0 || r == 0 {
			parts = append(parts, fmt.Sprintf("%.0f %% of %s", 100*held.At(r)/max(all, math.SmallestNonzeroFloat64), name))
		}
	}
	return suggest.And(parts)
}

// indented writes a table.
func indented(t *table.Table) string {
	var text strings.Builder
	_ = table.Print(&text, &table.Report{Tables: []*table.Table{t}}) // a Builder takes everything
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text.String(), "\n"), "\n", "\n  ") + "\n"
}

// wrap breaks lines HEAD⇥TEXT; further lines are indented by the width of HEAD.
func wrap(text string) string {
	var out strings.Builder
	blank := ""
	for line := range strings.Lines(text) {
		head, rest, found := strings.Cut(line, "⇥")
		switch {
		case !found:
			out.WriteString(line)
			blank = ""
			continue
		case head == "":
			head = blank
		}
		blank = strings.Repeat(" ", utf8.RuneCountInString(head))
		sep := ""
		for word := range strings.FieldsSeq(rest) {
			if sep != "" && utf8.RuneCountInString(head+sep+word) > width {
				out.WriteString(head + "\n")
				head, sep = blank, ""
			}
			head, sep = head+sep+word, " "
		}
		out.WriteString(head + "\n")
	}
	return out.String()
}
