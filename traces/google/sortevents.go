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
// exported from a database is in no order at all.
//
// Rows of one task at one instant have no order of their own either. Ends come
// first if the task is there then, as when it is evicted and submitted again, and
// last if it is not; between them come submission, queue, enabling, schedule,
// updates.
type eventSorter = input.DiskSorter[TaskEvent, *TaskEvent]

// turns is the order of what happens to a task at an instant, ends first.
var turns = [numKinds]int{Evict: 0, Fail: 1, Finish: 2, Kill: 3, Lost: 4, Submit: 5, Queue: 6, Enable: 7, Schedule: 8,
	UpdatePending: 9, UpdateRunning: 10}

// ends reports whether a kind ends a task.
func (k Kind) ends() bool { return turns[k] < turns[Submit] }

// Compare is a total order of what rows say, whatever file they are in.
func (e *TaskEvent) Compare(f *TaskEvent) int {
	if c := e.instant(f); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(turns[e.Kind], turns[f.Kind]), cmp.Compare(e.CPU, f.CPU), cmp.Compare(e.Memory, f.Memory),
		cmp.Compare(e.Priority, f.Priority), cmp.Compare(e.Class, f.Class), cmp.Compare(e.Machine, f.Machine))
}

// instant is 0 for rows of one task at one time.
func (e *TaskEvent) instant(f *TaskEvent) int {
	if c := cmp.Compare(e.At, f.At); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(e.Job, f.Job), cmp.Compare(e.Task, f.Task))
}

// play takes the sorted rows through the state machine.
func play(rows *eventSorter, tasks *tasks) error {
	var next TaskEvent
	err := rows.Next(&next)
	var same []TaskEvent // of one task at one time
	for err == nil {
		same = append(same[:0], next)
		for err = rows.Next(&next); err == nil && next.instant(&same[0]) == 0; err = rows.Next(&next) {
			same = append(same, next)
		}
		n := 0
		if len(same) > 1 && !tasks.live(&same[0]) {
			for n < len(same) && same[n].Kind.ends() {
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

// live reports whether the task of an event waits or runs.
func (s *tasks) live(e *TaskEvent) bool {
	x, ok := s.index[taskKey{e.Job, e.Task}]
	return ok && s.slots[x].state != ended
}

// eventBytes is the size of a row on disk.
const eventBytes = 5*8 + 4*4 + 2

func (e *TaskEvent) Size() int { return eventBytes }

func (e *TaskEvent) Encode(b []byte) {
	for i, v := range [...]uint64{uint64(e.At), uint64(e.Job), uint64(e.Machine), math.Float64bits(e.CPU),
		math.Float64bits(e.Memory)} {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
	for i, v := range [...]int32{e.Task, e.user, e.Priority, e.Class} {
		binary.LittleEndian.PutUint32(b[40+4*i:], uint32(v))
	}
	b[56], b[57] = byte(e.Kind), 0
	if e.Missing {
		b[57] = 1
	}
}

func (e *TaskEvent) Decode(b []byte) {
	whole := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[8*i:])) }
	small := func(i int) int32 { return int32(binary.LittleEndian.Uint32(b[40+4*i:])) }
	*e = TaskEvent{
		At: events.Time(whole(0)), Job: whole(1), Machine: whole(2), CPU: math.Float64frombits(uint64(whole(3))),
		Memory: math.Float64frombits(uint64(whole(4))),
		Task:   small(0), user: small(1), Priority: small(2), Class: small(3), Kind: Kind(b[56]), Missing: b[57] == 1,
	}
}
