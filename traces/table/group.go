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
// take the next column when they are done with one. Only the caller of EndGroup writes, so
// that no goroutine of theirs meets a write error, or the library's panic at one.
type group struct {
	meta   *metadata.RowGroupMetaDataBuilder
	chunks []chunk
}

// chunk is a column of a row group.
type chunk struct {
	to    file.ColumnChunkWriter
	pages *heldPages
	err   error
}

// begin opens the columns of a row group.
func (p *ParquetWriter) begin() error {
	g := &group{meta: p.meta.AppendRowGroup(), chunks: make([]chunk, p.schema.NumColumns())}
	for i := range g.chunks {
		meta := g.meta.NextColumnChunk()
		pages, err := file.NewPageWriter(p.to, compress.Codecs.Zstd, compressionLevel, meta, p.groups, int16(i),
			p.props.Allocator(), true, nil, nil)
		if err != nil {
			return err
		}
		c := &g.chunks[i]
		c.pages = &heldPages{PageWriter: pages}
		c.to = file.NewColumnChunkWriter(meta, c.pages, p.props)
	}
	p.group = g
	return nil
}

// Add adds rows to the row group under way, or to a new one. column is called from several
// goroutines, and its values may be changed when Add returns, but not what words point to
// before EndGroup does: the library keeps the least and the greatest.
func (p *ParquetWriter) Add(column func(i int, s *Scratch) Packed) error {
	if p.group == nil {
		if err := p.begin(); err != nil {
			return err
		}
	}
	return p.each(func(i int, c *chunk, s *Scratch) error { return column(i, s).write(c.to) })
}

// EndGroup writes the row group under way, if there is one.
func (p *ParquetWriter) EndGroup() error {
	if p.group == nil {
		return nil
	}
	err := p.each(func(_ int, c *chunk, _ *Scratch) error { return c.to.Close() })
	if err != nil {
		return err
	}
	return p.write()
}

// each does something with each column of the row group and returns the error at the first.
func (p *ParquetWriter) each(do func(i int, c *chunk, s *Scratch) error) error {
	var taken atomic.Int32
	var busy sync.WaitGroup
	for i := range p.workers {
		busy.Go(func() {
			s := &p.workers[i]
			for i := int(taken.Add(1)) - 1; i < len(p.group.chunks); i = int(taken.Add(1)) - 1 {
				c := &p.group.chunks[i]
				c.pages.room = &s.packed
				c.err = do(i, c, s)
			}
		})
	}
	busy.Wait()
	for i := range p.group.chunks {
		if err := p.group.chunks[i].err; err != nil {
			return err
		}
	}
	return nil
}

// write puts the columns into the file, one after another.
func (p *ParquetWriter) write() error {
	g := p.group
	rows, bytes := g.chunks[0].to.RowsWritten(), int64(0)
	for i := range g.chunks {
		c := &g.chunks[i]
		if n := c.to.RowsWritten(); n != rows {
			return fmt.Errorf("column %d has %d rows and the first %d", i+1, n, rows)
		}
		if err := c.pages.write(); err != nil {
			return err
		}
		bytes += c.to.TotalBytesWritten()
	}
	g.meta.SetNumRows(rows)
	p.groups++
	p.group = nil
	return g.meta.Finish(bytes, p.groups-1)
}
