package figures

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// roundTicks labels multiples of 1, 2 or 5 times a power of ten, with the digits
// they need: the library's own choice may drop digits in which labels differ.
type roundTicks struct{}

// Ticks implements plot.Ticker.
func (roundTicks) Ticks(low, high float64) []plot.Tick {
	if !(high > low) {
		return []plot.Tick{{Value: low, Label: strconv.FormatFloat(low, 'g', 4, 64)}}
	}
	// The coarsest step with four labels or more.
	power := math.Floor(math.Log10(high-low)) + 1
	step, digits := 0.0, 0
	for count := 0; count < 4; power-- {
		for _, lead := range []float64{5, 2, 1} {
			step = lead * math.Pow(10, power)
			if count = int(math.Floor(high/step+1e-9)) - int(math.Ceil(low/step-1e-9)) + 1; count >= 4 {
				digits = max(0, -int(power))
				break
			}
		}
	}
	var ticks []plot.Tick
	for k := math.Ceil(low/step - 1e-9); float64(k*step) <= high+float64(1e-9*step); k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: strconv.FormatFloat(float64(k*step)+0, 'f', digits, 64)})
	}
	return ticks
}
