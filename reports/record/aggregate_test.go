package record

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"bourse/reports/stats"
)

// TestCellsHaveEveryFigure wants the table of a sweep's cells to have what summaries say of jobs,
// but for what a shape of worth alone has, and what takes sums by user.
func TestCellsHaveEveryFigure(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[stats.Aggregate]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "realised" || name == "in_time" || name == "fairness" {
			continue
		}
		if !slices.ContainsFunc(CellColumns, func(c Field[CellRow]) bool { return c.Name == name }) {
			t.Errorf("no column %s", name)
		}
	}
}
