package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
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

// oracle reads CSV with encoding/csv alone.
func oracle(text string) (t *Table, words []string, err error) {
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) == 0 {
		return nil, nil, errors.Join(errors.New("not a table"), err)
	}
	t = &Table{lines: make([]int64, len(all)-1)}
	for i, row := range all {
		for _, word := range row {
			if i == 0 {
				t.columns = append(t.columns, column{name: strings.TrimSpace(strings.TrimPrefix(word, "\ufeff"))})
			} else {
				words = append(words, strings.TrimSpace(word))
			}
		}
	}
	return t, words, t.check()
}

// noText matches what is said of files that hold other things than text.
var noText = regexp.MustCompile("not CSV text|carriage returns alone|UTF-16")

// FuzzRows wants the reader of rows to say of any text what encoding/csv says.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{"", "a,b\n1,2\n", "\ufeffa\n\"x\ny\"\n", "a\n\n\r\n1\r\n", "a,b\n1\n", "a\n\"",
		"a\nx\"y\n", "a\n\"b\"c\n", "a;b\r\n1", "a,b\n\"1,\"\"2\",3\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, words, want := oracle(text)
		r, got := openCSVRows("x", strings.NewReader(text), nil, 0)
		var read []string
		if got == nil {
			read, got = streamed(r)
		}
		if got != nil && noText.MatchString(got.Error()) {
			return // encoding/csv reads what is no text at all
		}
		if want == nil && got != nil {
			t.Fatalf("%q: %v, but encoding/csv reads it", text, got)
		}
		if want == nil && (strings.Join(r.names, "\x00") != strings.Join(table.Columns(), "\x00") ||
			strings.Join(read, "\x00") != strings.Join(words, "\x00")) {
			t.Fatalf("%q: %q of %q, encoding/csv has %q of %q", text, read, r.names, words, table.Columns())
		}
		if want != nil && got == nil && len(read) > 0 {
			t.Fatalf("%q: rows %q, but encoding/csv says %v", text, read, want)
		}
	})
}

func TestRowsFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "standard input: the table is empty"},
		{"a,c\n1,2\n", "standard input:1: no column b; the columns are a, c"},
		{"a,b\n1\n", "standard input:2: the row has another number of fields"},
		{"a,b\n\n1,x\n", `standard input:3: b is "x"; want a number`},
		{"a,b\n1,\n", "standard input:2: b is empty"},
		{"a,b\n1,nan\n", `standard input:2: b is "nan"`},
		{"a,b\n1,\"2\n3\"\n1,2,3\n", `standard input:2: b is "2\n3"`},
		{"a,b\n1,2\"\n", "standard input:2: not CSV"},
		{"a,b\n1,\"" + strings.Repeat("x\n", longestRecord), "is a quote not closed?"},
		{"a,b\n1," + strings.Repeat("x", longestRecord+1), "the row has more than"},
	} {
		r, err := OpenRows("-", strings.NewReader(c.text), "a", "b")
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
		schema.NewByteArrayNode("agent", parquet.Repetitions.Required, -1),
		schema.NewInt64Node("round", parquet.Repetitions.Required, -1)}, -1)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plain.parquet")
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	props := parquet.NewWriterProperties(parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(256),
		parquet.WithBatchSize(16), parquet.WithCompression(compress.Codecs.Zstd))
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
	r, err := OpenRows(path, nil, "agent", "round")
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
