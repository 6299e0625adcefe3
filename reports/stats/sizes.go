package stats

import (
	"fmt"
	"math"
	"math/bits"
)

// NumSizes is the number of classes of jobs by processors: 1, 2 to 4, 5 to 16, ...
const NumSizes = 10

// SizeClass returns the class of a job: powers of four.
func SizeClass(procs float64) int {
	n := uint64(max(1, math.Ceil(procs)))
	return min((bits.Len64(n-1)+1)/2, NumSizes-1)
}

// SizeName names a class of jobs by their processors.
func SizeName(class int) string {
	switch low, high := int64(1)<<(2*class-min(2*class, 2))+1, int64(1)<<(2*class); {
	case class == 0:
		return "1"
	case class == NumSizes-1:
		return fmt.Sprintf("%d and more", low)
	default:
		return fmt.Sprintf("%d to %d", low, high)
	}
}
