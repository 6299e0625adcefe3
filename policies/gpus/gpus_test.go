package gpus_test

import (
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"bourse/policies"
	"bourse/policies/gpus"
)

// plain is a machine as the definitions see it.
type plain struct {
	cpu, memory float64
	model       gpus.Models
	free        []int32
	held        map[int]int // jobs with GPUs by number, 0 for a share
}

func kind(a gpus.Ask) int {
	if a.Each < gpus.Whole {
		return 0
	}
	return int(a.Devices)
}

func (p *plain) idle() (sum int32) {
	for _, f := range p.free {
		sum += f
	}
	return sum
}

func (p *plain) fits(a gpus.Ask) bool {
	if a.CPU > p.cpu || a.Memory > p.memory {
		return false
	}
	with := 0
	for _, f := range p.free {
		if f >= a.Each {
			with++
		}
	}
	return a.Devices == 0 || (a.Models == 0 || a.Models&p.model != 0) && with >= int(a.Devices)
}

// after is the machine with a share on device d, or with what else is asked for.
func (p *plain) after(a gpus.Ask, d int) *plain {
	q := &plain{cpu: p.cpu - a.CPU, memory: p.memory - a.Memory, model: p.model, free: append([]int32(nil), p.free...)}
	left := a.Devices
	for i := range q.free {
		if left > 0 && q.free[i] >= a.Each && (d < 0 || i == d) {
			q.free[i] -= a.Each
			left--
		}
	}
	return q
}

// useful is how much of the free GPUs a typical job could use: the free part of devices
// large enough, if it fits.
func (p *plain) useful(t gpus.Typical) float64 {
	if t.Devices == 0 || !(&plain{cpu: p.cpu, memory: math.Inf(1), model: p.model, free: p.free}).fits(t.Ask) {
		return 0
	}
	sum := int32(0)
	for _, f := range p.free {
		if f >= t.Each {
			sum += f
		}
	}
	return float64(sum)
}

func (p *plain) fragment(m gpus.Mix) float64 {
	all := float64(p.idle())
	for _, t := range m {
		all -= t.Part * p.useful(t)
	}
	return all
}

// score is the score of a machine with room, before it is cut to a whole number.
func (p *plain) score(r gpus.Rule, m gpus.Mix, of gpus.Scale, a gpus.Ask) float64 {
	left := .5*(p.cpu-a.CPU)/of.CPU + .5*float64(p.idle()-a.GPU())/of.GPU
	dot := .5 * (p.cpu/of.CPU*a.CPU/of.CPU + float64(p.idle())/of.GPU*float64(a.GPU())/of.GPU)
	same, all := p.held[kind(a)], 0
	for _, n := range p.held {
		all += n
	}
	switch {
	case r == gpus.Best:
		return 100 * (1 - left)
	case r == gpus.Worst:
		return 100 * left
	case r == gpus.Dot:
		return 100 * dot
	case r == gpus.LeastDot:
		return 100 * (1 - dot)
	case r == gpus.Gradient:
		best := math.Inf(-1)
		for d := -1; d < len(p.free); d++ {
			if share := a.Devices == 1 && a.Each < gpus.Whole; share == (d >= 0) && (d < 0 || p.free[d] >= a.Each) {
				best = max(best, 100/(1+math.Exp(-(p.fragment(m)-p.after(a, d).fragment(m))/gpus.Whole)))
			}
		}
		return best
	case a.Devices == 0:
		return 0
	case r == gpus.Clustering:
		base := 25.0
		switch {
		case all > 0 && same == 0:
			base = 0
		case same == all && all > 0:
			base = 75
		case same > 0:
			base = 50
		}
		return base + 25*(of.GPU-float64(p.idle()))/of.GPU
	case r == gpus.Packing:
		k := float64(len(p.free))
		switch {
		case p.idle() == int32(k)*gpus.Whole:
			return max(33-k, k)
		case a.Each == gpus.Whole:
			return max(50-float64(a.Devices), 33)
		}
		least := int32(gpus.Whole)
		for _, f := range p.free {
			if f >= a.Each {
				least = min(least, f)
			}
		}
		if least == gpus.Whole {
			return 49
		}
		return max(100-float64(least/10/10), 50)
	}
	return 0
}

func asks(t *rapid.T, models int) gpus.Ask {
	a := gpus.Ask{CPU: float64(rapid.IntRange(0, 6).Draw(t, "cpu")),
		Memory: float64(rapid.IntRange(0, 4).Draw(t, "memory"))}
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 1:
		a.Devices, a.Each = 1, int32(100*rapid.IntRange(1, 9).Draw(t, "share"))
	case 2, 3:
		a.Devices, a.Each = int32(rapid.IntRange(1, 4).Draw(t, "devices")), gpus.Whole
	}
	if a.Devices > 0 {
		a.Models = gpus.Models(rapid.IntRange(0, 1<<models-1).Draw(t, "models"))
	}
	return a
}

// TestFinder holds every rule against the definitions on random clusters, in which jobs
// come and go, machines are added and removed, and copies are made in between.
func TestFinder(t *testing.T) {
	const models = 3
	for rule := range gpus.Rules {
		rule := gpus.Rule(rule)
		t.Run(rule.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				var kinds []gpus.Kind
				for i := range rapid.IntRange(1, 6).Draw(t, "kinds") {
					kinds = append(kinds, gpus.Kind{Ask: asks(t, models), Names: string(rune('a' + i)),
						Count: rapid.IntRange(1, 9).Draw(t, "count")})
				}
				mix := gpus.MixOf(kinds)
				f := gpus.NewFinder(rule, 1)
				f.Against(mix)
				n := rapid.IntRange(1, 12).Draw(t, "machines")
				machines, up := make([]*plain, n), make([]bool, n)
				of := gpus.Scale{CPU: 16, GPU: 8 * gpus.Whole}
				fresh := func(i int) {
					p := &plain{cpu: float64(rapid.IntRange(1, 16).Draw(t, "cpu")), memory: 8,
						free: make([]int32, rapid.IntRange(0, 8).Draw(t, "devices")), held: map[int]int{}}
					if len(p.free) > 0 {
						p.model = 1 << rapid.IntRange(0, models-1).Draw(t, "model")
					}
					for d := range p.free {
						p.free[d] = gpus.Whole
					}
					machines[i], up[i] = p, rapid.IntRange(0, 5).Draw(t, "up") > 0
					f.Set(i, gpus.NewNode(p.cpu, p.memory, len(p.free), p.model), up[i])
				}
				for i := range n {
					fresh(i)
				}
				f.Measure(of)
				place := rapid.Permutation(indices(n)).Draw(t, "order")
				f.Order(place)
				type job struct {
					machine int
					ask     gpus.Ask
					devices uint64
				}
				var running []job
				for range rapid.IntRange(1, 60).Draw(t, "steps") {
					switch step := rapid.IntRange(0, 9).Draw(t, "step"); {
					case step == 0:
						f = f.Clone()
					case step == 1:
						i := rapid.IntRange(0, n-1).Draw(t, "machine")
						fresh(i)
						kept := running[:0]
						for _, j := range running {
							if j.machine != i {
								kept = append(kept, j)
							}
						}
						running = kept
					case step == 2 && len(running) > 0:
						k := rapid.IntRange(0, len(running)-1).Draw(t, "job")
						j := running[k]
						running = append(running[:k], running[k+1:]...)
						f.Take(j.machine, &j.ask, j.devices)
						move(machines[j.machine], j.ask, j.devices, -1)
					default:
						a := asks(t, models)
						m, devices := f.Find(&a)
						checkChoice(t, rule, mix, of, machines, up, place, a, m, devices)
						if m >= 0 {
							f.Put(m, &a, devices)
							move(machines[m], a, devices, 1)
							running = append(running, job{m, a, devices})
						}
					}
					for i, p := range machines {
						if got, want := mix.Fragment(f.Node(i)), p.fragment(mix); math.Abs(got-want) > 1e-9*gpus.Whole {
							t.Fatalf("machine %d: fragment %g, want %g", i, got, want)
						}
					}
				}
			})
		})
	}
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func move(p *plain, a gpus.Ask, devices uint64, sign int32) {
	p.cpu -= float64(sign) * a.CPU
	p.memory -= float64(sign) * a.Memory
	for d := range p.free {
		if devices>>d&1 == 1 {
			p.free[d] -= sign * a.Each
		}
	}
	if a.Devices > 0 {
		p.held[kind(a)] += int(sign)
	}
}

// checkChoice wants the best machine, the first of equals, with room on the devices. Scores
// that rounding may have put to either side of a whole number are both allowed.
func checkChoice(t *rapid.T, rule gpus.Rule, mix gpus.Mix, of gpus.Scale, machines []*plain, up []bool, place []int,
	a gpus.Ask, m int, devices uint64) {
	if m < 0 {
		for i, p := range machines {
			if up[i] && p.fits(a) {
				t.Fatalf("no machine for %+v, want %d: %+v", a, i, *p)
			}
		}
		return
	}
	if !up[m] || !machines[m].fits(a) || bits.OnesCount64(devices) != int(a.Devices) {
		t.Fatalf("machine %d, devices %b, does not hold %+v", m, devices, a)
	}
	for d, free := range machines[m].free {
		if devices>>d&1 == 1 && free < a.Each {
			t.Fatalf("device %d has %d free, %+v", d, free, a)
		}
	}
	if rule == gpus.Random {
		return
	}
	low, high := whole(machines[m].score(rule, mix, of, a))
	for i, p := range machines {
		if i == m || !up[i] || !p.fits(a) {
			continue
		}
		if l, h := whole(p.score(rule, mix, of, a)); l > high || l == high && h == low && place[i] < place[m] {
			t.Fatalf("rule %v: machine %d (score %d, place %d), want %d (score %d, place %d) for %+v", rule, m, high, place[m],
				i, l, place[i], a)
		}
	}
}

func whole(x float64) (low, high int) { return int(math.Floor(x - 1e-7)), int(math.Floor(x + 1e-7)) }

// TestRoom wants a request to fit if and only if it is at most the room.
func TestRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := gpus.NewNode(8, 8, rapid.IntRange(0, 5).Draw(t, "devices"), 1)
		for d := range n.Devices {
			share := gpus.Ask{Devices: 1, Each: int32(rapid.IntRange(0, gpus.Whole).Draw(t, "used"))}
			n.Put(&share, 1<<d)
		}
		a := asks(t, 0)
		a.CPU, a.Memory = 0, 0
		if got, want := float64(a.GPU()) <= n.Room().GPU, n.Fits(&a); got != want {
			t.Fatalf("%+v fits %v: %v, room %+v", a, n.Devices, want, n.Room())
		}
	})
}

// TestAskOf wants shares of one device and whole devices told apart.
func TestAskOf(t *testing.T) {
	for gpu, want := range map[float64]gpus.Ask{0: {CPU: 2, Memory: 3, Models: 5},
		460:  {CPU: 2, Memory: 3, Devices: 1, Each: 460, Models: 5},
		4000: {CPU: 2, Memory: 3, Devices: 4, Each: 1000, Models: 5}} {
		if got := gpus.AskOf(policies.Amount{CPU: 2, Memory: 3, GPU: gpu}, 5); got != want {
			t.Errorf("%g: %+v, want %+v", gpu, got, want)
		}
	}
}

// TestRandomDrawsAllAlike wants each machine with room to be drawn about as often.
func TestRandomDrawsAllAlike(t *testing.T) {
	f := gpus.NewFinder(gpus.Random, 1)
	for i := range 4 {
		f.Set(i, gpus.NewNode(float64(2*i), 1, 2, 1), true)
	}
	count := make([]int, 4)
	a := gpus.Ask{CPU: 1, Devices: 1, Each: gpus.Whole}
	for range 3000 {
		m, _ := f.Find(&a)
		count[m]++
	}
	if count[0] != 0 || min(count[1], count[2], count[3]) < 900 {
		t.Errorf("drawn %v times", count)
	}
}

// BenchmarkDecisions places and takes off jobs on 1,523 machines in use: decisions a second.
func BenchmarkDecisions(b *testing.B) {
	for _, rule := range []gpus.Rule{gpus.Best, gpus.Gradient, gpus.Random} {
		b.Run(rule.String(), func(b *testing.B) {
			var kinds []gpus.Kind
			for i := range 90 {
				k := gpus.Kind{Ask: gpus.Ask{CPU: float64(1 + i%16), Memory: 1, Devices: 1, Each: int32(10 * (1 + i))},
					Count: 90 - i}
				if i%3 == 0 {
					k.Devices, k.Each = int32(1+i%4), gpus.Whole
				}
				kinds = append(kinds, k)
			}
			f := gpus.NewFinder(rule, 1)
			f.Measure(gpus.Scale{CPU: 128, GPU: 8000})
			f.Against(gpus.MixOf(kinds))
			for i := range 1523 {
				f.Set(i, gpus.NewNode(96, 1000, 8, 1), true)
			}
			type job struct {
				m int
				a gpus.Ask
				d uint64
			}
			var running []job
			b.ResetTimer()
			for i := range b.N {
				a := kinds[i*7%90].Ask
				m, d := f.Find(&a)
				if m >= 0 {
					f.Put(m, &a, d)
					running = append(running, job{m, a, d})
				}
				if m < 0 || len(running) > 9000 {
					k := i * 31 % len(running)
					j := running[k]
					f.Take(j.m, &j.a, j.d)
					running[k] = running[len(running)-1]
					running = running[:len(running)-1]
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
