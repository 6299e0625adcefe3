package papers

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"bourse/reports/record"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// RowFormats are those of WriteRows.
var RowFormats = append(slices.Clone(terminal.Formats), "csv", "json")

// WriteRows prints rows in one of RowFormats: as JSON with the answers, as CSV, or as
// text, which ends with the answers.
func WriteRows[R any](w io.Writer, format, version string, rows []R, answers []string, text func() error) error {
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
		return record.WriteValues(w, "standard output", "csv", version, ColumnsOf(rows))
	}
	if err := text(); err != nil {
		return err
	}
	return WriteLines(w, format, answers)
}

// ColumnsOf are the fields of rows, which are structs, by their names in JSON: those of a
// struct within behind its name, and half of an interval as name_half. Lists are left out.
func ColumnsOf[R any](rows []R) []record.Values {
	var names []string
	var none R
	cells(reflect.ValueOf(none), "", func(name string, _ any) { names = append(names, name) })
	columns := record.Named(names...)
	for i := range rows {
		var row []any
		cells(reflect.ValueOf(rows[i]), "", func(_ string, cell any) { row = append(row, cell) })
		record.AddRow(columns, row...)
	}
	return columns
}

func cells(v reflect.Value, name string, add func(name string, cell any)) {
	switch x := v.Interface().(type) {
	case stats.Estimate:
		add(name, x.Mean)
		add(name+"_half", x.Half)
		return
	case *float64:
		if x == nil {
			add(name, math.NaN())
		} else {
			add(name, *x)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				cells(v.Field(i), strings.TrimPrefix(strings.TrimSuffix(name+"_"+f.Tag.Get("json"), "_"), "_"), add)
			}
		}
	case reflect.Int:
		add(name, v.Int())
	case reflect.Array, reflect.Slice:
	default:
		add(name, v.Interface())
	}
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
