package rounds_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/rounds"
	"bourse/traces"
	"bourse/traces/rng"
)

// TestElastic: jobs run on the processors of their range, by the law; a share of none, and a range of what they ask
// for, leave them rigid.
func TestElastic(t *testing.T) {
	j := traces.UnknownJob
	j.ID, j.Procs = 7, 6
	e := &rounds.Elastic{Law: policies.Amdahl(.5), Least: .4, Most: 2.6, Share: 1}
	p := policies.Job{Procs: 6, Speed: e.SpeedOf(&j)}
	if least, most := p.Range(); least != 3 || most != 15 || p.On(6) != 1 || p.On(3) != (1/(.5+.5/3))/(1/(.5+.5/6)) {
		t.Errorf("from %d to %d, at %g on 3", least, most, p.On(3))
	}
	d := policies.Job{Procs: 6, Speed: (&rounds.Elastic{A: 1, Most: 2, Share: 1}).SpeedOf(&j)}
	if d.On(12) != 1 || d.On(3) != .5 {
		t.Errorf("of parallelism 6: %g on 3 and %g on 12", d.On(3), d.On(12))
	}
	for _, rigid := range []*rounds.Elastic{{Law: policies.Linear(0), Most: 2},
		{Law: policies.Linear(0), Least: 1, Most: 1, Share: 1}} {
		if rigid.SpeedOf(&j) != nil {
			t.Errorf("%+v gives a speed", rigid)
		}
	}
	some, n := &rounds.Elastic{Law: policies.Linear(0), Most: 2, Share: .3}, 0
	for j.ID = range 1000 {
		if some.SpeedOf(&j) != nil {
			n++
		}
	}
	if n < 250 || n > 350 {
		t.Errorf("%d of 1000 jobs are elastic, at a share of .3", n)
	}
}

// TestRigid: laws that give nothing change no record, under every rule.
func TestRigid(t *testing.T) {
	r := rng.New(2, "rounds")
	for range 100 {
		jobs, procs := draw(r), 4+r.IntN(6)
		for _, rule := range rounds.Rules {
			run := func(speeds policies.Speeds) outcomes {
				return replay(t, &rounds.Rounds{Rule: rule, Every: 2 * events.Second}, speeds, procs, jobs)
			}
			for _, law := range []policies.Law{policies.Linear(0), policies.Amdahl(1)} {
				if diff := gocmp.Diff(run(nil), run(&rounds.Elastic{Law: law, Least: 1, Most: 1, Share: 1})); diff != "" {
					t.Fatal(diff)
				}
			}
			// More for nothing: a law of one speed on any number of processors above what is asked for.
			if diff := gocmp.Diff(run(nil), run(&rounds.Elastic{Law: policies.Amdahl(1), Least: 1, Most: 3, Share: 1}),
				gocmp.FilterPath(func(p gocmp.Path) bool { return p.String() == "Ref" }, gocmp.Ignore())); diff != "" {
				t.Fatal(diff)
			}
		}
	}
}
