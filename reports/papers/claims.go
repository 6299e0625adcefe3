package papers

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Claim is one statement of a paper and what was found.
type Claim struct {
	where, says, found, reading string
	settings                    int
	verdict                     Verdict
}

// Verdict is what becomes of a claim.
type Verdict string

// The verdicts. The last two are no claims of a paper: what we found beside it, and what
// follows from definitions, so that it tests the program and not the paper.
const (
	Holds       Verdict = "holds"
	Differs     Verdict = "differs"
	Unclear     Verdict = "unclear"            // within the noise, or resting on a choice of ours
	Unpublished Verdict = "set-up unpublished" // the paper does not say enough to run it
	Finding     Verdict = "our finding"
	OfTheCode   Verdict = "check of the code"
	Fails       Verdict = "the code fails"
)

// Judge returns Holds or Differs.
func Judge(holds bool) Verdict {
	if holds {
		return Holds
	}
	return Differs
}

// Within judges that a figure over n replicas is from low to high: it is if its whole interval is, it is
// not if all of that lies outside, and otherwise nothing is clear. Copies of one number, which no seed
// changes, have no interval and are judged as they are.
func Within(e stats.Estimate, n int, low, high float64) Verdict {
	switch {
	case n < stats.LeastReplicas || math.IsNaN(e.Mean):
		return Unclear
	case e.Low() >= low && e.High() <= high:
		return Holds
	case e.High() < low || e.Low() > high:
		return Differs
	}
	return Unclear
}

// All is what becomes of a claim that several verdicts make up.
func All(verdicts ...Verdict) Verdict {
	all := Holds
	for _, v := range verdicts {
		if v == Differs || v == Unclear && all == Holds {
			all = v
		}
	}
	return all
}

// OneCause puts one claim in the place of those that differ for the same reason.
func (s *Study) OneCause(where, says string, verdict Verdict, same func(where, says string) bool, why string) {
	var found []string
	s.claims = slices.DeleteFunc(s.claims, func(c *Claim) bool {
		one := c.verdict == Differs && same(c.where, c.says)
		if one {
			found = append(found, c.where+", "+c.says+": "+c.found)
		}
		return one
	})
	if len(found) > 0 {
		s.Claim(where, says, verdict, "%s", strings.Join(found, "; ")).Read("%s", why)
	}
}

// Claim records a statement of the paper with its verdict.
func (s *Study) Claim(where, says string, verdict Verdict, found string, args ...any) *Claim {
	c := &Claim{where: where, says: says, found: fmt.Sprintf(found, args...), verdict: verdict}
	s.claims = append(s.claims, c)
	return c
}

// Hold records a statement of the paper that holds here or does not.
func (s *Study) Hold(where, says string, holds bool, found string, args ...any) *Claim {
	return s.Claim(where, says, Judge(holds), found, args...)
}

// Check records what must be so by definition.
func (s *Study) Check(where, says string, holds bool, found string, args ...any) *Claim {
	if !holds {
		return s.Claim(where, says, Fails, found, args...)
	}
	return s.Claim(where, says, OfTheCode, found, args...)
}

// Found records what the paper does not say.
func (s *Study) Found(where, says, found string, args ...any) *Claim {
	return s.Claim(where, says, Finding, found, args...)
}

// Read says how the statement is taken, on which words of the paper that rests, and how
// a difference is explained.
func (c *Claim) Read(reading string, args ...any) *Claim {
	c.reading = fmt.Sprintf(reading, args...)
	return c
}

// Tried says how many settings were tried before this verdict.
func (c *Claim) Tried(settings int) *Claim {
	c.settings = settings
	return c
}

// VerdictOf returns what became of a claim, "" if there is none.
func (s *Study) VerdictOf(where, says string) Verdict {
	for _, c := range s.claims {
		if c.where == where && c.says == says {
			return c.verdict
		}
	}
	return ""
}

// Each goes through the claims so far.
func (s *Study) Each(f func(where, says string, verdict Verdict)) {
	for _, c := range s.claims {
		f(c.where, c.says, c.verdict)
	}
}

// Counted counts the claims so far by their verdict.
func (s *Study) Counted() map[Verdict]int {
	count := map[Verdict]int{}
	for _, c := range s.claims {
		count[c.verdict]++
	}
	return count
}

// tried is 1 where nothing was said.
func (c *Claim) tried() int { return max(1, c.settings) }

// Verdicts prints the claims with their readings and ends the report: its error is the
// first of them all. They are kept as claims.csv, the report as report.txt.
func (s *Study) Verdicts() error {
	own := s.own()
	s.Heading("%s", map[bool]string{true: "Findings", false: "Verdicts"}[own])
	t := table.New(table.Col("where", "where", terminal.Words), table.Col("paper", "the paper says", terminal.Words),
		table.Col("reading", "", terminal.Words),
		table.Col("settings", "", terminal.Number), table.Col("found", "found here", terminal.Words),
		table.Col("verdict", "verdict", terminal.Words))
	if own {
		t.Columns[1].Heading, t.Columns[4].Heading, t.Columns[5].Heading = "what", "found", ""
	}
	for _, c := range s.claims {
		t.Add(c.where, c.says, c.reading, c.tried(), c.found, string(c.verdict))
	}
	s.Show(t)
	s.readings()
	counted := tally(s.Counted())
	s.Printf("\n%s\n", counted)
	_ = s.Keep("claims", t)
	s.conclude(t, counted)
	return s.save(func() error {
		return s.write(reportFile, func(w io.Writer) error {
			_, err := w.Write(s.text())
			return err
		})
	})
}

// text is the report so far.
func (s *Study) text() []byte { return bytes.TrimLeft(s.report.Bytes(), "\n") }

// conclude prints the whole report where it is not text.
func (s *Study) conclude(claims *table.Table, counted string) {
	switch s.out.Format {
	case "", "text":
	case "json":
		s.fail(s.out.Write(&table.Report{Tables: s.kept, Answers: []string{counted}}))
	default:
		s.fail(s.out.Write(&table.Report{Tables: s.shown, Data: claims}))
	}
}

// own reports whether the study is of no paper: all it has are findings.
func (s *Study) own() bool {
	return s.Counted()[Finding] == len(s.claims)
}

// readings says of the claims that are not taken by the letter how they are.
func (s *Study) readings() {
	heading := func() { s.Printf("\nHow they are read, and the settings tried where there were several:\n") }
	for _, c := range s.claims {
		text := c.reading
		if c.settings > 1 {
			text = strings.TrimPrefix(fmt.Sprintf("%s; %d settings tried", text, c.settings), "; ")
		}
		if text == "" {
			continue
		}
		heading()
		heading = func() {}
		s.Printf("  %s, %q: %s\n", c.where, c.says, text)
	}
}

// tally counts the verdicts in words.
func tally(count map[Verdict]int) string {
	claims := count[Holds] + count[Differs] + count[Unclear] + count[Unpublished]
	if len(count) == 1 && count[Finding] > 0 {
		return terminal.Count(count[Finding], "finding", "findings") + "."
	}
	text := fmt.Sprintf("%s: %d hold, %d differ, %d unclear, %d of which the set-up is not published",
		terminal.Count(claims, "claim", "claims"), count[Holds], count[Differs], count[Unclear], count[Unpublished])
	for _, other := range []struct {
		Verdict
		one, more string
	}{{Finding, "finding of ours", "findings of ours"}, {OfTheCode, "check of the code", "checks of the code"},
		{Fails, "check of the code fails", "checks of the code fail"}} {
		if n := count[other.Verdict]; n > 0 {
			text += "; " + terminal.Count(n, other.one, other.more)
		}
	}
	return text + "."
}
