package terminal

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bourse/events"
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
	Clock                  // of seconds: 2d 01:02:05.5, to the microsecond
	Since                  // as Clock, with a plus
	Exact                  // with commas, to the millionth
	Money                  // with commas and two decimals
	Price                  // two decimals, of less than 0.1 three digits
	Rate                   // four decimals, of less than 0.01 three digits
	Amount                 // whole if it nearly is, else two decimals

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
	case u >= Clock && u <= Amount:
		return u.precise(x)
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

// precise writes a figure in one of the units of bills, Clock to Amount.
func (u Unit) precise(x float64) string {
	switch u {
	case Clock:
		return clock(Duration(x))
	case Since:
		return "+" + clock(Duration(x))
	case Exact:
		return exact(Duration(x), Thousands(int64(Duration(math.Abs(x))/events.Second)))
	case Price:
		return decimals(x, 2, 0.1)
	case Rate:
		return decimals(x, 4, 0.01)
	case Amount:
		if whole := math.Round(x); math.Abs(x-whole) < 0.005 {
			return Thousands(int64(whole))
		}
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	cents := math.Round(x * 100)
	if math.Abs(cents) >= 1<<53 {
		return strconv.FormatFloat(cents/100, 'e', 6, 64)
	}
	n := int64(math.Abs(cents))
	return sign(cents) + fmt.Sprintf("%s.%02d", Thousands(n/100), n%100)
}

func sign(x float64) string {
	if x < 0 {
		return "-"
	}
	return ""
}

// decimals writes so many, and of numbers below the least three digits.
func decimals(x float64, n int, least float64) string {
	if x != 0 && math.Abs(x) < least {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strconv.FormatFloat(x, 'f', n, 64)
}

// clock writes a duration: "1:02:05", "2d 13:00:00", "0:00:00.5".
func clock(t events.Time) string {
	const minute, hour, day = 60 * events.Second, 3600 * events.Second, 24 * 3600 * events.Second
	whole := max(t, -t)
	text := fmt.Sprintf("%d:%02d:%02d", whole%day/hour, whole%hour/minute, whole%minute/events.Second)
	if whole >= day {
		text = fmt.Sprintf("%dd %02d:%02d:%02d", whole/day, whole%day/hour, whole%hour/minute, whole%minute/events.Second)
	}
	return exact(t, text)
}

// exact adds the sign of a time and its part of a second to the text of its whole seconds.
func exact(t events.Time, text string) string {
	if rest := max(t, -t) % events.Second; rest > 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return sign(float64(t)) + text
}
