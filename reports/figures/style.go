//go:build !js

package figures

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Width is a column of a paper, Height a panel of one row.
const (
	Width  = 88 * vg.Millimeter
	Height = 62 * vg.Millimeter
)

// textSize is a paper's 9 points after slight scaling.
const textSize = 8

var grey = color.Gray{0xd8}

// shapes are the markers, in the order of the colours.
var shapes = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{},
	draw.CrossGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{},
}

// dashes are the strokes, in the order of the colours.
var dashes = [][]vg.Length{
	nil, {4, 2}, {1, 1.5}, {6, 2, 1, 2}, {2, 1}, {8, 2}, {3, 3},
}

// style is how the k-th line is drawn: colours come again, with other strokes and markers.
func style(k int) (draw.LineStyle, draw.GlyphStyle) {
	ink, other := colours[k%len(colours)], k+k/len(colours)
	return draw.LineStyle{Color: ink, Width: vg.Points(1), Dashes: dashes[other%len(dashes)]},
		draw.GlyphStyle{Color: ink, Radius: vg.Points(1.8), Shape: shapes[other%len(shapes)]}
}

// legendOf names lines, in the styles they are drawn in.
func legendOf(names []string) (*plot.Legend, error) {
	l := newPlot("", "", "").Legend
	l.Top, l.Left = true, true
	for k, name := range names {
		line, marks, err := plotter.NewLinePoints(plotter.XYs{{}})
		if err != nil {
			return nil, err
		}
		line.LineStyle, marks.GlyphStyle = style(k)
		l.Add(name, line, marks)
	}
	return &l, nil
}

// face is the letter face of a size in points.
func face(size float64) font.Font {
	f := plot.DefaultFont
	f.Typeface, f.Variant, f.Size = "Liberation", "Sans", font.Length(size)
	return f
}

// newPlot makes an empty plot in the style. Labels carry their unit.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(3)
	for _, style := range []*text.Style{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle,
		&p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle,
	} {
		style.Font = face(textSize)
	}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Tick.Marker = roundTicks{}
		axis.Tick.Label.Font.Size = textSize - 1
		axis.LineStyle.Width, axis.Tick.LineStyle.Width = vg.Points(.5), vg.Points(.5)
		axis.Tick.Length, axis.Padding = vg.Points(3), vg.Points(2)
		axis.Label.Padding = vg.Points(2)
	}
	p.Legend.TextStyle.Font.Size = textSize - 1
	p.Legend.ThumbnailWidth, p.Legend.Padding = vg.Points(18), vg.Points(1)
	return p
}

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

// logTicks labels powers of ten on an axis of logarithms, and 2 and 5 times them where it
// is short.
type logTicks struct{}

// Ticks implements plot.Ticker.
func (logTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	short := high-low < 4
	for power := math.Floor(low); power <= high; power++ {
		for _, lead := range []float64{1, 2, 5} {
			at := power + float64(math.Log10(lead))
			if at < low-1e-9 || at > high+1e-9 {
				continue
			}
			label := ""
			if v := float64(lead * math.Pow(10, power)); lead == 1 || short {
				if label = strconv.FormatFloat(v, 'f', -1, 64); len(label) > 7 {
					label = strconv.FormatFloat(v, 'g', -1, 64)
				}
			}
			ticks = append(ticks, plot.Tick{Value: at, Label: label})
		}
	}
	return ticks
}
