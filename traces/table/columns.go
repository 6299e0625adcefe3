//go:build !js

package table

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/traces"
)

// BatchRows is the number of rows decoded at a time: memory does not depend on the
// size of the row groups.
const BatchRows = 4096

// Columns reads some columns of a Parquet file side by side, a batch of rows at a
// time: Next, then Read for each column.
type Columns struct {
	file   *Parquet
	places []int // columns of the file, or -1
	chunks []file.ColumnChunkReader
	group  int   // the next row group
	left   int64 // rows of this one behind the batch
	rows   int   // of the batch
	passed int64 // rows before the batch
}

// Columns begins at the first row. places are indices of columns; -1 represents one
// that is not there and must not be read.
func (p *Parquet) Columns(places ...int) *Columns {
	return &Columns{file: p, places: places, chunks: make([]file.ColumnChunkReader, len(places))}
}

// Next goes to the next batch and returns its number of rows, or io.EOF.
func (c *Columns) Next() (rows int, err error) {
	defer recovered(&err, c.damaged)
	c.passed += int64(c.rows)
	for c.rows = 0; c.left <= 0; c.group++ {
		if c.group == c.file.file.NumRowGroups() {
			return 0, io.EOF
		}
		g := c.file.file.RowGroup(c.group)
		c.left = g.NumRows()
		for i, at := range c.places {
			if at < 0 {
				continue
			}
			if err := c.file.bounded(c.group, at); err != nil {
				return 0, err
			}
			if c.chunks[i], err = g.Column(at); err != nil {
				return 0, c.damaged(err)
			}
		}
	}
	c.rows = int(min(c.left, BatchRows))
	c.left -= int64(c.rows)
	return c.rows, nil
}

// The library holds a page of texts whole, and a file of some KB may hold a GB of them: it
// is read if its texts are short, as names are, or few.
const (
	longText = 64 << 10
	fewTexts = 64 << 20
)

// bounded refuses a column of long texts in a row group.
func (p *Parquet) bounded(group, column int) error {
	if p.Fields[column].Kind != Text {
		return nil
	}
	chunk, err := p.file.RowGroup(group).MetaData().ColumnChunk(column)
	if err != nil {
		return err
	}
	if size, n := chunk.TotalUncompressedSize(), max(1, chunk.NumValues()); size > fewTexts && size/n > longText {
		return &traces.Error{File: p.Name, What: fmt.Sprintf("column %s holds texts of %d KB each", p.Fields[column].Path,
			size/n>>10), Want: fmt.Sprintf("want %d KB at most", longText>>10)}
	}
	return nil
}

func (c *Columns) damaged(err error) error {
	return &traces.Error{File: c.file.Name, What: fmt.Sprintf("damaged Parquet data after %d rows", c.passed), Err: err,
		Want: "fetch or write the file again"}
}

// Read reads the batch's values of the i-th column. v may be used for any number of
// columns; strings are valid until the next Next.
func (c *Columns) Read(i int, v *Values) (err error) {
	damaged := func(err error) error {
		return c.damaged(fmt.Errorf("column %s: %w", c.file.Fields[c.places[i]].Path, err))
	}
	defer recovered(&err, damaged)
	for from := 0; from < c.rows; {
		rows, err := v.decode(c.chunks[i], from, c.rows)
		if err != nil {
			return damaged(err)
		}
		if rows == 0 {
			return damaged(fmt.Errorf("it ends after %d of %d rows", from, c.rows))
		}
		if err := c.file.Fields[c.places[i]].convert(v, from, from+rows); err != nil {
			return err
		}
		from += rows
	}
	return nil
}
