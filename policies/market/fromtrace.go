package market

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"bourse/traces"
)

// By is a definition of the machines of a trace.
type By int

// The ways to tell machines apart. Logs tell the partition a job ran in, if
// anything, but not the nodes; jobs of different sizes need different machines.
const (
	// BySizeInPartition is a class of sizes in a partition.
	BySizeInPartition By = iota
	ByPartition
	BySize
	ByQueue
)

// Ways are the names of the ways, in their order.
var Ways = []string{"partition+size", "partition", "size", "queue"}

// usage is the key under which work is gathered.
type usage struct {
	user, place traces.Label
	size        int // the class: sizes up to 2^size, -1 if sizes do not matter
}

// FromTrace reads a trace to its end and makes preferences of it: a user's weight
// for a machine is the part of their processor-seconds that they used there. A size
// class is the sizes above one power of two and up to the next, named by the
// latter. Jobs that did not run, and those of which the trace does not tell the
// user or the size, have no part in it and are counted. Memory is that of the
// different (user, machine) pairs.
func FromTrace(src traces.Source, by By) (p *Preferences, leftOut int, err error) {
	if by < BySizeInPartition || by > ByQueue {
		return nil, 0, fmt.Errorf("unknown grouping of jobs into machines: %d", int(by))
	}
	work := map[usage]float64{}
	var keys []usage
	err = traces.Each(src, func(j *traces.Job) error {
		if j.Run <= 0 || j.Procs <= 0 || j.User == traces.NoLabel {
			leftOut++
			return nil
		}
		key := keyOf(j, by)
		if _, known := work[key]; !known {
			keys = append(keys, key)
		}
		work[key] += float64(j.Run.Seconds() * float64(j.Procs))
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	if len(keys) == 0 {
		return nil, leftOut, fmt.Errorf("%s has no job of known user, size and run time", src.Header().Name)
	}
	h := src.Header()
	places := h.Names.Partitions
	if by == ByQueue {
		places = h.Names.Queues
	}
	return tabulate(keys, work, h.Names.Users, places), leftOut, nil
}

func keyOf(j *traces.Job, by By) usage {
	key := usage{j.User, traces.NoLabel, -1}
	switch by {
	case ByPartition:
		key.place = j.Partition
	case ByQueue:
		key.place = j.Queue
	case BySizeInPartition:
		key.place = j.Partition
		fallthrough
	case BySize:
		key.size = bits.Len32(uint32(j.Procs - 1))
	}
	return key
}

// tabulate makes the table: users in order of their labels, machines by place and
// then size.
func tabulate(keys []usage, work map[usage]float64, people, places *traces.Words) *Preferences {
	users, machines := make([]traces.Label, len(keys)), make([]usage, len(keys))
	for k, key := range keys {
		users[k] = key.user
		machines[k] = usage{0, key.place, key.size}
	}
	slices.Sort(users)
	users = slices.Compact(users)
	order := func(a, b usage) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.size, b.size)) }
	slices.SortFunc(machines, order)
	machines = slices.Compact(machines)
	p := &Preferences{Weights: rows(len(users), len(machines))}
	for _, key := range keys {
		i, _ := slices.BinarySearch(users, key.user)
		j, _ := slices.BinarySearchFunc(machines, usage{0, key.place, key.size}, order)
		p.Weights[i][j] = work[key]
	}
	Normalise(p.Weights)
	for _, u := range users {
		name, _ := people.Text(u)
		p.Users = append(p.Users, name)
	}
	for _, m := range machines {
		p.Machines = append(p.Machines, m.name(places))
	}
	return p
}

// name calls a machine "3/8": partition or queue 3, sizes up to 8. Where the trace
// does not give the place it is left out, and "?" is used if there is nothing else.
func (m usage) name(places *traces.Words) string {
	place, told := places.Text(m.place)
	switch {
	case m.size < 0 && !told:
		return "?"
	case m.size < 0:
		return place
	case !told:
		return strconv.Itoa(1 << m.size)
	}
	return place + "/" + strconv.Itoa(1<<m.size)
}
