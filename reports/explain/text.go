package explain

import (
	_ "embed"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"unicode/utf8"

	"bourse/engine"
	"bourse/policies"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/suggest"
)

//go:embed explanation.tmpl
var words string

// shown is how many interruptions are printed at the begin and at the end.
const shown = 4

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

// render returns the words of a part.
func (x *Explanation) render(part string) string {
	var text strings.Builder
	t := template.Must(template.New("").Funcs(x.functions()).Parse(words))
	if err := t.ExecuteTemplate(&text, part, x); err != nil {
		panic(err) // the template is ours, and a Builder takes everything
	}
	return text.String()
}

// functions are what the template calls.
func (x *Explanation) functions() template.FuncMap {
	return template.FuncMap{
		"clock": terminal.Clock.Text, "since": terminal.Since.Text, "exact": terminal.Exact.Text,
		"money": terminal.Money.Text, "price": terminal.Price.Text, "amount": terminal.Amount.Text,
		"figure": terminal.Figure, "short": terminal.Seconds.Text,
		"digits": func(n int, v float64) string { return terminal.Significant(n).Text(v) },
		"whole":  func(v float64) int { return int(v) },

		"thousands": func(n any) string { return terminal.Thousands(reflect.ValueOf(n).Int()) },
		"count":     func(n any, one string) string { return terminal.Count(int(reflect.ValueOf(n).Int()), one, one+"s") },
		"counts":    terminal.Count, "plural": terminal.Plural, "times": times, "hint": hint, "late": late,
		"sum": func(a, b int) int { return a + b },

		"ranked": func() bool { return x.Ranked }, "shared": func() bool { return x.Shared },
		"idle": func() bool { return x.Run == 0 }, "unit": x.unit, "name": x.Name, "number": x.number,
		"job": x.job, "jobs": x.jobs, "holds": x.holds, "room": x.room, "words": inWords,

		"timeline": x.timeline, "causes": x.causes,
		"receipt": func() string { return indented(x.receipt(true)) },
		"schemes": func() string { return indented(x.schemes()) },
	}
}

// entry is an event with its time, or so many hidden ones.
type entry struct {
	Label  string
	Hidden int
	*Event
}

// timeline is the events, of many the first and the last.
func (x *Explanation) timeline() (out []entry) {
	wide := 0
	for i := range x.Timeline {
		out = append(out, entry{terminal.Since.Text(x.Timeline[i].At), 0, &x.Timeline[i]})
		wide = max(wide, len(out[i].Label))
	}
	if hidden := len(out) - 4*shown; hidden > 0 && !x.Every {
		out = slices.Replace(out, 2*shown, 2*shown+hidden, entry{Label: "...", Hidden: hidden})
	}
	for i := range out {
		out[i].Label = fmt.Sprintf("%-*s", wide, out[i].Label)
	}
	return out
}

// part is a cause with its time and share.
type part struct {
	Label string
	*CauseShare
}

func (x *Explanation) causes() (out []part) {
	wide := 0
	for i := range x.Causes {
		wide = max(wide, len(terminal.Clock.Text(x.Causes[i].Wait)))
	}
	for i := range x.Causes {
		c := &x.Causes[i]
		out = append(out, part{fmt.Sprintf("%*s  %7s", wide, terminal.Clock.Text(c.Wait), terminal.PercentOf(c.Share, 1)), c})
	}
	return out
}

// room is the cause of that name.
func (x *Explanation) room() *CauseShare {
	i := slices.IndexFunc(x.Causes, func(c CauseShare) bool { return c.Cause == engine.AllCauses[engine.Room].Name })
	return &x.Causes[i]
}

// inWords is a cause in the words of a sentence.
func inWords(cause string) string {
	for _, c := range engine.AllCauses {
		if c.Name == cause {
			return c.Words
		}
	}
	return cause
}

// receipt is the bill line by line, for readers with a line of the total.
func (x *Explanation) receipt(total bool) *table.Table {
	t := table.Structs(x.Receipt)
	ranged := slices.ContainsFunc(x.Receipt, func(l Line) bool { return l.Low != l.High })
	for i := range t.Columns {
		switch c := &t.Columns[i]; c.Name {
		case "share":
			c.Heading = pick(x.Shared, c.Heading)
		case "lowest_price", "highest_price":
			c.Heading = pick(ranged, c.Heading)
		}
	}
	if l := &x.total; total {
		t.Add("total", "", l.Held, l.Share, l.Price, "", "", l.Charge)
	}
	return t
}

// pick returns the heading of a column that is wanted.
func pick(wanted bool, heading string) string {
	if wanted {
		return heading
	}
	return ""
}

// schemes compares what the price schemes would have charged.
func (x *Explanation) schemes() *table.Table {
	t := table.Structs(x.Schemes)
	t.Columns[2].Heading = "a " + x.unit()
	t.Rows[0].Cells[4] = t.Rows[0].Cells[4].As("charged")
	return t
}

// unit is what prices are for.
func (x *Explanation) unit() string {
	if x.Pool {
		return "machine-second"
	}
	return "processor-second"
}

// number writes another job with its number.
func (x *Explanation) number(n JobRef) string {
	text := "job " + x.Name(n.ID)
	if n.Task != 0 {
		text += fmt.Sprintf("/%d", n.Task)
	}
	return text
}

// job writes another job with its number, size and bid.
func (x *Explanation) job(n JobRef) string {
	size := fmt.Sprintf("%d p", n.Procs)
	if x.Pool {
		size = fmt.Sprintf("%.3g m", n.Size)
	}
	if x.Bidding {
		size += ", bid " + terminal.Price.Text(n.Bid)
	}
	return x.number(n) + " (" + size + ")"
}

// jobs names jobs after a lead, which is left out if there are none; of is how many
// there are in all.
func (x *Explanation) jobs(lead string, few []JobRef, of int) string {
	var list []string
	for _, n := range few {
		list = append(list, x.job(n))
	}
	switch {
	case len(few) == 0:
		return ""
	case of > len(few):
		return lead + strings.Join(list, ", ") + " ..."
	}
	return lead + suggest.And(list)
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

// late says how the end of a job was to its estimate.
func late(seconds float64) string {
	switch {
	case seconds > 0:
		return fmt.Sprintf(", %s beyond its estimate", terminal.Clock.Text(seconds))
	case seconds < 0:
		return fmt.Sprintf(", %s before its estimate", terminal.Clock.Text(-seconds))
	}
	return " as estimated"
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return terminal.Thousands(int64(n)) + " times"
}

// hint appends a hint to a sentence.
func hint(text string) string {
	if text == "" {
		return ""
	}
	return "; " + text
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
		used := false
		for word := range strings.FieldsSeq(rest) {
			if used && utf8.RuneCountInString(head+" "+word) > width {
				out.WriteString(head + "\n")
				head, used = blank, false
			}
			head, used = head+pick(used, " ")+word, true
		}
		out.WriteString(head + "\n")
	}
	return out.String()
}
