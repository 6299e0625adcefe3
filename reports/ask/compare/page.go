package compare

import (
	"fmt"
	"slices"
	"strings"

	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/ask/sweep"
	"bourse/reports/page"
	"bourse/reports/run"
	"bourse/reports/terminal"
)

// PageAnswer is what the page of several runs opens with: which is best by bounded slowdown
// and by wait, and on a market by utility; nil for one run.
func PageAnswer(runs []*page.Run) (*page.Answer, error) {
	if len(runs) < 2 {
		return nil, nil
	}
	names := []string{"mean_bounded_slowdown", "mean_wait_s"}
	var finished []*run.Finished
	answer := &page.Answer{Badges: map[string][]string{}}
	for _, r := range runs {
		finished = append(finished, r.Finished)
		answer.Badges[r.Dir] = badges(r.Setting("policy"))
		if r.Summary.Market && len(names) == 2 {
			names = append(names, "mean_utility")
		}
	}
	for _, m := range run.MeasuresNamed(names...) {
		t := Finished(finished, m, "")
		if err := t.Judge(""); err != nil {
			return nil, err
		}
		ranking := page.Ranking{Measure: m.Words(), Seconds: m.Unit == terminal.Seconds}
		for _, e := range t.Entries {
			if e.Difference.Known() {
				ranking.Samples = t.Samples
			}
			ranking.Places = append(ranking.Places, page.Place{Dir: e.Dir, Value: e.Value(m), Interval: e.Difference,
				Verdict: string(e.Verdict)})
		}
		answer.Rankings = append(answer.Rankings, ranking)
		answer.Lines = append(answer.Lines, t.Answers()...)
	}
	return answer, nil
}

// badges says what a policy can do that others cannot.
func badges(spec string) (words []string) {
	market := catalog.Defaults
	market.Policy = spec
	policy, _, _, err := market.Build()
	if err != nil {
		return nil
	}
	if policies.NeedsOf(policy).RunTimes {
		words = append(words, "clairvoyant")
	}
	return words
}

// PageOf is what the page of a sweep shows: every measure of each combination of settings,
// and which is best by bounded slowdown.
func PageOf(d *sweep.Dataset) (*page.Sweep, error) {
	t := Group(d, Varying(d.Plan.Axes))
	s := &page.Sweep{Title: titleOf(d.Plan, t.Axes), Seeds: len(t.Rows[0].Summaries)}
	for _, x := range t.Axes {
		s.Axes = append(s.Axes, page.Axis{Name: x.Name, Values: x.Values})
	}
	for _, r := range t.Rows {
		s.Market = s.Market || slices.ContainsFunc(r.Summaries, func(s *run.Summary) bool { return s.Market })
		var p page.Point
		for i, v := range r.Settings {
			p.At = append(p.At, slices.Index(t.Axes[i].Values, v))
		}
		for _, m := range run.Measures {
			e := t.Estimate(r, m)
			p.Means, p.Lows, p.Highs = append(p.Means, e.Mean), append(p.Lows, e.Low()), append(p.Highs, e.High())
		}
		s.Points = append(s.Points, p)
	}
	table := t.Table(run.MeasuresNamed("mean_bounded_slowdown")[0])
	if err := table.Judge(""); err != nil {
		return nil, err
	}
	s.Answers = table.Answers()
	return s, nil
}

// titleOf names the logs of a sweep, if they are few, and what varies.
func titleOf(p *sweep.Plan, axes []sweep.Axis) string {
	var logs, varied []string
	for _, t := range p.Traces {
		logs = append(logs, page.Bare(sweep.Label(t.Spec)))
	}
	if len(logs) > 3 {
		logs = []string{fmt.Sprintf("%d logs", len(logs))}
	}
	for _, x := range axes {
		varied = append(varied, x.Name)
	}
	return strings.Join(logs, ", ") + " by " + strings.Join(varied, ", ")
}
