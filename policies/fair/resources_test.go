package fair_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/payment"
	"bourse/policies/share"
	"bourse/traces"
)

// firstShares keeps what the first round gave.
type firstShares struct{ rates map[int64]float64 }

func (f *firstShares) Round(r *policies.Round) error {
	if f.rates == nil {
		f.rates = map[int64]float64{}
		for _, s := range r.Shared {
			f.rates[r.Job(s.Ref).ID] = s.Rate
		}
	}
	return nil
}

// shareOnce replays one job of each agent, whose dominant resource is all there is of it,
// and returns what they get at once. kinds says which resource each column of d is.
func shareOnce(t *testing.T, p policies.Policy, d share.Demands, kinds []int) []float64 {
	t.Helper()
	total := policies.Amount{CPU: 16}
	c := &workload{done: map[int64]events.Time{}, ran: map[int64]events.Time{}}
	for _, r := range kinds {
		*[]*float64{&total.CPU, &total.Memory, &total.GPU, &total.Disk}[r] = 16 / float64(r+1)
	}
	for i, row := range d {
		j := traces.UnknownJob
		j.ID, j.Run, j.Procs, j.User, j.CPU = int64(i), 100*events.Second, 1, traces.Label(i), 0
		for k, r := range kinds {
			*[]*float64{&j.CPU, &j.Memory, &j.GPU, &j.Disk}[r] = row[k] * total.At(r)
		}
		c.jobs = append(c.jobs, j)
	}
	first := &firstShares{}
	cfg := engine.Config{Policy: p, Pricer: payment.NewPosted(0), Bidder: c, Check: true, Rounds: first,
		Machine: engine.Pool{CPU: total.CPU, Memory: total.Memory, GPU: total.GPU, Disk: total.Disk, Machines: 1}}
	if _, err := engine.Run(context.Background(), cfg, c, c); err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(d))
	for i := range x {
		x[i] = first.rates[int64(i)]
	}
	return x
}

// TestAsTheMechanisms wants what the mechanisms give once from the closed loops, on two,
// three and four resources, whichever they are.
func TestAsTheMechanisms(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, kinds := range [][]int{{0, 1}, {0, 2}, {0, 1, 2}, {0, 2, 3}, {0, 1, 2, 3}} {
		for _, name := range []string{"drf", "unb", "family:2", "family:sum", "family:norm(2)", "nash", "bal", "bal*"} {
			if len(kinds) > 2 && strings.HasPrefix(name, "bal") {
				continue
			}
			once, err := catalog.Mechanisms.Make(name)
			if err != nil {
				t.Fatal(err)
			}
			for range 150 {
				d := make(share.Demands, 2+r.IntN(5))
				for i := range d {
					d[i] = make([]float64, len(kinds))
					for k := range d[i] {
						d[i][k] = float64(1+r.IntN(15)) / 16
					}
					d[i][r.IntN(len(kinds))] = 1
				}
				policy, err := catalog.Policies.Make(name)
				if err != nil {
					t.Fatal(err)
				}
				got := shareOnce(t, policy, d, kinds)
				want, err := once.Share(d)
				if err != nil {
					t.Fatal(err)
				}
				for i := range want {
					if math.Abs(got[i]-want[i]) > 1e-6 {
						t.Fatalf("%s on resources %v, demands %v: the loop gives %v, the mechanism %v", name, kinds, d, got, want)
					}
				}
			}
		}
	}
}

// TestResourcesOfPools: a mechanism for two resources is refused on three, one for a third
// resource on two.
func TestResourcesOfPools(t *testing.T) {
	for _, c := range []struct {
		name string
		pool engine.Pool
		says string
	}{
		{"bal", engine.Pool{CPU: 4, Memory: 4, GPU: 4, Machines: 1}, "the policy is for 2 resources, the pool has 3"},
		{"hybrid-sw", engine.Pool{CPU: 4, Memory: 4, GPU: 4, Disk: 4, Machines: 1},
			"the policy is for 2 resources, the pool has 4"},
		{"family:weighted(1,2)", engine.Pool{CPU: 4, Memory: 4, GPU: 4, Machines: 1},
			"the policy is for 2 resources, the pool has 3"},
		{"family:3", engine.Pool{CPU: 4, GPU: 4, Machines: 1}, "the policy is for 3 resources, the pool has 2"},
		{"bal", engine.Pool{CPU: 4, GPU: 4, Machines: 1}, ""},
		{"family:3", engine.Pool{CPU: 4, GPU: 4, Disk: 4, Machines: 1}, ""},
		{"drf", engine.Pool{CPU: 4, Memory: 4, GPU: 4, Disk: 4, Machines: 1}, ""},
	} {
		p, err := catalog.Policies.Make(c.name)
		if err != nil {
			t.Fatal(err)
		}
		w := &workload{done: map[int64]events.Time{}, ran: map[int64]events.Time{}}
		j := traces.UnknownJob
		j.Run, j.Procs, j.User = events.Second, 1, 1
		w.jobs = []traces.Job{j}
		_, err = engine.Run(context.Background(),
			engine.Config{Policy: p, Pricer: payment.NewPosted(0), Bidder: w, Machine: c.pool}, w, w)
		bad := (*policies.MismatchError)(nil)
		if c.says == "" && err != nil || c.says != "" && (!errors.As(err, &bad) || err.Error() != c.says) {
			t.Errorf("%s on %+v: %v; want %q", c.name, c.pool, err, c.says)
		}
	}
}
