package figures

import (
	"fmt"
	"image/color"
	"slices"
)

// Line is one curve: Y against X, and, if they are set, the interval Low to High
// about each point.
type Line struct {
	Name            string
	X, Y, Low, High []float64
	// Bare leaves the points unmarked, as for a formula.
	Bare bool
	// MarkX and MarkY are points of another origin next to the curve: what was
	// measured, next to the formula.
	MarkX, MarkY []float64
}

// Panel is one pair of axes. Labels carry units, "time (s)"; what has none has no
// brackets.
type Panel struct {
	Title, X, Y string
	Lines       []Line
	// Bounds of the axes; an upper one that is not above the lower is left to the
	// data, and so are both if they are 0.
	XMin, XMax, YMin, YMax float64
	// Names are the values of X 0, 1, 2... where it is no number; lines are then points.
	Names []string
	// Unit says that values lie in [0, 1]: their intervals are cut there.
	Unit bool
	// LogX and LogY make an axis logarithmic; all its values must be above 0.
	LogX, LogY bool
	// Headroom adds this part of the axis above the data, for the legend.
	Headroom float64
	// Empty is a place in a row where there is no panel.
	Empty bool
	// Legend is the corner of the names: "tl", "tr", "bl", "br"; empty
	// is none, for panels that share another's.
	Legend string
}

// Bars compares series in groups of bars: Y[g] of each series is in group g,
// with an interval of Half[g] to both sides where that is above 0.
type Bars struct {
	Title, Y string
	Groups   []string
	Series   []Series
	// From is where bars begin, as 1 for ratios.
	From float64
	// Legend is the corner of the names, as in Panel.
	Legend string
}

// Series is one bar in each group.
type Series struct {
	Name    string
	Y, Half []float64
}

// Cells is a map: Z[row][column] at Y[row], X[column], coloured from -Limit
// (vermilion) over 0 (white) to Limit (blue). Values beyond are drawn as the
// limit; unknown ones (NaN) are left grey.
type Cells struct {
	Title, X, Y string
	Columns     []float64
	Rows        []float64
	// ColumnNames and RowNames stand in for numbers; the panel has room for all of them.
	ColumnNames, RowNames []string
	Z                     [][]float64
	Limit                 float64
	// Format prints the values into the cells, or where there are any the Texts, as "%+.0f"; empty
	// does not.
	Format string
	Texts  [][]float64
	lowest float64 // of the values, where the colour bar begins: 0 or -Limit
	beyond bool    // some are above Limit
}

// Grid puts panels into rows of so many, the last filled up with empty ones.
func Grid(panels []*Panel, perRow int) (rows [][]Drawing) {
	wide := min(perRow, len(panels))
	for row := range slices.Chunk(panels, max(1, wide)) {
		drawings := make([]Drawing, wide)
		for i := range drawings {
			drawings[i] = &Panel{Empty: true}
		}
		for i, p := range row {
			drawings[i] = p
		}
		rows = append(rows, drawings)
	}
	return rows
}

// colours is the palette of Okabe and Ito, without yellow, which is hard to see on paper.
var colours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // green
	{0xcc, 0x79, 0xa7, 0xff}, // purple
	{0x56, 0xb4, 0xe9, 0xff}, // sky
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x00, 0x00, 0x00, 0xff}, // black
}

// Palette returns the colours, as #rrggbb: distinguishable for colour-blind readers, the
// last one that of text.
func Palette() []string {
	out := make([]string, len(colours))
	for i, c := range colours {
		out[i] = fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	return out
}
