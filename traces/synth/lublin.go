package synth

import (
	"io"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/mathext"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
)

// The Lublin-Feitelson workload model (J. Parallel and Distributed Computing
// 63(11), 2003), in its complete form: sizes of a two-stage uniform distribution with
// serial jobs and powers of two set apart, run times of a hyper-gamma distribution of
// their logarithm whose mixture depends on the size, and arrivals with a daily
// cycle. Batch and interactive jobs are independent streams, merged by time.
//
// The model has no users, groups, weeks or estimates, and neither have its jobs unless they are asked for (users.go).
type lublinType struct {
	name                   string
	queue                  traces.Label
	serial, pow2           float64 // shares of the jobs
	uLow, uProb            float64 // log2 of the size: U(uLow, uMed) with probability uProb, else U(uMed, uHi)
	a1, b1, a2, b2         float64 // gamma distributions of ln(run time / s)
	pa, pb                 float64 // probability of the first: pa*size + pb
	aArr, bArr, aNum, bNum float64 // ln(gap / s) in the rush hour; arrivals by half-hour slot
	arar                   float64 // arrive-rush-to-all ratio, multiplies aArr
}

var lublinTypes = map[string]lublinType{
	"batch": {"batch", 1, 0.2927, 0.6686, 1.2, 0.875, 6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986,
		6.0415, 0.8531, 6.1271, 5.2740, 1.0519},
	"interactive": {"interactive", 0, 0.1541, 0.625, 1, 0.705, 3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156,
		6.5510, 0.6621, 8.9186, 3.6680, 0.9797},
	"typeless": {"typeless", traces.NoLabel, 0.244, 0.576, 0.8, 0.86, 4.2, 0.94, 312, 0.03, -0.0054, 0.78,
		10.2303, 0.4871, 8.1737, 3.9631, 1.0225},
}

const (
	slots         = 48 // half hours of a day
	slotSeconds   = 1800
	firstSlot     = 11 // the cycle is taken over slots 11..58
	maxLogRun     = 12 // 162,754 s
	maxLogGap     = 13
	uMedBelowHigh = 2.5
)

// lublinStream generates one type's jobs. Sizes, run times and arrivals have
// random streams of their own.
type lublinStream struct {
	lublinType
	procs             int
	uMed, uHi         float64
	weekend           float64 // arrivals on two days of seven, as a part of those of others
	weight            [slots]float64
	size, run, arrive *rng.Rand
	slot              int64   // whole slots gone by
	points            float64 // of the current slot's weight, used up
	at                events.Time
}

func newLublinStream(t lublinType, procs int, seed uint64) *lublinStream {
	s := &lublinStream{lublinType: t, procs: procs}
	s.uHi = rng.Log(float64(procs)) / math.Ln2
	s.uLow = min(s.uLow, s.uHi)
	s.uMed = max(s.uHi-uMedBelowHigh, s.uLow)
	stream := func(name string) *rng.Rand { return rng.New(seed, "lublin/"+t.name+"/"+name) }
	s.size, s.run, s.arrive = stream("size"), stream("run"), stream("arrival")
	s.weight = dailyWeights(t.aNum, t.bNum)
	return s
}

// dailyWeights gives each half hour its share of the day's arrivals, times 48.
// Weights are rounded to 10^-9 so that all machines have the same.
func dailyWeights(a, b float64) (w [slots]float64) {
	sum := 0.0
	for i := firstSlot; i < firstSlot+slots; i++ {
		p := mathext.GammaIncReg(a, (float64(i)+0.5)/b) - mathext.GammaIncReg(a, (float64(i)-0.5)/b)
		w[(i-1)%slots] = p
		sum += p
	}
	for i := range w {
		w[i] = math.Round(w[i]/sum*slots*1e9) / 1e9
	}
	return w
}

// advance moves to the next arrival. A gap drawn for the rush hour is worth
// e^g/1800 points; a slot yields its weight in points over its half hour.
func (s *lublinStream) advance() {
	g := math.Inf(1)
	for g > maxLogGap {
		g = s.arrive.Gamma(s.aArr*s.arar, s.bArr)
	}
	s.points += rng.Exp(g) / slotSeconds
	for s.points > s.now() {
		s.points -= s.now()
		s.slot++
	}
	part := 0.0
	if w := s.now(); w > 0 {
		part = s.points / w
	}
	s.at = (events.Time(s.slot*slotSeconds) + events.Time(slotSeconds*part)) * events.Second
}

// now is the weight of the slot.
func (s *lublinStream) now() float64 {
	w := s.weight[s.slot%slots]
	if s.slot/slots%7 >= 5 {
		w *= s.weekend
	}
	return w
}

// drawSize returns a number of processors. Powers of two above the machine,
// which rounding may give on machines of other sizes, become the next below.
func (s *lublinStream) drawSize() int32 {
	u := s.size.Float64()
	if u <= s.serial {
		return 1
	}
	low, high := s.uLow, s.uMed
	if s.size.Float64() > s.uProb {
		low, high = s.uMed, s.uHi
	}
	par := low + float64((high-low)*s.size.Float64())
	return s.round(par, u <= s.serial+s.pow2)
}

// round turns the logarithm of a size into a size.
func (s *lublinStream) round(par float64, power bool) int32 {
	if power {
		par = math.Floor(par + 0.5)
		if par > s.uHi {
			par = math.Floor(s.uHi)
		}
	}
	return int32(min(math.Floor(rng.Exp(par*math.Ln2)+0.5), float64(s.procs)))
}

// drawRun returns a run time of whole seconds.
func (s *lublinStream) drawRun(size int32) events.Time {
	first := s.run.Float64() <= s.mixture(size)
	for {
		x := 0.0
		if first {
			x = s.run.Gamma(s.a1, s.b1)
		} else {
			x = s.run.Gamma(s.a2, s.b2)
		}
		if x <= maxLogRun {
			return events.Time(rng.Exp(x)) * events.Second
		}
	}
}

// mixture is the probability of the first gamma distribution, of shorter jobs.
func (s *lublinStream) mixture(size int32) float64 {
	return min(1, max(0, float64(s.pa*float64(size))+s.pb))
}

// lublin merges the streams of its types into a trace.
type lublin struct {
	header   traces.Header
	streams  []*lublinStream
	jobs     int64
	shown    atomic.Int64 // jobs made, as of late
	estimate func(events.Time) events.Time
	users    *users // nil: none
}

// Header implements Source.
func (l *lublin) Header() *traces.Header { return &l.header }

// Fraction implements Progress.
func (l *lublin) Fraction() float64 { return float64(l.shown.Load()) / float64(l.jobs) }

// Next implements Source.
func (l *lublin) Next(j *traces.Job) error {
	if l.header.Ledger.Read == l.jobs {
		l.shown.Store(l.jobs)
		return io.EOF
	}
	l.header.Ledger.Read++
	if l.header.Ledger.Read%1024 == 0 {
		l.shown.Store(l.header.Ledger.Read)
	}
	s := l.streams[0]
	for _, other := range l.streams[1:] {
		if other.at < s.at {
			s = other
		}
	}
	size := s.drawSize()
	*j = traces.UnknownJob
	j.ID, j.Submit, j.Run, j.Procs, j.Queue = l.header.Ledger.Read, s.at, s.drawRun(size), size, s.queue
	if l.estimate != nil {
		j.Estimate = l.estimate(j.Run)
	}
	if l.users != nil {
		j.User = l.users.draw()
	}
	s.advance()
	return nil
}
