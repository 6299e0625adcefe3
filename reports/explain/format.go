package explain

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/reports/terminal"
)

// clock writes a duration to the microsecond: "1:02:05", "2d 13:00:00", "0:00:00.5".
func clock(t events.Time) string {
	if t < 0 {
		return "-" + clock(-t)
	}
	const minute, hour, day = 60 * events.Second, 3600 * events.Second, 24 * 3600 * events.Second
	text := fmt.Sprintf("%d:%02d:%02d", t%day/hour, t%hour/minute, t%minute/events.Second)
	if t >= day {
		text = fmt.Sprintf("%dd %02d:%02d:%02d", t/day, t%day/hour, t%hour/minute, t%minute/events.Second)
	}
	if rest := t % events.Second; rest > 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return text
}

// seconds writes a time in seconds, thousands apart.
func seconds(t events.Time) string {
	if t < 0 {
		return "-" + seconds(-t)
	}
	text := terminal.Thousands(int64(t / events.Second))
	if rest := t % events.Second; rest > 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return text
}

// money writes an amount of whole cents, thousands apart.
func money(cents float64) string {
	if math.Abs(cents) >= 1<<53 {
		return strconv.FormatFloat(cents/100, 'e', 6, 64)
	}
	n := int64(cents)
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%s.%02d", sign, terminal.Thousands(n/100), n%100)
}

// signed is money with its sign.
func signed(cents float64) string {
	if cents > 0 {
		return "+" + money(cents)
	}
	return money(cents)
}

// price writes a value or a bid.
func price(x float64) string { return decimals(x, 2, 0.1) }

// rate writes a price of a receipt, which may be tiny.
func rate(x float64) string { return decimals(x, 4, 0.01) }

// decimals writes so many, and of numbers below the least three digits.
func decimals(x float64, n int, least float64) string {
	if x != 0 && math.Abs(x) < least {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strconv.FormatFloat(x, 'f', n, 64)
}

// amount writes a number of processors, which shares make fractions.
func amount(x float64) string {
	if whole := math.Round(x); math.Abs(x-whole) < 0.005 {
		return terminal.Thousands(int64(whole))
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// count writes a number of things whose plural takes an s.
func count(n int64, what string) string { return terminal.Count(int(n), what, what+"s") }
