package share

import "math"

// optimise makes the basis optimal: by the primal simplex if it is feasible, by
// the dual one if it is optimal but for feasibility.
func (t *tableau) optimise() error {
	limit := t.pivots + 1000*(len(t.rows)+len(t.beyond))
	for t.pivots < limit {
		r, s := t.leaving(), t.entering()
		switch {
		case r < 0 && s < 0:
			return nil
		case s < 0:
			if s = t.dualRatio(r); s < 0 {
				return errProgram
			}
		case r < 0:
			if r = t.primalRatio(s); r < 0 {
				return errProgram
			}
		default:
			return errProgram
		}
		t.pivot(r, s)
	}
	return errProgram
}

// careful reports whether the objective has stood still for so long that
// Bland's rule should exclude a cycle.
func (t *tableau) careful() bool { return t.stalled > 2*(len(t.rows)+len(t.beyond)) }

// entering picks the column of the largest gain, -1 if there is none.
func (t *tableau) entering() int {
	best, most := -1, signTolerance
	for j, g := range t.gain {
		if g <= signTolerance {
			continue
		}
		if t.careful() {
			if best < 0 || t.beyond[j] < t.beyond[best] {
				best = j
			}
		} else if g > most {
			best, most = j, g
		}
	}
	return best
}

// leaving picks the row that is violated most, -1 if there is none.
func (t *tableau) leaving() int {
	best, most := -1, -signTolerance
	for k, b := range t.right {
		if b >= -signTolerance {
			continue
		}
		if t.careful() {
			if best < 0 || t.basic[k] < t.basic[best] {
				best = k
			}
		} else if b < most {
			best, most = k, b
		}
	}
	return best
}

// primalRatio picks the row that stops column s first.
func (t *tableau) primalRatio(s int) int {
	best := none
	for k, row := range t.rows {
		if v := row[s]; v > pivotTolerance {
			t.offer(&best, pivotal{k, t.basic[k], max(0, t.right[k]) / v, v})
		}
	}
	return best.at
}

// dualRatio picks the column that repairs row r and keeps the gains in order.
func (t *tableau) dualRatio(r int) int {
	best := none
	for j, v := range t.rows[r] {
		if v < -pivotTolerance {
			t.offer(&best, pivotal{j, t.beyond[j], max(0, -t.gain[j]) / -v, -v})
		}
	}
	return best.at
}

// pivotal is a row or column that may be pivoted on.
type pivotal struct {
	at, variable int
	ratio, size  float64
}

var none = pivotal{at: -1, ratio: math.Inf(1)}

// offer takes x instead of best if its ratio is less. Of equal ratios, to within
// rounding, the largest pivot is taken: a program over utilisation has ties without
// number, and dividing by small pivots soon leaves nothing but rounding errors. Bland's
// rule wants the first variable.
func (t *tableau) offer(best *pivotal, x pivotal) {
	least := min(best.ratio, x.ratio)
	switch {
	case best.at < 0 || x.ratio < best.ratio-signTolerance:
		*best = x
	case t.careful() && (x.ratio < best.ratio || x.ratio == best.ratio && x.variable < best.variable):
		*best = x
	case !t.careful() && x.ratio <= best.ratio+signTolerance && x.size > best.size:
		*best = x
		best.ratio = least
	}
}

// relax drops the rows that do not bind, which are those whose slack is basic
// and above zero. The numbers of their slacks are not used again.
func (t *tableau) relax(keep int) {
	next := 0
	for k, b := range t.basic {
		if b >= t.n+keep && t.right[k] > 1e-7 {
			continue
		}
		t.basic[next], t.rows[next], t.right[next], t.where[b] = b, t.rows[k], t.right[k], next
		next++
	}
	t.basic, t.rows, t.right = t.basic[:next], t.rows[:next], t.right[:next]
}

// valueOf returns the value of a variable.
func (t *tableau) valueOf(variable int) float64 {
	if k := t.where[variable]; k >= 0 {
		return t.right[k]
	}
	return 0
}
