package learn

import (
	"fmt"
	"math"
	"slices"

	"bourse/reports/stats"
	"bourse/reports/table"
)

// Row sums up one payment. What is of the end is of the last quarter of the epochs, with
// intervals over epochs; strategies are those after the last one, with intervals over agents.
type Row struct {
	Policy  string `json:"policy" head:"policy" unit:"words" key:""`
	Payment string `json:"payment" head:"payment" unit:"words" key:""`
	Rule    string `json:"rule"`
	Agents  int    `json:"agents"`
	Epochs  int    `json:"epochs"`
	// Settled is after how many epochs regret stayed small, 0 if it did not.
	Settled int `json:"settled"`
	// Path are mean factors before the first epoch, and a quarter, a half, three quarters on.
	Path    [4]float64     `json:"mean_factor_by_quarter" head:"mean factor: start|1/4|1/2|3/4" unit:"ratio"`
	Factor  stats.Estimate `json:"mean_factor" head:"end" unit:"ratio"`
	Entropy stats.Estimate `json:"entropy" head:"entropy" unit:"ratio"`
	// Below, Honest and Above are the weights of bids below the value, at it and above it.
	Below  stats.Estimate `json:"underbid" head:"underbid %" unit:"share"`
	Honest stats.Estimate `json:"honest" head:"honest %" unit:"share"`
	Above  stats.Estimate `json:"overbid" head:"overbid %" unit:"share"`
	// Regret is the mean over agents of the average regret; by EXP3 an estimate.
	Regret stats.Estimate `json:"regret" head:"regret" unit:"fine"`
	// Payoff and HonestPayoff are means over agents and epochs of the end.
	Payoff       float64 `json:"payoff" head:"payoff" unit:"ratio" part:"1"`
	HonestPayoff float64 `json:"payoff_if_honest" head:"if honest" unit:"ratio" part:"1"`
	// Efficiency is the least possible by the total weighted flow time, NaN if unknown.
	Efficiency       stats.Estimate `json:"efficiency" head:"efficiency" unit:"ratio" part:"1"`
	HonestEfficiency stats.Estimate `json:"efficiency_if_honest" head:"if honest" unit:"ratio" part:"1"`
	// Cost is by how much learning changes the total weighted flow time, as a share;
	// FirstCost is that of the first quarter, when bids are mostly random.
	Cost          stats.Estimate `json:"twft_change" head:"TWFT %: last 1/4" unit:"share" signed:"" part:"1"`
	FirstCost     stats.Estimate `json:"twft_change_first_quarter" head:"first 1/4" unit:"share" signed:"" part:"1"`
	Revenue       stats.Estimate `json:"revenue_per_twft" head:"revenue / TWFT" unit:"fine" part:"1"`
	HonestRevenue stats.Estimate `json:"revenue_per_twft_if_honest" head:"if honest" unit:"fine" part:"1"`
	// On the whole last log, without draws: if all are honest, if each agent bids what it
	// likes best at the end, and at the game's equilibrium or what is nearest to one.
	Truthful   Outcome `json:"honest_last_log" head:"honest" part:"2"`
	Favourites Outcome `json:"favourites" head:"favourites" part:"2"`
	Game       Game    `json:"equilibrium" head:"equilibrium" part:"2"`
	// Common is the multiple that pays best if all agents bid it, CommonPayoff what it pays.
	Common       float64 `json:"best_common_factor" head:"best if all bid" unit:"general" part:"1"`
	CommonPayoff float64 `json:"best_common_payoff" head:"payoff of it" unit:"ratio" part:"1"`
}

// Outcome is what comes of bids that stay as they are.
type Outcome struct {
	// Cost is by how much they change the total weighted flow time compared with honesty.
	Cost       float64  `json:"twft_change" head:"TWFT %" unit:"share" signed:""`
	Efficiency *float64 `json:"efficiency" head:"efficiency" unit:"ratio"` // nil if unknown
	Revenue    float64  `json:"revenue_per_twft" head:"revenue / TWFT" unit:"fine"`
}

func outcome(e Epoch) (o Outcome) {
	part := func(over, under float64) float64 { return stats.RatioOf([]float64{over}, []float64{under}).Mean }
	o.Cost, o.Revenue = part(e.TWFT-e.Honest, e.Honest), part(e.Paid, e.TWFT)
	if x := part(e.Bound, e.TWFT); !math.IsNaN(x) {
		o.Efficiency = &x
	}
	return o
}

// Rows sum up what was learnt.
func (r *Result) Rows() (rows []Row) {
	for _, l := range r.Payments {
		n := len(l.Epochs)
		row := Row{Policy: r.Policy, Payment: l.Payment, Rule: r.Rule, Epochs: n, Settled: l.Settled}
		path := l.Path(len(r.Users))
		for i := range row.Path {
			row.Path[i] = path[i*n/4].Mean
		}
		var end [][]float64
		for _, w := range l.End {
			if w != nil {
				end = append(end, w)
			}
		}
		over := func(figure func(w []float64) float64) stats.Estimate {
			return stats.EstimateOver(len(end), func(i int) float64 { return figure(end[i]) })
		}
		row.Agents, row.Factor, row.Entropy = len(end), path[n], over(entropy)
		row.Below = over(func(w []float64) float64 { return stats.Total(w[:honest]) })
		row.Honest = over(func(w []float64) float64 { return w[honest] })
		row.Above = over(func(w []float64) float64 { return stats.Total(w[honest+1:]) })
		row.Regret = stats.EstimateOf(l.regrets(r.Rule, math.MaxInt))
		row.last(l)
		best := slices.Index(l.Common, slices.Max(l.Common))
		row.Common, row.CommonPayoff = Actions[best], l.Common[best]
		row.Game = gameOf(l.Gains)
		row.Game.Outcome = outcome(l.Commons[row.Game.place])
		honest := l.Favourites
		honest.TWFT, honest.Paid = honest.Honest, honest.HonestPaid
		row.Favourites, row.Truthful = outcome(l.Favourites), outcome(honest)
		rows = append(rows, row)
	}
	return rows
}

// last fills in what came of it, in the last quarter above all.
func (row *Row) last(l *PaymentResult) {
	n := len(l.Epochs)
	end := l.Epochs[n-(n+3)/4:]
	ratio := func(of []Epoch, over, under func(e *Epoch) float64) stats.Estimate {
		a, b := make([]float64, len(of)), make([]float64, len(of))
		for i := range of {
			a[i], b[i] = over(&of[i]), under(&of[i])
		}
		return stats.RatioOf(a, b)
	}
	learnt, truth := func(e *Epoch) float64 { return e.TWFT }, func(e *Epoch) float64 { return e.Honest }
	bound, more := func(e *Epoch) float64 { return e.Bound }, func(e *Epoch) float64 { return e.TWFT - e.Honest }
	row.Efficiency, row.HonestEfficiency = ratio(end, bound, learnt), ratio(end, bound, truth)
	row.FirstCost, row.Cost = ratio(l.Epochs[:(n+3)/4], more, truth), ratio(end, more, truth)
	row.Revenue = ratio(end, func(e *Epoch) float64 { return e.Paid }, learnt)
	row.HonestRevenue = ratio(end, func(e *Epoch) float64 { return e.HonestPaid }, truth)
	var late []*Play
	for _, p := range l.Plays {
		if p.Epoch >= n-len(end) {
			late = append(late, p)
		}
	}
	row.Payoff = meanOver(len(late), func(i int) float64 { return late[i].Payoff })
	row.HonestPayoff = meanOver(len(late), func(i int) float64 { return late[i].Honest })
}

// Path is the agents' mean factor before each epoch, with what the earlier ones paid, and
// after the last one.
func (l *PaymentResult) Path(agents int) []stats.Estimate {
	now := make([]float64, agents)
	for i := range now {
		now[i] = mean(Actions)
	}
	path, at := make([]stats.Estimate, len(l.Epochs)+1), 0
	for e := range l.Epochs {
		for ; at < len(l.Plays) && l.Plays[at].Epoch < e; at++ {
			now[l.Plays[at].Agent] = dot(l.Plays[at].After, Actions)
		}
		path[e] = stats.EstimateOf(now)
	}
	var end []float64
	for _, w := range l.End {
		if w != nil {
			end = append(end, dot(w, Actions))
		}
	}
	path[len(l.Epochs)] = stats.EstimateOf(end)
	return path
}

// regrets are how much more the best fixed action would have paid, on average, in the epochs
// before one. By Hedge that is known of each agent, in the epochs in which it was asked. By
// EXP3 it is estimated for all at once: what an action pays is its mean payoff where it was
// drawn, each counting by the inverse of how likely that was.
func (l *PaymentResult) regrets(rule string, until int) (list []float64) {
	type account struct {
		paid, weight []float64 // by action
		got, n       float64
	}
	var of []*account
	for _, p := range l.Plays {
		at := p.Agent
		if rule == EXP3 {
			at = 0
		}
		for at >= len(of) {
			of = append(of, &account{paid: make([]float64, len(Actions)), weight: make([]float64, len(Actions))})
		}
		a := of[at]
		switch {
		case p.Epoch >= until:
			continue
		case rule == EXP3:
			q := p.Likely[p.Action]
			a.paid[p.Action] += p.Payoff / q
			a.weight[p.Action] += 1 / q
			a.got += p.Payoff
		case p.Payoffs == nil:
			continue
		default:
			for k, g := range p.Payoffs {
				a.paid[k] += g
				a.weight[k]++
			}
			a.got += dot(p.Likely, p.Payoffs)
		}
		a.n++
	}
	for _, a := range of {
		if a.n == 0 {
			continue
		}
		best := math.Inf(-1)
		for k := range a.paid {
			if a.weight[k] > 0 {
				best = max(best, a.paid[k]/a.weight[k])
			}
		}
		list = append(list, best-a.got/a.n)
	}
	return list
}

// Columns have one row an agent and epoch; gain_alone is what one that was asked gains by moving
// alone from the game's equilibrium, or what is nearest to one.
func (r *Result) Columns() *table.Table {
	names := []string{"payment", "epoch", "user", "jobs", "factor", "payoff", "payoff_if_honest", "mean_factor", "entropy",
		"gain_alone"}
	for _, f := range Actions {
		names = append(names, fmt.Sprintf("weight_%g", f))
	}
	for _, f := range Actions {
		names = append(names, fmt.Sprintf("payoff_%g", f))
	}
	columns := table.Data(names...)
	for _, l := range r.Payments {
		alone := l.Gains[gameOf(l.Gains).place]
		for _, p := range l.Plays {
			row := []any{l.Payment, int64(p.Epoch + 1), r.Users[p.Agent], int64(p.Jobs), Actions[p.Action], p.Payoff, p.Honest,
				dot(p.Weights, Actions), entropy(p.Weights), math.NaN()}
			if i := slices.Index(l.Asked, p.Agent); i >= 0 {
				row[len(row)-1] = alone[i]
			}
			for _, w := range p.Weights {
				row = append(row, w)
			}
			for k := range Actions {
				g := math.NaN()
				if p.Payoffs != nil {
					g = p.Payoffs[k]
				}
				row = append(row, g)
			}
			columns.Add(row...)
		}
	}
	return columns
}

// mean is NaN of nothing.
func mean(x []float64) float64 { return stats.Total(x) / float64(len(x)) }

func meanOver(n int, of func(i int) float64) float64 {
	return stats.EstimateOver(n, of).Mean
}
