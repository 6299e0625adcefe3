//go:build !js

package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// build draws the panel.
func (p *Panel) build() (*plot.Plot, error) {
	out := newPlot(p.Title, p.X, p.Y)
	if p.Empty {
		out.HideAxes()
		return out, nil
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = grey, grey
	grid.Vertical.Width, grid.Horizontal.Width = vg.Points(.3), vg.Points(.3)
	out.Add(grid)
	for k, l := range p.Lines {
		if err := p.logarithms(&l); err != nil {
			return nil, fmt.Errorf("figure %s: line %s: %w", p.Title, l.Name, err)
		}
		if err := p.draw(out, &l, k); err != nil {
			return nil, fmt.Errorf("figure %s: line %s: %w", p.Title, l.Name, err)
		}
	}
	if len(p.Names) > 0 {
		out.NominalX(p.Names...)
		out.X.Min, out.X.Max, out.X.Padding = -.5, float64(len(p.Names))-.5, 0
	}
	bound(&out.X, p.LogX, p.XMin, p.XMax)
	bound(&out.Y, p.LogY, p.YMin, p.YMax)
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
func bound(axis *plot.Axis, log bool, low, high float64) {
	place := func(x float64) float64 { return x }
	if log {
		axis.Tick.Marker, place = logTicks{}, math.Log10
	}
	if high > low {
		axis.Max = place(high)
	}
	if high > low && !log || low != 0 {
		axis.Min = place(low)
	}
}

// logarithms replaces values along a logarithmic axis by their logarithms: the library's
// own scale leaves a gap above the axis, as its label's place is taken to be the arithmetic
// middle.
func (p *Panel) logarithms(l *Line) error {
	for _, axis := range []struct {
		log    bool
		values []*[]float64
	}{{p.LogX, []*[]float64{&l.X, &l.MarkX}}, {p.LogY, []*[]float64{&l.Y, &l.MarkY, &l.Low, &l.High}}} {
		for _, values := range axis.values {
			if !axis.log {
				continue
			}
			*values = slices.Clone(*values)
			for i, v := range *values {
				if !(v > 0) {
					return fmt.Errorf("a logarithmic axis has no place for %g", v)
				}
				(*values)[i] = math.Log10(v)
			}
		}
	}
	return nil
}

// draw adds the k-th line of a plot. Beside those of other lines, points at names stand
// side by side.
func (p *Panel) draw(out *plot.Plot, l *Line, k int) error {
	if len(l.MarkX) != len(l.MarkY) {
		return fmt.Errorf("%d values of x and %d of y are to be marked", len(l.MarkX), len(l.MarkY))
	}
	if len(l.X) != len(l.Y) || len(l.Low) != len(l.High) || len(l.Low) != 0 && len(l.Low) != len(l.Y) {
		return fmt.Errorf("%d values of x, %d of y, %d and %d bounds", len(l.X), len(l.Y), len(l.Low), len(l.High))
	}
	points := make(plotter.XYs, len(l.X))
	aside := 0.0
	if len(p.Names) > 0 {
		aside = .6 * (float64(k) - float64(float64(len(p.Lines)-1)/2)) / float64(len(p.Lines))
	}
	for i := range points {
		points[i] = plotter.XY{X: l.X[i] + aside, Y: l.Y[i]}
	}
	line, marks, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.LineStyle, marks.GlyphStyle = style(k)
	if len(l.Low) > 0 {
		if err := p.interval(out, l, points, colours[k%len(colours)]); err != nil {
			return err
		}
	}
	var thumbs []plot.Thumbnailer
	if len(p.Names) == 0 {
		out.Add(line)
		thumbs = append(thumbs, line)
	}
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
	if p.Legend != "" {
		out.Legend.Add(l.Name, thumbs...)
	}
	return nil
}

// mostBars is the number of points up to which an interval is a bar at each; those of more
// are drawn as one band.
const mostBars = 24

// interval draws the bounds about the points.
func (p *Panel) interval(out *plot.Plot, l *Line, points plotter.XYs, ink color.RGBA) error {
	low, high := slices.Clone(l.Low), slices.Clone(l.High)
	for i := range low {
		if math.IsNaN(low[i]) || math.IsNaN(high[i]) {
			return fmt.Errorf("a bound is unknown")
		}
		if p.Unit {
			low[i], high[i] = max(0, low[i]), min(1, high[i])
		}
	}
	if len(points) > mostBars {
		return band(out, points, low, high, ink)
	}
	bars := struct {
		plotter.XYs
		plotter.YErrors
	}{XYs: points}
	for i, at := range points {
		bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{at.Y - low[i], high[i] - at.Y})
	}
	errors, err := plotter.NewYErrorBars(bars)
	if err != nil {
		return err
	}
	errors.LineStyle.Color, errors.LineStyle.Width, errors.CapWidth = ink, vg.Points(.6), vg.Points(3)
	out.Add(errors)
	return nil
}

// band fills what is between the bounds.
func band(out *plot.Plot, points plotter.XYs, low, high []float64, ink color.RGBA) error {
	outline := make(plotter.XYs, 0, 2*len(points))
	for i, at := range points {
		outline = append(outline, plotter.XY{X: at.X, Y: high[i]})
	}
	for i := range slices.Backward(points) {
		outline = append(outline, plotter.XY{X: points[i].X, Y: low[i]})
	}
	area, err := plotter.NewPolygon(outline)
	if err != nil {
		return err
	}
	area.Color, area.LineStyle.Width = color.NRGBA{ink.R, ink.G, ink.B, 0x28}, 0
	out.Add(area)
	return nil
}
