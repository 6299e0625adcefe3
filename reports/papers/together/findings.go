package together

import (
	"fmt"
	"math"
	"strings"

	"bourse/reports/papers"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// openLoopClaim is what a paper says open loop, as one mechanism being better than another, and
// how it is read closed loop.
type openLoopClaim struct{ paper, says, better, than, reading string }

var openLoopClaims = []openLoopClaim{
	{"dynamic sharing", "fl is better than static", "lend:fl", "lend:static", ""},
	{"price-anticipating", "a market of budgets is more efficient than equal shares", "price-anticipating", "drf",
		"the paper compares utilities of users who want all there is; here needs are bounded by jobs"},
	{"multi-resource", "unb's welfare is above drf's", "unb", "drf",
		"the paper's users want as much as there is; here a user wants what its jobs need, and equal shares soon satisfy " +
			"most"},
}

// findings judges what the papers say, open loop, by the closed one, and says why where
// they part.
func (s *study) findings() error {
	for _, w := range s.worlds {
		for _, divided := range []bool{false, true} {
			var best *row
			for _, r := range w.rows {
				if r.divides() == divided && (best == nil || r.mean(cost) < best.mean(cost)) {
					best = r
				}
			}
			if best != nil {
				s.Found(w.name, "the least cost of waiting of "+kinds[divided], "%s", best.policy)
			}
		}
		s.budgets(w)
		s.fewerLies(w)
		s.honesty(w)
		s.welfareOfFL(w)
		s.openLoop(w)
	}
	return nil
}

// kinds are the policies that are compared with each other, by whether they divide processors.
var kinds = map[bool]string{false: "policies that run a job on all of its processors",
	true: "policies that run a job on any part of them"}

// fewerLies compares the shares of jobs that gain by a lie, which are of the same jobs: one is below the
// other if their intervals do not meet.
func (s *study) fewerLies(w *logCase) {
	hb := w.row(market)
	first, kth := hb.liars("first"), hb.liars("kth")
	verdict := papers.Unclear
	switch {
	case kth.High() < first.Low():
		verdict = papers.Holds
	case kth.Low() > first.High():
		verdict = papers.Differs
	}
	s.Claim("untruthful bids, "+w.name, "fewer owners gain by a lie under the k-th price than under the first", verdict,
		"%s %% of the sampled jobs gain under kth, %s %% under first", terminal.Share.Estimate(kth.Mean, kth.Half),
		terminal.Share.Estimate(first.Mean, first.Half)).
		Read("in the paper groups of users lie; here one job at a time does, over the value too, under %s", market)
}

// openLoop tests the papers' sentences replica by replica, with Holm's correction for those of a log.
func (s *study) openLoop(w *logCase) {
	var ratios []stats.Estimate
	var p []float64
	var claims []openLoopClaim
	for _, y := range openLoopClaims {
		a, b := w.row(y.better), w.row(y.than)
		if a == nil || b == nil {
			continue
		}
		x := ratiosOf(a, b, cost)
		claims, ratios, p = append(claims, y), append(ratios, stats.EstimateOf(x)), append(p, stats.PValue(x))
		if !w.like(a, b) {
			p[len(p)-1] = math.NaN()
		}
	}
	for i, x := range stats.Holm(p) {
		verdict := papers.Unclear
		if x <= .05 && len(w.rows[0].figures) >= stats.LeastReplicas {
			verdict = papers.Judge(ratios[i].Mean < 0)
		}
		y := claims[i]
		s.Claim(y.paper+", "+w.name, y.says, verdict, "cost of waiting %s over replicas, %.3g times in the log",
			times(ratios[i]), w.row(y.better).itself.cost/w.row(y.than).itself.cost).Read("%s", y.reading)
	}
}

// ratiosOf are the logarithms of the ratios of a figure, replica by replica.
func ratiosOf(a, b *row, of func(measures) float64) (x []float64) {
	for k := range a.figures {
		x = append(x, math.Log(of(a.figures[k])/of(b.figures[k])))
	}
	return x
}

// times writes the mean of logarithms of ratios, and its interval.
func times(log stats.Estimate) string {
	if !log.Known() {
		return fmt.Sprintf("%.3g times", math.Exp(log.Mean))
	}
	return fmt.Sprintf("%.3g times (%.3g to %.3g)", math.Exp(log.Mean), math.Exp(log.Low()), math.Exp(log.High()))
}

// overLog is the mean wait over replicas by that in the log, both a second longer, as there may be none.
func (r *row) overLog() float64 { return (r.mean(wait) + 1) / (r.itself.wait + 1) }

// like reports whether replicas resemble the log under both mechanisms.
func (w *logCase) like(a, b *row) bool {
	for _, r := range []*row{a, b} {
		if !stats.Resembles(r.overLog()) {
			return false
		}
	}
	return true
}

// honesty says what makes truth best on a log, and what it takes from owners and welfare.
func (s *study) honesty(w *logCase) {
	for _, r := range w.rows {
		if len(r.asked) < len(prices) {
			continue
		}
		var parts []string
		for k := range r.asked {
			a := &r.asked[k]
			parts = append(parts, fmt.Sprintf("%s: %s %% gain, %s %% of the cost is paid", a.Payment,
				terminal.Share.Text(a.Liars.Mean),
				terminal.Share.Text(r.revenue(k).Mean)))
		}
		s.Found(w.name, "does honesty pay under "+r.policy+", and what does it cost", "%s", strings.Join(parts, "; "))
	}
	var parts []string
	for i := range w.learnt {
		r := &w.learnt[i]
		parts = append(parts, fmt.Sprintf("%s: %s of the value, %s %% of bids honest, cost of waiting %s %%",
			r.Payment, terminal.Ratio.Estimate(r.Factor.Mean, r.Factor.Half), terminal.Share.Text(r.Honest.Mean),
			terminal.Share.Difference(r.Cost.Mean, r.Cost.Half)))
	}
	if len(parts) > 0 {
		s.Found(w.name, "what owners learn to bid under "+market, "%s", strings.Join(parts, "; "))
	}
}

// welfareOfFL is the claim that fares worst in a closed loop.
func (s *study) welfareOfFL(w *logCase) {
	smm, fl := w.row("lend:smm"), w.row("lend:fl")
	if fl == nil {
		return
	}
	ratio := stats.EstimateOf(ratiosOf(fl, smm, cost))
	verdict := papers.Within(ratio, len(fl.figures), math.Inf(-1), math.Log(1.1))
	if !w.like(fl, smm) {
		verdict = papers.Unclear
	}
	s.Claim("dynamic sharing, "+w.name, "fl's welfare is close to smm's", verdict,
		"fl's cost of waiting is %s smm's, its mean wait %.3g times", times(ratio), fl.mean(wait)/smm.mean(wait)).
		Read("taken as a cost at most a tenth above, with its whole interval. Open loop what a user does not get in a "+
			"round is lost; closed loop it "+
			"is still wanted in the next. "+
			"fl hands everybody exactly its endowment over the horizon, so users whose jobs need more wait while processors "+
			"stand free: "+
			"idle but wanted capacity %s %% under fl, %s %% under smm", terminal.Share.Text(fl.mean(idle)),
			terminal.Share.Text(smm.mean(idle)))
}

func cost(m measures) float64 { return m.cost }
func wait(m measures) float64 { return m.wait }
func idle(m measures) float64 { return m.idle }

// mean is a figure's over the replicas.
func (r *row) mean(of func(measures) float64) (sum float64) {
	for _, m := range r.figures {
		sum += of(m) / float64(len(r.figures))
	}
	return sum
}
