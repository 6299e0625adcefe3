package google

import (
	"cmp"
	"encoding/binary"
	"io"
	"math"

	"bourse/events"
	"bourse/traces/input"
)

// eventSorter puts the rows of instance_events in order: a table that was
// exported from a database comes in no order at all.
//
// Rows of one task at one instant have no order of their own either. Ends come
// first if the task is there then, as when it is evicted and submitted again, and
// last if it is not; between them come submission, queue, enabling, schedule,
// updates.
type eventSorter = input.DiskSorter[taskEvent, *taskEvent]

// turns is the order of what happens to a task at an instant, ends first.
var turns = [numKinds]int{evict: 0, fail: 1, finish: 2, kill: 3, lost: 4, submit: 5, queue: 6, enable: 7, schedule: 8, updatePending: 9, updateRunning: 10}

// ends reports whether a kind ends a task.
func (k kind) ends() bool { return turns[k] < turns[submit] }

// Compare is a total order of what rows say, whatever file they stand in.
func (e *taskEvent) Compare(f *taskEvent) int {
	if c := e.instant(f); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(turns[e.kind], turns[f.kind]), cmp.Compare(e.cpu, f.cpu), cmp.Compare(e.mem, f.mem),
		cmp.Compare(e.priority, f.priority), cmp.Compare(e.class, f.class), cmp.Compare(e.machine, f.machine))
}

// instant is 0 for rows of one task at one time.
func (e *taskEvent) instant(f *taskEvent) int {
	if c := cmp.Compare(e.at, f.at); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(e.job, f.job), cmp.Compare(e.task, f.task))
}

// play takes the sorted rows through the state machine.
func play(rows *eventSorter, tasks *tasks) error {
	var next taskEvent
	err := rows.Next(&next)
	var same []taskEvent // of one task at one time
	for err == nil {
		same = append(same[:0], next)
		for err = rows.Next(&next); err == nil && next.instant(&same[0]) == 0; err = rows.Next(&next) {
			same = append(same, next)
		}
		n := 0
		if len(same) > 1 && !tasks.live(&same[0]) {
			for n < len(same) && same[n].kind.ends() {
				n++
			}
		}
		for i := range same {
			if fault := tasks.apply(&same[(n+i)%len(same)], nil); fault != nil {
				return fault
			}
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// live reports whether an event's task waits or runs.
func (s *tasks) live(e *taskEvent) bool {
	x, ok := s.index[taskKey{e.job, e.task}]
	return ok && s.slots[x].state != ended
}

// eventBytes is the size of a row on disk.
const eventBytes = 5*8 + 4*4 + 2

func (e *taskEvent) Size() int { return eventBytes }

func (e *taskEvent) Encode(b []byte) {
	for i, v := range [...]uint64{uint64(e.at), uint64(e.job), uint64(e.machine), math.Float64bits(e.cpu), math.Float64bits(e.mem)} {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
	for i, v := range [...]int32{e.task, e.user, e.priority, e.class} {
		binary.LittleEndian.PutUint32(b[40+4*i:], uint32(v))
	}
	b[56], b[57] = byte(e.kind), 0
	if e.missing {
		b[57] = 1
	}
}

func (e *taskEvent) Decode(b []byte) {
	whole := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[8*i:])) }
	small := func(i int) int32 { return int32(binary.LittleEndian.Uint32(b[40+4*i:])) }
	*e = taskEvent{
		at: events.Time(whole(0)), job: whole(1), machine: whole(2), cpu: math.Float64frombits(uint64(whole(3))), mem: math.Float64frombits(uint64(whole(4))),
		task: small(0), user: small(1), priority: small(2), class: small(3), kind: kind(b[56]), missing: b[57] == 1,
	}
}
