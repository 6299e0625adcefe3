package truth

import (
	"math"
	"slices"
	"strings"

	"bourse/events"
	"bourse/reports/ask/fork"
	"bourse/reports/stats"
	"bourse/reports/table"
)

// Row sums up one payment under one policy.
type Row struct {
	Policy  string `json:"policy" head:"policy" unit:"words" key:""`
	Payment string `json:"payment" head:"payment" unit:"words" key:""`
	Jobs    int    `json:"jobs"`
	// Replicas is over how many of the log intervals are, 1 if they are over jobs.
	Replicas int `json:"replicas"`
	// Matters counts the jobs whose flow time some bid tried changes.
	Matters int `json:"bid_matters"`
	// Liars is the share of jobs that gain more than a thousandth of their utility by the
	// best of the lies tried; Gain what all gain, as a share of all utilities.
	Liars stats.Estimate `json:"share_who_gain" head:"gain by a lie %" unit:"share"`
	Gain  stats.Estimate `json:"gain" head:"of utility %" unit:"share"`
	// Gainers counts them, Over those of them who gain most by overbidding; Factor is the
	// median of their best multiples of the value, 1 if there are none.
	Gainers int     `json:"gainers" head:"gainers"`
	Over    int     `json:"overbid" head:"overbid"`
	Factor  float64 `json:"best_factor" head:"best lie / value" unit:"general"`
	// Revenue is what all jobs pay, being truthful, as a share of what their flow times cost, From whom it is
	// known from. Enclosed is how far it may be off because not all bids were asked, if flow times do not
	// rise with the bid, Late and LatePart how many jobs that bid the least wait for the log's end and what
	// they pay of the sum (Total). The last three are of critical payments.
	Revenue  stats.Estimate `json:"revenue_per_twft" head:"revenue / TWFT" unit:"small"`
	From     string         `json:"revenue_from" head:"from" unit:"words"`
	Enclosed float64        `json:"enclosed" head:"enclosed ±" unit:"small"`
	Late     int            `json:"late"`
	LatePart float64        `json:"late_part"`
	// Negative counts the jobs that are paid.
	Negative int `json:"negative_payments"`
	// Rises counts the neighbouring bids asked between which a flow time rose, Places all.
	Rises  int `json:"flow_time_rises"`
	Places int `json:"neighbouring_bids"`

	kind    kind
	asked   int // Total.Asked
	horizon events.Time
}

// better is the least gain that makes a job one that gains, as a share of its utility;
// rounding the least that is one at all, as a share of what utilities are sums of.
const (
	better   = 1e-3
	rounding = 1e-9
)

// Rows sum the answers up, one Row a payment.
func (r *Result) Rows() (rows []Row) {
	for k := range r.Payments {
		rows = append(rows, r.row(k))
	}
	return rows
}

func (r *Result) row(k int) Row {
	truth, n := slices.Index(r.Factors, 1), len(r.Answers)
	row := Row{Policy: r.Policy, Payment: r.Payments[k].Name, Jobs: n, Replicas: 1, Factor: 1,
		kind: r.Payments[k].kind, horizon: r.Horizon}
	gains, sizes, liars := make([]float64, n), make([]float64, n), make([]float64, n)
	var factors []float64
	for i := range r.Answers {
		a := &r.Answers[i]
		u := a.Utility[k]
		best := fork.Best(r.Factors, u)
		paid := math.Abs(a.Paid[k][truth])
		if gains[i], sizes[i] = u[best]-u[truth], math.Abs(u[truth]); gains[i] < rounding*(a.Waiting+paid) {
			gains[i] = 0
		}
		if gains[i] > better*sizes[i] {
			liars[i], factors = 1, append(factors, r.Factors[best])
			row.Over += count(r.Factors[best] > 1)
		}
		row.Matters, row.Negative = row.Matters+count(a.Matters), row.Negative+count(a.Paid[k][truth] < 0)
		row.Rises, row.Places = row.Rises+a.Rises, row.Places+a.Places
	}
	if row.Gainers = len(factors); row.Gainers > 0 {
		slices.Sort(factors)
		row.Factor = stats.Quantile(factors, .5)
	}
	row.Liars = stats.EstimateOf(liars)
	row.Gain, _ = unlessSkewed(stats.RatioOf(gains, sizes), gains)
	if r.Census {
		row.Liars, row.Gain = stats.Exactly(row.Liars.Mean), stats.Exactly(row.Gain.Mean)
	}
	t := &r.Totals[k]
	row.Revenue, row.From, row.Enclosed, row.Late, row.LatePart = t.Revenue, t.From, t.Enclosed, t.Late, t.LatePart
	if row.asked = t.Asked; t.Skewed {
		row.From += tooSkewed
	}
	return row
}

// tooSkewed is said where a sum has no interval because one of its terms is above a tenth of it.
const tooSkewed = ", too skewed"

// count counts what is true.
func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Over sums rows of replicas of a log up: means with intervals over the replicas, and
// counts over all their jobs.
func Over(replicas [][]Row) []Row {
	rows := slices.Clone(replicas[0])
	for i := range rows {
		row := &rows[i]
		row.From = strings.TrimSuffix(row.From, tooSkewed)
		over := func(figure func(r *Row) float64) stats.Estimate {
			return stats.EstimateOver(len(replicas), func(k int) float64 { return figure(&replicas[k][i]) })
		}
		var factors []float64
		for k, all := range replicas {
			r := &all[i]
			if strings.TrimSuffix(r.From, tooSkewed) != row.From {
				row.From = "every job or draws"
			}
			if r.Gainers > 0 {
				factors = append(factors, r.Factor)
			}
			if k > 0 {
				row.Jobs, row.Matters, row.Gainers, row.Over = row.Jobs+r.Jobs, row.Matters+r.Matters, row.Gainers+r.Gainers,
					row.Over+r.Over
				row.Negative, row.Rises, row.Places = row.Negative+r.Negative, row.Rises+r.Rises, row.Places+r.Places
				row.Late, row.asked = row.Late+r.Late, row.asked+r.asked
			}
		}
		if slices.Sort(factors); len(factors) > 0 {
			row.Factor = stats.Quantile(factors, .5)
		}
		row.Replicas = len(replicas)
		row.Liars, row.Gain = over(func(r *Row) float64 { return r.Liars.Mean }),
			over(func(r *Row) float64 { return r.Gain.Mean })
		row.Revenue, row.Enclosed = over(func(r *Row) float64 { return r.Revenue.Mean }),
			over(func(r *Row) float64 { return r.Enclosed }).Mean
		row.LatePart = over(func(r *Row) float64 { return r.LatePart }).Mean
	}
	return rows
}

// Columns have one row a replica, policy, job, payment and bid.
func Columns(all []*Result) *table.Table {
	columns := table.Data("seed", "policy", "job_id", "payment", "value", "aggressive", "factor", "utility", "paid",
		"half_width")
	for _, r := range all {
		for _, a := range r.Answers {
			for k, p := range r.Payments {
				for f, factor := range r.Factors {
					half := math.NaN()
					if p.kind == critical {
						half = a.Half[k][f]
					}
					columns.Add(int64(r.Seed), r.Policy, a.Job.ID, p.Name, a.Value, table.Truth(a.Aggressive), factor, a.Utility[k][f],
						a.Paid[k][f], half)
				}
			}
		}
	}
	return columns
}
