package lend

import (
	"fmt"
	"strings"

	"bourse/engine/scenario"
	"bourse/policies/catalog"
	"bourse/policies/lending"
	"bourse/traces/suggest"
)

// manySteps bounds the shares of one round that the search for one agent's lies
// may compute in a pass over its rounds: about a minute.
const manySteps = 1e9

// Lies says what agents could gain by false demands, the others reporting the
// truth. liar is the only agent looked at, if it is not empty.
func (s *Series) Lies(r *Result, m catalog.Lending, liar string) (lines []string, err error) {
	p := r.Pool
	agents := make([]int, 0, len(p.Names))
	for i := range p.Names {
		if liar == "" || liar == p.Names[i] {
			agents = append(agents, i)
		}
	}
	if len(agents) == 0 {
		return nil, &scenario.OptionError{Option: "liar", Err: fmt.Errorf("%s is none of the agents%s", liar,
			suggest.DidYouMean(liar, p.Names))}
	}
	truth, err := s.Load(p)
	if err != nil {
		return nil, err
	}
	n, rounds := float64(len(p.Names)), float64(len(truth))
	if steps := rounds * rounds * (n + 7) * n * float64(len(agents)); steps > manySteps {
		return nil, fmt.Errorf("%s: a search for lies of %d agents among %d over %d rounds would take %.0e shares of a "+
			"round, more than %.0e; search for one agent, or use fewer rounds or fewer agents",
			s.Path, len(agents), len(p.Names), len(truth), steps, manySteps)
	}
	for _, i := range agents {
		if err := s.stopped(); err != nil {
			return nil, err
		}
		fresh := func() lending.Lender {
			l, err := m.New(p.Endow, max(p.Rounds, len(truth)))
			if err != nil {
				panic(err) // the same arguments have worked before
			}
			return l
		}
		lie := lending.BestLie(fresh, truth, i, p.Endow[i], r.Low/r.High)
		if gain := r.High * lie.Gain; lie.Gain > 1e-9*max(1, p.Endow[i]*rounds) {
			lines = append(lines, fmt.Sprintf("strategy-proofness is violated: %s gains %.6g by reporting %s", p.Names[i],
				gain, lied(lie.Reported, truth, i)))
		}
	}
	if len(lines) == 0 {
		lines = []string{fmt.Sprintf("strategy-proofness: no report that pays was found for %d agents; this is no proof",
			len(agents))}
	}
	return lines, nil
}

// lied lists the rounds in which an agent does not report the truth.
func lied(reported []float64, truth [][]float64, agent int) string {
	const shown = 6
	var parts []string
	more := 0
	for r, d := range reported {
		if d == truth[r][agent] {
			continue
		}
		if len(parts) == shown {
			more++
			continue
		}
		parts = append(parts, fmt.Sprintf("%g for %g in the %s", d, truth[r][agent], ordinal(r+1)))
	}
	text := strings.Join(parts, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and false demands in %d more", more)
	}
	return text + " round"
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}
