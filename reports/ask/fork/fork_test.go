package fork_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/ask/fork"
	"bourse/traces"
)

func loaded(t testing.TB, policy string) *scenario.Loaded {
	t.Helper()
	s := scenario.Default()
	s.Trace, s.Policy = "synth:lublin?jobs=200&procs=16&seed=3&load=1.2&estimates=3", policy
	src, err := s.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// changed is a bidder of whole replays, the slow, obvious way to ask.
type changed struct {
	policies.Bidder
	bid func(*traces.Job, policies.Offer) float64 // negative: absent
}

func (c changed) Bid(j *traces.Job) (policies.Offer, error) {
	o, err := c.Bidder.Bid(j)
	o.Bid = c.bid(j, o)
	return o, err
}

// ends replays everything and returns when jobs end, those without a bid being left out.
func ends(t *testing.T, jobs *scenario.Loaded, bid func(*traces.Job, policies.Offer) float64) map[int64]events.Time {
	t.Helper()
	p, err := jobs.Replay(jobs.Scenario.Market)
	if err != nil {
		t.Fatal(err)
	}
	var left []traces.Job
	for i := range jobs.Memory.Len() {
		j := jobs.Memory.Job(i)
		o, err := p.Config.Bidder.Bid(&j)
		if err != nil {
			t.Fatal(err)
		}
		if bid(&j, o) >= 0 {
			left = append(left, j)
		}
	}
	p.Config.Bidder = changed{p.Config.Bidder, bid}
	got := endings{}
	if _, err := engine.Run(context.Background(), p.Config, traces.MemoryOf(left...).Source(), got); err != nil {
		t.Fatal(err)
	}
	return got
}

type endings map[int64]events.Time

func (e endings) Record(o *engine.Outcome) error {
	e[o.Job.ID] = o.End
	return nil
}

// TestChanges compares what becomes of all later jobs in a copy with a whole replay.
func TestChanges(t *testing.T) {
	for _, policy := range []string{"hb", "nphb", "wspt", "wsept", "hb(fit=skip)", "easy(order=bid)"} {
		jobs := loaded(t, policy)
		sample, err := fork.Sample(jobs, 6)
		if err != nil {
			t.Fatal(err)
		}
		counts, err := fork.Each(context.Background(), fork.Config{Jobs: jobs, At: fork.Submissions(sample), Workers: 2},
			func(i int, p *fork.Branch) error {
				one, user, from := sample[i].ID, sample[i].User, sample[i].Submit
				for name, c := range map[string]struct {
					change fork.Override
					bid    func(*traces.Job, policies.Offer) float64
				}{
					"as it is": {fork.Override{}, func(_ *traces.Job, o policies.Offer) float64 { return o.Bid }},
					"bids 7": {fork.Bid(one, 7), func(j *traces.Job, o policies.Offer) float64 {
						if j.ID == one {
							return 7
						}
						return o.Bid
					}},
					"absent": {fork.Absent(one), func(j *traces.Job, o policies.Offer) float64 {
						if j.ID == one {
							return -1
						}
						return o.Bid
					}},
					"a user from now on": {fork.User(user, .5), func(j *traces.Job, o policies.Offer) float64 {
						if j.User == user && j.Submit >= from {
							return .5 * o.Value
						}
						return o.Bid
					}},
				} {
					want, got := ends(t, jobs, c.bid), endings{}
					r, err := p.Fork(c.change, got)
					for err == nil && r.More() {
						err = r.Step()
					}
					if err != nil {
						return err
					}
					for id, at := range got {
						if want[id] != at {
							return fmt.Errorf("%s, %s, job %d: job %d ends at %v, in a whole replay at %v", policy, name, one, id, at,
								want[id])
						}
					}
					if len(got) == 0 || len(got) > len(want) {
						return fmt.Errorf("%s: %d jobs end of %d", name, len(got), len(want))
					}
				}
				return nil
			})
		if err != nil || counts.Forks != 24 || counts.Instants == 0 {
			t.Errorf("%s: %v, %+v", policy, err, counts)
		}
	}
}

// TestAlike wants a copy to be like the original as long as nothing differs, and unlike
// while a job is there that the other has not.
func TestAlike(t *testing.T) {
	jobs := loaded(t, "hb")
	sample, _ := fork.Sample(jobs, 5)
	_, err := fork.Each(context.Background(), fork.Config{Jobs: jobs, At: fork.Submissions(sample), Workers: 1},
		func(i int, p *fork.Branch) error {
			a, err := p.Fork(fork.Override{}, endings{})
			b, err2 := p.Fork(fork.Override{}, endings{})
			gone := endings{}
			c, err3 := p.Fork(fork.Absent(sample[i].ID), gone)
			if err := errors.Join(err, err2, err3); err != nil {
				return err
			}
			for a.Now() < sample[i].Submit+events.Second {
				if err := errors.Join(a.Step(), b.Step(), c.Step()); err != nil {
					return err
				}
				if !a.Alike(b) {
					return errors.New("two equal copies are not alike")
				}
				if a.Now() == sample[i].Submit && a.Alike(c) {
					return errors.New("a copy without the job is like one with it")
				}
			}
			return nil
		})
	if err != nil {
		t.Error(err)
	}
}

// TestFirstErrorEnds wants an error of a question to end everything.
func TestFirstErrorEnds(t *testing.T) {
	jobs := loaded(t, "hb")
	sample, _ := fork.Sample(jobs, 50)
	boom := errors.New("boom")
	_, err := fork.Each(context.Background(), fork.Config{Jobs: jobs, At: fork.Submissions(sample), Workers: 2},
		func(int, *fork.Branch) error { return boom })
	if !errors.Is(err, boom) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := fork.Each(ctx, fork.Config{Jobs: jobs, At: fork.Submissions(sample), Workers: 2},
		func(int, *fork.Branch) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
