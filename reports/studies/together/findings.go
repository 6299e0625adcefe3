package together

import (
	"fmt"

	"bourse/reports/studies"
)

// findings judges what the papers say, open loop, by the closed one, and says why where
// they part.
func (s *study) findings() error {
	for _, w := range s.worlds {
		s.prices(w)
		s.lending(w)
		s.budgets(w)
		s.resources(w)
	}
	return nil
}

// least and mean read a row's figures over the replicas.
func mean(r *row, of func(measures) float64) float64 {
	sum := 0.0
	for _, m := range r.figures {
		sum += of(m)
	}
	return sum / float64(len(r.figures))
}

// always reports whether a is below b in every replica.
func always(a, b *row, of func(measures) float64) (n int) {
	for k := range a.figures {
		if of(a.figures[k]) < of(b.figures[k]) {
			n++
		}
	}
	return n
}

func cost(m measures) float64  { return m.cost }
func waits(m measures) float64 { return m.wait }
func idle(m measures) float64  { return m.idle }

// verdict is unclear where the replicas disagree.
func verdict(n, of int) studies.Verdict {
	switch n {
	case of:
		return studies.Holds
	case 0:
		return studies.Differs
	}
	return studies.Unclear
}

func (s *study) prices(w *world) {
	first, kth := w.row("hb, first price"), w.row("hb, k-th price")
	s.Hold("untruthful bids, "+w.name, "fewer owners gain by a lie under the k-th price than under the first", kth.liars() < first.liars(),
		"%s %% of the sampled jobs gain under kth, %s %% under first", percent(kth.liars()), percent(first.liars())).
		Read("in the paper groups of users lie; here one job at a time does, over the value too")
	best := first
	for _, r := range w.rows {
		if mean(r, cost) < mean(best, cost) {
			best = r
		}
	}
	s.Found(w.name, "the mechanism of the least cost of waiting", "%s", best.name)
}

func (s *study) lending(w *world) {
	static, smm, fl := w.row("lend: static"), w.row("lend: smm"), w.row("lend: fl")
	if fl == nil {
		return
	}
	where, n := "dynamic sharing, "+w.name, len(fl.figures)
	s.Claim(where, "fl's welfare is close to smm's", studies.Judge(mean(fl, cost) < 1.1*mean(smm, cost)),
		"fl's cost of waiting is %s times smm's, its mean wait %s times", factor(mean(fl, cost), mean(smm, cost)), factor(mean(fl, waits), mean(smm, waits))).
		Read("taken as a cost at most a tenth above. Open loop what a user does not get in a round is lost; closed loop it is still wanted in the next. "+
			"fl hands everybody exactly its endowment over the horizon, so users whose jobs need more wait while processors stand free: idle but wanted capacity %s %% under fl, %s %% under smm",
			percent(mean(fl, idle)), percent(mean(smm, idle)))
	k := always(fl, static, cost)
	s.Claim(where, "fl is better than static", verdict(k, n), "lower cost of waiting in %d of %d replicas: %s times static's", k, n, factor(mean(fl, cost), mean(static, cost)))
}

func (s *study) budgets(w *world) {
	market, equal := w.row("price-anticipating"), w.row("drf")
	if market == nil {
		return
	}
	n, k := len(market.figures), always(market, equal, cost)
	s.Claim("price-anticipating, "+w.name, "a market of budgets is more efficient than equal shares", verdict(k, n),
		"lower cost of waiting than drf in %d of %d replicas: %s times", k, n, factor(mean(market, cost), mean(equal, cost))).
		Read("the paper compares utilities per resource of users who want everything; here needs are bounded by jobs")
}

func (s *study) resources(w *world) {
	drf, unb := w.row("drf"), w.row("unb")
	if unb == nil {
		return
	}
	n, k := len(drf.figures), always(unb, drf, cost)
	s.Claim("multi-resource, "+w.name, "unb's welfare is above drf's", verdict(k, n),
		"lower cost of waiting in %d of %d replicas: %s times drf's", k, n, factor(mean(unb, cost), mean(drf, cost))).
		Read("the paper's users want as much as there is; here a user wants what its jobs need, and equal shares soon satisfy most")
}

func factor(a, b float64) string {
	return fmt.Sprintf("%.3g", a/max(b, tiny))
}
