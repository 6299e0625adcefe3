package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// student is Student's t distribution with so many degrees of freedom, of which only the
// upper half is asked. The library's own brings a megabyte of linear algebra along.
type student float64

// quantile is the value below which a part p of the distribution lies; p is above 1/2.
func (nu student) quantile(p float64) float64 {
	t := mathext.InvRegIncBeta(float64(nu)/2, .5, 2*(1-p))
	return math.Sqrt(float64(nu) * (1 - t) / t)
}

// beyond is the part of the distribution above y, which is at least 0.
func (nu student) beyond(y float64) float64 {
	return .5 * mathext.RegIncBeta(float64(nu)/2, .5, float64(nu)/(float64(y*y)+float64(nu)))
}
