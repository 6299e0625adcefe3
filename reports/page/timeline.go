package page

import "math"

// fine is how many bins of time are kept for one that is drawn: where a series is
// worked out from job records, a bin's least and greatest are of their means.
const fine = 32

// grid cuts the time from the first submission to the last completion of all runs
// into bins, the same for all.
type grid struct {
	first, last float64 // seconds
	bins        int     // that are drawn
}

func (g grid) width() float64 { return (g.last - g.first) / float64(g.bins) }

// integral sums up, bin by fine bin, the time during which intervals last.
type integral struct {
	grid
	per    float64   // fine bins a second
	partly []float64 // of intervals that begin or end in the bin
	change []float64 // at the bin, in the weight of those that cover whole bins
}

func newIntegral(g grid) *integral {
	n := g.bins * fine
	return &integral{grid: g, per: float64(n) / (g.last - g.first), partly: make([]float64, n),
		change: make([]float64, n+1)}
}

// add adds an interval of time with a weight, in time that does not depend on its
// length.
func (s *integral) add(from, to, weight float64) {
	n := float64(len(s.partly))
	a, b := min(max((from-s.first)*s.per, 0), n), min(max((to-s.first)*s.per, 0), n)
	if !(a < b) {
		return
	}
	i, j := int(a), int(b)
	if i == j {
		s.partly[i] += float64((b - a) * weight)
		return
	}
	s.partly[i] += float64((float64(i+1) - a) * weight)
	if j < len(s.partly) {
		s.partly[j] += float64((b - float64(j)) * weight)
	}
	s.change[i+1] += weight
	s.change[j] -= weight
}

// means returns the mean weight in each fine bin.
func (s *integral) means() []float64 {
	out := make([]float64, len(s.partly))
	level := 0.0
	for i := range out {
		level += s.change[i]
		// Sums of fractions that end where they began leave a trace of rounding.
		out[i] = max(0, level+s.partly[i])
		if out[i] < 1e-9 {
			out[i] = 0
		}
	}
	return out
}

// put adds an amount to the bin of an instant.
func (s *integral) put(at, amount float64) {
	i := int(min(max((at-s.first)*s.per, 0), float64(len(s.partly)-1)))
	s.partly[i] += float64(amount * s.per)
}

// track is a series in the bins that are drawn; NaN is unknown.
type track struct{ least, mean, most []float64 }

// tracks are a run's series over time.
type tracks struct {
	queue, use, price track
	others            [len(otherResources)]track // use of each
	// from says what queue and use were made of.
	from string
}

// reduce folds fine bins to those that are drawn.
func reduce(means []float64, scale float64) track {
	n := len(means) / fine
	t := track{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n {
		least, most, sum := math.Inf(1), math.Inf(-1), 0.0
		for _, x := range means[i*fine : (i+1)*fine] {
			least, most, sum = min(least, x), max(most, x), sum+x
		}
		t.least[i], t.mean[i], t.most[i] = least*scale, sum/fine*scale, most*scale
	}
	return t
}

// states reduces a series of states, each in force until the next: no state is
// lost, however short.
type states struct {
	grid
	track
	time   []float64 // known, in each bin
	at, of float64   // since when which state
	begun  bool
}

func newStates(g grid) *states {
	s := &states{grid: g, time: make([]float64, g.bins)}
	s.least, s.mean, s.most = make([]float64, g.bins), make([]float64, g.bins), make([]float64, g.bins)
	for i := range g.bins {
		s.least[i], s.most[i] = math.Inf(1), math.Inf(-1)
	}
	return s
}

// add says that from t on the state is x, NaN if unknown.
func (s *states) add(t, x float64) {
	s.until(t)
	s.at, s.of, s.begun = t, x, true
}

func (s *states) until(t float64) {
	if !s.begun || math.IsNaN(s.of) {
		return
	}
	width := s.width()
	bin := func(t float64) int { return min(max(int((t-s.first)/width), 0), s.bins-1) }
	for i, end := bin(s.at), bin(t); i <= end; i++ {
		from := s.first + float64(float64(i)*width)
		held := min(t, from+width) - max(s.at, from)
		if held <= 0 && i > bin(s.at) {
			continue // the state ends where the bin begins
		}
		s.least[i], s.most[i] = min(s.least[i], s.of), max(s.most[i], s.of)
		if held > 0 {
			s.mean[i] += float64(held * s.of)
			s.time[i] += held
		}
	}
}

// finish ends the last state and returns the series.
func (s *states) finish() track {
	s.until(s.at)
	for i := range s.mean {
		switch {
		case s.time[i] > 0:
			// Rounding must not take the mean out of its range.
			s.mean[i] = min(max(s.mean[i]/s.time[i], s.least[i]), s.most[i])
		case s.least[i] <= s.most[i]:
			s.mean[i] = (s.least[i] + s.most[i]) / 2
		default:
			s.least[i], s.mean[i], s.most[i] = math.NaN(), math.NaN(), math.NaN()
		}
	}
	return s.track
}
