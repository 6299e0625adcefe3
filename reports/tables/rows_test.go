package tables

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"bourse/reports"
)

// streamed reads two columns row by row.
func streamed(r *Rows) (words []string, err error) {
	for {
		if err := r.Next(); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return words, err
		}
		for i := range r.names {
			w, _ := r.Word(i)
			words = append(words, string(w))
		}
	}
}

// whole reads all columns at once, for comparison.
func whole(t *Table) (names, words []string) {
	for row := range t.Rows() {
		for _, c := range t.columns {
			words = append(words, c.words[row])
		}
	}
	return t.Columns(), words
}

// FuzzRows wants the reader of rows to say of any text what ReadCSV says.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{"", "a,b\n1,2\n", "\ufeffa\n\"x\ny\"\n", "a\n\n\r\n1\r\n", "a,b\n1\n", "a\n\"", "a\nx\"y\n", "a\n\"b\"c\n", "a;b\r\n1", "a,b\n\"1,\"\"2\",3\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, want := ReadCSV("x", strings.NewReader(text))
		var names, words []string
		if want == nil {
			names, words = whole(table)
		}
		r, got := openCSV("x", strings.NewReader(text), names)
		var read []string
		if got == nil {
			read, got = streamed(r)
		}
		if want == nil && got != nil {
			t.Fatalf("%q: %v, but ReadCSV reads it", text, got)
		}
		if want == nil && strings.Join(read, "\x00") != strings.Join(words, "\x00") {
			t.Fatalf("%q: %q, ReadCSV has %q", text, read, words)
		}
		if want != nil && got == nil && len(read) > 0 {
			t.Fatalf("%q: rows %q, but ReadCSV says %v", text, read, want)
		}
	})
}

// TestRowsOfBothFormats writes more than a batch and a row group of rows and
// reads them back.
func TestRowsOfBothFormats(t *testing.T) {
	const n = 140_000
	c := []reports.Values{{Name: "round", Ints: make([]int64, n)}, {Name: "x", Floats: make([]float64, n)}, {Name: "agent", Words: make([]string, n)}}
	for i := range n {
		c[0].Ints[i], c[1].Floats[i], c[2].Words[i] = int64(i), float64(i)/4, strings.Repeat("ab", i%5+1)
	}
	for _, name := range []string{"t.csv", "t.parquet"} {
		path := filepath.Join(t.TempDir(), name)
		if err := Write(path, nil, false, "1", c); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, nil, "agent", "ROUND", "x")
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := r.Next(); err != nil {
				t.Fatal(err)
			}
			agent, _ := r.Word(0)
			round, err := r.Float(1)
			x, err2 := r.Float(2)
			if err != nil || err2 != nil || string(agent) != c[2].Words[i] || round != float64(i) || x != c[1].Floats[i] {
				t.Fatalf("%s: row %d is %s, %v, %v: %v, %v", name, i+1, agent, round, x, err, err2)
			}
			if w, _ := r.Word(1); i == 17 && string(w) != "17" {
				t.Errorf("%s: a number spelled out is %q", name, w)
			}
		}
		if err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: after the last row: %v", name, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRowsFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "standard input: the table is empty"},
		{"a,c\n1,2\n", "standard input:1: no column b; the columns are a, c"},
		{"a,b\n1\n", "standard input:2: the row has another number of fields"},
		{"a,b\n\n1,x\n", `standard input:3: b is "x"; a number was expected`},
		{"a,b\n1,\n", "standard input:2: b is empty"},
		{"a,b\n1,nan\n", `standard input:2: b is "nan"`},
		{"a,b\n1,\"2\n3\"\n1,2,3\n", `standard input:2: b is "2\n3"`},
		{"a,b\n1,2\"\n", "standard input:2: not CSV"},
		{"a,b\n1,\"" + strings.Repeat("x\n", longestRecord), "is a quote not closed?"},
		{"a,b\n1," + strings.Repeat("x", longestRecord+1), "the row has more than"},
	} {
		r, err := Open("-", strings.NewReader(c.text), "a", "b")
		if err == nil {
			if err = r.Next(); err == nil {
				_, err = r.Float(1)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestPlainPages reads strings that stand in many small pages, as other programs
// write them: what a page holds must not be taken for what the one before held.
func TestPlainPages(t *testing.T) {
	const n = 5000
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{
		schema.NewByteArrayNode("agent", parquet.Repetitions.Required, -1), schema.NewInt64Node("round", parquet.Repetitions.Required, -1)}, -1)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plain.parquet")
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	props := parquet.NewWriterProperties(parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(256), parquet.WithBatchSize(16), parquet.WithCompression(compress.Codecs.Zstd))
	out := file.NewParquetWriter(to, root, file.WithWriterProps(props))
	group := out.AppendRowGroup()
	words, rounds := make([]parquet.ByteArray, n), make([]int64, n)
	for i := range words {
		words[i], rounds[i] = []byte(fmt.Sprintf("agent %d", i*i)), int64(i)
	}
	column, err := group.NextColumn()
	if err == nil {
		_, err = column.(*file.ByteArrayColumnChunkWriter).WriteBatch(words, nil, nil)
		err = errors.Join(err, column.Close())
	}
	if err == nil {
		if column, err = group.NextColumn(); err == nil {
			_, err = column.(*file.Int64ColumnChunkWriter).WriteBatch(rounds, nil, nil)
			err = errors.Join(err, column.Close())
		}
	}
	if err = errors.Join(err, group.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	whole, err := Read(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := whole.Words("agent")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(path, nil, "agent", "round")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, want := range words {
		if err := r.Next(); err != nil {
			t.Fatal(err)
		}
		if got, _ := r.Word(0); string(got) != string(want) || all[i] != string(want) {
			t.Fatalf("row %d: %q row by row, %q at once, want %q", i+1, got, all[i], want)
		}
	}
}

// TestKnown tells nothing from a number in both formats, and words from both.
func TestKnown(t *testing.T) {
	c := []reports.Values{{Name: "x", Floats: []float64{1.5, math.NaN(), -2}}, {Name: "i", Ints: []int64{1, 2, 3}}}
	for _, name := range []string{"t.csv", "t.parquet"} {
		path := filepath.Join(t.TempDir(), name)
		if err := Write(path, nil, false, "1", c); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, nil, "x")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for _, want := range c[0].Floats {
			if err := r.Next(); err != nil {
				t.Fatal(err)
			}
			x, known, err := r.Known(0)
			if err != nil || known == math.IsNaN(want) || known && x != want {
				t.Errorf("%s: %v, %v, %v; want %v", name, x, known, err, want)
			}
		}
	}
	r, err := Open("-", strings.NewReader("x,y\nword,1\n"), "x")
	if err == nil {
		err = r.Next()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, known, err := r.Known(0); known || err == nil || !strings.Contains(err.Error(), `standard input:2: x is "word"`) {
		t.Errorf("a word: %v, %v", known, err)
	}
}
