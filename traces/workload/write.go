//go:build !js

package workload

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/apache/arrow/go/v15/parquet"

	"bourse/traces"
	"bourse/traces/table"
)

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
	columns := columnsFor(src.Header().Asks)
	f, err := newFile(out, src.Header(), columns)
	if err != nil {
		return 0, err
	}
	group := newRowGroup(src.Header().Names, columns)
	var j traces.Job
	for {
		err := src.Next(&j)
		if err == nil {
			group.add(&j)
			n++
		} else if err != io.EOF {
			return n, err
		}
		if group.rows == table.GroupRows || err == io.EOF && group.rows > 0 {
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

// newFile begins the file: columns and metadata.
func newFile(w io.Writer, h *traces.Header, columns []column) (*table.ParquetWriter, error) {
	specs := make([]table.Spec, len(columns))
	for i := range columns {
		c := &columns[i]
		specs[i] = table.Spec{Name: c.name, Type: c.typeIn(h.Names), Nullable: c.nullable, Few: c.encoding == few,
			Delta: c.encoding == delta}
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
	meta := [][2]string{
		{metaPool, pool},
		{metaVersion, "1"}, {metaName, h.Name}, {metaProcs, strconv.Itoa(h.Procs)},
		{metaStart, strconv.FormatInt(h.Start, 10)}, {metaHeader, string(header)},
	}
	if h.Unix {
		meta = append(meta, [2]string{metaUnix, "true"})
	}
	return table.NewParquetWriter(w, specs, meta, parquet.WithCreatedBy("bourse"))
}

func pairs(fields []traces.Field) [][2]string {
	list := make([][2]string, len(fields))
	for i, f := range fields {
		list[i] = [2]string{f.Label, f.Text}
	}
	return list
}

// typeIn is the column's type in a trace that names labels so.
func (c *column) typeIn(names traces.Names) parquet.Type {
	switch {
	case c.real != nil:
		return parquet.Types.Double
	case c.words != nil && *c.words(&names) != nil:
		return parquet.Types.ByteArray
	}
	return parquet.Types.Int64
}

// rowGroup gathers rows by columns.
type rowGroup struct {
	names   traces.Names
	rows    int
	of      []column
	columns []table.Packed
}

func newRowGroup(names traces.Names, columns []column) *rowGroup {
	return &rowGroup{names: names, of: columns, columns: make([]table.Packed, len(columns))}
}

func (g *rowGroup) add(j *traces.Job) {
	g.rows++
	for i := range g.of {
		c, to := &g.of[i], &g.columns[i]
		level := int16(1)
		if !g.value(to, c, j) {
			level = 0
		}
		if c.nullable {
			to.Levels = append(to.Levels, level)
		}
	}
}

// value appends a job's value to a column; false for null.
func (g *rowGroup) value(to *table.Packed, c *column, j *traces.Job) bool {
	switch {
	case c.real != nil:
		x := *c.real(j)
		if !(x >= 0) {
			return false
		}
		to.Real = append(to.Real, x)
	case c.label != nil:
		l := *c.label(j)
		if l == traces.NoLabel {
			return false
		}
		if w := *c.words(&g.names); w != nil {
			text, _ := w.Text(l)
			to.Text = append(to.Text, parquet.ByteArray(text))
			return true
		}
		to.Whole = append(to.Whole, int64(l))
	default:
		v, ok := c.get(j)
		if !ok {
			return false
		}
		to.Whole = append(to.Whole, v)
	}
	return true
}

// write puts the rows into f as a row group and forgets them.
func (g *rowGroup) write(f *table.ParquetWriter) error {
	if err := f.Add(func(i int, _ *table.Scratch) table.Packed { return g.columns[i] }); err != nil {
		return err
	}
	err := f.EndGroup()
	for i := range g.columns {
		c := &g.columns[i]
		c.Whole, c.Real, c.Text, c.Levels = c.Whole[:0], c.Real[:0], c.Text[:0], c.Levels[:0]
	}
	g.rows = 0
	return err
}
