package multiresource

import (
	"math"

	"bourse/policies/share"
)

// repeat appends n copies of an agent.
func repeat(d share.Demands, n int, demands ...float64) share.Demands {
	for range n {
		d = append(d, demands)
	}
	return d
}

// againstDRF is the instance in the proof of Lemma 1: all of group 2 but one need
// nearly as much of resource 1 as of their own.
func againstDRF(n, minority int) share.Demands {
	e := 1 / float64(n)
	d := repeat(nil, n-minority, 1, e)
	d = repeat(d, 1, e/2, 1)
	return repeat(d, minority-1, 1-e, 1)
}

// againstUNB is the instance in the proof of Lemma 4: group 1 has an agent that
// costs next to nothing of resource 2, but UNB raises group 2.
func againstUNB(n, minority int) share.Demands {
	e := 1 / float64(n)
	d := repeat(nil, 1, 1, e)
	d = repeat(d, n-minority-1, 1, 1-e)
	return repeat(d, minority, e, 1)
}

// againstBAL is the instance in the proof of Lemma 14, for BAL and BAL*: half of
// what is left of resource 1 is allocated to group 1, where it adds little.
func againstBAL(n, minority int) share.Demands {
	e := 1 / float64(n) / float64(n)
	d := repeat(nil, n-minority, 1, e)
	d = repeat(d, 1, 1/float64(n-minority), 1)
	return repeat(d, minority-1, 1-e, 1)
}

// againstManyFirst is the first instance in the proof of Theorem 4.2, for m
// resources. beta is the mean demand for resource 1 outside group 1.
func againstManyFirst(n, outside, m int, beta float64) share.Demands {
	e := 1 / float64(n) / float64(n)
	row := func(first, second float64) []float64 {
		v := make([]float64, m)
		for r := range v {
			v[r] = e
		}
		v[0], v[1] = first, second
		return v
	}
	d := repeat(nil, 1, row(1, e)...)
	d = repeat(d, n-outside-1, row(1, 1-e)...)
	other := outside - (m - 2) // group 2
	rest := float64(beta*float64(outside)) - float64(e*e) - float64(float64(m-2)*e)
	d = repeat(d, 1, row(e*e, 1)...)
	d = repeat(d, other-1, row(rest/float64(other-1), 1)...)
	for k := 2; k < m; k++ {
		v := row(e, e)
		v[k] = 1
		d = append(d, v)
	}
	return d
}

// againstManySecond is the second instance of that proof. outside is a multiple
// of m-1.
func againstManySecond(n, outside, m int, beta float64) share.Demands {
	e, each := 1/float64(n), outside/(m-1)
	row := func(first float64, k int, rest float64) []float64 {
		v := make([]float64, m)
		for r := range v {
			v[r] = rest
		}
		v[0], v[k] = first, 1
		return v
	}
	d := repeat(nil, n-outside, row(1, 0, e)...)
	demand := beta * float64(each) / (float64(each-1) + 1/math.Sqrt(float64(n)))
	for k := 1; k < m; k++ {
		d = repeat(d, 1, row(demand/math.Sqrt(float64(n)), k, e*e)...)
		d = repeat(d, each-1, row(demand, k, e)...)
	}
	return d
}

// ratio is a fair ratio of a mechanism as a function of the minority's share
// alpha, for n agents without end.
type ratio struct {
	welfare, utilisation func(alpha float64) float64
}

// ratios are those of Table 1.
var ratios = []ratio{
	{func(a float64) float64 { return 2 - a }, func(a float64) float64 { return 1 / a }},       // drf, Lemma 1
	{func(a float64) float64 { return 1 + a }, func(a float64) float64 { return 1 / (1 - a) }}, // unb, Theorem 3.1
	{balWelfare, balUtilisation}, // bal, Theorem 3.2
	{balWelfare, balUtilisation}, // bal*, Theorem 3.3
}

func balWelfare(a float64) float64     { return (4 - 2*a) / (3 - a) }
func balUtilisation(a float64) float64 { return 2 / (1 + a) }

// starBounds are the upper bounds of BAL* for n agents (Theorem 3.3).
func starBounds(alpha float64, n int) (welfare, utilisation float64) {
	return (4 - 2*alpha) / (3 - alpha - 1/float64(n)), 2 / (1 + alpha - 1/float64(n))
}

// hybridBounds are the bounds of Theorem 5.1 on the fair ratios of the hybrids.
// The last display of its proof has 3/(2 - 1/(2n)) for utilisation; at the
// switch, alpha = 1/3 + 1/(3n), 1/(1-alpha) is 3/(2 - 1/n), as the theorem says.
func hybridBounds(n int) (welfare, utilisation float64) {
	return 3 - math.Sqrt(3) + 1/(2*float64(n)), 3 / (2 - 1/float64(n))
}

// manyWelfare are the fair ratios for welfare with m resources, by alpha and
// beta, the mean demand for resource 1 of those outside group 1 (Theorem 4.2).
var manyWelfare = func(m int, alpha, beta float64) (drf, unb float64) {
	most := float64(m) - float64(alpha*beta)
	first := most - (1 - alpha)
	return max(first, most*(1-float64(alpha*(1-beta)))), max(first, most/(1+float64((1-beta)/beta*alpha)))
}

// scenario returns which of the cases of section 4.2 holds: 1 both maxima are the
// first term, 2 both the second, 3 UNB's the first and DRF's the second.
func scenario(m int, alpha, beta float64) int {
	drf, unb := manyWelfare(m, alpha, beta)
	first := float64(m) - float64(alpha*beta) - (1 - alpha)
	switch {
	case drf == first:
		return 1
	case unb == first:
		return 3
	}
	return 2
}
