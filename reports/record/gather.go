//go:build !js

package record

import (
	"slices"

	"bourse/traces/table"
)

// append adds the rows of other, a batch of the same columns. From the second on there is
// room for a row group: slices that grow by and by touch several times the memory.
func (b *batch) append(other *batch, cols []Column) {
	for i := range b.cols {
		to, from := &b.cols[i], &other.cols[i]
		if b.rows > 0 {
			to.grow(from)
		}
		to.i64, to.i32 = append(to.i64, from.i64...), append(to.i32, from.i32...)
		to.f64, to.flags = append(to.f64, from.f64...), append(to.flags, from.flags...)
		to.levels, to.nulls = append(to.levels, from.levels...), to.nulls+from.nulls
		if cols[i].Kind == Text {
			base := int32(len(to.text))
			to.text = append(to.text, from.text...)
			for _, end := range from.ends[1:] {
				to.ends = append(to.ends, base+end)
			}
		}
	}
	b.rows += other.rows
	b.text += other.text
}

// grow makes room for a row group in the slices that from uses.
func (v *vector) grow(from *vector) {
	v.i64, v.i32, v.f64 = roomFor(from.i64, v.i64), roomFor(from.i32, v.i32), roomFor(from.f64, v.f64)
	v.flags, v.levels = roomFor(from.flags, v.flags), roomFor(from.levels, v.levels)
}

func roomFor[T any](from, to []T) []T {
	if len(from) == 0 || cap(to) >= table.GroupRows {
		return to
	}
	return slices.Grow(to, table.GroupRows-len(to))
}
