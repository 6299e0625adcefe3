package google

import (
	"math"
	"strconv"

	"bourse/traces/input"
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

// decimal parses a number of 0 or more, -1 if the field is empty.
func decimal(text []byte) (float64, bool) {
	if len(text) == 0 {
		return -1, true
	}
	if x, ok := input.Decimal(text); ok {
		return x, true
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return x, err == nil && x >= 0 && !math.IsInf(x, 1)
}
