package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Answers are the sentences in which a comparison ends: which is best, and what is tied with
// it, or why that cannot be said. Blocks of which the same can be said share one.
func (t *Ranking) Answers() (lines []string) {
	at := map[string]int{}
	var said, of []string
	for _, block := range t.blocks() {
		if len(block) < 2 {
			continue
		}
		line, name := t.answer(block), block[0].Block
		if i, again := at[line]; again {
			of[i] += ", " + name[shared(of[i], name):]
			continue
		}
		at[line] = len(said)
		said, of = append(said, line), append(of, name)
	}
	for i, line := range said {
		if of[i] != "" {
			line = of[i] + ": " + line
		}
		lines = append(lines, line)
	}
	if t.Without != nil {
		lines = append(lines, t.turns()...)
	}
	if len(lines) == 0 && len(t.Entries) > 0 {
		lines = []string{"there is nothing to compare: want two rows or more of the same jobs"}
	}
	return lines
}

// shared is the length of the words that two names begin with, so that the second can
// leave them out: "load-factor 1", "load-factor 2".
func shared(a, b string) (n int) {
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == ' ' {
			n = i + 1
		}
	}
	return n
}

func (t *Ranking) answer(block []*Entry) string {
	best, what := block[0].Name, t.Metric.Words()
	var unlike []string // whose replicas do not resemble the log
	names := func(v Verdict) (some []string) {
		for _, e := range block {
			switch {
			case e.Verdict != v:
			case v == Unknown && !t.likeLog(e):
				unlike = append(unlike, e.Name)
			default:
				some = append(some, e.Name+e.decidedBy(block[0]))
			}
		}
		return some
	}
	equal, tied, worse, unknown, open := names(Equal), names(Tied), names(Worse), names(Unknown), names(CannotTell)
	if len(equal) == len(block) {
		return fmt.Sprintf("%s is the same for all: %s", what, strings.Join(equal, ", "))
	}
	var more string
	add := func(lead string, names []string) {
		if len(names) > 0 {
			more += lead + strings.Join(names, ", ")
		}
	}
	add("; equal to it: ", equal)
	if len(tied)+len(worse)+len(open) == 0 {
		return fmt.Sprintf("%s %s: %s%s; how certain that is cannot be said: %s", t.extreme(), what, best, more, t.unsure())
	}
	add("; tied with it: ", tied)
	add("; too few stretches of the log differ to tell it from ", open)
	if len(tied)+len(unknown)+len(unlike)+len(open) == 0 {
		more += "; " + terminal.Plural(len(worse), worse[0]+" is worse", "all others are worse")
	}
	copied := "no seed changes either"
	if t.log != nil {
		copied = "every stretch of the log repeats one difference"
	}
	add("; not testable, as "+copied+": ", unknown)
	add("; no verdict, as replicas under it do not resemble the log: ", unlike)
	lead := "best by"
	if len(tied)+len(worse) == 0 {
		lead = t.extreme()
	}
	return fmt.Sprintf("%s %s: %s%s", lead, what, best, more)
}

func (t *Ranking) extreme() string {
	if t.Metric.High {
		return "highest"
	}
	return "lowest"
}

func (t *Ranking) unsure() string {
	if t.Unsure != "" {
		return t.Unsure
	}
	return "there are no paired samples of both"
}

// decidedBy says which stretch decides where one log cannot tell an entry from the best, if it is one.
func (e *Entry) decidedBy(best *Entry) string {
	if x := e.Evidence; e.Verdict == CannotTell && e.Base == best && x.Share >= .5 {
		return fmt.Sprintf(" (%.0f %% of the differences are from %s to %s)", 100*x.Share, x.From, x.Until)
	}
	return ""
}

// Open reports whether there is an entry of which one log cannot tell how it stands.
func (t *Ranking) Open() bool {
	return slices.ContainsFunc(t.Entries, func(e *Entry) bool { return e.Verdict == CannotTell })
}

// marks are the signs of the verdicts in a table.
var marks = map[Verdict]table.Mark{Best: table.Best, Equal: table.Equal, Tied: table.Tied, Worse: table.Worse,
	CannotTell: table.Open}

// legend explains marks and intervals, as far as there are any.
func (t *Ranking) legend() string {
	has := func(v Verdict) bool {
		return slices.ContainsFunc(t.Entries, func(e *Entry) bool { return e.Verdict == v })
	}
	if !has(Best) {
		return ""
	}
	text := "* best"
	if has(Equal) {
		text += ", = equal to it"
	}
	if has(Tied) {
		text += ", ~ tied with it"
	}
	if has(CannotTell) {
		text += ", ? cannot tell"
	}
	return text + ": " + t.method()
}

// method is how verdicts and intervals are made.
func (t *Ranking) method() string {
	text := "Student's t over " + t.Samples
	if t.log != nil {
		text = "flipped signs of " + t.Samples
	}
	most := 0
	for _, b := range t.blocks() {
		most = max(most, len(b)-1)
	}
	if text += ", 5 %"; most > 1 {
		text += fmt.Sprintf(", with Holm's correction for %d", most)
	}
	return text
}

// evidence is a table of what differences rest on.
func (t *Ranking) evidence() *table.Table {
	unit := t.Metric.Unit
	out := &table.Table{Title: "how sure the differences are"}
	for _, key := range t.Keys {
		out.Columns = append(out.Columns, table.Column{Heading: key, Unit: terminal.Words, Key: true})
	}
	out.Columns = append(out.Columns, table.Column{Heading: "vs " + t.Baseline, Unit: unit},
		table.Column{Heading: "95 % interval", Unit: terminal.Words}, table.Column{Heading: "p", Unit: terminal.Small})
	if t.log != nil {
		out.Columns = append(out.Columns, table.Column{Heading: "stretches"},
			table.Column{Heading: "effective", Unit: terminal.Percent},
			table.Column{Heading: "the heaviest", Unit: terminal.Words})
		out.Notes = []string{"stretches: parts of the log between submissions at which both schedules agree, in which they " +
			"differ; effective: how many of equal weight they come to; the heaviest: when, and its share of all differences"}
	}
	for _, e := range t.Entries {
		if e == e.Base || math.IsNaN(e.Evidence.P) {
			continue
		}
		var row []any
		for _, s := range e.Settings {
			row = append(row, s)
		}
		interval := "no end"
		if d := e.Difference; d.Known() {
			interval = unit.Change(d.Low()) + " to " + unit.Change(d.High())
		}
		row = append(row, table.Change(stats.Exactly(e.Difference.Mean)), interval, e.Evidence.P)
		if x := e.Evidence; t.log != nil {
			row = append(row, x.Stretches, x.Effective, fmt.Sprintf("%s to %s, %.0f %%", x.From, x.Until, 100*x.Share))
		}
		out.Add(row...)
	}
	if len(out.Rows) == 0 {
		return nil
	}
	return out
}
