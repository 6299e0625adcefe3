package figures

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Line is one curve: Y against X, and, if they are set, the interval Low to High
// about each point.
type Line struct {
	Name            string
	X, Y, Low, High []float64
	// Bare leaves the points unmarked, as for a formula.
	Bare bool
	// MarkX and MarkY are points of another origin beside the curve: what was
	// measured, beside the formula.
	MarkX, MarkY []float64
}

// Panel is one pair of axes. Labels carry units: "time (s)", "ratio (1)".
type Panel struct {
	Title, X, Y string
	Lines       []Line
	// Bounds of the axes; an upper one that is not above the lower is left to the
	// data, and so are both if they are 0.
	XMin, XMax, YMin, YMax float64
	// LogY makes the vertical axis logarithmic; all values must be above 0.
	LogY bool
	// Headroom adds this part of the axis above the data, for the legend.
	Headroom float64
	// Legend is the corner of the names: "tl", "tr", "bl", "br"; empty
	// is none, for panels that share another's.
	Legend string
}

// build draws the panel.
func (p *Panel) build() (*plot.Plot, error) {
	out := newPlot(p.Title, p.X, p.Y)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = grey, grey
	grid.Vertical.Width, grid.Horizontal.Width = vg.Points(.3), vg.Points(.3)
	out.Add(grid)
	for k, l := range p.Lines {
		if err := l.draw(out, k, p.Legend != ""); err != nil {
			return nil, fmt.Errorf("figure %s: line %s: %w", p.Title, l.Name, err)
		}
	}
	bound(&out.X, p.XMin, p.XMax)
	bound(&out.Y, p.YMin, p.YMax)
	if p.LogY {
		if !(out.Y.Min > 0) {
			return nil, fmt.Errorf("figure %s: a logarithmic axis cannot begin at %g", p.Title, out.Y.Min)
		}
		out.Y.Scale, out.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	out.Y.Max += float64(p.Headroom * (out.Y.Max - out.Y.Min))
	if p.Legend != "" {
		out.Legend.Top, out.Legend.Left = p.Legend[0] == 't', p.Legend[1] == 'l'
		out.Legend.XOffs, out.Legend.YOffs = vg.Points(-2), vg.Points(-2)
		if out.Legend.Left {
			out.Legend.XOffs = vg.Points(4)
		}
		if !out.Legend.Top {
			out.Legend.YOffs = vg.Points(4)
		}
	}
	return out, nil
}

// bound sets what is given of an axis.
func bound(axis *plot.Axis, low, high float64) {
	switch {
	case high > low:
		axis.Min, axis.Max = low, high
	case low != 0:
		axis.Min = low
	}
}

// draw adds the k-th line of a plot.
func (l *Line) draw(out *plot.Plot, k int, named bool) error {
	if len(l.MarkX) != len(l.MarkY) {
		return fmt.Errorf("%d values of x and %d of y are to be marked", len(l.MarkX), len(l.MarkY))
	}
	if len(l.X) != len(l.Y) || len(l.Low) != len(l.High) || len(l.Low) != 0 && len(l.Low) != len(l.Y) {
		return fmt.Errorf("%d values of x, %d of y, %d and %d bounds", len(l.X), len(l.Y), len(l.Low), len(l.High))
	}
	points := make(plotter.XYs, len(l.X))
	for i := range points {
		points[i] = plotter.XY{X: l.X[i], Y: l.Y[i]}
	}
	line, marks, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	ink := colours[k%len(colours)]
	line.Color, line.Width, line.Dashes = ink, vg.Points(1), dashes[k%len(dashes)]
	marks.GlyphStyle = draw.GlyphStyle{Color: ink, Radius: vg.Points(1.8), Shape: shapes[k%len(shapes)]}
	if len(l.Low) > 0 {
		if err := l.interval(out, ink); err != nil {
			return err
		}
	}
	out.Add(line)
	thumbs := []plot.Thumbnailer{line}
	if len(l.MarkX) > 0 {
		marks.XYs = make(plotter.XYs, len(l.MarkX))
		for i := range marks.XYs {
			marks.XYs[i] = plotter.XY{X: l.MarkX[i], Y: l.MarkY[i]}
		}
	}
	if !l.Bare || len(l.MarkX) > 0 {
		out.Add(marks)
		thumbs = append(thumbs, marks)
	}
	if named {
		out.Legend.Add(l.Name, thumbs...)
	}
	return nil
}

// interval draws the bounds as bars and a faint band.
func (l *Line) interval(out *plot.Plot, ink color.RGBA) error {
	n := len(l.X)
	band := make(plotter.XYs, 0, 2*n)
	bars := struct {
		plotter.XYs
		plotter.YErrors
	}{}
	for i := range l.X {
		if math.IsNaN(l.Low[i]) || math.IsNaN(l.High[i]) {
			return fmt.Errorf("a bound is unknown")
		}
		band = append(band, plotter.XY{X: l.X[i], Y: l.High[i]})
		bars.XYs = append(bars.XYs, plotter.XY{X: l.X[i], Y: l.Y[i]})
		bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{l.Y[i] - l.Low[i], l.High[i] - l.Y[i]})
	}
	for i := n - 1; i >= 0; i-- {
		band = append(band, plotter.XY{X: l.X[i], Y: l.Low[i]})
	}
	area, err := plotter.NewPolygon(band)
	if err != nil {
		return err
	}
	area.Color, area.LineStyle.Width = color.NRGBA{ink.R, ink.G, ink.B, 0x28}, 0
	errors, err := plotter.NewYErrorBars(bars)
	if err != nil {
		return err
	}
	errors.LineStyle.Color, errors.LineStyle.Width, errors.CapWidth = ink, vg.Points(.6), vg.Points(3)
	out.Add(area, errors)
	return nil
}
