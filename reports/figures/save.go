//go:build !js

package figures

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"log"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"bourse/traces/files"
)

// Drawing is a part of a figure: a *Panel, a *Cells or a *Bars.
type Drawing interface {
	build() (*plot.Plot, error)
}

// dpi is the resolution of the PNG.
const dpi = 300

// Save adds a figure of panels in rows to a set, as path.svg, path.pdf and path.png. Each
// panel is as wide as a column of a paper; axes of a row and a column are aligned. The
// names, if any, are those of the panels' lines, written next to them.
func Save(set *files.Set, path string, rows [][]Drawing, names ...string) error {
	plots := make([][]*plot.Plot, len(rows))
	wide, high := Width, Height
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
			if c, ok := drawing.(*Cells); ok {
				wide, high = max(wide, vg.Length(len(c.ColumnNames))*cellWidth), max(high, vg.Length(len(c.RowNames))*cellHeight)
			}
		}
	}
	width, height := vg.Length(vg.Length(len(rows[0]))*wide), vg.Length(len(rows))*high
	legend, err := legendOf(names)
	if err != nil {
		return err
	}
	beside := vg.Length(0)
	if len(names) > 0 {
		beside = legend.Rectangle(draw.New(vgsvg.New(width, height))).Size().X + vg.Points(8)
	}
	width += beside
	compose := func(canvas draw.Canvas) {
		canvas.SetColor(color.White) // up to the edges: pages may be dark
		canvas.Fill(canvas.Rectangle.Path())
		compose(draw.Crop(canvas, 0, -beside, 0, 0), plots)
		legend.Draw(draw.Crop(canvas, width-beside, 0, 0, -vg.Points(8)))
	}
	svg := vgsvg.New(width, height)
	compose(draw.New(svg))
	if err := save(set, path+".svg", svg); err != nil {
		return err
	}
	pdf := newPDF(width, height)
	if err := attempt(func() { compose(draw.New(pdf)) }); err != nil {
		return fmt.Errorf("drawing %s.pdf: %w", path, err)
	}
	if err := save(set, path+".pdf", pdf); err != nil {
		return err
	}
	png := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}
	compose(draw.New(png))
	return save(set, path+".png", png)
}

// attempt is for PDFs, whose fonts the library prepares in files of its own: where the disk for
// temporary files is full, it logs that and panics.
func attempt(draw func()) (err error) {
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard)
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("%v", why)
		}
	}()
	draw()
	return nil
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

func save(set *files.Set, path string, figure io.WriterTo) error {
	// In memory first: encoders hide write errors.
	var text bytes.Buffer
	if _, err := figure.WriteTo(&text); err != nil {
		return fmt.Errorf("drawing %s: %w", path, err)
	}
	return set.Write(path, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
}

// newPDF returns an empty PDF. A PDF says when it was made, and the same figure
// should be the same bytes: it was made at the epoch. Through gonum's canvas that can
// only be set as the library's default, for the whole process; it is set when the
// first PDF is drawn.
func newPDF(width, height vg.Length) pdfCanvas {
	settle()
	return pdfCanvas{vgpdf.New(width, height)}
}

var settle = sync.OnceFunc(func() {
	fpdf.SetDefaultCatalogSort(true)
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
})

// pdfCanvas draws to a PDF, whose fonts hold the letters of Western Europe only
// and take a byte for each.
type pdfCanvas struct{ *vgpdf.Canvas }

// spelled maps letters that such fonts lack to text.
var spelled = strings.NewReplacer("α", "alpha", "β", "beta", "γ", "gamma", "⁶", "^6", "≤", "<=", "≥", ">=", "−", "-",
	"–", "-", "φ", "phi", "τ", "tau")

// FillString writes text.
func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	var latin []byte
	for _, r := range spelled.Replace(text) {
		if r > 0xff || r >= 0x80 && r < 0xa0 {
			r = '?'
		}
		latin = append(latin, byte(r))
	}
	c.Canvas.FillString(f, at, string(latin))
}
