package gpus

import (
	"math/bits"
	"slices"

	"bourse/policies"
)

// Whole is a device in thousandths, the grain in which devices are shared.
const Whole = policies.WholeDevice

// MaxDevices is the most devices a machine may have.
const MaxDevices = 64

// Models is a set of kinds of machines, by GPU model and partition, a bit for each; no bit at all means any.
type Models = uint64

// Ask is a job's need of one machine.
type Ask struct {
	CPU, Memory float64
	// Devices is the number of devices, Each how much of each, in thousandths: Whole, or
	// less of one device.
	Devices, Each int32
	Models        Models
}

// AskOf returns the ask of a need whose GPUs are in thousandths, of certain models.
func AskOf(need policies.Amount, models Models) Ask {
	a := Ask{CPU: need.CPU, Memory: need.Memory, Models: models}
	switch {
	case need.GPU >= Whole:
		a.Devices, a.Each = int32(need.GPU/Whole), Whole
	case need.GPU > 0:
		a.Devices, a.Each = 1, int32(need.GPU)
	}
	return a
}

// GPU is the sum over all devices asked for, in thousandths.
func (a *Ask) GPU() int32 { return a.Devices * a.Each }

// kind is a class of GPU clustering: 0 for a share of a device, else the number of devices.
func (a *Ask) kind() int {
	if a.Each < Whole {
		return 0
	}
	return int(a.Devices)
}

// Node is a machine: what it has free.
type Node struct {
	CPU, Memory float64
	Model       Models // one bit; 0 if no job asks for it
	// Devices is how much of each device is free, in thousandths, Idle their sum.
	Devices []int32
	Idle    int32
	Held    []int32 // running jobs with GPUs by kind
}

// NewNode returns a machine of which all is free.
func NewNode(cpu, memory float64, devices int, model Models) Node {
	n := Node{CPU: cpu, Memory: memory, Model: model, Devices: make([]int32, devices), Idle: int32(devices) * Whole,
		Held: make([]int32, devices+1)}
	for i := range n.Devices {
		n.Devices[i] = Whole
	}
	return n
}

// Clone returns an independent copy.
func (n *Node) Clone() Node {
	c := *n
	c.Devices, c.Held = slices.Clone(n.Devices), slices.Clone(n.Held)
	return c
}

// Fits reports whether the machine holds what is asked now.
func (n *Node) Fits(a *Ask) bool {
	if a.CPU > n.CPU || a.Memory > n.Memory {
		return false
	}
	return n.hasModel(a.Models) && (a.Devices == 0 || n.room(a))
}

func (n *Node) hasModel(m Models) bool { return m == 0 || m&n.Model != 0 }

// room reports whether so many devices have so much free.
func (n *Node) room(a *Ask) bool {
	left := a.Devices
	for _, free := range n.Devices {
		if free >= a.Each {
			if left--; left == 0 {
				return true
			}
		}
	}
	return false
}

// Room is the largest need of a single job that the machine holds (policies.Machine.Room).
func (n *Node) Room() policies.Amount {
	return policies.Amount{CPU: n.CPU, Memory: n.Memory, GPU: float64(policies.LargestRequest(n.Devices))}
}

// Put takes what is asked, on the devices of the set, bit i for device i.
func (n *Node) Put(a *Ask, devices uint64) { n.move(a, devices, 1) }

// Take gives it back.
func (n *Node) Take(a *Ask, devices uint64) { n.move(a, devices, -1) }

func (n *Node) move(a *Ask, devices uint64, sign int32) {
	n.CPU -= float64(sign) * a.CPU
	n.Memory -= float64(sign) * a.Memory
	if a.Devices == 0 {
		return
	}
	for ; devices != 0; devices &= devices - 1 {
		n.Devices[bits.TrailingZeros64(devices)] -= sign * a.Each
	}
	n.Idle -= sign * a.GPU()
	n.Held[a.kind()] += sign
}

// Count counts a job that runs on devices which are not free any more.
func (n *Node) Count(a *Ask) {
	if a.Devices > 0 {
		n.Held[a.kind()]++
	}
}

// fullest returns the device with the least room that is enough, the first of equals.
func (n *Node) fullest(each int32) uint64 {
	at := -1
	for i, free := range n.Devices {
		if free >= each && (at < 0 || free < n.Devices[at]) {
			at = i
		}
	}
	return 1 << at
}
