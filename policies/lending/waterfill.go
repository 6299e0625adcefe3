package lending

import (
	"cmp"
	"math"
	"slices"
)

// ramp is a share that grows with the water level x: Low up to where it starts,
// then Slope for every unit of x, up to High.
//
//	share(x) = min(High, max(Low, Slope (x - Zero)))   with Slope > 0
//
// A ramp with Slope 0 stays at Low. High may be infinite.
type ramp struct{ Low, High, Slope, Zero float64 }

// share returns the share at level x.
func (r ramp) share(x float64) float64 {
	if r.Slope == 0 {
		return r.Low
	}
	return min(r.High, max(r.Low, float64(r.Slope*(x-r.Zero))))
}

// waterfill raises the level over all ramps until their shares add up to total.
// The zero value is ready; it keeps its buffers between calls. Fill costs
// O(n log n): the sum is piecewise linear in the level, with two breakpoints a
// ramp, and the sweep finds the piece that holds total exactly.
type waterfill struct{ breaks []rampBreak }

// rampBreak is a level at which the sum's slope changes.
type rampBreak struct {
	x     float64
	slope float64 // change of slope
}

// Fill writes the shares into out, which has one place a ramp, and returns the
// level. A total below the sum of the lows gives the lows, at level -Inf, and
// one above the sum of the highs gives the highs, at level +Inf.
func (w *waterfill) Fill(total float64, ramps []ramp, out []float64) float64 {
	x := w.level(total, ramps)
	for i, r := range ramps {
		switch {
		case math.IsInf(x, -1):
			out[i] = r.Low
		case math.IsInf(x, 1) && r.Slope > 0:
			out[i] = r.High
		default:
			out[i] = r.share(x)
		}
	}
	return x
}

func (w *waterfill) level(total float64, ramps []ramp) float64 {
	w.breaks = w.breaks[:0]
	sum := 0.0
	for _, r := range ramps {
		sum += r.Low
		if r.Slope == 0 || r.High <= r.Low {
			continue
		}
		w.breaks = append(w.breaks, rampBreak{r.Zero + r.Low/r.Slope, r.Slope})
		if !math.IsInf(r.High, 1) {
			w.breaks = append(w.breaks, rampBreak{r.Zero + r.High/r.Slope, -r.Slope})
		}
	}
	if total <= sum {
		return math.Inf(-1)
	}
	slices.SortFunc(w.breaks, func(a, b rampBreak) int { return cmp.Compare(a.x, b.x) })
	// slope is added up afresh from whole sums of open ramps; a residue of
	// rounding below open = 0 must not be taken for a slope.
	slope, open := 0.0, 0
	for i, b := range w.breaks {
		if open > 0 {
			gain := float64(slope * (b.x - w.breaks[i-1].x))
			if sum+gain >= total {
				return w.breaks[i-1].x + (total-sum)/slope
			}
			sum += gain
		}
		if b.slope > 0 {
			open++
		} else {
			open--
		}
		if slope += b.slope; open == 0 {
			slope = 0
		}
	}
	if open > 0 {
		return w.breaks[len(w.breaks)-1].x + (total-sum)/slope
	}
	return math.Inf(1)
}
