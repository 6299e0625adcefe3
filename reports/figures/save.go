package figures

import (
	"bytes"
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"bourse/traces/files"
)

// Drawing is a part of a figure: a *Panel, a *Cells or a *Bars.
type Drawing interface {
	build() (*plot.Plot, error)
}

// dpi is the resolution of the PNG.
const dpi = 300

// Save writes a figure of panels in rows as path.svg, path.pdf and path.png. Each
// panel is as wide as a column of a paper; axes of a row and a column are aligned.
// Existing files are replaced.
func Save(path string, rows [][]Drawing) error {
	plots := make([][]*plot.Plot, len(rows))
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return fmt.Errorf("figure %s: row %d has %d panels, the first %d", path, i+1, len(row), len(rows[0]))
		}
		for _, drawing := range row {
			p, err := drawing.build()
			if err != nil {
				return err
			}
			plots[i] = append(plots[i], p)
		}
	}
	width, height := vg.Length(len(rows[0]))*Width, vg.Length(len(rows))*Height
	svg := vgsvg.New(width, height)
	compose(draw.New(svg), plots)
	if err := save(path+".svg", svg); err != nil {
		return err
	}
	pdf := newPDF(width, height)
	compose(draw.New(pdf), plots)
	if err := save(path+".pdf", pdf); err != nil {
		return err
	}
	png := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}
	compose(draw.New(png), plots)
	return save(path+".png", png)
}

// compose draws the plots in tiles.
func compose(canvas draw.Canvas, plots [][]*plot.Plot) {
	tiles := draw.Tiles{
		Rows: len(plots), Cols: len(plots[0]),
		PadTop: vg.Points(4), PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(8),
		PadX: vg.Points(12), PadY: vg.Points(12),
	}
	canvases := plot.Align(plots, tiles, canvas)
	for i, row := range plots {
		for j, p := range row {
			p.Draw(canvases[i][j])
		}
	}
}

func save(path string, figure io.WriterTo) error {
	// In memory first: encoders hide write errors.
	var text bytes.Buffer
	if _, err := figure.WriteTo(&text); err != nil {
		return fmt.Errorf("drawing %s: %w", path, err)
	}
	return files.Write(path, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
}
