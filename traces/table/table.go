package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/traces"
	"bourse/traces/suggest"
)

// Table is a table that was read.
type Table struct {
	// Name is the file's, for messages.
	Name    string
	columns []column
	lines   []int64 // of each row in the file; in Parquet, which has no lines, the row from 1
}

// column holds the values as the file has them: words, or numbers with NaN
// for null.
type column struct {
	name    string
	words   []string
	numbers []float64
}

// Rows returns the number of rows.
func (t *Table) Rows() int { return len(t.lines) }

// Columns returns the columns' names in the file's order.
func (t *Table) Columns() []string {
	names := make([]string, len(t.columns))
	for i := range t.columns {
		names[i] = t.columns[i].name
	}
	return names
}

// index finds a column by its name, -1 if there is none.
func (t *Table) index(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return strings.EqualFold(c.name, name) })
}

// need returns a column, or a positioned error that suggests another name.
func (t *Table) need(name string) (*column, error) {
	if i := t.index(name); i >= 0 {
		return &t.columns[i], nil
	}
	return nil, &traces.Error{File: t.Name, Line: 1, What: "no column " + name,
		Want: "the columns are " + strings.Join(t.Columns(), ", ") + suggest.DidYouMean(name, t.Columns())}
}

// Words returns a column's values as words; numbers of a Parquet file are
// spelled out. Empty values are an error.
func (t *Table) Words(name string) ([]string, error) {
	c, err := t.need(name)
	if err != nil {
		return nil, err
	}
	words := make([]string, t.Rows())
	for i := range words {
		if c.numbers != nil {
			words[i] = strconv.FormatFloat(c.numbers[i], 'f', -1, 64)
		} else {
			words[i] = c.words[i]
		}
		if words[i] == "" || c.numbers != nil && math.IsNaN(c.numbers[i]) {
			return nil, t.Fault(i, c.name+" is empty", "")
		}
	}
	return words, nil
}

// Floats returns a column's values as numbers. Anything else, or nothing, is a
// positioned error, and so is NaN.
func (t *Table) Floats(name string) ([]float64, error) {
	c, err := t.need(name)
	if err != nil {
		return nil, err
	}
	numbers := make([]float64, t.Rows())
	for i := range numbers {
		if c.numbers != nil {
			numbers[i] = c.numbers[i]
		} else if numbers[i], err = strconv.ParseFloat(c.words[i], 64); err != nil {
			numbers[i] = math.NaN()
		}
		if math.IsNaN(numbers[i]) {
			what := fmt.Sprintf("%s is empty", c.name)
			if c.numbers == nil && c.words[i] != "" {
				what = fmt.Sprintf("%s is %q", c.name, c.words[i])
			}
			return nil, t.Fault(i, what, "want a number")
		}
	}
	return numbers, nil
}

// FloatsFor is Floats where only good numbers will do; want says which those are.
func (t *Table) FloatsFor(name string, good func(float64) bool, want string) ([]float64, error) {
	numbers, err := t.Floats(name)
	for i, x := range numbers {
		if !good(x) {
			return nil, t.Fault(i, fmt.Sprintf("%s is %g", name, x), want)
		}
	}
	return numbers, err
}

// Fault returns an error at a row (from 0): what is wrong, and what is wanted,
// which may be empty.
func (t *Table) Fault(row int, what, want string) error {
	return &traces.Error{File: t.Name, Line: t.lines[row], What: what, Want: want}
}

// check looks at what every table must have: columns of different names, rows.
func (t *Table) check() error {
	if err := t.checkNames(); err != nil {
		return err
	}
	if t.Rows() == 0 {
		return &traces.Error{File: t.Name, What: "the table has no rows"}
	}
	return nil
}

func (t *Table) checkNames() error {
	for i, c := range t.columns {
		if c.name == "" {
			return &traces.Error{File: t.Name, Line: 1, What: fmt.Sprintf("column %d has no name", i+1),
				Want: "the first line should name the columns"}
		}
		if t.index(c.name) != i {
			return &traces.Error{File: t.Name, Line: 1, What: fmt.Sprintf("two columns are called %s", c.name)}
		}
	}
	return nil
}
