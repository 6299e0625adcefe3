package record

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
	"bourse/traces/table"
)

// TestBatchesMayBeCutAnywhere writes the same rows in batches cut at any places: those
// with much text are cut early, and the file must not depend on it. There is enough of it
// here to fill a page with a batch, so that pages would end elsewhere.
func TestBatchesMayBeCutAnywhere(t *testing.T) {
	records, nodes := make([]engine.Segment, 2*batchRows+batchRows/4), bytes.Repeat([]byte("5 "), 64)
	job := traces.UnknownJob
	for i := range records {
		at := events.Time(i) * events.Second
		records[i] = engine.Segment{Job: &job, Start: at, End: at + events.Second, Nodes: nodes[:i%len(nodes)+1]}
	}
	write := func(t interface{ Fatal(...any) }, next func(left int) int) []byte {
		var out bytes.Buffer
		e, err := newParquet(&out, ColumnsOf(SegmentColumns), nil)
		if err != nil {
			t.Fatal(err)
		}
		b := newBatch(len(SegmentColumns))
		for at := 0; at < len(records); at += b.rows {
			b.reset()
			for i := range next(len(records) - at) {
				appendRow(b, SegmentColumns, &traces.Names{}, &records[at+i])
			}
			if err := e.write(b); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	whole := write(t, func(left int) int { return left })
	if len(whole) == 0 || len(records) > table.GroupRows {
		t.Fatal("not one row group")
	}
	rapid.Check(t, func(t *rapid.T) {
		cut := write(t, func(left int) int {
			return min(left, rapid.OneOf(rapid.Just(batchRows), rapid.IntRange(1, batchRows)).Draw(t, "rows"))
		})
		if !bytes.Equal(cut, whole) {
			t.Errorf("%d bytes; %d in one batch", len(cut), len(whole))
		}
	})
}
