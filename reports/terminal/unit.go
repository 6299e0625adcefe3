package terminal

import (
	"math"
	"strconv"
)

// Unit is what the figures of a column are in, and so how people read them.
type Unit uint8

// The units of columns. Fixed and Significant make further ones.
const (
	Number     Unit = iota // whole, with commas
	Seconds                // 1h55m
	Ratio                  // two decimals, whole from 1,000 on
	Small                  // as Ratio, and of less than 0.005 the first digit
	Percent                // of a percentage: one decimal
	Share                  // of a share of 1: percent
	General                // as few digits as read back as the same
	Scientific             // a digit, a decimal and an exponent: of errors
	Words                  // text

	fixed       Unit = 32
	significant Unit = 64
)

// Fixed is the unit of figures with n decimals.
func Fixed(n int) Unit { return fixed + Unit(n) }

// Significant is the unit of figures with n digits.
func Significant(n int) Unit { return significant + Unit(n) }

// Text writes a figure, - where it is unknown.
func (u Unit) Text(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case u == Number:
		return Whole(x)
	case u == Seconds:
		return Duration(x).Short()
	case u == Percent:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case u == Share:
		return Percent.Text(100 * x)
	case u == Small && x != 0 && math.Abs(x) < .005:
		return strconv.FormatFloat(x, 'g', 1, 64)
	case u == General:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case u == Scientific:
		return strconv.FormatFloat(x, 'e', 1, 64)
	case u >= significant:
		return strconv.FormatFloat(x, 'g', int(u-significant), 64)
	case u >= fixed:
		return strconv.FormatFloat(x, 'f', int(u-fixed), 64)
	}
	return Figure(x)
}

// Change writes a difference, with its sign.
func (u Unit) Change(x float64) string {
	if x > 0 {
		return "+" + u.Text(x)
	}
	return u.Text(x)
}

// Estimate writes a mean and half of its interval, NaN if it has none.
func (u Unit) Estimate(mean, half float64) string { return u.interval(u.Text(mean), half) }

// Difference is Estimate of a difference.
func (u Unit) Difference(mean, half float64) string { return u.interval(u.Change(mean), half) }

func (u Unit) interval(mean string, half float64) string {
	if math.IsNaN(half) || half == 0 { // a figure that nothing changes
		return mean
	}
	return mean + " ± " + u.Text(half)
}

// Whole writes x without decimals, with commas; with an exponent only from 10^15 on.
func Whole(x float64) string {
	if math.Abs(x) < 1e15 {
		return Thousands(int64(math.Round(x)))
	}
	return strconv.FormatFloat(x, 'e', 2, 64)
}
