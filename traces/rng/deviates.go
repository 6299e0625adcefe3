package rng

import "math"

// Open returns a number in (0, 1): Float64 without its zero.
func (r *Rand) Open() float64 {
	for {
		if u := r.Float64(); u > 0 {
			return u
		}
	}
}

// Norm returns a standard normal deviate (Marsaglia's polar method).
func (r *Rand) Norm() float64 {
	if r.full {
		r.full = false
		return r.spare
	}
	for {
		x := float64(2*float64(r.Float64())) - 1
		y := float64(2*float64(r.Float64())) - 1
		s := float64(x*x) + float64(y*y)
		if s >= 1 || s == 0 {
			continue
		}
		f := math.Sqrt(-2 * Log(s) / s)
		r.spare, r.full = float64(y*f), true
		return float64(x * f)
	}
}

// Gamma returns a gamma deviate of the given shape and scale, both above 0;
// its mean is shape*scale (Marsaglia and Tsang, ACM TOMS 26(3), 2000).
func (r *Rand) Gamma(shape, scale float64) float64 {
	if shape < 1 {
		u := r.Open()
		return float64(r.Gamma(shape+1, scale) * Exp(Log(u)/shape))
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.Norm()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		// log u < x^2/2 + d - d v + d log v
		if Log(r.Open()) < float64(0.5*x*x)+d-float64(d*v)+float64(d*Log(v)) {
			return float64(d * v * scale)
		}
	}
}

// Log and Exp follow e_log.c and e_exp.c of FreeBSD's libm, which carry this notice:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunSoft, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this
// software is freely granted, provided that this notice
// is preserved.

const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// Log returns the natural logarithm of a positive finite x. It is FreeBSD's
// e_log.c with every product rounded, so that all machines agree.
func Log(x float64) float64 {
	const (
		l1 = 6.666666666666735130e-01
		l2 = 3.999999999940941908e-01
		l3 = 2.857142874366239149e-01
		l4 = 2.222219843214978396e-01
		l5 = 1.818357216161805012e-01
		l6 = 1.531383769920937332e-01
		l7 = 1.479819860511658591e-01
	)
	fr, e := math.Frexp(x)
	if fr < math.Sqrt2/2 {
		fr *= 2
		e--
	}
	f, k := fr-1, float64(e)
	s := f / (2 + f)
	s2 := s * s
	s4 := s2 * s2
	t1 := s2 * (l1 + float64(s4*(l3+float64(s4*(l5+float64(s4*l7))))))
	t2 := s4 * (l2 + float64(s4*(l4+float64(s4*l6))))
	half := float64(0.5 * f * f)
	tail := float64(s*(half+(float64(t1)+float64(t2)))) + float64(k*ln2Lo)
	return float64(k*ln2Hi) - ((half - tail) - f)
}

// Exp returns e to the x for |x| up to 700. It is FreeBSD's e_exp.c with every
// product rounded, so that all machines agree.
func Exp(x float64) float64 {
	const (
		p1 = 1.66666666666666657415e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08
	)
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	hi := x - float64(k*ln2Hi)
	lo := k * ln2Lo
	r := hi - float64(lo)
	t := r * r
	c := r - float64(t*(p1+float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
	y := 1 - ((float64(lo) - float64(r*c)/(2-c)) - hi)
	return math.Ldexp(y, int(k))
}
