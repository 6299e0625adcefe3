package record

import (
	"bourse/engine"
	"bourse/traces"
)

// batchRows is the number of rows handed over to an encoder at a time. It
// divides table.GroupRows.
const batchRows = 16_384

// batchText bounds a batch's text, in bytes: a segment of a job on scattered
// processors may have tens of kilobytes of them.
const batchText = 1 << 22

// vector holds a batch's values of one column; only the slice of the column's
// kind is in use. The slices are reused from batch to batch.
type vector struct {
	i64   []int64
	i32   []int32
	f64   []float64
	flags []bool
	// text holds all values of a text column back to back; value i ends at
	// ends[i+1] and starts where its predecessor ends, as in Arrow.
	text []byte
	ends []int32
	// levels holds 1 for a value and 0 for null, in nullable columns only:
	// Parquet's definition levels. A null keeps its (meaningless) place in the
	// value slice.
	levels []int16
	nulls  int
}

func (v *vector) reset() {
	v.i64, v.i32, v.f64, v.flags = v.i64[:0], v.i32[:0], v.f64[:0], v.flags[:0]
	v.text, v.ends, v.levels = v.text[:0], append(v.ends[:0], 0), v.levels[:0]
	v.nulls = 0
}

// valid records whether the value appended last is known.
func (v *vector) valid(known bool) {
	if known {
		v.levels = append(v.levels, 1)
		return
	}
	v.levels = append(v.levels, 0)
	v.nulls++
}

// word returns text value i.
func (v *vector) word(i int) []byte { return v.text[v.ends[i]:v.ends[i+1]] }

// null reports whether value i of a nullable column is unknown.
func (v *vector) null(i int) bool { return v.nulls > 0 && v.levels[i] == 0 }

// batch is a number of rows in columns.
type batch struct {
	rows int
	text int // bytes in all text columns
	cols []vector
}

func newBatch(columns int) *batch {
	b := &batch{cols: make([]vector, columns)}
	b.reset()
	return b
}

func (b *batch) reset() {
	b.rows, b.text = 0, 0
	for i := range b.cols {
		b.cols[i].reset()
	}
}

// appendRow adds r's values to the batch. It allocates only while the batch's
// buffers are still growing.
func appendRow[R any](b *batch, table []Field[R], names *traces.Names, r *R) {
	for i := range table {
		f, v := &table[i], &b.cols[i]
		switch f.Kind {
		case Int64:
			x := f.int64(r)
			v.i64 = append(v.i64, x)
			if f.Nullable {
				v.valid(x != engine.NoJob)
			}
		case Int32:
			v.i32 = append(v.i32, f.int32(r))
		case Float64:
			x, known := f.float(r)
			v.f64 = append(v.f64, x)
			if f.Nullable {
				v.valid(known)
			}
		case Bool:
			v.flags = append(v.flags, f.flag(r))
		case Text:
			before := len(v.text)
			v.text = f.text(r, names, v.text)
			v.ends = append(v.ends, int32(len(v.text)))
			b.text += len(v.text) - before
			if f.Nullable {
				v.valid(len(v.text) > before)
			}
		}
	}
	b.rows++
}
