package market

import (
	"bourse/traces/rng"
)

// Preferences are weights with names: one row per user, one column per machine.
type Preferences struct {
	Users, Machines []string
	Weights         [][]float64
}

// Uniform draws each weight from U(0,1), independently, and normalises (section
// 5): a user's weights sum to 1.
func Uniform(r *rng.Rand, users, machines int) [][]float64 {
	weights := rows(users, machines)
	for _, row := range weights {
		for j := range row {
			row[j] = r.Open()
		}
	}
	Normalise(weights)
	return weights
}

// Correlated draws a profile of resources from U(0,1) for each user and machine;
// weights are the scalar products, normalised (section 5, where there are three
// resources).
func Correlated(r *rng.Rand, users, machines, resources int) [][]float64 {
	profiles := func(n int) [][]float64 {
		p := rows(n, resources)
		for _, row := range p {
			for k := range row {
				row[k] = r.Open()
			}
		}
		return p
	}
	needs, strengths := profiles(users), profiles(machines)
	weights := rows(users, machines)
	for i, need := range needs {
		for j, strength := range strengths {
			for k, v := range need {
				weights[i][j] += float64(v * strength[k])
			}
		}
	}
	Normalise(weights)
	return weights
}

// rows makes a table of zeros.
func rows(n, width int) [][]float64 {
	flat, out := make([]float64, n*width), make([][]float64, n)
	for i := range out {
		out[i], flat = flat[:width:width], flat[width:]
	}
	return out
}

// Normalise divides each row by its sum, so that users are alike in what they
// would have if they had everything. Rows of zeros stay.
func Normalise(weights [][]float64) {
	for _, row := range weights {
		// The largest first, so that no sum overflows.
		if by := largest(row); by > 0 {
			divide(row, by)
		}
		sum := 0.0
		for _, w := range row {
			sum += w
		}
		if sum > 0 {
			divide(row, sum)
		}
	}
}

func largest(row []float64) float64 {
	most := 0.0
	for _, w := range row {
		most = max(most, w)
	}
	return most
}

func divide(row []float64, by float64) {
	for j := range row {
		row[j] /= by
	}
}
