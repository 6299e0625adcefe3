//go:build !js

package record

import (
	"io"
	"slices"

	"github.com/apache/arrow/go/v15/parquet"

	"bourse/traces/table"
)

// rowGroupText ends a row group early, so that memory stays bounded and text
// offsets fit 32 bits.
const rowGroupText = 1 << 26

// parquetEncoder encodes batches as they come, and writes them by row groups.
type parquetEncoder struct {
	cols []Column
	file *table.ParquetWriter
	rows int // in the row group under way
	text int
	odd  *batch   // its last rows, which are no whole batches
	kept [][]byte // by column: its text
}

var parquetTypes = [...]parquet.Type{
	Int64: parquet.Types.Int64, Int32: parquet.Types.Int32, Float64: parquet.Types.Double, Bool: parquet.Types.Boolean,
	Text: parquet.Types.ByteArray,
}

func newParquet(w io.Writer, cols []Column, notes []note) (encoder, error) {
	specs := make([]table.Spec, len(cols))
	for i, c := range cols {
		specs[i] = table.Spec{Name: c.Name, Type: parquetTypes[c.Kind], Nullable: c.Nullable, Few: c.few,
			Delta: c.Kind == Int64 && !c.Nullable}
	}
	f, err := table.NewParquetWriter(w, specs, notes, parquet.WithBatchSize(batchRows))
	if err != nil {
		return nil, err
	}
	return &parquetEncoder{cols: cols, file: f, odd: newBatch(len(cols)), kept: make([][]byte, len(cols))}, nil
}

// write adds rows to the row group if there is room for them. The library looks whether a
// page is full after batchRows; batches of fewer are gathered, so that it does so at the
// same rows whatever the text is cut into.
func (e *parquetEncoder) write(b *batch) error {
	if e.rows+b.rows > table.GroupRows || e.text+b.text > rowGroupText {
		if err := e.endGroup(); err != nil {
			return err
		}
	}
	e.rows += b.rows
	e.text += b.text
	if e.odd.rows > 0 || b.rows < batchRows {
		e.odd.append(b, e.cols)
		return nil
	}
	return e.add(b)
}

// add encodes a batch.
func (e *parquetEncoder) add(b *batch) error {
	return e.file.Add(func(i int, s *table.Scratch) table.Packed { return b.cols[i].packed(&e.cols[i], s, &e.kept[i]) })
}

// endGroup writes the row group.
func (e *parquetEncoder) endGroup() error {
	if e.odd.rows > 0 {
		if err := e.add(e.odd); err != nil {
			return err
		}
		e.odd.reset()
	}
	err := e.file.EndGroup()
	e.rows, e.text = 0, 0
	for i := range e.kept {
		e.kept[i] = e.kept[i][:0]
	}
	return err
}

// packed returns a column's values, without its nulls; text is appended to what is kept.
func (v *vector) packed(c *Column, s *table.Scratch, kept *[]byte) (p table.Packed) {
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
		p.Text = v.knownWords(s, kept)
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

// knownWords returns slices of the text where it is kept, because the library's statistics
// hold on to the least and greatest word until the row group ends. Slices of what was kept
// before stay good when there has to be more room.
func (v *vector) knownWords(s *table.Scratch, kept *[]byte) []parquet.ByteArray {
	base := int32(len(*kept))
	*kept = append(*kept, v.text...)
	s.Words = slices.Grow(s.Words[:0], len(v.ends)-1)
	for i := range len(v.ends) - 1 {
		if !v.null(i) {
			s.Words = append(s.Words, (*kept)[base+v.ends[i]:base+v.ends[i+1]])
		}
	}
	return s.Words
}

func (e *parquetEncoder) close() error {
	if err := e.endGroup(); err != nil {
		return err
	}
	return e.file.Close()
}
