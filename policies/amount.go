package policies

import (
	"fmt"
	"math"

	"bourse/traces/suggest"
)

// Amount is how much of each resource a job asks for or a machine has: a vector of
// four named resources. On a machine of processors CPU is their number and there is
// nothing else. On a pool it is in grains, whole numbers small enough that every
// sum of them is exact.
//
// It is a struct and not an array because Go keeps structs of four numbers in
// registers, and arrays never: measured, an array of four costs the engine a tenth
// of its speed.
type Amount struct{ CPU, Memory, GPU, Disk float64 }

// Resources is the number of resources, ResourceNames what they are called in
// messages and columns.
const Resources = 4

// ResourceNames are in the order of Amount's fields.
var ResourceNames = [Resources]string{"cpu", "memory", "gpu", "disk"}

// At returns the amount of resource r, in the order of ResourceNames.
func (a Amount) At(r int) float64 {
	switch r {
	case 0:
		return a.CPU
	case 1:
		return a.Memory
	case 2:
		return a.GPU
	}
	return a.Disk
}

// Text spells an amount out: CPU and memory, and what else there is in a or in the
// total; without memory where there is none of it but GPUs or disk.
func (a Amount) Text(total Amount) string {
	some := func(r int) bool { return a.At(r) > 0 || total.At(r) > 0 }
	parts := []string{fmt.Sprintf("%.12g CPU", a.CPU)}
	if some(1) || total.GPU+total.Disk == 0 {
		parts = append(parts, fmt.Sprintf("%.12g memory", a.Memory))
	}
	if some(2) && a.GPU == 1 {
		parts = append(parts, "1 GPU")
	} else if some(2) {
		parts = append(parts, fmt.Sprintf("%.12g GPUs", a.GPU))
	}
	if some(3) {
		parts = append(parts, fmt.Sprintf("%.12g disk", a.Disk))
	}
	return suggest.And(parts)
}

// Fits reports whether a is at most b in every resource.
func (a Amount) Fits(b Amount) bool {
	return a.CPU <= b.CPU && a.Memory <= b.Memory && a.GPU <= b.GPU && a.Disk <= b.Disk
}

// Plus returns a + b.
func (a Amount) Plus(b Amount) Amount {
	return Amount{a.CPU + b.CPU, a.Memory + b.Memory, a.GPU + b.GPU, a.Disk + b.Disk}
}

// Minus returns a - b.
func (a Amount) Minus(b Amount) Amount {
	return Amount{a.CPU - b.CPU, a.Memory - b.Memory, a.GPU - b.GPU, a.Disk - b.Disk}
}

// Times returns a share of a. The products are rounded before anything is added.
func (a Amount) Times(rate float64) Amount {
	return Amount{float64(rate * a.CPU), float64(rate * a.Memory), float64(rate * a.GPU), float64(rate * a.Disk)}
}

// Max returns the larger of a and b in each resource.
func (a Amount) Max(b Amount) Amount {
	return Amount{max(a.CPU, b.CPU), max(a.Memory, b.Memory), max(a.GPU, b.GPU), max(a.Disk, b.Disk)}
}

// Min returns the smaller of a and b in each resource.
func (a Amount) Min(b Amount) Amount {
	return Amount{min(a.CPU, b.CPU), min(a.Memory, b.Memory), min(a.GPU, b.GPU), min(a.Disk, b.Disk)}
}

// Over returns a / b, resource by resource.
func (a Amount) Over(b Amount) Amount {
	return Amount{a.CPU / b.CPU, a.Memory / b.Memory, a.GPU / b.GPU, a.Disk / b.Disk}
}

// Share returns the part of total that a is in each resource, 0 where there is none of it.
func (a Amount) Share(total Amount) Amount {
	of := func(a, total float64) float64 {
		if total > 0 {
			return a / total
		}
		return 0
	}
	return Amount{of(a.CPU, total.CPU), of(a.Memory, total.Memory), of(a.GPU, total.GPU), of(a.Disk, total.Disk)}
}

// Dominant returns the largest fraction of total that a is in any resource, and
// which resource that is; a resource there is nothing of does not count.
func (a Amount) Dominant(total Amount) (share float64, resource int) {
	for r := range Resources {
		if of := total.At(r); of > 0 && a.At(r)/of > share {
			share, resource = a.At(r)/of, r
		}
	}
	return share, resource
}

// Sum adds numbers with Neumaier's compensation (1974): it carries about twice
// the digits of a float64, so its error does not grow with the count, 1/n added
// n times is 1, and the difference of two large integrals is exact to the last
// digits of a bill. The order of the additions still fixes the last bit.
type Sum struct{ sum, lost float64 }

// Add adds x.
func (s *Sum) Add(x float64) { *s = s.Plus(x) }

// Plus returns the sum and x. In a loop it stays in registers, where Add goes through memory.
func (s Sum) Plus(x float64) Sum {
	t := s.sum + x
	if math.Abs(s.sum) >= math.Abs(x) {
		return Sum{t, s.lost + ((s.sum - t) + x)}
	}
	return Sum{t, s.lost + ((x - t) + s.sum)}
}

// Merge adds what another sum has gathered.
func (s *Sum) Merge(t Sum) {
	s.Add(t.sum)
	s.Add(t.lost)
}

// Value returns the sum.
func (s Sum) Value() float64 { return s.sum + s.lost }

// Minus returns the difference of two sums.
func (s Sum) Minus(t Sum) float64 { return (s.sum - t.sum) + (s.lost - t.lost) }
