package page

import (
	"math"
	"slices"
	"strings"

	"bourse/reports/stats"
)

// Answer is what a comparison of the runs says, which a page opens with. Who judges the runs
// is the caller's matter.
type Answer struct {
	Lines    []string // sentences: which is best, and what is tied with it
	Rankings []Ranking
	// Badges are words about a run's policy by the run's folder, as clairvoyant; that jobs
	// were preempted or shared processors is seen in the records.
	Badges map[string][]string
}

// Ranking is the runs in the order of one measure, the best first.
type Ranking struct {
	Measure string // its heading
	Seconds bool   // drawn as durations
	Samples string // what intervals are over, "20 batches of jobs"; empty if there are none
	Places  []Place
}

// Place is a run's in a ranking.
type Place struct {
	Dir   string
	Value float64
	// Interval is the difference to the best.
	Interval stats.Estimate
	Verdict  string // best, equal, tied, worse, cannot tell or unknown
}

// rankings draws a dot for each run and the interval of its difference to the best one, a
// chart for each measure.
func (p *input) rankings(a *Answer) (charts []*chart) {
	for i := range a.Rankings {
		r := &a.Rankings[i]
		c := &chart{ID: "rank-" + string(rune('a'+i)), Title: "Which run is best by " + r.Measure + "?",
			Data:    &data{Names: []string{"run", "value", "low", "high", "verdict", "label"}},
			Caption: "Filled: the best run, and those that cannot be told from it."}
		if r.Samples != "" {
			c.Caption += " Bars: 95 % intervals of the difference to the best, job by job, over " + r.Samples + "."
		}
		least := math.Inf(1)
		var labels []string
		for _, x := range r.Places {
			k := slices.IndexFunc(p.runs, func(run *Run) bool { return run.Dir == x.Dir })
			if k < 0 {
				continue
			}
			name := p.badged(k, a)
			labels = append(labels, name)
			low, high := x.Value, x.Value
			if d := x.Interval; d.Known() {
				low, high = x.Value-d.Mean+d.Low(), x.Value-d.Mean+d.High()
			}
			least = min(least, low)
			c.Data.add(name, short(x.Value), short(low), short(high), x.Verdict, r.labelled(&x))
		}
		c.Spec = rankSpec(r, labels, least)
		charts = append(charts, c)
	}
	return charts
}

// badged is a run's label with what there is to say of its policy.
func (p *input) badged(k int, a *Answer) string {
	badges := slices.Clone(a.Badges[p.runs[k].Dir])
	if p.data[k].broken > 0 {
		badges = append(badges, "preemptive")
	}
	if len(badges) == 0 {
		return p.runs[k].Label
	}
	return p.runs[k].Label + " · " + strings.Join(badges, ", ")
}

func rankSpec(r *Ranking, labels []string, least float64) object {
	most := 0.0
	for _, x := range r.Places {
		most = max(most, x.Value)
	}
	// Its title is in the chart's, and could not fit below a narrow chart.
	scale, axis := object{"zero": true}, figureAxis("", r.Seconds)
	axis["labelOverlap"] = "greedy"
	if least > 0 && most > 20*least { // the worst would hide the others
		scale = object{"type": "log"}
		if r.Seconds {
			axis = waits("")
		} else {
			axis["values"], axis["labelBound"] = steps125(least, most), true // none is cut off at the edge
		}
	}
	axis["title"] = nil
	return document("ranking", object{"height": 26*len(labels) + 8, "labels": labels, "measure": r.Measure, "scale": scale,
		"axis": axis})
}

// steps125 are 1, 2, 5, 10, 20 ... from below one number to above another.
func steps125(least, most float64) (ticks []float64) {
	for power := math.Pow(10, math.Floor(math.Log10(least))); power <= most; power *= 10 {
		ticks = append(ticks, power, 2*power, 5*power)
	}
	return ticks
}
