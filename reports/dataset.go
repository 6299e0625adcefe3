package reports

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

// dataset turns records of type R into one stream of bytes. Rows are gathered
// in columns on the caller's goroutine; encoding, compressing and writing
// happen on the dataset's own, so that they run beside the replay. Batches go
// round between the two, and nothing is allocated per record.
type dataset[R any] struct {
	table []field[R]
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
	ref        DatasetRef
}

// newDataset opens an encoder on w and starts its goroutine. name stands for
// the destination in messages.
func newDataset[R any](w io.Writer, name string, f *format, table []field[R], names *traces.Names, notes []note) (*dataset[R], error) {
	d := &dataset[R]{
		table: table, names: names, name: name, out: newOutput(w), made: 1,
		filling: newBatch(len(table)), done: make(chan struct{}),
		full: make(chan *batch, batchesInFlight), free: make(chan *batch, batchesInFlight),
	}
	var enc encoder
	err := d.out.guard(func() (err error) {
		enc, err = f.open(d.out, columnsOf(table), notes)
		return err
	})
	if err != nil {
		return nil, d.explain(err)
	}
	go d.encode(enc, d.full)
	return d, nil
}

func (d *dataset[R]) explain(err error) error { return fmt.Errorf("writing %s: %w", d.name, err) }

// encode is the dataset's goroutine. After a failure it goes on taking
// batches, so that the other side never blocks, and drops them.
func (d *dataset[R]) encode(enc encoder, full <-chan *batch) {
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

// add adds one record. It returns an earlier batch's error, if there was one.
func (d *dataset[R]) add(r *R) error {
	appendRow(d.filling, d.table, d.names, r)
	d.rows++
	if d.filling.rows < batchRows && d.filling.text < batchText {
		return nil
	}
	return d.handOver()
}

// handOver passes the filled batch on and takes an empty one.
func (d *dataset[R]) handOver() error {
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

func (d *dataset[R]) err() error {
	if err := d.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// finish encodes what is left and waits until every byte is passed on.
func (d *dataset[R]) finish() error {
	if d.filling.rows > 0 {
		d.full <- d.filling
	}
	d.stop()
	return d.err()
}

// stop ends the goroutine and waits for it. It may be called again.
func (d *dataset[R]) stop() {
	if !d.stopped {
		d.stopped = true
		close(d.full)
	}
	<-d.done
}

// describe tells what was written. It may be called after finish only.
func (d *dataset[R]) describe() DatasetRef {
	ref := d.ref
	ref.Rows, ref.Bytes, ref.SHA256 = d.rows, d.out.size, hexSum(d.out.sum.Sum(nil))
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

// hexSum spells a hash out.
func hexSum(sum []byte) string { return hex.EncodeToString(sum) }
