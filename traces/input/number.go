package input

import (
	"math"
	"strconv"
	"strings"
	"unsafe"

	"bourse/events"
)

// Number is one numeric field: sign * (whole + micro/1e6), rounded to the
// millionth, halves away from zero. Keeping the parts as integers makes the
// common field exact and free of floating point.
type Number struct {
	whole int64
	micro int64 // 0..999,999
	Neg   bool
}

// ScanNumber reads the blank-delimited number that starts at b[i], which must
// exist and not be a blank. It returns the index after it and false when the
// field is no finite number below 10^18.
func ScanNumber(b []byte, i int) (n Number, next int, ok bool) {
	start := i
	if b[i] == '-' {
		n.Neg = true
		i++
	}
	first := i
	var whole uint64
	for i < len(b) {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		whole = whole*10 + uint64(d)
		i++
	}
	digits := i - first
	if digits == 0 || digits > 18 || i < len(b) && !Blank(b[i]) {
		return scanDecimal(b, start)
	}
	n.whole = int64(whole)
	return n, i, true
}

// scanDecimal reads what the fast path does not: fractions, exponents, a plus
// sign, leading zeros beyond 18 digits.
func scanDecimal(b []byte, start int) (n Number, next int, ok bool) {
	end := start
	for end < len(b) && !Blank(b[end]) {
		end++
	}
	text := b[start:end]
	if n, ok = fixed(text); ok {
		return n, end, true
	}
	for _, c := range text {
		// Keeps out what ParseFloat also takes: inf, nan, hexadecimal, underscores.
		if !(c-'0' <= 9 || c == '.' || c == '+' || c == '-' || c|0x20 == 'e') {
			return n, end, false
		}
	}
	f, err := strconv.ParseFloat(unsafe.String(&text[0], len(text)), 64)
	if err != nil || math.Abs(f) >= 1e18 {
		return n, end, false
	}
	whole, frac := math.Modf(math.Abs(f))
	n = Number{whole: int64(whole), micro: int64(math.Round(frac * 1e6)), Neg: f < 0}
	return n.carried(), end, true
}

// fixed reads [-]digits[.digits] with up to 18 digits before the point.
func fixed(b []byte) (n Number, ok bool) {
	i := 0
	if len(b) > 0 && b[0] == '-' {
		n.Neg = true
		i++
	}
	first := i
	for i < len(b) && b[i]-'0' <= 9 {
		n.whole = n.whole*10 + int64(b[i]-'0')
		i++
		if i-first > 18 {
			return n, false
		}
	}
	whole := i - first
	if i == len(b) {
		return n, whole > 0
	}
	if b[i] != '.' {
		return n, false
	}
	i++
	point := i
	for ; i < len(b); i++ {
		d := b[i] - '0'
		switch {
		case d > 9:
			return n, false
		case i-point < 6:
			n.micro = n.micro*10 + int64(d)
		case i-point == 6 && d >= 5:
			n.micro++
		}
	}
	for k := i - point; k < 6; k++ {
		n.micro *= 10
	}
	return n.carried(), whole > 0 || i > point
}

func (n Number) carried() Number {
	if n.micro >= 1e6 {
		n.whole, n.micro = n.whole+1, n.micro-1e6
	}
	return n
}

func Blank(c byte) bool { return c == ' ' || c == '\t' }

const maxWholeSeconds = math.MaxInt64 / 4 / 1_000_000

// Time returns the number of seconds n as a Time, false beyond events.MaxSeconds.
func (n Number) Time() (events.Time, bool) {
	if n.whole >= maxWholeSeconds {
		return 0, false
	}
	t := events.Time(n.whole*1e6 + n.micro)
	if n.Neg {
		t = -t
	}
	return t, true
}

// Integer returns n rounded to a whole number, and whether it was one.
func (n Number) Integer() (v int64, exact bool) {
	v = n.whole
	if n.micro >= 500_000 {
		v++
	}
	if n.Neg {
		v = -v
	}
	return v, n.micro == 0
}

func (n Number) Float() float64 {
	v := float64(n.whole)
	if n.micro != 0 {
		v = (float64(float64(n.whole)*1e6) + float64(n.micro)) / 1e6
	}
	if n.Neg {
		v = -v
	}
	return v
}

// Nanoseconds marks a unit smaller than the clock's.
const Nanoseconds events.Time = 0

// Units are the words for what plain numbers count.
var Units = map[string]events.Time{
	"ns": Nanoseconds, "us": 1, "ms": 1000, "s": events.Second, "min": 60 * events.Second, "h": 3600 * events.Second,
	"d": 86400 * events.Second,
}

// scaled reads a number of units, rounded to the microsecond.
func scaled(text string, unit events.Time) (events.Time, bool) {
	if unit == Nanoseconds {
		ns, err := strconv.ParseInt(text, 10, 64)
		return events.Time(ns / 1000), err == nil
	}
	n, ok := ParseNumber(text)
	if !ok || n.whole >= math.MaxInt64/4/int64(unit) {
		return 0, false
	}
	t := events.Time(n.whole)*unit + events.Time(n.micro)*unit/events.Second
	if n.Neg {
		t = -t
	}
	return t, true
}

// ParseSpan reads a number of units or [days-]hours:minutes:seconds, where what
// is missing is at the front after no dash and at the back after one, as Slurm
// has it. UNLIMITED and Partition_Limit are unknown.
func ParseSpan(text string, unit events.Time) (events.Time, bool) {
	switch strings.ToLower(text) {
	case "unlimited", "infinite", "partition_limit", "invalid":
		return events.Unknown, true
	}
	if IsUnknown(text) {
		return events.Unknown, true
	}
	if t, ok := scaled(text, unit); ok {
		if t < 0 {
			return events.Unknown, text == "-1"
		}
		return t, true
	}
	return events.ParseClock(text)
}

// Decimal reads a number of at most 15 digits, perhaps with a point, and false for anything else. Digits that fit a
// float64 divided by a power of ten that does are rounded once, so that it is the nearest one.
func Decimal(text []byte) (float64, bool) {
	n, digits, point := int64(0), 0, -1
	for i, c := range text {
		switch {
		case c >= '0' && c <= '9' && digits < 15:
			n = n*10 + int64(c-'0')
			digits++
		case c == '.' && point < 0:
			point = i
		default:
			return 0, false
		}
	}
	if point < 0 {
		return float64(n), digits > 0
	}
	return float64(n) / tens[len(text)-1-point], digits > 0
}

// tens are the powers of ten that a float64 holds exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16}
