package together

import (
	"fmt"
	"strings"

	"bourse/reports/papers"
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
		best := w.rows[0]
		for _, r := range w.rows {
			if r.mean(cost) < best.mean(cost) {
				best = r
			}
		}
		s.Found(w.name, "the policy of the least cost of waiting", "%s", best.policy)
		hb := w.row(market)
		s.Hold("untruthful bids, "+w.name, "fewer owners gain by a lie under the k-th price than under the first",
			hb.liars("kth") < hb.liars("first"),
			"%s %% of the sampled jobs gain under kth, %s %% under first", terminal.Share.Text(hb.liars("kth")),
			terminal.Share.Text(hb.liars("first"))).
			Read("in the paper groups of users lie; here one job at a time does, over the value too, under %s", market)
		s.honesty(w)
		s.welfareOfFL(w)
		for _, y := range openLoopClaims {
			a, b := w.row(y.better), w.row(y.than)
			if a == nil || b == nil {
				continue
			}
			less := 0
			for k := range a.figures {
				if a.figures[k].cost < b.figures[k].cost {
					less++
				}
			}
			s.Claim(y.paper+", "+w.name, y.says, verdict(less, len(a.figures)),
				"lower cost of waiting in %d of %d replicas: %.3g times",
				less, len(a.figures), a.mean(cost)/b.mean(cost)).Read("%s", y.reading)
		}
	}
	return nil
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
	s.Hold("dynamic sharing, "+w.name, "fl's welfare is close to smm's", fl.mean(cost) < 1.1*smm.mean(cost),
		"fl's cost of waiting is %.3g times smm's, its mean wait %.3g times", fl.mean(cost)/smm.mean(cost),
		fl.mean(wait)/smm.mean(wait)).
		Read("taken as a cost at most a tenth above. Open loop what a user does not get in a round is lost; closed loop it "+
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

// verdict is unclear where the replicas disagree.
func verdict(n, of int) papers.Verdict {
	if 0 < n && n < of {
		return papers.Unclear
	}
	return papers.Judge(n > 0)
}
