package record

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"bourse/traces"
)

// Values is one column of a small table that is whole in memory. Exactly one of
// the slices is set. Unknown is NaN or the empty word.
type Values struct {
	Name   string
	Floats []float64
	Ints   []int64
	Words  []string
}

// Len returns the number of values.
func (v *Values) Len() int { return max(len(v.Floats), len(v.Ints), len(v.Words)) }

// field describes the column to the encoders; records are row numbers.
func (v *Values) field() Field[int] {
	f := Field[int]{Column: Column{Name: v.Name}}
	switch {
	case v.Ints != nil:
		f.Kind = Int64
		f.int64 = func(row *int) int64 { return v.Ints[*row] }
	case v.Words != nil:
		f.Kind, f.Nullable, f.few = Text, slices.Contains(v.Words, ""), true
		f.text = func(row *int, _ *traces.Names, buf []byte) []byte { return append(buf, v.Words[*row]...) }
	default:
		f.Kind, f.Nullable = Float64, slices.ContainsFunc(v.Floats, math.IsNaN)
		f.float = func(row *int) (float64, bool) { return v.Floats[*row], !math.IsNaN(v.Floats[*row]) }
	}
	return f
}

// WriteValues writes a table of equally long columns to w in one of Formats. at
// stands for the destination in messages, version goes into the file.
func WriteValues(w io.Writer, at, format, version string, columns []Values) error {
	f, err := FormatNamed(format)
	if err != nil {
		return err
	}
	table := make([]Field[int], len(columns))
	for i := range columns {
		if columns[i].Len() != columns[0].Len() {
			return fmt.Errorf("writing %s: column %s has %d values, column %s %d", at,
				columns[i].Name, columns[i].Len(), columns[0].Name, columns[0].Len())
		}
		table[i] = columns[i].field()
	}
	var names traces.Names
	d, err := NewStream(w, at, f, table, &names, NotesOf("table", version, nil))
	if err != nil {
		return err
	}
	for row := range columns[0].Len() {
		if err := d.Add(&row); err != nil {
			return errors.Join(err, d.Finish())
		}
	}
	return d.Finish()
}
