package record

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"bourse/reports/stats"
)

// TestCellsHaveEveryFigure wants the table of a sweep's cells to have what summaries say of jobs,
// but for what a shape of worth, power or input series alone have, and what takes sums by user.
func TestCellsHaveEveryFigure(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[stats.Aggregate]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if slices.Contains([]string{"", "realised", "in_time", "fairness", "energy_kwh", "carbon_g", "tariff_cost"}, name) {
			continue
		}
		if !slices.ContainsFunc(CellColumns, func(c Field[CellRow]) bool { return c.Name == name }) {
			t.Errorf("no column %s", name)
		}
	}
}
