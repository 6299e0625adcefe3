package reports_test

import (
	"errors"
	"slices"
	"testing"

	"bourse/engine"
	"bourse/reports"
)

// listed keeps what it is told of each record, and fails at one of them.
type listed struct {
	seqs   []int64
	bills  []float64
	failAt int64
}

var errListed = errors.New("no more room")

func (l *listed) Record(o *engine.Outcome) error {
	if o.Seq == l.failAt {
		return errListed
	}
	l.seqs = append(l.seqs, o.Seq)
	l.bills = append(l.bills, o.Also...)
	return nil
}

// TestBehind wants a sink behind to be told the same in the same order, whatever
// becomes of the record passed on, and its error to come back.
func TestBehind(t *testing.T) {
	const n = 3000
	told, behind := &listed{failAt: -1}, &listed{failAt: -1}
	b := reports.NewBehind(behind)
	bills := make([]float64, 2)
	o := &engine.Outcome{Also: bills}
	for i := range int64(n) {
		o.Seq, bills[0], bills[1] = i, float64(i), float64(-i)
		if err := errors.Join(told.Record(o), b.Record(o)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(b.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	if len(told.seqs) != n || !slices.Equal(told.seqs, behind.seqs) || !slices.Equal(told.bills, behind.bills) {
		t.Errorf("%d records reached the sink, or not as they were", len(behind.seqs))
	}

	for _, at := range []int64{10, n - 1} {
		failing := &listed{failAt: at}
		b := reports.NewBehind(failing)
		var err error
		for i := int64(0); i < n && err == nil; i++ {
			err = b.Record(&engine.Outcome{Seq: i})
		}
		if err != nil && !errors.Is(err, errListed) || !errors.Is(b.Close(), errListed) || len(failing.seqs) != int(at) {
			t.Errorf("a sink that fails at %d took %d records and the error is %v", at, len(failing.seqs), err)
		}
	}
}
