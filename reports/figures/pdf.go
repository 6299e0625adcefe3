package figures

import (
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// A PDF tells when it was made, and the same figure should be the same bytes: it was
// made at the epoch.
func init() {
	fpdf.SetDefaultCatalogSort(true)
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
}

// pdfCanvas draws to a PDF, whose fonts hold the letters of Western Europe only
// and take a byte for each.
type pdfCanvas struct{ *vgpdf.Canvas }

// spelt are letters that are written out.
var spelt = strings.NewReplacer("α", "alpha", "β", "beta", "γ", "gamma", "⁶", "^6", "≤", "<=", "≥", ">=", "−", "-", "–", "-", "φ", "phi", "τ", "tau")

// FillString writes text.
func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	var latin []byte
	for _, r := range spelt.Replace(text) {
		if r > 0xff || r >= 0x80 && r < 0xa0 {
			r = '?'
		}
		latin = append(latin, byte(r))
	}
	c.Canvas.FillString(f, at, string(latin))
}
