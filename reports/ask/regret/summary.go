package regret

import (
	"fmt"
	"math"
	"slices"

	"bourse/reports/ask/fork"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Gain is what lying would do for the sampled jobs under one payment scheme.
// Gains are best utility over the grid less the truth's, as a share of the
// truth's magnitude; they are never negative, since the truth is in the grid.
type Gain struct {
	Payment string `json:"payment" head:"payment" unit:"words" key:""`
	Jobs    int    `json:"jobs" head:"jobs"`
	// Exposed is the share of jobs whose utility depends on their bid at all: on
	// an idle machine all jobs run at once and pay the reservation price.
	Exposed float64 `json:"bid_matters" head:"bid matters %" unit:"share"`
	// Better is the share of the exposed jobs that gain more than a thousandth.
	Better float64 `json:"share_who_gain" head:"gain by lying %" unit:"share"`
	// Median, P90 and Mean are of the exposed jobs' gains.
	Median float64 `json:"median_gain" head:"median gain %" unit:"share"`
	P90    float64 `json:"p90_gain" head:"p90 gain %" unit:"share"`
	Mean   float64 `json:"mean_gain" head:"mean gain %" unit:"share"`
	// Factor is the median over the exposed jobs of the multiple of the value that
	// is best; of equally good ones the nearest to the truth counts.
	Factor float64 `json:"median_best_factor" head:"median best bid / value" unit:"ratio"`
	// Shade is the median change at each factor, negative where the lie harms.
	// The mean is of little use: a job that bids too low may wait for weeks.
	Shade []float64 `json:"median_change_by_factor"`
}

// better is the least gain that counts, as a share.
const better = 1e-3

// Gains sums the answers up, one Gain a payment scheme.
func (r *Result) Gains() []Gain {
	truth := slices.Index(r.Factors, 1)
	var out []Gain
	for p, payment := range r.Payments {
		g := Gain{Payment: payment.Name, Jobs: len(r.Answers), Shade: make([]float64, len(r.Factors))}
		var gains, factors []float64
		changes := make([][]float64, len(r.Factors))
		for _, a := range r.Answers {
			u := a.Utility[p]
			if slices.Min(u) == slices.Max(u) {
				continue
			}
			for f := range u {
				changes[f] = append(changes[f], relative(u[f], u[truth]))
			}
			best := fork.Best(r.Factors, u)
			gain := relative(u[best], u[truth])
			gains, factors = append(gains, gain), append(factors, r.Factors[best])
			if gain > better {
				g.Better++
			}
			g.Mean += gain
		}
		g.Exposed = float64(len(gains)) / float64(len(r.Answers))
		if n := float64(len(gains)); n > 0 {
			slices.Sort(gains)
			slices.Sort(factors)
			g.Median, g.P90, g.Factor = stats.Quantile(gains, .5), stats.Quantile(gains, .9), stats.Quantile(factors, .5)
			g.Better, g.Mean = g.Better/n, g.Mean/n
			for f := range g.Shade {
				slices.Sort(changes[f])
				g.Shade[f] = stats.Quantile(changes[f], .5)
			}
		}
		out = append(out, g)
	}
	return out
}

// relative is the change from the truth's utility as a share of its magnitude; a
// job whose truthful utility is 0 (it waited for nothing and paid nothing)
// cannot gain.
func relative(u, truth float64) float64 {
	if truth == 0 {
		return 0
	}
	return (u - truth) / math.Abs(truth)
}

// Bids has a row for each job, payment and bid.
func (r *Result) Bids() *table.Table {
	t := table.Data("job_id", "payment", "value", "aggressive", "factor", "utility")
	for _, a := range r.Answers {
		for p, payment := range r.Payments {
			for f, factor := range r.Factors {
				t.Add(a.Job.ID, payment.Name, a.Value, table.Truth(a.Aggressive), factor, a.Utility[p][f])
			}
		}
	}
	return t
}

// Report is what lying gains by payment, the median change at each bid, and the verdicts.
func (r *Result) Report() *table.Report {
	gains := r.Gains()
	sums := table.Structs(gains)
	sums.Notes = []string{"gains are shares of the truthful utility, over the jobs whose bid matters"}
	shades := &table.Table{Title: "median change in % of these jobs' utility when one of them, alone, bids",
		Columns: []table.Column{{Heading: "payment", Unit: terminal.Words, Key: true}}}
	for _, f := range r.Factors {
		shades.Columns = append(shades.Columns, table.Column{Heading: fmt.Sprintf("%g w", f), Unit: terminal.Share})
	}
	for _, g := range gains {
		row := []any{g.Payment}
		for _, s := range g.Shade {
			row = append(row, s)
		}
		shades.Add(row...)
	}
	shades.Notes = []string{fmt.Sprintf("forking the replay saved a factor of %s over %s full replays",
		terminal.Whole(float64(r.Instants)*float64(r.Forks)/float64(max(1, r.Stepped))), terminal.Thousands(r.Forks))}
	return &table.Report{Tables: []*table.Table{sums, shades}, Answers: r.Verdicts()}
}
