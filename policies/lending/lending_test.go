package lending

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// TestWaterfillAgainstBisection finds the level by bisection.
func TestWaterfillAgainstBisection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ramps := make([]ramp, rapid.IntRange(1, 8).Draw(t, "n"))
		low, high := 0.0, 0.0
		for i := range ramps {
			l := float64(rapid.IntRange(0, 4).Draw(t, "low"))
			h := l + float64(rapid.IntRange(0, 4).Draw(t, "range"))
			if rapid.IntRange(0, 5).Draw(t, "open") == 0 {
				h = math.Inf(1)
			}
			ramps[i] = ramp{l, h, float64(rapid.IntRange(0, 3).Draw(t, "slope")), float64(rapid.IntRange(-3, 3).Draw(t, "zero"))}
			low += l
			if ramps[i].Slope == 0 {
				high += l
			} else {
				high += h
			}
		}
		total := float64(rapid.IntRange(0, 400).Draw(t, "total")) / 10
		var w waterfill
		out := make([]float64, len(ramps))
		w.Fill(total, ramps, out)
		got := 0.0
		for _, a := range out {
			got += a
		}
		if want := min(max(total, low), high); !near(got, want) {
			t.Fatalf("%v add up to %v, want %v", out, got, want)
		}
		a, b := -1000.0, 1000.0
		for range 200 {
			x, sum := (a+b)/2, 0.0
			for _, r := range ramps {
				sum += r.share(x)
			}
			if sum < total {
				a = x
			} else {
				b = x
			}
		}
		for i, r := range ramps {
			if total > low && total < high && math.Abs(out[i]-r.share(b)) > 1e-6 {
				t.Fatalf("share %d is %v, by bisection %v", i, out[i], r.share(b))
			}
		}
	})
}

func lenders(endow []float64, n int) map[string]Lender {
	t1, _ := NewTPeriod(endow, 1, n)
	t2, _ := NewTPeriod(endow, 2, n)
	t3, _ := NewTPeriod(endow, 3, n)
	return map[string]Lender{
		"static": NewStatic(endow), "smm": NewSMM(endow), "dmm": NewDMM(endow), "fl": NewFL(endow, n),
		"tperiod:1": t1, "tperiod:2": t2, "tperiod:3": t3,
	}
}

// TestEveryRoundHandsOutEverything is an invariant of every lender but Karma.
func TestEveryRoundHandsOutEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		endow, demands := drawInstance(t)
		sum := 0.0
		for _, e := range endow {
			sum += e
		}
		for name, m := range lenders(endow, len(demands)) {
			got := make([]float64, len(endow))
			for r, a := range Allocations(m, demands) {
				handed := 0.0
				for i := range a {
					if a[i] < -1e-9 {
						t.Fatalf("%s gives agent %d %v in round %d", name, i, a[i], r)
					}
					handed += a[i]
					got[i] += a[i]
				}
				if math.Abs(handed-sum) > 1e-9*sum {
					t.Fatalf("%s hands out %v of %v in round %d", name, handed, sum, r)
				}
			}
			for i, e := range endow {
				if name != "smm" && name != "dmm" && !near(got[i], e*float64(len(demands))) {
					t.Fatalf("%s gives agent %d %v over %d rounds, endowment %v", name, i, got[i], len(demands), e)
				}
			}
		}
	})
}

func drawInstance(t *rapid.T) (endow []float64, demands [][]float64) {
	n := rapid.IntRange(2, 5).Draw(t, "agents")
	for range n {
		endow = append(endow, float64(rapid.IntRange(1, 4).Draw(t, "endowment")))
	}
	for range rapid.IntRange(1, 9).Draw(t, "rounds") {
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(rapid.IntRange(0, 10).Draw(t, "demand"))
		}
		demands = append(demands, d)
	}
	return endow, demands
}

// TestKarmaConserves wants allocations within demand and supply, credits never
// negative, and credits to change by the free ones plus those earned less those
// spent.
func TestKarmaConserves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		endow, demands := drawInstance(t)
		m, err := NewKarma(endow, float64(rapid.IntRange(0, 4).Draw(t, "alpha"))/4, 2)
		if err != nil {
			t.Fatal(err)
		}
		sum, wanted := 0.0, 0.0
		for _, e := range endow {
			sum += e
		}
		for _, d := range demands {
			before := append([]float64(nil), m.credits...)
			a := make([]float64, len(d))
			m.Round(d, a)
			handed, credits := 0.0, 0.0
			wanted = 0
			for i := range a {
				if a[i] > d[i]+1e-9 || a[i] < min(d[i], m.alpha*endow[i])-1e-9 || m.credits[i] < -1e-9 {
					t.Fatalf("agent %d demands %v, gets %v, has %v credits", i, d[i], a[i], m.credits[i])
				}
				handed += a[i]
				wanted += d[i]
				credits += m.credits[i] - before[i]
			}
			if handed > sum+1e-9 || handed > wanted+1e-9 {
				t.Fatalf("%v handed out of %v, demanded %v", handed, sum, wanted)
			}
			if free := (1 - m.alpha) * sum; credits > free+1e-9 {
				t.Fatalf("credits grew by %v in a round, %v are free", credits, free)
			}
		}
	})
}
