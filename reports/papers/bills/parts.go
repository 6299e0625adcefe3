package bills

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/suggest"
)

// bills adds up what users use and pay, an engine.Sink. Users of logs that name none are their queues.
type bills map[traces.Label]*struct{ use, pay policies.Sum }

// Record implements engine.Sink.
func (b bills) Record(o *engine.Outcome) error {
	who := o.Job.User
	if who == traces.NoLabel {
		who = o.Job.Queue
	}
	x := b[who]
	if x == nil {
		x = &struct{ use, pay policies.Sum }{}
		b[who] = x
	}
	x.use.Add(float64(o.Size * o.Job.Run.Seconds()))
	x.pay.Add(o.Payment)
	return nil
}

// parts are what the top users use and pay of all, and what a unit of use costs users, against the mean.
type parts struct{ use, pay, low, high float64 }

func (b bills) parts() (p parts) {
	var users []traces.Label
	use, pay := 0.0, 0.0
	for u := range b {
		users = append(users, u)
	}
	slices.SortFunc(users, func(x, y traces.Label) int {
		return cmp.Or(cmp.Compare(b[y].use.Value(), b[x].use.Value()), cmp.Compare(x, y))
	})
	for _, u := range users {
		use, pay = use+b[u].use.Value(), pay+b[u].pay.Value()
	}
	var prices []float64
	for i, u := range users {
		x := b[u]
		if float64(i) < max(1, top*float64(len(users))) {
			p.use, p.pay = p.use+x.use.Value()/use, p.pay+x.pay.Value()/pay
		}
		if x.use.Value() > 0 {
			prices = append(prices, x.pay.Value()/x.use.Value()*use/pay)
		}
	}
	slices.Sort(prices)
	p.low, p.high = stats.Quantile(prices, .1), stats.Quantile(prices, .9)
	return p
}

// place is what a job got: how long it waited, and at which price per processor-second it ran.
type place struct {
	value, wait, price, run float64
	procs                   int32
}

// places are those of the jobs, by the hour of their submission; an engine.Sink.
type places map[events.Time][]place

// Record implements engine.Sink.
func (p places) Record(o *engine.Outcome) error {
	if o.Job.Run > 0 {
		hour, run := o.Job.Submit/(3600*events.Second), o.Job.Run.Seconds()
		p[hour] = append(p[hour], place{o.Value, o.Wait().Seconds(), o.Payment / float64(o.Size*run), run, o.Job.Procs})
	}
	return nil
}

// envy is the part of the jobs that envy another one of their hour.
func (p places) envy() float64 {
	envious, all := 0, 0
	for _, hour := range p {
		for i := range hour {
			a := &hour[i]
			all++
			if slices.ContainsFunc(hour, func(b place) bool {
				gain := float64(a.value*(a.wait-b.wait)) + float64((a.price-b.price)*a.run)
				return b.procs >= a.procs && b.run >= a.run && gain > 1e-9*(float64(a.value*a.wait)+math.Abs(a.price*a.run))
			}) {
				envious++
			}
		}
	}
	return float64(envious) / float64(max(1, all))
}

// explain says in words who pays under each payment, and who would lie.
func (s *study) explain(ways []way, rows map[string]row) {
	list := func(text func(row) string) string {
		var parts []string
		for _, w := range ways {
			if t := text(rows[w.name]); t != "" {
				parts = append(parts, t+" under "+w.name)
			}
		}
		return suggest.And(parts)
	}
	number := func(format string, of func(row) float64) string {
		return list(func(r row) string {
			if math.IsNaN(of(r)) {
				return ""
			}
			return fmt.Sprintf(format, of(r))
		})
	}
	s.Printf("\nIn words. Bills together are %s times what the machine costs. The tenth of the users who use most, "+
		"%.0f %%, pays %s. Of the jobs %s envy another one. Of %d owners sampled %s would lie.\n",
		number("%.3g", func(r row) float64 { return r.revenue }), 100*rows[ways[0].name].use,
		number("%.0f %%", func(r row) float64 { return 100 * r.pay }), number("%.0f %%",
			func(r row) float64 { return 100 * r.envy }),
		rows[ways[0].name].asked, list(func(r row) string {
			switch {
			case r.gainers == 0:
				return "none"
			case r.over == r.gainers:
				return fmt.Sprintf("%d (all by bidding more)", r.gainers)
			}
			return fmt.Sprintf("%d (%d by bidding more)", r.gainers, r.over)
		}))
}
