package page

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/stats"
)

// chart is one figure of the page: a Vega-Lite specification whose data are
// next to it in rows, or series over time.
type chart struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Caption string  `json:"-"`
	Facets  int     `json:"facets,omitempty"` // panels side by side where there is room
	Spec    object  `json:"spec,omitempty"`
	Tail    object  `json:"tail,omitempty"` // the other y axis of a distribution
	Data    *data   `json:"data,omitempty"`
	Series  *series `json:"series,omitempty"`
	Gantt   *gantt  `json:"gantt,omitempty"`
	Legend  []key   `json:"legend,omitempty"` // above the chart
	Table   *sheet  `json:"-"`                // the numbers behind it
}

// data are named columns in rows; the page's script makes objects of them.
type data struct {
	Names []string `json:"names"`
	Rows  [][]any  `json:"rows"`
}

func (d *data) add(values ...any) { d.Rows = append(d.Rows, values) }

// key is an entry of a legend.
type key struct {
	Label  string `json:"label"`
	Colour string `json:"colour"`
	Dash   []int  `json:"dash,omitempty"`
}

// Stroke is the dashes as SVG takes them, empty for none.
func (k key) Stroke() string {
	if len(k.Dash) < 2 || k.Dash[1] == 0 {
		return ""
	}
	return strings.Trim(fmt.Sprint(k.Dash), "[]")
}

// series are lines over time in bins of one width, with their range in each bin.
type series struct {
	First float64 `json:"first"` // units of time
	Width float64 `json:"width"`
	Bins  int     `json:"bins"`
	X     string  `json:"x"` // axis titles
	Y     string  `json:"y"`
	Lines []line  `json:"lines"`
	Dates bool    `json:"dates,omitempty"` // times are Unix times
	Apart bool    `json:"apart,omitempty"` // a plot for each line, one below the other
	Most  float64 `json:"most,omitempty"`  // of the y axis, where that is fixed
}

type line struct {
	Run   int     `json:"run"` // its place among the runs, which decides the colour
	Label string  `json:"label"`
	Least numbers `json:"least"`
	Mean  numbers `json:"mean"`
	Most  numbers `json:"most"`
}

// isPositive reports whether a line leaves the floor.
func (l line) isPositive() bool {
	return slices.ContainsFunc(l.Most, func(x float64) bool { return x > 0 })
}

// numbers are written with as many digits as a screen can show; NaN is null.
type numbers []float64

// MarshalJSON implements json.Marshaler.
func (n numbers) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, x := range n {
		if i > 0 {
			out = append(out, ',')
		}
		out = short(x).append(out)
	}
	return append(out, ']'), nil
}

// short is a number written with five digits.
type short float64

func (s short) append(b []byte) []byte {
	if x := float64(s); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return strconv.AppendFloat(b, x, 'g', 5, 64)
	}
	return append(b, "null"...)
}

// MarshalJSON implements json.Marshaler.
func (s short) MarshalJSON() ([]byte, error) { return s.append(nil), nil }

var _ = []json.Marshaler{numbers(nil), short(0)}

// bandLabels are the bands as legends and tables name them, all jobs last.
var bandLabels = [numBands + 1]string{"no value", "low (to 60)", "middle (60 to 120)", "high (from 120)", "all"}

// bandOrder is the order in which bands are shown.
var bandOrder = [numBands + 1]int{int(stats.NoValue), int(stats.Low), int(stats.Middle), int(stats.High), numBands}

// bandColours gives each band one colour of the palette on the whole page.
func bandColours() []string {
	p := figures.Palette()
	return []string{p[3], p[0], p[2], p[1], p[6]}
}

// dashes are strokes that distinguish lines without colour, in their order.
var dashes = [][]int{{1, 0}, {6, 3}, {2, 2}, {8, 2, 2, 2}, {4, 1}, {10, 4}, {3, 5}}

// runColours gives each run, or cause, a colour and, when they begin again, another stroke.
func runColours(n int) (colours []string, strokes [][]int) {
	p := figures.Palette()
	for i := range n {
		colours = append(colours, p[i%len(p)])
		strokes = append(strokes, dashes[(i+i/len(p))%len(dashes)])
	}
	return colours, strokes
}

// palette is what the page's script draws series with.
type palette struct {
	Runs    int      `json:"runs"`
	Colours []string `json:"colours"`
	Dashes  [][]int  `json:"dashes"`
}
