package record

import (
	"encoding/hex"
	"fmt"
	"io"
	"sync/atomic"

	"bourse/traces"
)

// batchesInFlight is the number of batches a dataset owns: one being filled,
// one waiting, one being encoded.
const batchesInFlight = 3

// Stream turns records of type R into one stream of bytes. Rows are gathered
// in columns on the caller's goroutine; encoding, compressing and writing
// happen on the dataset's own, so that they run beside the replay. Batches go
// round between the two, and nothing is allocated per record.
type Stream[R any] struct {
	table []Field[R]
	names *traces.Names
	rows  int64

	filling    *batch
	made       int
	full, free chan *batch
	done       chan struct{}
	stopped    bool
	failed     atomic.Pointer[error]
	out        *output
	name       string // for messages: the path, or "standard output"
	Ref        DatasetRef
}

// NewStream opens an encoder on w and starts its goroutine. name is
// the destination in messages.
func NewStream[R any](w io.Writer, name string, f *Format, table []Field[R], names *traces.Names,
	notes []note) (*Stream[R], error) {
	d := &Stream[R]{
		table: table, names: names, name: name, out: newOutput(w), made: 1,
		filling: newBatch(len(table)), done: make(chan struct{}),
		full: make(chan *batch, batchesInFlight), free: make(chan *batch, batchesInFlight),
	}
	var enc encoder
	err := d.out.guard(func() (err error) {
		enc, err = f.open(d.out, ColumnsOf(table), notes)
		return err
	})
	if err != nil {
		return nil, d.explain(err)
	}
	go d.encode(enc, d.full)
	return d, nil
}

// openTable begins a dataset, in one of Formats, whose labels have no names.
func openTable[R any](w io.Writer, at, format, version, name string, table []Field[R]) (*Stream[R], error) {
	f, err := FormatNamed(format)
	if err != nil {
		return nil, err
	}
	return NewStream(w, at, f, table, &traces.Names{}, NotesOf(name, version, ColumnsOf(table)))
}

func (d *Stream[R]) explain(err error) error { return fmt.Errorf("writing %s: %w", d.name, err) }

// encode is the dataset's goroutine. After a failure it continues to take
// batches, so that the other side never blocks, and drops them.
func (d *Stream[R]) encode(enc encoder, full <-chan *batch) {
	defer close(d.done)
	run := func(f func() error) {
		if d.failed.Load() != nil {
			return
		}
		if err := d.out.guard(f); err != nil {
			err = d.explain(err)
			d.failed.Store(&err)
		}
	}
	for b := range full {
		run(func() error { return enc.write(b) })
		d.free <- b
	}
	run(enc.close)
	run(d.out.flush)
}

// Add adds one record. It returns an earlier batch's error, if there was one.
func (d *Stream[R]) Add(r *R) error {
	appendRow(d.filling, d.table, d.names, r)
	d.rows++
	if d.filling.rows < batchRows && d.filling.text < batchText {
		return nil
	}
	return d.handOver()
}

// handOver passes the filled batch on and takes an empty one.
func (d *Stream[R]) handOver() error {
	d.full <- d.filling
	if d.made < batchesInFlight && len(d.free) == 0 {
		d.made++
		d.filling = newBatch(len(d.table))
	} else {
		d.filling = <-d.free
		d.filling.reset()
	}
	return d.err()
}

func (d *Stream[R]) err() error {
	if err := d.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// End hands over the last rows, which are encoded while the caller goes on. No record
// may be added after it.
func (d *Stream[R]) End() {
	if d.stopped {
		return
	}
	if d.filling.rows > 0 {
		d.full <- d.filling
	}
	d.stopped = true
	close(d.full)
}

// Finish encodes what is left and waits until every byte is passed on.
func (d *Stream[R]) Finish() error {
	d.End()
	<-d.done
	return d.err()
}

// Stop ends the goroutine and waits for it. It may be called again.
func (d *Stream[R]) Stop() {
	if !d.stopped {
		d.stopped = true
		close(d.full)
	}
	<-d.done
}

// Describe returns what was written. It may be called after finish only.
func (d *Stream[R]) Describe() DatasetRef {
	ref := d.Ref
	ref.Rows, ref.Bytes, ref.SHA256 = d.rows, d.out.size, HexSum(d.out.sum.Sum(nil))
	return ref
}

// DatasetRef describes one data file of a run.
type DatasetRef struct {
	File   string `json:"file"`
	Format string `json:"format"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// HexSum spells a hash out.
func HexSum(sum []byte) string { return hex.EncodeToString(sum) }
