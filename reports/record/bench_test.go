package record

import (
	"testing"

	"bourse/reports/record/recordtest"
	"bourse/traces"
	"bourse/traces/table"
)

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

// BenchmarkJobs measures a million-row-like stream of jobs in each format,
// encoder goroutine included.
func BenchmarkJobs(b *testing.B) {
	records := recordtest.MakeJobs(table.GroupRows, 1)
	for i := range formats {
		f := &formats[i]
		b.Run(f.Name, func(b *testing.B) {
			var size counter
			d, err := NewStream(&size, "bench", f, JobColumns, &traces.Names{}, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				if err := d.Add(&records[i%len(records)]); err != nil {
					b.Fatal(err)
				}
			}
			if err := d.Finish(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(size.n)/float64(b.N), "B/row")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkAppend measures what the replay's own goroutine pays per record.
func BenchmarkAppend(b *testing.B) {
	records := recordtest.MakeJobs(batchRows, 1)
	batch, names := newBatch(len(JobColumns)), &traces.Names{}
	b.ReportAllocs()
	for i := range b.N {
		if batch.rows == batchRows {
			batch.reset()
		}
		appendRow(batch, JobColumns, names, &records[i%len(records)])
	}
}
