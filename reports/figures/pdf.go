package figures

import (
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

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
var spelled = strings.NewReplacer("α", "alpha", "β", "beta", "γ", "gamma", "⁶", "^6", "≤", "<=", "≥", ">=", "−", "-", "–", "-", "φ", "phi", "τ", "tau")

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
