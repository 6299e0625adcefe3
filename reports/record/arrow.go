//go:build !js

package record

import (
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// binary are the formats of the library, which a small build goes without.
var binary = []Format{
	{"parquet", false, "Apache Parquet, zstd; smallest, and readable in part", newParquet},
	{"arrow", true, "Apache Arrow IPC stream, zstd", newArrow},
}

// arrowEncoder writes the IPC stream format, one record batch per batch. The
// buffers of a batch are handed to the library as they are, without a copy.
// Words are plain utf8: zstd makes repeated words small, and every reader
// takes them, which is not so for dictionaries that grow along a stream.
type arrowEncoder struct {
	cols   []Column
	schema *arrow.Schema
	w      *ipc.Writer
	bits   [][]byte // per column: validity, or the values of a bool column
}

var arrowTypes = [...]arrow.DataType{
	Int64: arrow.PrimitiveTypes.Int64, Int32: arrow.PrimitiveTypes.Int32, Float64: arrow.PrimitiveTypes.Float64,
	Bool: arrow.FixedWidthTypes.Boolean, Text: arrow.BinaryTypes.String,
}

func newArrow(w io.Writer, cols []Column, notes []note) (encoder, error) {
	keys, values := make([]string, len(notes)), make([]string, len(notes))
	for i, n := range notes {
		keys[i], values[i] = n[0], n[1]
	}
	meta := arrow.NewMetadata(keys, values)
	fields := make([]arrow.Field, len(cols))
	for i, c := range cols {
		fields[i] = arrow.Field{Name: c.Name, Type: arrowTypes[c.Kind], Nullable: c.Nullable}
	}
	e := &arrowEncoder{cols: cols, schema: arrow.NewSchema(fields, &meta), bits: make([][]byte, len(cols))}
	e.w = ipc.NewWriter(w, ipc.WithSchema(e.schema), ipc.WithZstd(), ipc.WithCompressConcurrency(1))
	return e, nil
}

func (e *arrowEncoder) write(b *batch) error {
	arrays := make([]arrow.Array, len(e.cols))
	for i := range e.cols {
		data := e.data(i, &b.cols[i], b.rows)
		arrays[i] = array.MakeFromData(data)
		data.Release()
	}
	record := array.NewRecord(e.schema, arrays, int64(b.rows))
	defer record.Release()
	for _, a := range arrays {
		a.Release()
	}
	return e.w.Write(record)
}

// data wraps the values of one column.
func (e *arrowEncoder) data(col int, v *vector, rows int) *array.Data {
	c := &e.cols[col]
	buffers := []*memory.Buffer{nil}
	switch c.Kind {
	case Int64:
		buffers = append(buffers, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(v.i64)))
	case Int32:
		buffers = append(buffers, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(v.i32)))
	case Float64:
		buffers = append(buffers, memory.NewBufferBytes(arrow.Float64Traits.CastToBytes(v.f64)))
	case Bool:
		e.clearBits(col, rows)
		for i, set := range v.flags {
			bitutil.SetBitTo(e.bits[col], i, set)
		}
		buffers = append(buffers, memory.NewBufferBytes(e.bits[col]))
	case Text:
		buffers = append(buffers, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(v.ends)), memory.NewBufferBytes(v.text))
	}
	if v.nulls > 0 {
		e.clearBits(col, rows)
		for i, level := range v.levels {
			bitutil.SetBitTo(e.bits[col], i, level == 1)
		}
		buffers[0] = memory.NewBufferBytes(e.bits[col])
	}
	return array.NewData(arrowTypes[c.Kind], rows, buffers, nil, v.nulls, 0)
}

// clearBits makes room for one zero bit per row.
func (e *arrowEncoder) clearBits(col, rows int) {
	n := int(bitutil.BytesForBits(int64(rows)))
	if cap(e.bits[col]) < n {
		e.bits[col] = make([]byte, n)
	}
	e.bits[col] = e.bits[col][:n]
	clear(e.bits[col])
}

// close ends the stream. An empty dataset still gets its schema: the library
// writes it at the first record or here.
func (e *arrowEncoder) close() error { return e.w.Close() }
