package regret

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bourse/reports/ask/fork"
	"bourse/reports/record"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// Gain is what lying would do for the sampled jobs under one payment scheme.
// Gains are best utility over the grid less the truth's, as a share of the
// truth's magnitude; they are never negative, since the truth is in the grid.
type Gain struct {
	Payment string
	Jobs    int
	// Exposed is the share of jobs whose utility depends on their bid at all: on
	// an idle machine all jobs run at once and pay the reservation price.
	Exposed float64
	// Better is the share of the exposed jobs that gain more than a thousandth.
	Better float64
	// Median, P90 and Mean are of the exposed jobs' gains.
	Median, P90, Mean float64
	// Factor is the median over the exposed jobs of the multiple of the value that
	// is best; of equally good ones the nearest to the truth counts.
	Factor float64
	// Shade is the median change at each factor, negative where the lie harms.
	// The mean is of little use: a job that bids too low may wait for weeks.
	Shade []float64
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

// Columns have one row a job, payment and bid.
func (r *Result) Columns() []record.Values {
	columns := record.Named("job_id", "payment", "value", "aggressive", "factor", "utility")
	for _, a := range r.Answers {
		for p, payment := range r.Payments {
			for f, factor := range r.Factors {
				record.AddRow(columns, a.Job.ID, payment.Name, a.Value, a.Aggressive, factor, a.Utility[p][f])
			}
		}
	}
	return columns
}

// Print writes the table, the median change at each factor and the verdicts.
func (r *Result) Print(w io.Writer) error {
	percent := func(x float64) string { return terminal.Share.Text(x) + " %" }
	t := terminal.NewTable("payment", "jobs", "bid matters", "gain by lying", "median gain", "p90 gain", "mean gain", "median best bid")
	for _, g := range r.Gains() {
		t.Row(g.Payment, terminal.Thousands(int64(g.Jobs)), percent(g.Exposed), percent(g.Better), percent(g.Median), percent(g.P90), percent(g.Mean), fmt.Sprintf("%.2f w", g.Factor))
	}
	if err := t.Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w, "gains are shares of the truthful utility, over the jobs whose bid matters\n\nmedian change of these jobs' utility when one of them, alone, bids")
	head := []string{"payment"}
	for _, f := range r.Factors {
		head = append(head, fmt.Sprintf("%g w", f))
	}
	t = terminal.NewTable(head...)
	for _, g := range r.Gains() {
		row := []string{g.Payment}
		for _, s := range g.Shade {
			row = append(row, percent(s))
		}
		t.Row(row...)
	}
	if err := t.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nforking the replay saved a factor of %s over %s full replays\n%s\n",
		terminal.Whole(float64(r.Instants)*float64(r.Forks)/float64(max(1, r.Stepped))), terminal.Thousands(r.Forks), strings.Join(r.Verdicts(), "\n"))
	return err
}
