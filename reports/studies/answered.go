package studies

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"bourse/reports/record"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// RowFormats are those of WriteRows.
var RowFormats = append(slices.Clone(terminal.Formats), "csv", "json")

// WriteRows prints rows in one of RowFormats: as JSON with the answers, as CSV of columns, or
// as text, which ends with the answers.
func WriteRows[R any](w io.Writer, format, version string, rows []R, answers []string, columns func([]R) []record.Values, text func() error) error {
	switch format {
	case "json":
		text, err := json.MarshalIndent(struct {
			Rows    []R      `json:"rows"`
			Answers []string `json:"answers"`
		}{rows, answers}, "", "\t")
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\n", text)
		}
		return err
	case "csv":
		return record.WriteValues(w, "standard output", "csv", version, columns(rows))
	}
	if err := text(); err != nil {
		return err
	}
	return WriteLines(w, format, answers)
}

// WriteLines writes lines of text below a table.
func WriteLines(w io.Writer, format string, lines []string) error {
	for _, line := range lines {
		if err := terminal.WriteLine(w, format, line); err != nil {
			return err
		}
	}
	return nil
}

// Interval writes a mean, with half of its interval if it has one.
func Interval(e stats.Estimate, text func(float64) string) string {
	if !e.Known() || e.Half == 0 {
		return text(e.Mean)
	}
	return text(e.Mean) + " ± " + text(e.Half)
}

// Percent writes a share and half of its interval as percentages.
func Percent(e stats.Estimate) string {
	return strings.Replace(terminal.Share.Estimate(e.Mean, e.Half), " ±", " % ±", 1) + " %"
}
