//go:build !js

package table

import (
	"math"

	"github.com/apache/arrow/go/v15/parquet"
)

// parquetFeed reads columns side by side, a batch of values at a time.
type parquetFeed struct {
	columns *Columns
	places  []int
	values  []Values // by column asked for
	at, n   int      // the row in the batch, and the batch's rows
	row     int64
	text    [][]byte // by column asked for
}

func openParquetRows(name string, in parquet.ReaderAtSeeker, names []string, needed int) (*Rows, error) {
	p, err := OpenParquet(name, in)
	if err != nil {
		return nil, err
	}
	names, at, err := places(name, p.Names(), names, needed)
	if err != nil {
		return nil, err
	}
	for _, i := range at {
		if i >= 0 {
			if err := p.Check(i); err != nil {
				return nil, err
			}
			if err := p.CheckTime(i, false, false); err != nil {
				return nil, err
			}
		}
	}
	return &Rows{Name: name, names: names, from: &parquetFeed{columns: p.Columns(at...), places: at, values: make([]Values,
		len(at)), text: make([][]byte, len(at))}}, nil
}

func (f *parquetFeed) next() (line int64, err error) {
	if f.at++; f.at >= f.n {
		f.at = 0
		if f.n, err = f.columns.Next(); err != nil {
			return 0, err
		}
		for i, at := range f.places {
			if at < 0 {
				continue
			}
			if err := f.columns.Read(i, &f.values[i]); err != nil {
				return 0, err
			}
		}
	}
	f.row++
	return f.row, nil
}

func (f *parquetFeed) word(i int) []byte {
	if f.places[i] < 0 {
		return nil
	}
	v := &f.values[i]
	if v.Kind == Text && !v.Null(f.at) {
		return v.Text[f.at]
	}
	f.text[i] = v.Append(f.text[i][:0], f.at)
	return f.text[i]
}

func (f *parquetFeed) number(i int) (float64, bool) {
	if f.places[i] < 0 {
		return 0, false
	}
	return f.values[i].Number(f.at)
}

// whole leaves out floating numbers that may have been rounded to whole ones.
func (f *parquetFeed) whole(i int) (int64, bool) {
	switch v := &f.values[i]; {
	case f.places[i] < 0 || v.Kind == Text || v.Null(f.at):
		return 0, false
	case v.Kind == Real || v.Kind == Single:
		x := v.Real[f.at]
		return int64(x), x == math.Trunc(x) && math.Abs(x) <= 1<<53
	default:
		return v.Whole[f.at], true
	}
}
