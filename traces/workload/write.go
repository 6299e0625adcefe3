package workload

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"bourse/traces"
	"bourse/traces/table"
)

// groupRows is the number of rows in a row group; the writer holds one.
const groupRows = 131_072

// Write writes src to w as a workload Parquet and returns the number of
// rows. w holds a whole file only if the error is nil: write to a temporary
// name and rename.
func Write(w io.Writer, src traces.Source) (n int64, err error) {
	out := &table.Sticky{To: w}
	err = out.Guard(func() (err error) {
		n, err = write(out, src)
		return err
	})
	return n, err
}

func write(out *table.Sticky, src traces.Source) (n int64, err error) {
	f, err := newFile(out, src.Header())
	if err != nil {
		return 0, err
	}
	group := newRowGroup(src.Header().Names)
	var j traces.Job
	for {
		err := src.Next(&j)
		if err == nil {
			group.add(&j)
			n++
		} else if err != io.EOF {
			return n, err
		}
		if group.rows == groupRows || err == io.EOF && group.rows > 0 {
			if err := group.write(f); err != nil {
				return n, err
			}
			if out.Err != nil {
				return n, out.Err
			}
		}
		if err == io.EOF {
			return n, f.Close()
		}
	}
}

// newFile begins the file: schema, encodings, metadata.
func newFile(w io.Writer, h *traces.Header) (*file.Writer, error) {
	props := []parquet.WriterProperty{
		parquet.WithRootName("schema"), parquet.WithRootRepetition(parquet.Repetitions.Required),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
		parquet.WithDictionaryDefault(false), parquet.WithMaxRowGroupLength(groupRows),
		parquet.WithVersion(parquet.V2_6), parquet.WithCreatedBy("bourse"),
	}
	fields := make(schema.FieldList, len(columns))
	for i := range columns {
		c := &columns[i]
		fields[i] = c.node(h.Names)
		switch c.encoding {
		case few:
			props = append(props, parquet.WithDictionaryFor(c.name, true))
		case delta:
			props = append(props, parquet.WithEncodingFor(c.name, parquet.Encodings.DeltaBinaryPacked))
		}
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	header, err := json.Marshal(pairs(h.Fields))
	if err != nil {
		return nil, err
	}
	pool := ""
	if h.Capacity.Machines > 0 {
		text, err := json.Marshal(h.Capacity)
		if err != nil {
			return nil, err
		}
		pool = string(text)
	}
	meta := metadata.NewKeyValueMetadata()
	for _, kv := range [][2]string{
		{metaPool, pool},
		{metaVersion, "1"}, {metaName, h.Name}, {metaProcs, strconv.Itoa(h.Procs)},
		{metaStart, strconv.FormatInt(h.Start, 10)}, {metaHeader, string(header)},
	} {
		if err := meta.Append(kv[0], kv[1]); err != nil {
			return nil, err
		}
	}
	return file.NewParquetWriter(w, root, file.WithWriterProps(parquet.NewWriterProperties(props...)), file.WithWriteMetadata(meta)), nil
}

func pairs(fields []traces.Field) [][2]string {
	list := make([][2]string, len(fields))
	for i, f := range fields {
		list[i] = [2]string{f.Label, f.Text}
	}
	return list
}

// node is the column's place in the schema.
func (c *column) node(names traces.Names) schema.Node {
	rep := parquet.Repetitions.Required
	if c.nullable {
		rep = parquet.Repetitions.Optional
	}
	switch {
	case c.real != nil:
		return schema.NewFloat64Node(c.name, rep, -1)
	case c.words != nil && *c.words(&names) != nil:
		return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(c.name, rep, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1))
	}
	return schema.NewInt64Node(c.name, rep, -1)
}

// rowGroup gathers rows by columns: the values that are there, and a level, 1
// for there and 0 for null, for every row.
type rowGroup struct {
	names  traces.Names
	rows   int
	whole  [][]int64
	real   [][]float64
	words  [][]parquet.ByteArray
	levels [][]int16
}

func newRowGroup(names traces.Names) *rowGroup {
	n := len(columns)
	return &rowGroup{names: names, whole: make([][]int64, n), real: make([][]float64, n), words: make([][]parquet.ByteArray, n), levels: make([][]int16, n)}
}

func (g *rowGroup) add(j *traces.Job) {
	g.rows++
	for i := range columns {
		level := int16(1)
		if !g.value(i, &columns[i], j) {
			level = 0
		}
		g.levels[i] = append(g.levels[i], level)
	}
}

// value appends a job's value to column i; false for null.
func (g *rowGroup) value(i int, c *column, j *traces.Job) bool {
	switch {
	case c.real != nil:
		x := *c.real(j)
		if !(x >= 0) {
			return false
		}
		g.real[i] = append(g.real[i], x)
	case c.label != nil:
		l := *c.label(j)
		if l == traces.NoLabel {
			return false
		}
		if w := *c.words(&g.names); w != nil {
			text, _ := w.Text(l)
			g.words[i] = append(g.words[i], parquet.ByteArray(text))
			return true
		}
		g.whole[i] = append(g.whole[i], int64(l))
	default:
		v, ok := c.get(j)
		if !ok {
			return false
		}
		g.whole[i] = append(g.whole[i], v)
	}
	return true
}

// write puts the rows into f as a row group and forgets them.
func (g *rowGroup) write(f *file.Writer) error {
	group := f.AppendRowGroup()
	for i := range columns {
		w, err := group.NextColumn()
		if err != nil {
			return err
		}
		levels := g.levels[i]
		if !columns[i].nullable {
			levels = nil
		}
		switch w := w.(type) {
		case *file.Float64ColumnChunkWriter:
			_, err = w.WriteBatch(g.real[i], levels, nil)
		case *file.ByteArrayColumnChunkWriter:
			_, err = w.WriteBatch(g.words[i], levels, nil)
		case *file.Int64ColumnChunkWriter:
			_, err = w.WriteBatch(g.whole[i], levels, nil)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			return err
		}
		g.whole[i], g.real[i], g.words[i], g.levels[i] = g.whole[i][:0], g.real[i][:0], g.words[i][:0], g.levels[i][:0]
	}
	g.rows = 0
	return group.Close()
}
