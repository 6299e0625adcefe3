package table

import (
	"errors"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/traces"
)

// OpenParquet reads a file's index.
func OpenParquet(name string, disk *os.File) (*file.Reader, error) {
	f, err := file.NewParquetReader(disk)
	if err != nil {
		return nil, &traces.Error{File: name, What: "not a whole Parquet file", Err: err, Want: "it may be cut short: fetch or write it again"}
	}
	return f, nil
}

// BatchReader is the ReadBatch of a column of T: values come without the nulls, a
// level for each row.
type BatchReader[T any] func(rows int64, values []T, levels, repeats []int16) (int64, int, error)

// EachValue reads the next n rows of a column, as many at a time as a page has, and
// calls f with each row's value or that it is null.
func EachValue[T any](chunk file.ColumnChunkReader, read BatchReader[T], n int, f func(row int, v T, known bool)) error {
	size := min(n, BatchRows)
	values, levels, there := make([]T, size), make([]int16, size), chunk.Descriptor().MaxDefinitionLevel()
	for row := 0; row < n; {
		got, _, err := read(int64(min(size, n-row)), values, levels, nil)
		if err != nil || got == 0 {
			return errors.Join(fmt.Errorf("it ends after %d of %d rows", row, n), err)
		}
		next := 0
		for i := range int(got) {
			var v T
			known := there == 0 || levels[i] == there
			if known {
				v = values[next]
				next++
			}
			f(row, v, known)
			row++
		}
	}
	return nil
}

// BatchRows is the number of rows decoded at a time.
const BatchRows = 4096
