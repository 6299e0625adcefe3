package policies

// Linear is as fast as there are processors, up to a number of them if it is not 0.
type Linear float64

// At implements Law.
func (l Linear) At(n float64) float64 {
	if l > 0 {
		n = min(n, float64(l))
	}
	return n
}

// Most implements Law.
func (l Linear) Most() float64 { return float64(l) }

// Amdahl is the speed of work of which a fraction is serial (Amdahl 1967): 1 / (serial + (1 - serial) / n). Below one
// processor, which is a share of one, it is linear.
type Amdahl float64

// At implements Law.
func (serial Amdahl) At(n float64) float64 {
	if n < 1 {
		return n
	}
	return 1 / (float64(serial) + (1-float64(serial))/n)
}

// Most implements Law.
func (Amdahl) Most() float64 { return 0 }

// Downey is the speed by average parallelism A and coefficient of variance sigma of it (Downey 1997, "A model for
// speedup of parallel programs", sections 3.1 and 3.2).
type Downey struct{ A, Sigma float64 }

// At implements Law.
func (d Downey) At(n float64) float64 {
	a, s := d.A, d.Sigma
	switch {
	case n < 1:
		return n
	case s <= 1 && n <= a:
		return a * n / (a + float64(s*(n-1)/2))
	case s <= 1 && n <= 2*a-1:
		return a * n / (float64(s*(a-.5)) + float64(n*(1-float64(s/2))))
	case s <= 1:
		return a
	case n < a+float64(a*s)-s:
		return n * a * (s + 1) / (float64(s*(n+a-1)) + a)
	}
	return a
}

// Most implements Law.
func (Downey) Most() float64 { return 0 }

// Table is the speed on 1, 2, ... processors in any unit; between two it is linear in the number.
type Table []float64

// At implements Law.
func (t Table) At(n float64) float64 {
	i := min(int(n), len(t))
	switch part := n - float64(i); {
	case i == 0:
		return n * t[0]
	case i == len(t) || part == 0:
		return t[i-1]
	default:
		return t[i-1] + float64(part*(t[i]-t[i-1]))
	}
}

// Most implements Law.
func (t Table) Most() float64 { return float64(len(t)) }
