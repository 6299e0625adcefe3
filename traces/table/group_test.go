package table

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// TestGroupsAreTheLibrarys writes the same row groups with the library's own writer of
// files, column after column.
func TestGroupsAreTheLibrarys(t *testing.T) {
	specs := []Spec{
		{Name: "rising", Type: parquet.Types.Int64, Delta: true},
		{Name: "some", Type: parquet.Types.Double, Nullable: true},
		{Name: "name", Type: parquet.Types.ByteArray, Nullable: true, Few: true},
		{Name: "none", Type: parquet.Types.Double, Nullable: true},
		{Name: "flag", Type: parquet.Types.Boolean},
		{Name: "few", Type: parquet.Types.Int32, Few: true},
		{Name: "many", Type: parquet.Types.ByteArray},
	}
	groups := [][]Packed{packedRows(GroupRows, 1), packedRows(1000, 2), packedRows(1, 3)}
	var ours, theirs bytes.Buffer
	p, err := NewParquetWriter(&ours, specs, [][2]string{{"key", "value"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		if err := p.Add(func(i int, _ *Scratch) Packed { return g[i] }); err != nil {
			t.Fatal(err)
		}
		if err := p.EndGroup(); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	notes := metadata.NewKeyValueMetadata()
	if err := notes.Append("key", "value"); err != nil {
		t.Fatal(err)
	}
	f := file.NewParquetWriter(&theirs, p.schema.Root(), file.WithWriterProps(p.props), file.WithWriteMetadata(notes))
	for _, g := range groups {
		rows := f.AppendRowGroup()
		for i := range g {
			w, err := rows.NextColumn()
			if err == nil {
				err = g[i].write(w)
			}
			if err == nil {
				err = w.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(ours.Bytes(), theirs.Bytes()) {
		t.Errorf("%d bytes are others than the library's %d", ours.Len(), theirs.Len())
	}
}

// packedRows returns n rows of the columns above.
func packedRows(n, seed int) []Packed {
	c := make([]Packed, 7)
	for i := range n {
		x := (i*7919 + seed) % 10_007
		c[0].Whole = append(c[0].Whole, int64(i*60+x%50))
		level := int16(x % 3 & 1)
		c[1].Levels, c[2].Levels = append(c[1].Levels, level), append(c[2].Levels, level)
		if level == 1 {
			c[1].Real = append(c[1].Real, float64(x)/8)
			c[2].Text = append(c[2].Text, fmt.Append(nil, "user", x%90))
		}
		c[3].Levels = append(c[3].Levels, 0)
		c[4].Flags = append(c[4].Flags, x%5 == 0)
		c[5].Small = append(c[5].Small, int32(x%64))
		c[6].Text = append(c[6].Text, fmt.Append(nil, "a text of its own for row ", i*seed))
	}
	return c
}

// TestRowsOfColumnsAgree refuses columns of different lengths.
func TestRowsOfColumnsAgree(t *testing.T) {
	p, err := NewParquetWriter(new(bytes.Buffer),
		[]Spec{{Name: "a", Type: parquet.Types.Int64}, {Name: "b", Type: parquet.Types.Int64}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	columns := []Packed{{Whole: []int64{1, 2}}, {Whole: []int64{1}}}
	if err := p.Add(func(i int, _ *Scratch) Packed { return columns[i] }); err != nil {
		t.Fatal(err)
	}
	err = p.EndGroup()
	if want := "column 2 has 1 rows and the first 2"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}
