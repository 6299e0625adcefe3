package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bourse/reports/terminal"
)

// title names the log and what it was replayed under.
func (p *input) title() string {
	trace := filepath.Base(Bare(p.runs[0].traceName()))
	if n := len(p.runs); n > 1 {
		return fmt.Sprintf("%s: %d runs", trace, n)
	}
	return trace + " under " + p.runs[0].Label
}

// Bare is a log's name without what says that it is SWF and how it is packed.
func Bare(name string) string {
	for _, end := range []string{".gz", ".zst", ".bz2", ".swf"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// headline says in a sentence how long jobs wait in a single run, next to the record.
func (p *input) headline() string {
	s := p.runs[0].Summary
	t := &s.Jobs.Total
	text := fmt.Sprintf("jobs wait %s on average under %s", terminal.Seconds.Text(t.MeanWait), p.runs[0].Setting("policy"))
	if r := s.Recorded; r != nil {
		switch d := t.MeanWait - r.MeanWait; {
		case d < 0:
			text += fmt.Sprintf(", %s less than recorded", terminal.Seconds.Text(-d))
		case d > 0:
			text += fmt.Sprintf(", %s more than recorded", terminal.Seconds.Text(d))
		}
	}
	h := &p.data[0].wait[numBands]
	half := "half of them no more than " + terminal.Seconds.Text(h.Quantile(.5))
	if h.Quantile(.5) == 0 {
		half = "half of them start at once"
	}
	text += "; " + half
	if use := s.Machine.Utilisation; use > 0 && s.Machine.Pool == nil {
		text += fmt.Sprintf(". The machine is %s %% busy", terminal.Share.Text(use))
	}
	return text
}

// measured are the figures of a ranking: the best, and by how much the next are worse.
func (p *input) measured(r *Ranking) string {
	unit := r.unit()
	text := unit.Text(r.Places[0].Value)
	for i, x := range r.Places[1:min(len(r.Places), mostMeasured)] {
		k := slices.IndexFunc(p.runs, func(run *Run) bool { return run.Dir == x.Dir })
		if text += [2]string{" against ", ", "}[min(i, 1)] + unit.Text(x.Value); k >= 0 {
			text += " under " + p.runs[k].Label
		}
		if d := x.Interval; d.Known() {
			text += fmt.Sprintf(" (95 %%: %s to %s more)", unit.Text(d.Low()), unit.Text(d.High()))
		}
	}
	return text
}

func (r *Ranking) unit() terminal.Unit {
	if r.Seconds {
		return terminal.Seconds
	}
	return terminal.Ratio
}

// mostMeasured is how many runs a sentence has room for.
const mostMeasured = 4

// labelled is a run's value, and its difference to the best.
func (r *Ranking) labelled(x *Place) string {
	unit := r.unit()
	text := unit.Text(x.Value)
	if best := r.Places[0].Value; x.Value > best {
		return text + " (+" + unit.Text(x.Value-best) + ")"
	}
	return text
}
