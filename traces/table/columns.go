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

// Columns begins at the first row. places are indices of columns; -1 stands for one
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
			if c.chunks[i], err = g.Column(at); err != nil {
				return 0, c.damaged(err)
			}
		}
	}
	c.rows = int(min(c.left, BatchRows))
	c.left -= int64(c.rows)
	return c.rows, nil
}

func (c *Columns) damaged(err error) error {
	return &traces.Error{File: c.file.Name, What: fmt.Sprintf("damaged Parquet data after %d rows", c.passed), Err: err, Want: "fetch or write the file again"}
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
