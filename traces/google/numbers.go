package google

import (
	"math"
	"strconv"
)

// whole parses a whole number that must be there.
func whole(text []byte, v *int64) bool {
	n, i := int64(0), 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	if i == len(text) || len(text) > 19+i {
		return false
	}
	for _, c := range text[i:] {
		if c < '0' || c > '9' {
			return false
		}
		n = n*10 + int64(c-'0')
		if n < 0 {
			return false
		}
	}
	if i == 1 {
		n = -n
	}
	*v = n
	return true
}

// missing parses a small whole number, -1 if the field is empty.
func missing(text []byte, v *int64) bool {
	if len(text) == 0 {
		*v = -1
		return true
	}
	return whole(text, v) && *v >= 0 && *v <= math.MaxInt32
}

// tooMuch bounds requests and capacities, which are fractions of the largest machine, so that their sums are finite.
func tooMuch(cpu, memory float64) bool { return cpu > 1e12 || memory > 1e12 }

// decimal parses a number of 0 or more, -1 if the field is empty. Digits that fit
// a float64 divided by a power of ten that does are rounded once.
func decimal(text []byte) (float64, bool) {
	if len(text) == 0 {
		return -1, true
	}
	n, digits, point := int64(0), 0, -1
	for i, c := range text {
		switch {
		case c >= '0' && c <= '9' && digits < 15:
			n = n*10 + int64(c-'0')
			digits++
		case c == '.' && point < 0:
			point = i
		default:
			x, err := strconv.ParseFloat(string(text), 64)
			return x, err == nil && x >= 0 && !math.IsInf(x, 1)
		}
	}
	if digits == 0 {
		return 0, false
	}
	if point < 0 {
		return float64(n), true
	}
	return float64(n) / tens[len(text)-1-point], true
}

// tens are the powers of ten that a float64 holds exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16}
