package waiting

import (
	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/sched"
	"bourse/reports/ask/sweep"
	"bourse/reports/experiment"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/rng"
)

// claims are what jobs that lie multiply the time by that they say they may wait.
var claims = []float64{0, .5, 2}

// liars is the part of the jobs that lie, all others being honest.
const liars = .05

// claim is what the jobs that lie say on a log, 1 if they do not.
type claim struct {
	log  string
	says float64
}

// liarsMet adds up what the jobs that lie wait, in hours, and their carbon.
type liarsMet struct {
	is                 func(id int64) bool
	wait, carbon, jobs float64
}

// Record implements engine.Sink.
func (m *liarsMet) Record(o *engine.Outcome) error {
	if m.is(o.Job.ID) {
		m.wait, m.carbon, m.jobs = m.wait+o.Wait().Seconds()/3600, m.carbon+o.Charged[engine.Carbon], m.jobs+1
	}
	return nil
}

// lies asks who gains by saying another slack than the true one: a twentieth of the jobs does, and is compared with
// itself in a replay in which all are honest.
func (s *study) lies() error {
	var keys []claim
	for _, log := range s.Logs {
		for _, says := range append([]float64{1}, claims...) {
			keys = append(keys, claim{log, says})
		}
	}
	if len(keys) == 0 {
		return nil
	}
	results, err := experiment.Run(s.ctx, s.Workers, keys, s.Replicas, func(k claim, replica int) (*liarsMet, error) {
		return s.claim(s.logs[k.log][replica], k.says)
	}, nil)
	if err != nil {
		return err
	}
	two := terminal.Fixed(2)
	s.Heading("Ours: who gains by lying about slack (Carbon-Time, EASY)")
	t := table.New(table.KeyCol("log", "log"), table.Column{Name: "claim", Heading: "says x its slack", Unit: two,
		Key: true},
		table.Col("wait", "waits less, h", two), table.Col("carbon", "emits more %", two),
		table.Col("even", "even at min per %", terminal.Fixed(1)))
	for _, k := range keys {
		if k.says == 1 {
			continue
		}
		var wait, carbon, even []float64
		for i, x := range results[k] {
			honest := results[claim{k.log, 1}][i]
			less, more := (honest.wait-x.wait)/x.jobs, 100*(x.carbon/honest.carbon-1)
			wait, carbon, even = append(wait, less), append(carbon, more), append(even, 60*less/more)
		}
		e := stats.EstimateOf(even)
		t.Add(sweep.Label(k.log), k.says, stats.EstimateOf(wait), stats.EstimateOf(carbon), e)
		if k.says == 0 {
			s.Found(sweep.Label(k.log), "who gains by lying about slack", "an owner who pays nothing for carbon, by saying "+
				"that the job cannot wait: %.2f h of waiting. If a percent of the job's carbon is worth more than %.1f ± %.1f "+
				"minutes of waiting to the owner, honesty is better than that", stats.EstimateOf(wait).Mean, e.Mean, e.Half)
		}
	}
	s.Show(t)
	s.Printf("\nA twentieth of the jobs says that it may wait for another time than is true, all others being honest; "+
		"waits less and emits more compare these jobs with themselves where they are honest, as means over %d replicas "+
		"with 95 %% intervals. even: what a percent of a job's carbon must be worth, in minutes of waiting, for the lie "+
		"to make no difference; below it a lie that emits more pays, above it one that emits less.\n", s.Replicas)
	return s.Keep("lies", t)
}

// claim replays a replica in which the jobs that lie say so much.
func (s *study) claim(l *scenario.Loaded, says float64) (*liarsMet, error) {
	market := l.Scenario.Market
	market.Policy = "defer(easy,rule=saving)"
	p, err := l.Replay(market.Settled())
	if err != nil {
		return nil, err
	}
	draw := rng.New(s.Seed, "liars about slack")
	m := &liarsMet{is: func(id int64) bool {
		draw.Key(uint64(id))
		return draw.Float64() < liars
	}}
	d, _ := policies.As[*sched.Defer](p.Config.Policy)
	d.Claim = func(j *policies.Job) float64 {
		if m.is(j.ID) {
			return says
		}
		return 1
	}
	_, err = p.RunAll(s.ctx, m)
	return m, err
}
