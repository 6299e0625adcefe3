package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bourse/engine"
	"bourse/engine/causes"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/placed"
	"bourse/policies/placement"
	"bourse/traces"
)

// examples are values for entries of the catalog that need some.
var examples = map[string][]string{
	"expr":               {"expr(-bid*procs)", "expr(wait>60?procs:-bid)"},
	"family":             {"family:1", "family:sum"},
	"lend":               {"lend:static", "lend:smm", "lend:dmm", "lend:fl", "lend:tperiod:2", "lend:karma:.5"},
	"posted":             {"posted:3"},
	"hb":                 {"hb", "hb(fit=skip)"},
	"nphb":               {"nphb", "nphb(fit=skip)"},
	"quota":              {"quota(by=user,nominal=1:3/2:2/*:3,fair=true)"},
	"ftf":                {"ftf(every=7)", "ftf(by=estimate)"},
	"easy":               {"easy", "easy(order=wfp3,reservations=2)", "easy(tie=pyss)", "easy(estimates=recent)"},
	"price-anticipating": {"price-anticipating", "price-anticipating(weights=uniform)"},
}

func textsOf(name string) []string {
	if texts, ok := examples[name]; ok {
		return texts
	}
	return []string{name}
}

// TestForkAll forks a replay in mid-flight under every policy and every price
// scheme of the catalog that works with it, on every machine the policy is for. The
// copy, to which the original must be nothing any more, and the original both end
// with the records of a replay that nobody forked.
func TestForkAll(t *testing.T) {
	jobs := forkJobs()
	ran := 0
	for _, p := range catalog.Policies.Names() {
		for _, policy := range textsOf(p) {
			for _, s := range catalog.Payments.Names() {
				payment := textsOf(s)[0]
				for _, machine := range []string{"processors", "pool", "cluster", "processors outages", "pool outages", "cluster outages"} {
					cfg, err := forkConfig(policy, payment, machine)
					if err != nil {
						continue // not for this price or machine
					}
					ran++
					jobs := jobs
					if policies.TraitsOf(cfg().Policy).Serial {
						if jobs = slices.Clone(jobs); strings.HasPrefix(machine, "processors") {
							for i := range jobs {
								jobs[i].Procs = 1
							}
						}
					}
					t.Run(strings.Join([]string{policy, payment, machine}, " "), func(t *testing.T) { forkOne(t, cfg, jobs) })
				}
			}
		}
	}
	if ran < 640 {
		t.Errorf("%d combinations could be forked, want 640", ran)
	}
}

// forkConfig returns what makes a fresh configuration each time it is called.
func forkConfig(policy, payment, machine string) (func() engine.Config, error) {
	market := catalog.Market{Policy: policy, Payment: payment, Values: "bimodal", Behaviour: "srg", Seed: 1}
	build := func() (cfg engine.Config, err error) {
		cfg = engine.Config{Machine: engine.Processors(8)}
		if cfg.Policy, cfg.Pricer, cfg.Bidder, err = market.Build(); err != nil {
			return cfg, err
		}
		kind, outages := strings.CutSuffix(machine, " outages")
		switch kind {
		case "pool":
			cfg.Machine = engine.Pool{CPU: 8, Memory: 4, Machines: 8}
		case "cluster":
			cfg.Machine = engine.Cluster(forkMachines())
			cfg.Policy, err = placed.New(cfg.Policy, placement.BestFit)
		}
		if outages {
			list := forkOutages(kind)
			cfg.Outages, cfg.Check, cfg.Causes = &list, true, causes.New(cfg.Policy)
		}
		return cfg, err
	}
	cfg, err := build()
	if err == nil {
		_, err = engine.New(cfg, traces.MemoryOf().Source(), &history{})
	}
	return func() engine.Config { cfg, _ := build(); return cfg }, err
}

// forkOutages are outages of the whole machine and, but for a cluster, of a part of it.
func forkOutages(kind string) outageList {
	s := events.Second
	list := outageList{{Start: 90 * s, End: 200 * s, Procs: 3}, {Start: 150 * s, End: 180 * s}, {Start: 260 * s, End: 300 * s, Planned: true},
		{Start: 380 * s, End: 600 * s, Procs: 5, Planned: true}, {Start: 450 * s, End: 500 * s, Procs: 2}, {Start: 700 * s, End: 720 * s,
			Planned: true}}
	if kind == "cluster" {
		list = slices.DeleteFunc(list, func(o engine.Outage) bool { return o.Procs > 0 })
	}
	return list
}

func forkJobs() []traces.Job {
	r := rand.New(rand.NewPCG(1, 2))
	var jobs []traces.Job
	at := events.Time(0)
	for i := range 60 {
		at += events.Time(r.IntN(30)) * events.Second
		run := events.Time(1+r.IntN(200)) * events.Second
		jobs = append(jobs, traces.Job{
			ID: int64(i), Submit: at, Run: run, Estimate: run + events.Time(r.IntN(100))*events.Second, Pieces: 1,
			Procs: int32(1 + r.IntN(3)), CPU: .25, Memory: float64(r.IntN(3)) / 8, User: traces.Label(r.IntN(4)),
			Priority: int32(r.IntN(3)),
		})
	}
	return jobs
}

func forkMachines() []traces.MachineEvent {
	list := []traces.MachineEvent{{Machine: 1, CPU: 1, Memory: 1}, {Machine: 2, CPU: 1, Memory: 1}}
	return append(list, traces.MachineEvent{At: 200 * events.Second, Machine: 2, Gone: true},
		traces.MachineEvent{At: 500 * events.Second, Machine: 2, CPU: 1, Memory: .75})
}

func forkOne(t *testing.T, fresh func() engine.Config, jobs []traces.Job) {
	straight := replayed(t, fresh(), jobs, -1)
	for _, at := range []int{1, 25, 60} {
		r := replayed(t, fresh(), jobs, at)
		for i, name := range []string{"original", "copy"} {
			if diff := cmp.Diff(straight[0], r[i]); diff != "" {
				t.Fatalf("forked after %d instants, the %s ends otherwise:\n%s", at, name, diff)
			}
		}
	}
}

// replayed returns the records of a replay and of its copy made after so many
// instants. The original continues first.
func replayed(t *testing.T, cfg engine.Config, jobs []traces.Job, at int) (records [2][]string) {
	var original, forked recorder
	r, err := engine.New(cfg, traces.MemoryOf(jobs...).Source(), &original)
	var f *engine.Replay
	for i := 0; err == nil && r.More(); i++ {
		if i == at {
			forked = append(forked, original...)
			if f, err = r.Fork(cfg.Bidder, &forked); err != nil {
				break
			}
		}
		err = r.Step()
	}
	for err == nil && f != nil && f.More() {
		err = f.Step()
	}
	if err != nil {
		t.Fatal(err)
	}
	return [2][]string{original, forked}
}

// recorder writes records down in full.
type recorder []string

func (s *recorder) Record(o *engine.Outcome) error {
	kept := *o
	if kept.Causes = nil; o.Causes != nil {
		for c, part := range o.Causes {
			if part < 0 {
				return fmt.Errorf("job %d waits %v %s", o.Job.ID, part, engine.AllCauses[c].Words)
			}
		}
	}
	*s = append(*s, fmt.Sprintf("%+v", kept))
	return nil
}
