package scenario

import (
	"io"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
)

type listed []int64

func (l *listed) Record(o *engine.Outcome) error {
	*l = append(*l, o.Seq)
	return nil
}

// submissions is a source of jobs at given times.
type submissions struct {
	at   []events.Time
	next int
}

func (s *submissions) Header() *traces.Header { return &traces.Header{Ledger: &traces.Ledger{}} }
func (s *submissions) Next(j *traces.Job) error {
	if s.next == len(s.at) {
		return io.EOF
	}
	*j = traces.Job{Submit: s.at[s.next]}
	s.next++
	return nil
}

// TestTrim: whatever the order in which jobs end, exactly those between warm-up
// and cool-down are counted, once each.
func TestTrim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "jobs")
		src := &submissions{}
		at := events.Time(7)
		for range n {
			src.at = append(src.at, at)
			at += events.Time(rapid.IntRange(0, 5).Draw(t, "gap"))
		}
		edges := traces.Edges{WarmUp: events.Time(rapid.IntRange(0, 30).Draw(t, "warm")),
			CoolDown: events.Time(rapid.IntRange(0, 30).Draw(t, "cool"))}
		span := traces.Watch(src)
		var got listed
		trim := newTrim(&got, edges, span)
		var live []int64
		var j traces.Job
		read := int64(0)
		for read < int64(n) || len(live) > 0 {
			if read < int64(n) && (len(live) == 0 || rapid.Bool().Draw(t, "read")) {
				if err := span.Next(&j); err != nil {
					t.Fatal(err)
				}
				live = append(live, read)
				read++
				continue
			}
			k := rapid.IntRange(0, len(live)-1).Draw(t, "ends")
			if err := trim.Record(&engine.Outcome{Job: traces.Job{Submit: src.at[live[k]]}, Seq: live[k]}); err != nil {
				t.Fatal(err)
			}
			live = append(live[:k], live[k+1:]...)
		}
		if err := trim.Finish(); err != nil != (trim.Passed == 0) {
			t.Fatal(err)
		}
		seen := map[int64]bool{}
		for _, seq := range got {
			seen[seq] = true
		}
		for i, at := range src.at {
			if seen[int64(i)] == edges.Has(at, src.at[0], src.at[n-1]) {
				t.Fatalf("job at %v of %v, edges %+v: counted %v", at, src.at, edges, seen[int64(i)])
			}
		}
		if int64(len(got)) != trim.Passed || trim.Passed+trim.Left != int64(n) || len(seen) != len(got) {
			t.Fatalf("%d counted, %d left out of %d", trim.Passed, trim.Left, n)
		}
	})
}
