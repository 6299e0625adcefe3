package table

import (
	"fmt"
	"math"

	"bourse/reports/stats"
	"bourse/reports/terminal"
)

type kind uint8

const (
	missing kind = iota
	word
	count
	number
	estimate
	list
)

// Cell is one value of a table. The zero Cell is missing.
type Cell struct {
	kind kind
	text string // of a word; of other kinds what is shown instead of the value
	x    stats.Estimate
	// signed means that a number is a difference.
	signed bool
	n      int64
	list   any
}

// Missing is a cell whose value is not known.
var Missing Cell

// Word is a cell of text.
func Word(text string) Cell { return Cell{kind: word, text: text} }

// Count is a cell of a whole number.
func Count[N ~int | ~int32 | ~int64](n N) Cell {
	return Cell{kind: count, n: int64(n), x: stats.Exactly(float64(n))}
}

// Number is a cell of a figure; NaN is missing.
func Number(x float64) Cell {
	if math.IsNaN(x) {
		return Missing
	}
	return Cell{kind: number, x: stats.Exactly(x)}
}

// Known is the cell of a figure that may be unknown, which nil stands for.
func Known(x *float64) Cell {
	if x == nil {
		return Missing
	}
	return Number(*x)
}

// Estimate is a cell of a mean with its interval.
func Estimate(e stats.Estimate) Cell { return Cell{kind: estimate, x: e} }

// Change is an Estimate of a difference, which is shown with its sign.
func Change(e stats.Estimate) Cell { return Cell{kind: estimate, x: e, signed: true} }

// List is a cell of several values, which only JSON has.
func List(values any) Cell { return Cell{kind: list, list: values} }

// Truth is a cell of yes or no for readers, true or false in JSON, and elsewhere 1 or 0.
func Truth(b bool) Cell {
	c := Number(0).As("no")
	if b {
		c = Number(1).As("yes")
	}
	c.list = b
	return c
}

// As returns the cell shown to readers as text; programs receive the value.
func (c Cell) As(text string) Cell {
	c.text = text
	return c
}

// Value returns the cell's figure, NaN where it has none.
func (c Cell) Value() stats.Estimate {
	if c.kind == missing || c.kind == word || c.kind == list {
		return stats.Exactly(math.NaN())
	}
	return c.x
}

// Text returns the cell as readers see it in a column of unit u.
func (c Cell) Text(u terminal.Unit) string {
	switch {
	case c.text != "" || c.kind == word:
		return c.text
	case c.kind == missing || c.kind == list || math.IsNaN(c.x.Mean):
		return "-"
	case c.kind == count && u == terminal.Number:
		return terminal.Thousands(c.n)
	case c.signed:
		return u.Difference(c.x.Mean, c.x.Half)
	}
	return u.Estimate(c.x.Mean, c.x.Half)
}

// timed is an events.Time.
type timed interface {
	Known() bool
	Seconds() float64
}

// cellOf is the cell of a value as Add takes it.
func cellOf(value any) Cell {
	switch x := value.(type) {
	case nil:
		return Missing
	case Cell:
		return x
	case string:
		return Word(x)
	case int:
		return Count(x)
	case int64:
		return Count(x)
	case float64:
		return Number(x)
	case *float64:
		return Known(x)
	case stats.Estimate:
		return Estimate(x)
	case timed:
		if !x.Known() {
			return Missing
		}
		return Number(x.Seconds())
	}
	return Word(fmt.Sprint(value))
}
