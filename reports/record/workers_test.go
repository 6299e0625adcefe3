package record

import (
	"bytes"
	"runtime"
	"testing"

	"bourse/reports/record/recordtest"
	"bourse/traces"
	"bourse/traces/table"
)

// TestBytesOfAnyNumberOfWorkers writes a row group and a part of one with one, two and
// more goroutines that encode.
func TestBytesOfAnyNumberOfWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	records := recordtest.MakeJobs(table.GroupRows+batchRows/2, 1)
	write := func(processors int) []byte {
		runtime.GOMAXPROCS(processors)
		return writeAll(t, &formats[0], JobColumns, &traces.Names{}, records)
	}
	want := write(1)
	for _, processors := range []int{2, 3, 8} {
		if !bytes.Equal(write(processors), want) {
			t.Errorf("on %d processors the file is another than on one", processors)
		}
	}
}
