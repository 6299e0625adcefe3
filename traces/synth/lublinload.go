package synth

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// setLoad scales the gaps' parameter bArr of all streams by one factor, so that
// the expected load, sum of run time x processors over machine x time, becomes
// want. This is the model's authors' way: run times and sizes stay as they are.
func setLoad(streams []*lublinStream, want float64) error {
	base := make([]float64, len(streams))
	for i, s := range streams {
		base[i] = s.bArr
	}
	load := func(factor float64) (sum float64) {
		for i, s := range streams {
			sum += s.meanWork() / float64(s.procs) / meanExp(s.aArr*s.arar, base[i]*factor, maxLogGap)
		}
		return sum
	}
	low, high := 0.1, 1.6 // the load falls as gaps grow
	if want > load(low) || want < load(high) {
		return fmt.Errorf("load=%v is out of the model's range on this machine; want %.2g to %.2g", want, load(high),
			load(low))
	}
	for range 60 {
		mid := (low + high) / 2
		if load(mid) > want {
			low = mid
		} else {
			high = mid
		}
	}
	factor := math.Round(low*1e6) / 1e6 // the same on all machines
	for i, s := range streams {
		s.bArr = base[i] * factor
	}
	return nil
}

// meanWork is the expected run time x processors of a job, in seconds.
func (s *lublinStream) meanWork() float64 {
	short, long := meanExp(s.a1, s.b1, maxLogRun), meanExp(s.a2, s.b2, maxLogRun)
	work := func(n int32) float64 {
		p := s.mixture(n)
		return float64(n) * (float64(p*short) + float64((1-p)*long))
	}
	const steps = 2000
	stage := func(low, high float64) (power, other float64) {
		for k := range steps {
			par := low + (high-low)*(float64(k)+0.5)/steps
			power += work(s.round(par, true)) / steps
			other += work(s.round(par, false)) / steps
		}
		return power, other
	}
	lowPower, lowOther := stage(s.uLow, s.uMed)
	highPower, highOther := stage(s.uMed, s.uHi)
	power := float64(s.uProb*lowPower) + float64((1-s.uProb)*highPower)
	other := float64(s.uProb*lowOther) + float64((1-s.uProb)*highOther)
	pow2 := min(s.pow2, 1-s.serial)
	return float64(s.serial*work(1)) + float64(pow2*power) + float64((1-s.serial-pow2)*other)
}

// meanExp is the mean of e^x for x of a gamma distribution (shape a, scale b) cut at limit.
func meanExp(a, b, limit float64) float64 {
	below := mathext.GammaIncReg(a, limit/b)
	if b < 1 {
		return math.Pow(1-b, -a) * mathext.GammaIncReg(a, limit*(1/b-1)) / below
	}
	// The uncut mean is infinite: integrate e^x x^(a-1) e^(-x/b) up to the limit.
	const steps = 20_000
	lg, _ := math.Lgamma(a)
	sum := 0.0
	for k := range steps {
		x := limit * (float64(k) + 0.5) / steps
		sum += math.Exp(x + float64((a-1)*math.Log(x)) - float64(x/b) - float64(a*math.Log(b)) - lg)
	}
	return sum * limit / steps / below
}
