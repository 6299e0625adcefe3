package multiresource

import "math"

// ratio is a fair ratio of a mechanism as a function of the minority's share
// alpha, for n agents without end.
type ratio struct {
	mechanism            string
	welfare, utilisation func(alpha float64) float64
	source               string
}

// ratios are those of Table 1.
var ratios = []ratio{
	{"drf", func(a float64) float64 { return 2 - a }, func(a float64) float64 { return 1 / a }, "Lemma 1"},
	{"unb", func(a float64) float64 { return 1 + a }, func(a float64) float64 { return 1 / (1 - a) }, "Theorem 3.1"},
	{"bal", balWelfare, balUtilisation, "Theorem 3.2"},
	{"bal*", balWelfare, balUtilisation, "Theorem 3.3"},
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
func manyWelfare(m int, alpha, beta float64) (drf, unb float64) {
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
