package share

import (
	"errors"
	"math"
)

// tableau is a linear program, maximise c v with rows a v <= b and v >= 0, in
// condensed form: what is basic is written in what is not. Rows may be added
// when a basis is optimal; the dual simplex then repairs it, which is what lets
// a program with n^2 rows be solved with the few that bind. The origin must be
// feasible at first (b >= 0).
//
// Places 0..n-1 are the variables, n and above the slacks of the rows in the
// order they were added.
type tableau struct {
	n       int
	basic   []int       // of each row
	beyond  []int       // of each column: what is not basic, and so 0
	rows    [][]float64 // basic = right - sum row[j] beyond_j
	right   []float64
	gain    []float64 // of the objective in each column
	value   float64
	where   []int // row of each basic variable, or ^column
	slacks  int
	pivots  int
	stalled int // pivots since the objective moved
}

// Tolerances of the tableau: what counts as zero when signs are judged, and the
// smallest pivot.
const (
	signTolerance  = 1e-11
	pivotTolerance = 1e-9
)

var errProgram = errors.New("the linear program was not solved: no pivot was found, or too many were needed")

func newTableau(objective []float64) *tableau {
	t := &tableau{n: len(objective), gain: append([]float64(nil), objective...)}
	for j := range objective {
		t.beyond = append(t.beyond, j)
		t.where = append(t.where, ^j)
	}
	return t
}

// term is one entry of a sparse row.
type term struct {
	variable int
	factor   float64
}

// add appends the row sum of the terms <= right.
func (t *tableau) add(terms []term, right float64) {
	row := make([]float64, len(t.beyond))
	for _, a := range terms {
		if k := t.where[a.variable]; k < 0 {
			row[^k] += a.factor
		} else {
			right -= float64(a.factor * t.right[k])
			for j, v := range t.rows[k] {
				row[j] -= float64(a.factor * v)
			}
		}
	}
	t.where = append(t.where, len(t.rows))
	t.basic = append(t.basic, t.n+t.slacks)
	t.slacks++
	t.rows, t.right = append(t.rows, row), append(t.right, right)
}

// pivot exchanges the basic variable of row r with the one of column s.
func (t *tableau) pivot(r, s int) {
	row := t.rows[r]
	inverse := 1 / row[s]
	row[s] = 1
	for j := range row {
		row[j] *= inverse
	}
	t.right[r] *= inverse
	for k, other := range t.rows {
		if factor := other[s]; k != r && factor != 0 {
			other[s] = 0
			for j, v := range row {
				other[j] -= float64(factor * v)
			}
			t.right[k] -= float64(factor * t.right[r])
		}
	}
	factor := t.gain[s]
	t.gain[s] = 0
	for j, v := range row {
		t.gain[j] -= float64(factor * v)
	}
	moved := float64(factor * t.right[r])
	t.value += moved
	if t.stalled++; math.Abs(moved) > signTolerance {
		t.stalled = 0
	}
	t.basic[r], t.beyond[s] = t.beyond[s], t.basic[r]
	t.where[t.basic[r]], t.where[t.beyond[s]] = r, ^s
	t.pivots++
}
