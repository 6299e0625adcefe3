//go:build !js

package figures

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func (b *Bars) build() (*plot.Plot, error) {
	out := newPlot(b.Title, "", b.Y)
	grid := plotter.NewGrid()
	grid.Vertical.Width, grid.Horizontal.Color, grid.Horizontal.Width = 0, grey, vg.Points(.3)
	out.Add(grid)
	low, high := b.From, b.From
	out.Legend.ThumbnailWidth = vg.Points(9)
	for k, s := range b.Series {
		if len(s.Y) != len(b.Groups) || len(s.Half) != len(s.Y) {
			return nil, fmt.Errorf("bars %s: series %s has %d values and %d intervals for %d groups", b.Title, s.Name, len(s.Y),
				len(s.Half), len(b.Groups))
		}
		for g, y := range s.Y {
			low, high = min(low, y-s.Half[g]), max(high, y+s.Half[g])
		}
		if b.Legend != "" {
			out.Legend.Add(s.Name, swatch{colours[k%len(colours)]})
		}
	}
	out.Add(b)
	out.NominalX(b.Groups...)
	out.X.Min, out.X.Max, out.X.Padding = -.5, float64(len(b.Groups))-.5, 0
	out.Y.Min, out.Y.Max, out.Y.Padding = low, high+float64(.05*(high-low)), 0
	if b.Legend != "" {
		out.Y.Max = high + float64(.45*(high-low)) // room for the names
		out.Legend.Top, out.Legend.Left = b.Legend[0] == 't', b.Legend[1] == 'l'
		out.Legend.XOffs, out.Legend.YOffs = vg.Points(4), vg.Points(-2)
	}
	return out, nil
}

// Plot implements plot.Plotter. A group is a unit wide, a fifth of it left free.
func (b *Bars) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	edge := draw.LineStyle{Color: grey, Width: vg.Points(.3)}
	whisker := edge
	whisker.Color, whisker.Width = plotter.DefaultLineStyle.Color, vg.Points(.6)
	n := float64(len(b.Series))
	for k, s := range b.Series {
		for g, value := range s.Y {
			left := float64(g) - .4 + .8*float64(k)/n
			a, c, middle := x(left), x(left+.8/n), x(left+.4/n)
			box := []vg.Point{{X: a, Y: y(b.From)}, {X: c, Y: y(b.From)}, {X: c, Y: y(value)}, {X: a, Y: y(value)}}
			canvas.FillPolygon(colours[k%len(colours)], box)
			canvas.StrokeLines(edge, append(box, box[0]))
			if half := s.Half[g]; half > 0 {
				canvas.StrokeLine2(whisker, middle, y(value-half), middle, y(value+half))
			}
		}
	}
}

var _ plot.Plotter = (*Bars)(nil)
