package papers

import "context"

// Program is a study as a value: what it is of, what can be set, and how it is made.
type Program struct {
	Name, Paper, Line, Example string
	// Options are set before Run; Workers and Seed are those of every study. 0 workers are as many
	// as there are processors; Seed is nil where the study draws nothing at random.
	Options []Option
	Workers *int
	Seed    *uint64
	// Each is what a worker does at a time, in the plural.
	Each string
	// Check, if not nil, refuses what the options say together; given reports whether one was set.
	Check func(given func(name string) bool) error
	// Run makes the report, which the caller publishes. progress is told how many of how many pieces are done.
	Run func(ctx context.Context, report *Study, progress func(done, of int, err error)) error
}

// Option is what can be set of a study.
type Option struct {
	Name string
	// To points to the value, which is the default until it is set: a *string, *[]string, *int,
	// *float64 or *bool.
	To   any
	Line string // what it is; the value's name is in backquotes
	// Least is the least of a whole number, for the reason Why; Among are the words there are.
	Least int
	Why   string
	Among []string
	// Input means that it names a trace; Part, that without it a part of the report is left out.
	Input, Part bool
	// Needs is the option without which this one changes nothing; Other, one that says the same.
	Needs, Other string
}

// Why numbers have the least value that they have.
const (
	ForInterval = "2 or more are needed for a confidence interval"
	AtLeastOne  = "at least one is needed"
	OneOrMore   = "want 1 or more"
	ZeroOrMore  = "want 0 or more"
)
