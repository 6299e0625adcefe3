package formats

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bourse/traces"
	"bourse/traces/tracetest"
)

// bomb writes a Parquet of jobs in one row group whose users are long texts, or all alike.
func bomb(t *testing.T, rows int, user func(i int) string, dictionary bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "jobs.parquet")
	if err := tracetest.WriteParquet(path, rows, []string{"submit", "run"}, user, dictionary); err != nil {
		t.Fatal(err)
	}
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
	long := strings.Repeat("a", 1<<20)
	for _, c := range []struct {
		name string
		path string
		want string // of the error
		most uint64 // MB
	}{
		{"a million jobs in one row group", bomb(t, 1_000_000, func(i int) string { return fmt.Sprint("user", i%50) }, true),
			"", 300},
		{"texts of 1 MB", bomb(t, 200, func(int) string { return long }, false), "column user holds texts of 1024 KB each",
			300},
		{"texts of 1 MB in a dictionary", bomb(t, 200, func(i int) string { return fmt.Sprint(i) + long }, true),
			"column user holds texts of", 300},
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
