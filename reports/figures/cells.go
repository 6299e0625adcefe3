//go:build !js

package figures

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// tint is the colour of v in [-1, 1]: light changes evenly to both sides.
func tint(v float64) color.RGBA {
	end := colours[0]
	if v < 0 {
		end = colours[1]
	}
	t := min(1, math.Abs(v))
	mix := func(c uint8) uint8 { return uint8(math.Round(255 + float64(t*(float64(c)-255)))) }
	return color.RGBA{mix(end.R), mix(end.G), mix(end.B), 0xff}
}

func (c *Cells) build() (*plot.Plot, error) {
	out := newPlot(c.Title, c.X, c.Y)
	columns, rows := ticks(c.Columns), ticks(c.Rows)
	if c.ColumnNames != nil {
		c.Columns, columns = make([]float64, len(c.ColumnNames)), named(c.ColumnNames)
		c.Rows, rows = make([]float64, len(c.RowNames)), named(c.RowNames)
		out.X.Tick.Label.Rotation, out.X.Tick.Label.XAlign, out.X.Tick.Label.YAlign = math.Pi/4, draw.XRight, draw.YCenter
	}
	if len(c.Z) != len(c.Rows) || !(c.Limit > 0) {
		return nil, fmt.Errorf("map %s: %d rows of values, %d of names, limit %g", c.Title, len(c.Z), len(c.Rows), c.Limit)
	}
	for i, row := range c.Z {
		if len(row) != len(c.Columns) {
			return nil, fmt.Errorf("map %s: row %d has %d values for %d columns", c.Title, i+1, len(row), len(c.Columns))
		}
	}
	out.Add(c)
	out.X.Min, out.X.Max = -.5, float64(len(c.Columns))-.5
	out.Y.Min, out.Y.Max = -.5, float64(len(c.Rows))-.5
	out.X.Padding, out.Y.Padding = 0, 0
	out.X.LineStyle.Width, out.Y.LineStyle.Width = 0, 0
	out.X.Tick.Marker, out.Y.Tick.Marker = columns, rows
	for _, row := range c.Z {
		for _, v := range row {
			if v < 0 {
				c.lowest = -c.Limit
			}
			c.beyond = c.beyond || v > c.Limit
		}
	}
	out.X.Max += float64(barRoom * float64(len(c.Columns))) // for the colour bar
	return out, nil
}

// cellWidth and cellHeight are what a cell with names needs, its share of the names included.
const cellWidth, cellHeight = 32, 13

// barRoom is the room to the right of the cells, as a part of their width.
const barRoom = .24

// bar draws the colours and their values next to the cells.
func (c *Cells) bar(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	n, rows := float64(len(c.Columns)), float64(len(c.Rows))
	left, right := x(n-.5+float64(.06*n)), x(n-.5+float64(.1*n))
	const steps = 40
	at := func(part float64) vg.Length { return y(-.5 + float64(part*rows)) }
	for k := range steps {
		v := c.lowest + float64((float64(k)+.5)/steps*(c.Limit-c.lowest))
		low, high := at(float64(k)/steps)-seam, at(float64(k+1)/steps)+seam
		canvas.FillPolygon(tint(v/c.Limit), []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high},
			{X: left, Y: high}})
	}
	edge := []vg.Point{{X: left, Y: at(0)}, {X: right, Y: at(0)}, {X: right, Y: at(1)}, {X: left, Y: at(1)},
		{X: left, Y: at(0)}}
	canvas.StrokeLines(draw.LineStyle{Color: color.Black, Width: vg.Points(.3)}, edge)
	label := p.X.Tick.Label
	label.Rotation = 0 // names of columns may be turned
	label.XAlign = draw.XLeft
	for k := range 5 {
		label.YAlign = []text.YAlignment{draw.YBottom, draw.YCenter, draw.YCenter, draw.YCenter, draw.YTop}[k]
		v := c.lowest + float64(float64(k)/4*(c.Limit-c.lowest))
		name := strconv.FormatFloat(v, 'g', 3, 64)
		if k == 4 && c.beyond {
			name = "≥" + name
		}
		canvas.FillText(label, vg.Point{X: right + vg.Points(2), Y: at(float64(k) / 4)}, name)
	}
}

// seam is the overlap of cells.
const seam = vg.Length(.15)

// most is the number of rows or columns up to which each is labelled.
const most = 12

// ticks labels the cells, or, of many, those at round numbers.
func ticks(values []float64) (out plot.ConstantTicks) {
	if len(values) <= most {
		for i, v := range values {
			out = append(out, plot.Tick{Value: float64(i), Label: strconv.FormatFloat(v, 'g', 4, 64)})
		}
		return out
	}
	// Where a round number lies between the middles of cells.
	for _, t := range (roundTicks{}).Ticks(values[0], values[len(values)-1]) {
		for i := 1; i < len(values); i++ {
			if a, b := values[i-1], values[i]; t.Value >= a && (t.Value < b || i == len(values)-1) {
				out = append(out, plot.Tick{Value: float64(i-1) + (t.Value-a)/(b-a), Label: t.Label})
				break
			}
		}
	}
	return out
}

// named labels every cell.
func named(names []string) (out plot.ConstantTicks) {
	for i, name := range names {
		out = append(out, plot.Tick{Value: float64(i), Label: name})
	}
	return out
}

// swatch is a colour in a legend.
type swatch struct{ ink color.Color }

// Thumbnail implements plot.Thumbnailer.
func (s swatch) Thumbnail(c *draw.Canvas) {
	box := []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}}
	c.FillPolygon(s.ink, box)
	c.StrokeLines(draw.LineStyle{Color: color.Black, Width: vg.Points(.3)}, append(box, c.Min))
}

// Plot implements plot.Plotter.
func (c *Cells) Plot(canvas draw.Canvas, p *plot.Plot) {
	c.bar(canvas, p)
	x, y := p.Transforms(&canvas)
	label := p.X.Tick.Label
	label.Rotation = 0 // names of columns may be turned
	label.Font.Size = textSize - 2.5
	label.XAlign, label.YAlign = draw.XCenter, draw.YCenter
	for i, row := range c.Z {
		for j, v := range row {
			// Slightly too large, or gaps would show between the cells.
			left, right := x(float64(j)-.5)-seam, x(float64(j)+.5)+seam
			low, high := y(float64(i)-.5)-seam, y(float64(i)+.5)+seam
			fill := color.Color(grey)
			if !math.IsNaN(v) {
				fill = tint(v / c.Limit)
			}
			canvas.FillPolygon(fill, []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}})
			if c.Format == "" || math.IsNaN(v) {
				continue
			}
			label.Color = color.Black
			if math.Abs(v) > .75*c.Limit {
				label.Color = color.White
			}
			if c.Texts != nil {
				v = c.Texts[i][j]
			}
			text := fmt.Sprintf(c.Format, v)
			if x, err := strconv.ParseFloat(text, 64); err == nil && x == 0 {
				text = "0" // no sign
			}
			canvas.FillText(label, vg.Point{X: (left + right) / 2, Y: (low + high) / 2}, text)
		}
	}
}

var _ plot.Plotter = (*Cells)(nil)
