// Package untruthful reproduces "The Effects of Untruthful Bids on User
// Utilities and Stability in Computing Markets" (Shudler, Amar, Barak and
// Mu'alem, CCGrid 2010): Table I's workload, Figures 1 to 8, the payoff matrices
// of Tables II and III with their equilibria, and a verdict on every claim.
package untruthful

// betas are the columns of Tables II and III.
var betas = []string{".05", ".25", ".5", ".6", ".7", ".8", ".9"}

// rows are the rows of Tables II and III; compared adds WSEPT, which Figures 4
// and 5 show.
var (
	rows     = []string{"hb", "nphb", "wspt"}
	compared = []string{"hb", "nphb", "wspt", "wsept"}
	payments = []string{"first", "kth"}
)

// published holds Tables II and III: payment, row, column, then the payoffs of
// the designer and the aggressive users.
var published = map[string][3][7][2]float64{
	"first": {
		{{1.000, .833}, {.990, .842}, {.976, .845}, {.970, .838}, {.963, .824}, {.955, .802}, {.945, .777}},
		{{.862, .801}, {.853, .810}, {.841, .813}, {.836, .809}, {.831, .799}, {.824, .785}, {.816, .767}},
		{{.904, .827}, {.895, .842}, {.883, .860}, {.878, .863}, {.873, .863}, {.868, .867}, {.863, .861}},
	},
	"kth": {
		{{.306, 1.000}, {.303, .988}, {.296, .961}, {.292, .940}, {.287, .913}, {.281, .882}, {.274, .846}},
		{{.636, .854}, {.629, .858}, {.619, .847}, {.614, .839}, {.609, .827}, {.603, .810}, {.597, .790}},
		{{.774, .855}, {.765, .869}, {.755, .879}, {.751, .884}, {.746, .886}, {.741, .881}, {.736, .879}},
	},
}

// The workload of Table I that can be rebuilt exactly.
const (
	lpcJobs = 219_704
	// lpcWhere is the set of jobs: those that ran, but for the failed ones of a
	// second or less.
	lpcWhere   = "run >= 0 && !(status == 0 && run <= 1)"
	lpcMeanRun = 3212 // s
)

// tolerance is how far a cell may be from the published one to count as reproduced: the
// second digit, which random draws that are not published move, and the rounding of the third
// (with the usual ten seeds; tests take fewer).
var tolerance = .011
