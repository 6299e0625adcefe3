//go:build !js

package table

import (
	"fmt"
	"math"
	"strconv"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// Values are a column's values in a batch, by row. The slice of their kind is filled.
type Values struct {
	Kind   Kind
	Whole  []int64   // of Whole, Instant and Truth
	Real   []float64 // of Real and Single
	Text   []parquet.ByteArray
	levels []int16 // by row: most where there is a value
	most   int16
	narrow bool // whole numbers are of 32 bits in the file
	// What the library reads before it is converted.
	small  []int32
	single []float32
	stamps []parquet.Int96
	truths []bool
}

// Null reports whether row k has no value. What the slices hold there means nothing.
func (v *Values) Null(k int) bool { return v.most > 0 && v.levels[k] < v.most }

// Number returns the value of row k as a number, NaN for null; false for a string.
func (v *Values) Number(k int) (x float64, is bool) {
	switch {
	case v.Kind == Text:
		return 0, false
	case v.Null(k):
		return math.NaN(), true
	case v.Kind == Real || v.Kind == Single:
		return v.Real[k], true
	}
	return float64(v.Whole[k]), true
}

// Append appends the value of row k as text, nothing for null and NaN.
func (v *Values) Append(to []byte, k int) []byte {
	switch {
	case v.Null(k):
		return to
	case v.Kind == Text:
		return append(to, v.Text[k]...)
	case v.Kind == Whole || v.Kind == Instant:
		return strconv.AppendInt(to, v.Whole[k], 10)
	case v.Kind == Truth:
		return strconv.AppendBool(to, v.Whole[k] == 1)
	case math.IsNaN(v.Real[k]):
		return to
	}
	bits := 64
	if v.Kind == Single {
		bits = 32
	}
	return strconv.AppendFloat(to, v.Real[k], 'f', -1, bits)
}

// decode reads rows from..to of a batch, or the first of them, and returns how many.
// This is the one place that tells the library's readers apart.
func (v *Values) decode(chunk file.ColumnChunkReader, from, to int) (rows int, err error) {
	v.most = chunk.Descriptor().MaxDefinitionLevel()
	v.levels = sized(v.levels, to)
	switch r := chunk.(type) {
	case *file.Int64ColumnChunkReader:
		v.Kind, v.narrow, v.Whole = Whole, false, sized(v.Whole, to)
		return readBatch(v, r.ReadBatch, v.Whole[from:], from)
	case *file.Int32ColumnChunkReader:
		v.Kind, v.narrow = Whole, true
		return readAs(v, r.ReadBatch, &v.small, &v.Whole, from, to, func(x int32) int64 { return int64(x) })
	case *file.Int96ColumnChunkReader:
		v.Kind = Instant
		return readAs(v, r.ReadBatch, &v.stamps, &v.Whole, from, to,
			func(x parquet.Int96) int64 { return x.ToTime().UnixMicro() })
	case *file.BooleanColumnChunkReader:
		v.Kind = Truth
		return readAs(v, r.ReadBatch, &v.truths, &v.Whole, from, to, func(x bool) int64 {
			if x {
				return 1
			}
			return 0
		})
	case *file.Float64ColumnChunkReader:
		v.Kind, v.Real = Real, sized(v.Real, to)
		return readBatch(v, r.ReadBatch, v.Real[from:], from)
	case *file.Float32ColumnChunkReader:
		v.Kind = Single
		return readAs(v, r.ReadBatch, &v.single, &v.Real, from, to, func(x float32) float64 { return float64(x) })
	case *file.ByteArrayColumnChunkReader:
		v.Kind, v.Text = Text, sized(v.Text, to)
		return readBatch(v, r.ReadBatch, v.Text[from:], from)
	}
	return 0, fmt.Errorf("it is of type %v", chunk.Type())
}

// readBatch reads values, which come packed, and moves them to the rows they belong
// to, from the last to the first.
func readBatch[T any](v *Values, read func(int64, []T, []int16, []int16) (int64, int, error), values []T,
	from int) (int, error) {
	levels := v.levels[from:]
	rows, got, err := read(int64(len(values)), values, levels, nil)
	for k := int(rows) - 1; v.most > 0 && got > 0 && got <= k; k-- {
		if levels[k] == v.most {
			got--
			values[k] = values[got]
		}
	}
	return int(rows), err
}

// readAs is readBatch for values that are kept as another type.
func readAs[T, U any](v *Values, read func(int64, []T, []int16, []int16) (int64, int, error), raw *[]T, as *[]U,
	from, to int, one func(T) U) (int, error) {
	*raw, *as = sized(*raw, to), sized(*as, to)
	rows, err := readBatch(v, read, (*raw)[from:], from)
	for k, x := range (*raw)[from:][:rows] {
		(*as)[from+k] = one(x)
	}
	return rows, err
}

// sized returns s with room for n values of a batch, keeping those there are.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		s = append(make([]T, 0, BatchRows), s...)
	}
	return s[:n]
}
