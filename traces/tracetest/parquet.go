package tracetest

import (
	"os"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// WriteParquet writes one group of rows: columns of whole numbers, of which the last counts
// the rows, and users unless user is nil.
func WriteParquet(path string, rows int, numbers []string, user func(i int) string, dictionary bool) (err error) {
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
		fields = append(fields, schema.MustPrimitive(schema.NewPrimitiveNodeLogical("user", must, schema.StringLogicalType{},
			parquet.Types.ByteArray, -1, -1)))
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
