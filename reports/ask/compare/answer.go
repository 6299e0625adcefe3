package compare

import (
	"fmt"
	"slices"
	"strings"

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
	names := func(v Verdict) (some []string) {
		for _, e := range block {
			if e.Verdict == v {
				some = append(some, e.Name)
			}
		}
		return some
	}
	equal, tied, worse, unknown := names(Equal), names(Tied), names(Worse), names(Unknown)
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
	if len(tied)+len(worse) == 0 {
		return fmt.Sprintf("%s %s: %s%s; how certain that is cannot be said: %s", t.extreme(), what, best, more, t.unsure())
	}
	add("; tied with it: ", tied)
	if len(tied) == 0 && len(unknown) == 0 {
		more += "; " + terminal.Plural(len(worse), worse[0]+" is worse", "all others are worse")
	}
	add("; not testable, as no seed changes either: ", unknown)
	return fmt.Sprintf("best by %s: %s%s", what, best, more)
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

// marks are the signs of the verdicts in a table.
var marks = map[Verdict]table.Mark{Best: table.Best, Equal: table.Equal, Tied: table.Tied, Worse: table.Worse}

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
	most := 0
	for _, b := range t.blocks() {
		most = max(most, len(b)-1)
	}
	text += ": Student's t over " + t.Samples + ", 5 %"
	if most > 1 {
		text += fmt.Sprintf(", Holm's correction for %d", most)
	}
	return text + "; ± is half of a 95 % interval"
}
