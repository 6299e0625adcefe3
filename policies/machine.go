package policies

import (
	"math/bits"

	"bourse/events"
)

// Machine is one machine of a cluster.
type Machine struct {
	// ID is the trace's number for it.
	ID int64
	// Up reports whether it is in service; Capacity is what it has, Free what of that is
	// idle before the decisions of a round.
	Up             bool
	Capacity, Free Amount
	// Devices is how much of each of its GPUs is free, in thousandths, Models the bit of
	// the machine's kind: the GPUs' model and its partitions.
	Devices []int32
	Models  uint64
}

// Absence is a time in which one of the Machines will be away, known in advance.
type Absence struct {
	Machine     int32
	From, Until events.Time
}

// Room is the largest need of a single job that the machine holds: the GPUs that are free together are
// not in one place, and the most that one job can have is all that are wholly free, or
// else the most that is free of one.
func (m *Machine) Room() Amount {
	room := m.Free
	if len(m.Devices) > 0 {
		room.GPU = float64(LargestRequest(m.Devices))
	}
	return room
}

// WholeDevice is a GPU in the thousandths in which they are shared.
const WholeDevice = 1000

// LargestRequest returns the most that one job can have of devices of which so much is
// free: a request fits if and only if it is at most that.
func LargestRequest(free []int32) int32 {
	whole, most := int32(0), int32(0)
	for _, f := range free {
		if most = max(most, f); f == WholeDevice {
			whole++
		}
	}
	return max(whole*WholeDevice, most)
}

// Holds reports whether the machine has room for a piece of a job now.
func (m *Machine) Holds(j *Job, piece Amount) bool {
	return m.Up && piece.Fits(m.Room()) && (j.Models == 0 || j.Models&m.Models != 0)
}

// FirstDevices returns the first of devices, of which so much is free, that a request for so
// many thousandths may have: whole ones, or one that has a share.
func FirstDevices(free []int32, gpu int32) (devices uint64) {
	each := min(gpu, WholeDevice)
	for i := 0; i < len(free) && gpu > 0; i++ {
		if free[i] >= each {
			devices |= 1 << i
			gpu -= each
		}
	}
	return devices
}

// Take takes what a piece needs from what is free, its GPUs evenly from devices.
func (m *Machine) Take(piece Amount, devices uint64) {
	m.Free = m.Free.Minus(piece)
	if devices != 0 {
		m.hold(devices, int32(piece.GPU))
	}
}

// Give gives it back.
func (m *Machine) Give(piece Amount, devices uint64) {
	m.Free = m.Free.Plus(piece)
	if devices != 0 {
		m.hold(devices, -int32(piece.GPU))
	}
}

func (m *Machine) hold(devices uint64, gpu int32) {
	for each := gpu / int32(bits.OnesCount64(devices)); devices != 0; devices &= devices - 1 {
		m.Devices[bits.TrailingZeros64(devices)] -= each
	}
}
