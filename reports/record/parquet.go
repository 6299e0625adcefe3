package record

import (
	"io"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// rowGroupRows is the number of rows in a row group: what a reader must hold
// in memory of one column, and what the writer holds, encoded, of all.
const rowGroupRows = 131_072

// rowGroupText ends a row group early, so that memory stays bounded and text
// offsets fit 32 bits.
const rowGroupText = 1 << 26

// parquetEncoder uses the library's low-level writer. pqarrow would be shorter
// here, but it writes negative null counts for dictionary columns and links
// several times the code.
type parquetEncoder struct {
	cols    []Column
	file    *file.Writer
	pending *batch // the rows of the next row group
	// Scratch for the values of a column without its nulls.
	words  []parquet.ByteArray
	ints   []int64
	floats []float64
}

func newParquet(w io.Writer, cols []Column, notes []note) (encoder, error) {
	fields := make(schema.FieldList, len(cols))
	// Root REQUIRED: the default, REPEATED, is refused by some readers.
	props := []parquet.WriterProperty{
		parquet.WithRootName("schema"), parquet.WithRootRepetition(parquet.Repetitions.Required),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithMaxRowGroupLength(rowGroupRows),
		parquet.WithDictionaryDefault(false), parquet.WithVersion(parquet.V2_6),
		parquet.WithBatchSize(batchRows),
		// The library makes a new compressor for every page; the fastest is a
		// third cheaper than the default and, on these columns, no larger.
		parquet.WithCompressionLevel(1),
	}
	for i, c := range cols {
		fields[i] = parquetNode(&c)
		if c.few {
			props = append(props, parquet.WithDictionaryFor(c.Name, true))
		} else if c.Kind == Int64 && !c.Nullable {
			// Nullable DELTA columns cannot be written when all is null.
			props = append(props, parquet.WithEncodingFor(c.Name, parquet.Encodings.DeltaBinaryPacked))
		}
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	meta := metadata.NewKeyValueMetadata()
	for _, n := range notes {
		if err := meta.Append(n.key, n.value); err != nil {
			return nil, err
		}
	}
	f := file.NewParquetWriter(w, root, file.WithWriterProps(parquet.NewWriterProperties(props...)), file.WithWriteMetadata(meta))
	return &parquetEncoder{cols: cols, file: f, pending: newBatch(len(cols))}, nil
}

// parquetNode returns the schema's leaf for a column.
func parquetNode(c *Column) schema.Node {
	rep := parquet.Repetitions.Required
	if c.Nullable {
		rep = parquet.Repetitions.Optional
	}
	switch c.Kind {
	case Int64:
		return schema.NewInt64Node(c.Name, rep, -1)
	case Int32:
		return schema.NewInt32Node(c.Name, rep, -1)
	case Float64:
		return schema.NewFloat64Node(c.Name, rep, -1)
	case Bool:
		return schema.NewBooleanNode(c.Name, rep, -1)
	}
	return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(c.Name, rep, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1))
}

// write gathers rows until they fill a row group.
func (e *parquetEncoder) write(b *batch) error {
	if e.pending.rows+b.rows > rowGroupRows || e.pending.text+b.text > rowGroupText {
		if err := e.writeGroup(); err != nil {
			return err
		}
	}
	e.pending.append(b, e.cols)
	return nil
}

// writeGroup writes the pending rows as one row group, column after column.
// The library's other way, a row group filled row by row, keeps every column's
// pages in buffers that it grows and copies again and again.
func (e *parquetEncoder) writeGroup() error {
	if e.pending.rows == 0 {
		return nil
	}
	group := e.file.AppendRowGroup()
	for i := range e.cols {
		w, err := group.NextColumn()
		if err == nil {
			err = e.column(w, &e.pending.cols[i], &e.cols[i])
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			return err
		}
	}
	e.pending.reset()
	return group.Close()
}

// column writes one column's values, without its nulls.
func (e *parquetEncoder) column(w file.ColumnChunkWriter, v *vector, c *Column) (err error) {
	var levels []int16
	if c.Nullable {
		levels = v.levels
	}
	switch w := w.(type) {
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(e.knownInts(v), levels, nil)
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(v.i32, levels, nil)
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(v.flags, levels, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(e.knownFloats(v), levels, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(e.knownWords(v), levels, nil)
	}
	return err
}

func (e *parquetEncoder) knownInts(v *vector) []int64 {
	if v.nulls == 0 {
		return v.i64
	}
	e.ints = e.ints[:0]
	for i, x := range v.i64 {
		if v.levels[i] == 1 {
			e.ints = append(e.ints, x)
		}
	}
	return e.ints
}

func (e *parquetEncoder) knownFloats(v *vector) []float64 {
	if v.nulls == 0 {
		return v.f64
	}
	e.floats = e.floats[:0]
	for i, x := range v.f64 {
		if v.levels[i] == 1 {
			e.floats = append(e.floats, x)
		}
	}
	return e.floats
}

// knownWords returns slices of the pending text. The library's statistics hold
// on to the least and greatest word until the column is closed; the text stays
// as it is until then.
func (e *parquetEncoder) knownWords(v *vector) []parquet.ByteArray {
	e.words = e.words[:0]
	for i := range len(v.ends) - 1 {
		if !v.null(i) {
			e.words = append(e.words, v.word(i))
		}
	}
	return e.words
}

func (e *parquetEncoder) close() error {
	if err := e.writeGroup(); err != nil {
		return err
	}
	return e.file.Close()
}
