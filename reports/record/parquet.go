//go:build !js

package record

import (
	"io"

	"github.com/apache/arrow/go/v15/parquet"

	"bourse/traces/table"
)

// rowGroupText ends a row group early, so that memory stays bounded and text
// offsets fit 32 bits.
const rowGroupText = 1 << 26

// parquetEncoder gathers batches into row groups.
type parquetEncoder struct {
	cols    []Column
	file    *table.ParquetWriter
	pending *batch // the rows of the next row group
}

var parquetTypes = [...]parquet.Type{
	Int64: parquet.Types.Int64, Int32: parquet.Types.Int32, Float64: parquet.Types.Double, Bool: parquet.Types.Boolean, Text: parquet.Types.ByteArray,
}

func newParquet(w io.Writer, cols []Column, notes []note) (encoder, error) {
	specs := make([]table.Spec, len(cols))
	for i, c := range cols {
		specs[i] = table.Spec{Name: c.Name, Type: parquetTypes[c.Kind], Nullable: c.Nullable, Few: c.few, Delta: c.Kind == Int64 && !c.Nullable}
	}
	f, err := table.NewParquetWriter(w, specs, notes, parquet.WithBatchSize(batchRows))
	if err != nil {
		return nil, err
	}
	return &parquetEncoder{cols: cols, file: f, pending: newBatch(len(cols))}, nil
}

// write gathers rows until they fill a row group.
func (e *parquetEncoder) write(b *batch) error {
	if e.pending.rows+b.rows > table.GroupRows || e.pending.text+b.text > rowGroupText {
		if err := e.writeGroup(); err != nil {
			return err
		}
	}
	e.pending.append(b, e.cols)
	return nil
}

// writeGroup writes the pending rows as one row group.
func (e *parquetEncoder) writeGroup() error {
	if e.pending.rows == 0 {
		return nil
	}
	err := e.file.Group(func(i int, s *table.Scratch) table.Packed { return e.pending.cols[i].packed(&e.cols[i], s) })
	e.pending.reset()
	return err
}

// packed returns a column's values, without its nulls.
func (v *vector) packed(c *Column, s *table.Scratch) (p table.Packed) {
	if c.Nullable {
		p.Levels = v.levels
	}
	switch c.Kind {
	case Int64:
		p.Whole = known(v, v.i64, &s.Whole)
	case Int32:
		p.Small = v.i32
	case Bool:
		p.Flags = v.flags
	case Float64:
		p.Real = known(v, v.f64, &s.Real)
	case Text:
		p.Text = v.knownWords(s)
	}
	return p
}

// known returns the values that are not null, in a buffer if there are others.
func known[T any](v *vector, values []T, buffer *[]T) []T {
	if v.nulls == 0 {
		return values
	}
	*buffer = (*buffer)[:0]
	for i, x := range values {
		if v.levels[i] == 1 {
			*buffer = append(*buffer, x)
		}
	}
	return *buffer
}

// knownWords returns slices of the pending text. The library's statistics hold
// on to the least and greatest word until the column is closed; the text stays
// as it is until then.
func (v *vector) knownWords(s *table.Scratch) []parquet.ByteArray {
	s.Words = s.Words[:0]
	for i := range len(v.ends) - 1 {
		if !v.null(i) {
			s.Words = append(s.Words, v.word(i))
		}
	}
	return s.Words
}

func (e *parquetEncoder) close() error {
	if err := e.writeGroup(); err != nil {
		return err
	}
	return e.file.Close()
}
