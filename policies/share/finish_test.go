package share

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFinishTimesExample: 4 processors; A is late, B has what it needs, C has just come.
func TestFinishTimesExample(t *testing.T) {
	agents, x := []Finishing{{4, 12, 16, 4}, {4, 8, 12, 1}, {0, 8, 6, 4}}, make([]float64, 3)
	if rho := FinishTimes(4, agents, x); !about(rho, .80671, 1e-5) {
		t.Errorf("rho is %g", rho)
	}
	for i, want := range []float64{1.3472, 1, 1.6528} {
		if !about(x[i], want, 1e-4) {
			t.Errorf("agent %d gets %g, want %g", i, x[i], want)
		}
	}
	if rho := FinishTimes(9, agents, x); rho != 0 || x[0] != 4 || x[1] != 1 || x[2] != 4 {
		t.Errorf("with room for all: %g, %v", rho, x)
	}
}

// TestFinishTimesTwin hands the machine out in small pieces, each to the agent of greatest
// rho that still needs some.
func TestFinishTimesTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 300 {
		agents := make([]Finishing, 1+r.IntN(6))
		for i := range agents {
			agents[i] = Finishing{float64(r.IntN(20)), float64(1 + r.IntN(30)), float64(1 + r.IntN(30)), float64(1 + r.IntN(4))}
		}
		const total, pieces = 4.0, 40_000
		slow, x := make([]float64, len(agents)), make([]float64, len(agents))
		for range pieces {
			worst, most := -1, 0.0
			for i, a := range agents {
				if rho := (a.Elapsed + a.Left/slow[i]) / a.Alone; slow[i] < a.Need && rho > most {
					worst, most = i, rho
				}
			}
			if worst < 0 {
				break
			}
			slow[worst] = min(agents[worst].Need, slow[worst]+total/pieces)
		}
		FinishTimes(total, agents, x)
		for i := range x {
			if math.Abs(x[i]-slow[i]) > 2*total/pieces*float64(len(x)) {
				t.Fatalf("%v: %v, piece by piece %v", agents, x, slow)
			}
		}
	}
}
