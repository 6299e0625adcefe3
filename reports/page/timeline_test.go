package page

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestIntegral compares the sums in bins with walking over all bins.
func TestIntegral(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	g := grid{first: 10, last: 110, bins: 4}
	n := g.bins * fine
	for range 50 {
		s, want := newIntegral(g), make([]float64, n)
		width := (g.last - g.first) / float64(n)
		for range 20 {
			from := rng.Float64() * 120
			to, weight := from+rng.Float64()*rng.Float64()*60, float64(rng.IntN(5))
			s.add(from, to, weight)
			for i := range want {
				a := g.first + float64(i)*width
				want[i] += max(0, min(to, a+width)-max(from, a)) / width * weight
			}
		}
		for i, x := range s.means() {
			if math.Abs(x-want[i]) > 1e-9 {
				t.Fatalf("bin %d: %g, want %g", i, x, want[i])
			}
		}
	}
}

// TestStates compares bins of states with the states themselves: nothing in force
// in a bin, however short, may be missing from its range.
func TestStates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	g := grid{first: 0, last: 100, bins: 10}
	for range 200 {
		s := newStates(g)
		var at, of []float64
		for now := rng.Float64() * 30; now < 100; now += rng.ExpFloat64() * 7 {
			x := float64(rng.IntN(9))
			if rng.IntN(6) == 0 {
				x = math.NaN()
			}
			at, of = append(at, now), append(of, x)
			s.add(now, x)
		}
		got := s.finish()
		for i := range g.bins {
			a, b := float64(i)*10, float64(i+1)*10
			least, most, sum, time := math.Inf(1), math.Inf(-1), 0.0, 0.0
			for k := range at {
				until := at[k] // the last state holds at its instant only
				if k+1 < len(at) {
					until = at[k+1]
				}
				held := min(until, b) - max(at[k], a)
				if math.IsNaN(of[k]) || held < 0 || held == 0 && !(at[k] >= a && at[k] < b) {
					continue
				}
				least, most, sum, time = min(least, of[k]), max(most, of[k]), sum+held*of[k], time+held
			}
			if least > most {
				if !math.IsNaN(got.mean[i]) {
					t.Fatalf("bin %d: %g where nothing is known", i, got.mean[i])
				}
				continue
			}
			if got.least[i] != least || got.most[i] != most || time > 0 && math.Abs(got.mean[i]-sum/time) > 1e-9 {
				t.Fatalf("bin %d: %g to %g, mean %g; want %g to %g, mean %g", i, got.least[i], got.most[i], got.mean[i], least,
					most, sum/time)
			}
		}
	}
}

// TestSourcesAgree wants series, segments and records to tell one story, and the
// mean of what they tell to be the utilisation of the summary.
func TestSourcesAgree(t *testing.T) {
	for _, policy := range []string{"hb", "fcfs"} {
		var from [3]*input
		for i, m := range []made{{series: true}, {segments: true}, {}} {
			m.policy, m.jobs = policy, 400
			runs, err := Open([]string{m.make(t)}, false)
			check(t, err)
			from[i], err = gather(runs)
			check(t, err)
			if want := 100 * runs[0].Summary.Machine.Utilisation; math.Abs(mean(from[i].data[0].tracks.use.mean)-want) > 1e-6*want {
				t.Errorf("%s, %s: utilisation %g, summary %g", policy, from[i].data[0].tracks.from,
					mean(from[i].data[0].tracks.use.mean), want)
			}
		}
		if policy == "hb" && from[2].data[0].broken == 0 {
			t.Error("nobody was preempted; the test shows nothing")
		}
		for i := 1; i < 3; i++ {
			if policy == "hb" && i == 2 {
				continue // records alone do not tell when a preempted job ran
			}
			for _, c := range []struct {
				what      string
				got, want track
			}{{"use", from[i].data[0].tracks.use, from[0].data[0].tracks.use},
				{"queue", from[i].data[0].tracks.queue, from[0].data[0].tracks.queue}} {
				for k, x := range c.got.mean {
					if math.Abs(x-c.want.mean[k]) > 1e-6 {
						t.Fatalf("%s %s from %s: bin %d has %g, the series %g", policy, c.what, from[i].data[0].tracks.from, k, x,
							c.want.mean[k])
					}
				}
			}
		}
	}
}

func mean(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total / float64(len(x))
}
