package artifact

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"bourse/traces/table"
)

// difference is a column in which two tables differ.
type difference struct {
	Column string
	// Rows is how many rows differ, First the first of them, from 1; 0 where the
	// column is in one table only.
	Rows, First int64
	// Was and Is are the values there.
	Was, Is string
}

// differ compares two tables, CSV or Parquet by their names, column by column and row by
// row; numbers may differ by a tolerance, a part of the larger. more is how many rows the second has beyond those of
// the first.
func differ(was, is string, tolerance float64) (list []difference, more int64, err error) {
	names, err := table.Names(was)
	if err != nil {
		return nil, 0, err
	}
	others, err := table.Names(is)
	if err != nil {
		return nil, 0, err
	}
	var both []string
	for _, name := range names {
		if slices.Contains(others, name) {
			both = append(both, name)
		} else {
			list = append(list, difference{Column: name})
		}
	}
	for _, name := range others {
		if !slices.Contains(names, name) {
			list = append(list, difference{Column: name})
		}
	}
	found, more, err := differIn(was, is, both, tolerance)
	return append(list, found...), more, err
}

// differIn compares the columns that both tables have.
func differIn(was, is string, names []string, tolerance float64) (list []difference, more int64, err error) {
	a, err := table.OpenSome(was, nil, nil, names)
	if err != nil {
		return nil, 0, err
	}
	defer a.Close()
	b, err := table.OpenSome(is, nil, nil, names)
	if err != nil {
		return nil, 0, err
	}
	defer b.Close()
	found := make([]difference, len(names))
	for row := int64(1); ; row++ {
		endA, endB := a.Next(), b.Next()
		if err := errors.Join(unlessEnd(endA), unlessEnd(endB)); err != nil {
			return nil, 0, err
		}
		if endA != nil || endB != nil {
			more, err = rest(a, b, endA, endB)
			break
		}
		for i := range names {
			x, _ := a.Word(i) // nothing is a value here
			y, _ := b.Word(i)
			if bytes.Equal(x, y) || near(string(x), string(y), tolerance) {
				continue
			}
			if d := &found[i]; d.Rows == 0 {
				*d = difference{Column: names[i], First: row, Was: string(x), Is: string(y)}
			}
			found[i].Rows++
		}
	}
	return slices.DeleteFunc(found, func(d difference) bool { return d.Rows == 0 }), more, err
}

func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// rest counts the rows of the table that has not ended.
func rest(a, b *table.Rows, endA, endB error) (more int64, err error) {
	longer, sign := b, int64(1)
	switch {
	case endA != nil && endB != nil:
		return 0, nil
	case endB != nil:
		longer, sign = a, -1
	}
	for more = sign; ; more += sign {
		if err := longer.Next(); err != nil {
			return more, unlessEnd(err)
		}
	}
}
