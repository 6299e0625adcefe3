package formats

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"bourse/traces"
)

// bomb writes a Parquet of jobs in one row group whose users are long texts, or all alike.
func bomb(t *testing.T, rows int, user func(i int) string, dictionary bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "jobs.parquet")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	required := parquet.Repetitions.Required
	root := schema.MustGroup(schema.NewGroupNode("schema", required, schema.FieldList{
		schema.NewInt64Node("submit", required, -1), schema.NewInt64Node("run", required, -1),
		schema.MustPrimitive(schema.NewPrimitiveNodeLogical("user", required, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)),
	}, -1))
	f := file.NewParquetWriter(out, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(dictionary))))
	g := f.AppendRowGroup()
	numbers := make([]int64, rows)
	for c := range 3 {
		w, err := g.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		if c < 2 {
			_, err = w.(*file.Int64ColumnChunkWriter).WriteBatch(numbers, nil, nil)
		} else {
			for i := 0; i < rows && err == nil; i += 1000 {
				var texts []parquet.ByteArray
				for k := i; k < min(i+1000, rows); k++ {
					texts = append(texts, parquet.ByteArray(user(k)))
				}
				_, err = w.(*file.ByteArrayColumnChunkWriter).WriteBatch(texts, nil, nil)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
	g.Close()
	f.Close()
	return path
}

// peakOf runs f and returns the largest heap that a look every millisecond has seen.
func peakOf(f func()) uint64 {
	runtime.GC()
	debug.FreeOSMemory()
	var most atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapAlloc))
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-done
	return most.Load()
}

// TestParquetBombs: what a file holds in little space takes no more memory than its jobs.
func TestParquetBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("files of many jobs are written")
	}
	long := strings.Repeat("a", 1<<20)
	for _, c := range []struct {
		name string
		path string
		want string // of the error
		most uint64 // MB
	}{
		{"a million jobs in one row group", bomb(t, 1_000_000, func(i int) string { return fmt.Sprint("user", i%50) }, true), "", 300},
		{"texts of 1 MB", bomb(t, 200, func(int) string { return long }, false), "column user holds texts of 1024 KB each", 300},
		{"texts of 1 MB in a dictionary", bomb(t, 200, func(i int) string { return fmt.Sprint(i) + long }, true), "column user holds texts of", 300},
	} {
		var err error
		peak := peakOf(func() {
			var src traces.Source
			if src, err = Open("parquet:"+c.path+"?submit=submit&run=run&user=user", traces.Options{}); err != nil {
				return
			}
			var j traces.Job
			for err == nil {
				err = src.Next(&j)
			}
			err = errors.Join(err, traces.Close(src))
			if errors.Is(err, io.EOF) {
				err = nil
			}
		})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
		t.Logf("%s: %d MB", c.name, peak>>20)
		if peak>>20 > c.most {
			t.Errorf("%s: %d MB, want %d at most", c.name, peak>>20, c.most)
		}
	}
}
