package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// parquets hold all their jobs in one group of rows, or users with names of 128 KB.
func (m *maker) parquets() (all []bomb, err error) {
	long := strings.Repeat("a", 128<<10)
	for _, c := range []struct {
		name       string
		rows       int
		user       func(i int) string
		dictionary bool
	}{
		{"parquet: a million jobs in a group", 1_000_000, func(i int) string { return fmt.Sprint("user", i%50) }, true},
		{"parquet: texts of 128 KB", 1000, func(int) string { return long }, false},
		{"parquet: a dictionary of such texts", 200, func(i int) string { return fmt.Sprint(i) + long }, true},
	} {
		path := filepath.Join(m.base, fmt.Sprint("jobs", len(all), ".parquet"))
		if err := writeParquet(path, c.rows, []string{"submit", "run"}, c.user, c.dictionary); err != nil {
			return nil, err
		}
		all = append(all, bomb{c.name, []string{"trace", "inspect", "parquet:" + path + "?submit=submit&run=run&user=user"}})
	}
	path := filepath.Join(m.base, "bids.parquet")
	all = append(all, bomb{"bids: a Parquet of 3 million rows", []string{"replay", "log.swf", "--bids", path}})
	return all, writeParquet(path, 3_000_000, []string{"value", "bid", "job_id"}, nil, true)
}

// writeParquet writes one group of rows: columns of whole numbers, of which the last counts
// the rows, and users unless user is nil.
func writeParquet(path string, rows int, numbers []string, user func(i int) string, dictionary bool) (err error) {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	must := parquet.Repetitions.Required
	var fields schema.FieldList
	for _, name := range numbers {
		fields = append(fields, schema.NewInt64Node(name, must, -1))
	}
	if user != nil {
		fields = append(fields, schema.MustPrimitive(schema.NewPrimitiveNodeLogical("user", must, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)))
	}
	root := schema.MustGroup(schema.NewGroupNode("schema", must, fields, -1))
	f := file.NewParquetWriter(out, root, file.WithWriterProps(parquet.NewWriterProperties(
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(dictionary))))
	g := f.AppendRowGroup()
	cells, texts := make([]int64, 20), make([]parquet.ByteArray, 20)
	for c := 0; c < len(fields) && err == nil; c++ {
		var w file.ColumnChunkWriter
		if w, err = g.NextColumn(); err != nil {
			return err
		}
		for i := 0; i < rows && err == nil; i += len(cells) {
			n := min(len(cells), rows-i)
			for k := range n {
				if c == len(numbers)-1 {
					cells[k] = int64(i + k)
				}
				if c == len(numbers) {
					texts[k] = parquet.ByteArray(user(i + k))
				}
			}
			if c < len(numbers) {
				_, err = w.(*file.Int64ColumnChunkWriter).WriteBatch(cells[:n], nil, nil)
			} else {
				_, err = w.(*file.ByteArrayColumnChunkWriter).WriteBatch(texts[:n], nil, nil)
			}
		}
		if err == nil {
			err = w.Close()
		}
	}
	if err == nil {
		err = g.Close()
	}
	if err == nil {
		err = f.Close()
	}
	return err
}
