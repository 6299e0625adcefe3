package policies

// The resources a job may ask for.
const (
	CPU = iota // processors, where that is all a machine has
	Memory
	Resources // their number
)

// ResourceNames are the resources' names, for messages and columns.
var ResourceNames = [Resources]string{"cpu", "memory"}

// Amount is how much of each resource a job asks for or a machine has. On a
// machine of processors it is their number and no memory. On a pool it is in
// grains, whole numbers small enough that every sum of them is exact.
type Amount [Resources]float64

// Fits reports whether a is at most b in every resource.
func (a Amount) Fits(b Amount) bool { return a[CPU] <= b[CPU] && a[Memory] <= b[Memory] }

// Plus returns a + b.
func (a Amount) Plus(b Amount) Amount { return Amount{a[CPU] + b[CPU], a[Memory] + b[Memory]} }

// Minus returns a - b.
func (a Amount) Minus(b Amount) Amount { return Amount{a[CPU] - b[CPU], a[Memory] - b[Memory]} }

// Times returns a share of a. The products are rounded before anything is added.
func (a Amount) Times(rate float64) Amount {
	return Amount{float64(rate * a[CPU]), float64(rate * a[Memory])}
}

// Dominant returns the largest fraction of total that a is in any resource, and
// which resource that is; a resource there is nothing of does not count.
func (a Amount) Dominant(total Amount) (share float64, resource int) {
	for r := range a {
		if total[r] > 0 && a[r]/total[r] > share {
			share, resource = a[r]/total[r], r
		}
	}
	return share, resource
}
