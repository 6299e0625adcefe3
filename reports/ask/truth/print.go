package truth

import (
	"fmt"
	"io"
	"math"

	"bourse/reports/papers"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// Write prints rows in one of papers.RowFormats, as a table with the answer in words below it.
func Write(w io.Writer, format, version string, rows []Row) error {
	return papers.WriteRows(w, format, version, rows, Answers(rows), func() error { return table(w, format, rows) })
}

func table(w io.Writer, format string, rows []Row) error {
	t := terminal.NewTable("policy", "payment", "gain by a lie", "of utility", "best lie", "overbid", "revenue / TWFT", "enclosed")
	t.Left(0, 1)
	for _, r := range rows {
		t.Row(r.cells()...)
	}
	if err := t.WriteAs(w, format); err != nil {
		return err
	}
	return papers.WriteLines(w, format, notes(rows))
}

func (r *Row) cells() []string {
	best, over, enclosed := "", "", ""
	if r.Gainers > 0 {
		best, over = fmt.Sprintf("%g w", r.Factor), fmt.Sprintf("%d of %d", r.Over, r.Gainers)
	}
	if r.kind == critical {
		enclosed = "± " + decimals(r.Enclosed)
	}
	return []string{r.Policy, r.Payment, papers.Percent(r.Liars), papers.Percent(r.Gain), best, over, ratio(r.Revenue), enclosed}
}

// decimals writes a ratio; of small ones the first digits.
func decimals(x float64) string {
	if a := math.Abs(x); a != 0 && a < .005 {
		return fmt.Sprintf("%.1g", x)
	}
	return terminal.Figure(x)
}

func ratio(e stats.Estimate) string { return papers.Interval(e, decimals) }
