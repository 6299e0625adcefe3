//go:build !js

package table

import (
	"encoding/binary"
	"io"
	"runtime"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// GroupRows is the number of rows in a row group: what a reader must hold in memory of
// one column, and what the writer holds, encoded, of all.
const GroupRows = 131_072

// Spec is a column to write.
type Spec struct {
	Name string
	// Type is Int64, Int32, Double or Boolean, or ByteArray for strings.
	Type     parquet.Type
	Nullable bool
	// Few distinct values are worth a dictionary; differences are for rising integers.
	// A nullable column of differences cannot be written when all of it is null.
	Few, Delta bool
}

// Packed is a column in a row group: the values of its type without the nulls, and where
// it may be null a level for each row, 1 for a value and 0 for null.
type Packed struct {
	Whole  []int64
	Small  []int32
	Real   []float64
	Flags  []bool
	Text   []parquet.ByteArray
	Levels []int16
}

// ParquetWriter writes a Parquet file by row groups, with the library's low-level writers
// of columns, several at a time. pqarrow would be shorter here, but it writes negative
// null counts for dictionary columns and links several times the code.
type ParquetWriter struct {
	to      *position
	schema  *schema.Schema
	props   *parquet.WriterProperties
	meta    *metadata.FileMetaDataBuilder
	workers []Scratch // one for each goroutine that encodes
	groups  int16     // in the file
	group   *group    // under way
}

// position is a writer that knows how far it has come.
type position struct {
	io.Writer
	at int64
}

func (p *position) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	p.at += int64(n)
	return n, err
}

// Tell returns the number of bytes written.
func (p *position) Tell() int64 { return p.at }

// compressionLevel is that of zstd: the fastest is a third cheaper than the default and,
// on these columns, no larger.
const compressionLevel = 1

// magic begins and ends a Parquet file.
var magic = []byte("PAR1")

// NewParquetWriter begins a file; notes are its key-value metadata. w should be a Sticky
// and the calls be made in its Guard.
func NewParquetWriter(w io.Writer, columns []Spec, notes [][2]string,
	more ...parquet.WriterProperty) (*ParquetWriter, error) {
	fields := make(schema.FieldList, len(columns))
	// Root REQUIRED: the default, REPEATED, is refused by some readers.
	props := append([]parquet.WriterProperty{
		parquet.WithRootName("schema"), parquet.WithRootRepetition(parquet.Repetitions.Required),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithMaxRowGroupLength(GroupRows),
		parquet.WithDictionaryDefault(false), parquet.WithVersion(parquet.V2_6),
		parquet.WithCompressionLevel(compressionLevel),
	}, more...)
	for i, c := range columns {
		fields[i] = c.node()
		if c.Few {
			props = append(props, parquet.WithDictionaryFor(c.Name, true))
		} else if c.Delta {
			props = append(props, parquet.WithEncodingFor(c.Name, parquet.Encodings.DeltaBinaryPacked))
		}
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	meta := metadata.NewKeyValueMetadata()
	for _, n := range notes {
		if err := meta.Append(n[0], n[1]); err != nil {
			return nil, err
		}
	}
	p := &ParquetWriter{
		to: &position{Writer: w}, schema: schema.NewSchema(root), props: parquet.NewWriterProperties(props...),
		workers: make([]Scratch, min(runtime.GOMAXPROCS(0), maxWorkers, len(columns))),
	}
	p.meta = metadata.NewFileMetadataBuilder(p.schema, p.props, meta)
	_, err = p.to.Write(magic)
	return p, err
}

// node returns the schema's leaf for a column.
func (c *Spec) node() schema.Node {
	rep := parquet.Repetitions.Required
	if c.Nullable {
		rep = parquet.Repetitions.Optional
	}
	if c.Type == parquet.Types.ByteArray {
		return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(c.Name, rep, schema.StringLogicalType{}, c.Type, -1, -1))
	}
	return schema.MustPrimitive(schema.NewPrimitiveNode(c.Name, rep, c.Type, -1, -1))
}

func (c Packed) write(w file.ColumnChunkWriter) (err error) {
	switch w := w.(type) {
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(c.Whole, c.Levels, nil)
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(c.Small, c.Levels, nil)
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(c.Flags, c.Levels, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(c.Real, c.Levels, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(c.Text, c.Levels, nil)
	}
	return err
}

// Close ends the file; w stays open.
func (p *ParquetWriter) Close() error {
	if err := p.EndGroup(); err != nil {
		return err
	}
	meta, err := p.meta.Finish()
	if err != nil {
		return err
	}
	n, err := meta.WriteTo(p.to, nil)
	if err == nil {
		_, err = p.to.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), magic...))
	}
	return err
}
