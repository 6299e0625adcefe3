package placement

import "slices"

// Fit is a rule for choosing among the machines that have room for a job. Fits
// documents each.
type Fit uint8

// The rules.
const (
	FirstFit Fit = iota
	BestFit
	WorstFit
	DotProduct
)

// Fits describes the rules. Free is the idle capacity of a machine, added up over the
// resources in the trace's unit, the largest machine of a cluster.
var Fits = [...]struct{ Name, Line string }{
	FirstFit: {"first", "the first machine with room, in order of appearance"},
	BestFit:  {"best", "the one with the least free"},
	WorstFit: {"worst", "the one with the most free"},
	DotProduct: {"dot", "the one where need . free is largest, which is free of what the job wants (Panigrahy, Talwar, " +
		"Uyeda and Wieder 2011)"},
}

// String returns the rule's name.
func (f Fit) String() string { return Fits[f].Name }

// FitNames lists the names of the rules.
func FitNames() []string {
	names := make([]string, len(Fits))
	for i := range Fits {
		names[i] = Fits[i].Name
	}
	return names
}

// FitNamed returns the rule of a name.
func FitNamed(name string) (Fit, bool) {
	i := slices.Index(FitNames(), name)
	return Fit(max(i, 0)), i >= 0
}
