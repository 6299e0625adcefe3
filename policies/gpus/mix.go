package gpus

import (
	"cmp"
	"slices"
)

// Kind is a kind of request, all of one ask, and how many of it there are.
type Kind struct {
	Ask
	// Names spells the models out, for the order of kinds that are equally frequent.
	Names string
	Count int
}

// Mix is the typical demand, against which fragmentation is measured: kinds of
// requests with their parts of the whole.
type Mix []Typical

// Typical is a kind of request and its part of a Mix.
type Typical struct {
	Ask
	Part float64
}

// Covered is the part of all requests that a Mix covers at least.
const Covered = .95

// MixOf takes the most frequent kinds until they cover enough of all requests, and
// leaves the rest out. Memory plays no part: kinds that differ in nothing else have to be one.
func MixOf(kinds []Kind) Mix {
	kinds = slices.Clone(kinds)
	slices.SortFunc(kinds, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(b.CPU, a.CPU), cmp.Compare(b.Each, a.Each),
			cmp.Compare(b.Devices, a.Devices), cmp.Compare(b.Names, a.Names), cmp.Compare(b.Models, a.Models))
	})
	all := 0
	for _, k := range kinds {
		all += k.Count
	}
	var m Mix
	covered := 0
	for _, k := range kinds {
		if float64(covered) >= Covered*float64(all) {
			break
		}
		covered += k.Count
		m = append(m, Typical{k.Ask, float64(k.Count) / float64(all)})
	}
	for i := range m {
		m[i].Part /= float64(covered) / float64(all)
	}
	return m
}

// use is the usability of a machine's free GPUs for a typical job. The order is that
// in which they are summed up: where nothing changes, the gradient lies exactly between
// two scores, and its last bit decides.
type use uint8

const (
	lacksBoth  use = iota // neither CPU nor devices
	lacksGPU              // CPU but no devices, or devices too small to be of use
	lacksCPU              // devices but no CPU
	wantsNone             // the job wants no GPU and could run
	wantsNoCPU            // it wants no GPU and could not
	wrongModel
	uses
)

// Fragment returns how much of the machine's free GPUs cannot be used by a job of the mix,
// in thousandths, on the average over the mix: all of it unless the job wants GPUs and fits
// with CPU, devices and model, and then what is free of devices that are too small for it.
// Memory plays no part (Weng et al., section 3.2).
func (m Mix) Fragment(n *Node) float64 { return m.fragment(n, n.CPU, -1, 0) }

// fragment is Fragment with so much CPU free, and with taken thousandths less of device d.
func (m Mix) fragment(n *Node, cpu float64, d int, taken int32) float64 {
	idle := n.Idle
	if d >= 0 {
		idle -= taken
	}
	if idle == 0 {
		return 0
	}
	var sum [uses]float64
	for i := range m {
		t := &m[i]
		enough := t.CPU <= cpu
		if t.Devices == 0 {
			u := wantsNone
			if !enough {
				u = wantsNoCPU
			}
			sum[u] += float64(t.Part * float64(idle))
			continue
		}
		if !n.hasModel(t.Models) {
			sum[wrongModel] += float64(t.Part * float64(idle))
			continue
		}
		small, large := int32(0), int32(0)
		for k, free := range n.Devices {
			if k == d {
				free -= taken
			}
			if free < t.Each {
				small += free
			} else {
				large++
			}
		}
		switch fits := large >= t.Devices; {
		case fits && enough:
			sum[lacksGPU] += float64(t.Part * float64(small))
		case fits:
			sum[lacksCPU] += float64(t.Part * float64(idle))
		case enough:
			sum[lacksGPU] += float64(t.Part * float64(idle))
		default:
			sum[lacksBoth] += float64(t.Part * float64(idle))
		}
	}
	all := 0.0
	for _, x := range sum {
		all += x
	}
	return all
}
