//go:build !js

package table

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// maxWorkers bounds the goroutines that encode a row group: each holds a page, plain and
// compressed, and some megabytes of the compressor's.
const maxWorkers = 4

// Scratch is room for the values of a column without its nulls. Each goroutine that
// encodes has its own.
type Scratch struct {
	Words  []parquet.ByteArray
	Whole  []int64
	Real   []float64
	packed []byte
}

// group is a row group whose columns are encoded, each into memory, by goroutines that
// take the next column when they are done with one. Only the caller of Group writes, so
// that no goroutine of theirs meets a write error, or the library's panic at one.
type group struct {
	file   *ParquetWriter
	meta   *metadata.RowGroupMetaDataBuilder
	chunks []chunk
	taken  atomic.Int32
}

// chunk is a column of a row group.
type chunk struct {
	meta  *metadata.ColumnChunkMetaDataBuilder
	pages *heldPages
	rows  int
	bytes int64
	err   error
}

// Group writes one row group. column is called from several goroutines.
func (p *ParquetWriter) Group(column func(i int, s *Scratch) Packed) error {
	g := &group{file: p, meta: p.meta.AppendRowGroup(), chunks: make([]chunk, p.schema.NumColumns())}
	for i := range g.chunks {
		g.chunks[i].meta = g.meta.NextColumnChunk()
	}
	var busy sync.WaitGroup
	for i := range p.workers {
		busy.Go(func() { g.encode(column, &p.workers[i]) })
	}
	busy.Wait()
	return g.write()
}

// encode is one goroutine's part.
func (g *group) encode(column func(i int, s *Scratch) Packed, s *Scratch) {
	for {
		i := int(g.taken.Add(1)) - 1
		if i >= len(g.chunks) {
			return
		}
		c := &g.chunks[i]
		c.err = c.encode(g.file, int16(i), column(i, s), s)
	}
}

func (c *chunk) encode(p *ParquetWriter, column int16, values Packed, s *Scratch) error {
	pages, err := file.NewPageWriter(p.to, compress.Codecs.Zstd, compressionLevel, c.meta, p.groups, column, p.props.Allocator(), true, nil, nil)
	if err != nil {
		return err
	}
	c.pages = &heldPages{PageWriter: pages, room: &s.packed}
	w := file.NewColumnChunkWriter(c.meta, c.pages, p.props)
	if err := values.write(w); err != nil {
		return err
	}
	err = w.Close()
	c.rows, c.bytes = w.RowsWritten(), w.TotalBytesWritten()
	return err
}

// write puts the columns into the file, one after another.
func (g *group) write() error {
	rows, bytes := g.chunks[0].rows, int64(0)
	for i := range g.chunks {
		c := &g.chunks[i]
		if c.err == nil && c.rows != rows {
			c.err = fmt.Errorf("column %d has %d rows and the first %d", i+1, c.rows, rows)
		}
		if c.err == nil {
			c.err = c.pages.write()
		}
		if c.err != nil {
			return c.err
		}
		bytes += c.bytes
	}
	g.meta.SetNumRows(rows)
	g.file.groups++
	return g.meta.Finish(bytes, g.file.groups-1)
}
