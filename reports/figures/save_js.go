package figures

import (
	"errors"

	"bourse/traces/files"
)

// Drawing is a part of a figure: a *Panel, a *Cells or a *Bars.
type Drawing any

// Save refuses: what draws, with its fonts, is several times as large as the rest.
func Save(*files.Set, string, [][]Drawing, ...string) error {
	return errors.New("no figures are drawn in a browser; want bourse outside it")
}
