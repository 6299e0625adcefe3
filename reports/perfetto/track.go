package perfetto

import (
	"fmt"
	"math"
	"slices"

	"bourse/events"
)

// track describes a new track below parent (0: none) and returns its number. Tracks of one
// parent are shown in the order of rank; unit makes it a counter.
func (t *Trace) track(parent uint64, rank int, name, unit string) (uint64, error) {
	t.tracks++
	var d message
	d.number(trackUUID, t.tracks)
	d.text(trackName, name)
	if parent != 0 {
		d.number(trackParent, parent)
	}
	if unit != "" {
		var c message
		c.text(counterUnit, unit)
		d.message(trackCounter, c)
	}
	d.number(trackOrdering, byRank)
	d.number(trackRank, uint64(rank))
	t.packet = t.packet[:0]
	t.packet.number(packetSequence, 1)
	t.packet.message(packetDescriptor, d)
	return t.tracks, t.write()
}

// lanes are tracks for slices that may overlap: those of one track do not.
type lanes struct {
	parent uint64
	name   string // of every lane; the viewer draws tracks of one name as one
	free   []lane // by the end of their last slice
}

type lane struct {
	end   events.Time
	track uint64
}

// take returns the track for a slice; slices come in order of their end. Of the lanes that
// are free by its start the last one to become so serves it, which needs the fewest. The
// search takes log n of n lanes; moving a lane to the end copies those behind it.
func (t *Trace) take(l *lanes, start, end events.Time) (uint64, error) {
	i, _ := slices.BinarySearchFunc(l.free, start+1, func(a lane, s events.Time) int {
		if a.end < s {
			return -1
		}
		return 1
	})
	var used lane
	if i == 0 {
		track, err := t.track(l.parent, len(l.free), l.name, "")
		if err != nil {
			return 0, err
		}
		used.track = track
	} else {
		used = l.free[i-1]
		l.free = slices.Delete(l.free, i-1, i)
	}
	used.end = end
	l.free = append(l.free, used)
	return used.track, nil
}

// group returns the lanes of a key, below the top-level track of that name and rank.
func (t *Trace) group(of map[int64]*lanes, top *uint64, place int, title string, key int64, name string) (*lanes,
	error) {
	if l := of[key]; l != nil {
		return l, nil
	}
	if *top == 0 {
		track, err := t.track(0, place, title, "")
		if err != nil {
			return nil, err
		}
		*top = track
	}
	rank := key
	if key < 0 || key > math.MaxInt32 { // a name, in the order of appearance
		rank = int64(len(of))
	}
	track, err := t.track(*top, int(rank), name, "")
	if err != nil {
		return nil, err
	}
	l := &lanes{parent: track, name: name}
	of[key] = l
	return l, nil
}

// processor returns the lanes of a set of processors ("4-7 9"): those of the first.
func (t *Trace) processor(nodes []byte) (*lanes, error) {
	first := int64(0)
	for _, c := range nodes {
		if c < '0' || c > '9' {
			break
		}
		first = 10*first + int64(c-'0')
	}
	return t.group(t.places, &t.machine, 1, "processors", first, fmt.Sprintf("from processor %d", first))
}
