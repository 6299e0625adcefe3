package share

import (
	"math"
	"math/rand/v2"
	"testing"
)

type limitedRule struct {
	name      string
	limited   func() *Limited
	unlimited Mechanism
	most      int
}

// limitedRules pairs every rule with the mechanism that it is without limits, and
// says how many resources it takes.
var limitedRules = []limitedRule{
	{"drf", LimitedDRF, DRF, 4},
	{"unb", LimitedUNB, UNB, 4},
	{"bal", LimitedBAL, BAL, 2},
	{"bal*", LimitedBALStar, BALStar, 2},
	{"hybrid-sw", func() *Limited { return LimitedHybrid(true) }, HybridWelfare, 2},
	{"hybrid-util", func() *Limited { return LimitedHybrid(false) }, HybridUtilisation, 2},
	{"family:sum", func() *Limited { l, _ := LimitedFamily(Sum); return l }, Family(Sum, nil), 4},
	{"family:product", func() *Limited { l, _ := LimitedFamily(Product); return l }, Family(Product, nil), 4},
}

func randomDemands(r *rand.Rand, m int) Demands {
	d := make(Demands, 1+r.IntN(12))
	for i := range d {
		d[i] = make([]float64, m)
		for k := range d[i] {
			if d[i][k] = float64(1+r.IntN(20)) / 20; r.IntN(12) == 0 {
				d[i][k] = 0
			}
		}
		d[i][r.IntN(m)] = 1
	}
	return d
}

func TestLimitedWithoutLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, rule := range limitedRules {
		l := rule.limited()
		for range 3000 {
			d := randomDemands(r, 2+r.IntN(rule.most-1))
			limits := make([]float64, len(d))
			for i := range limits {
				limits[i] = math.Inf(1)
			}
			want, err := rule.unlimited(d)
			if err != nil {
				t.Fatal(err)
			}
			got := l.Share(d, limits)
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-9*want[i] {
					t.Fatalf("%s of %v: %v, want %v", rule.name, d, got, want)
				}
			}
		}
	}
}

// TestLimitedProperties wants, of every rule and with limits, that nothing is
// overdrawn, no agent gets more than it wants or less than min(1/n, limit), and
// that an agent who wants more demands a resource that is used up.
func TestLimitedProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for _, rule := range limitedRules {
		l := rule.limited()
		for range 5000 {
			d := randomDemands(r, 1+r.IntN(rule.most))
			limits := make([]float64, len(d))
			for i := range limits {
				limits[i] = r.Float64() * 3 / float64(len(d))
				if r.IntN(5) == 0 {
					limits[i] = 1 / float64(1+r.IntN(10))
				}
			}
			x := l.Share(d, limits)
			used := d.Used(x)
			for k, u := range used {
				if u > 1+1e-9 {
					t.Fatalf("%s of %v with %v: %v uses %g of resource %d", rule.name, d, limits, x, u, k+1)
				}
			}
			for i := range x {
				held := x[i] >= limits[i]-1e-12
				for k, v := range d[i] {
					held = held || v > 0 && used[k] > 1-1e-9
				}
				if !held || x[i] > limits[i] || x[i] < min(1/float64(len(d)), limits[i]) {
					t.Fatalf("%s of %v with %v: %v, agent %d", rule.name, d, limits, x, i+1)
				}
			}
		}
	}
}

// TestLimitedAgainstBisection finds DRF's and UNB's levels by halving intervals.
func TestLimitedAgainstBisection(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		d := randomDemands(r, 2)
		n := float64(len(d))
		limits := make([]float64, len(d))
		for i := range limits {
			d[i][0], d[i][1] = max(d[i][0], .05), max(d[i][1], .05)
			limits[i] = r.Float64() * 3 / n
		}
		major := d.Majority(nil)
		for name, h := range map[string]func(i int) float64{"drf": func(int) float64 { return 1 },
			"unb": func(i int) float64 { return d[i][major] }} {
			at := func(level float64) []float64 {
				x := make([]float64, len(d))
				for i := range x {
					x[i] = min(limits[i], max(1/n, level/h(i)))
				}
				return x
			}
			low, high := 0.0, 2.0
			for range 100 {
				mid := (low + high) / 2
				if u := d.Used(at(mid)); max(u[0], u[1]) <= 1 {
					low = mid
				} else {
					high = mid
				}
			}
			l := LimitedDRF()
			if name == "unb" {
				l = LimitedUNB()
			}
			want, got := at(low), l.Share(d, limits)
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-9 {
					t.Fatalf("%s of %v with %v: %v, want %v", name, d, limits, got, want)
				}
			}
		}
	}
}

// TestLimitedBalanceByHand: d = (1,.4), (1,.2), (.2,1) as in the paper, with the
// first agent content with .35. BAL leaves R = (4/15, 7/15) and adds shares as
// 4 : 7; agent 2 rises alone from the start, as .2 < .4.
func TestLimitedBalanceByHand(t *testing.T) {
	d := Demands{{1, .4}, {1, .2}, {.2, 1}}
	x := LimitedBAL().Share(d, []float64{.35, 1, 1})
	// Unlimited: x = (1/3, .53086, .67901): agent 1 is below its limit anyway.
	for i, want := range []float64{1. / 3, .5308641975, .6790123456} {
		if math.Abs(x[i]-want) > 1e-9 {
			t.Errorf("agent %d gets %v, want %v", i+1, x[i], want)
		}
	}
	// Agent 2 stops at .4; then agent 1 rises, and agent 3 meanwhile as 7 : 4.
	x = LimitedBAL().Share(d, []float64{1, .4, 1})
	if math.Abs(x[1]-.4) > 1e-12 {
		t.Errorf("agent 2 gets %v, its limit is .4", x[1])
	}
	first, third := x[0]+x[1]-2./3, x[2]-1./3
	if math.Abs(first*7-third*4) > 1e-9 {
		t.Errorf("added %v and %v, which are not as 4 to 7", first, third)
	}
}
