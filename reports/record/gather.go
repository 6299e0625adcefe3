//go:build !js

package record

// append adds the rows of other, a batch of the same columns.
func (b *batch) append(other *batch, cols []Column) {
	for i := range b.cols {
		to, from := &b.cols[i], &other.cols[i]
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
