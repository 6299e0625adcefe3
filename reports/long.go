package reports

import (
	"io"

	"bourse/traces"
)

// AgentRound is one agent in one round: what it demands and what it is given.
type AgentRound struct {
	Round int64
	// Start is the round's beginning in seconds since the trace's zero.
	Start              float64
	Agent              string
	Demand, Allocation float64
}

var (
	roundColumn = field[AgentRound]{Column: Column{Name: "round", Kind: Int64, Meaning: "number of the round"},
		int64: func(r *AgentRound) int64 { return r.Round }}
	agentColumn = field[AgentRound]{Column: Column{Name: "agent", Kind: Text, Meaning: "who demands", few: true},
		text: func(r *AgentRound, _ *traces.Names, buf []byte) []byte { return append(buf, r.Agent...) }}
	demandColumn = field[AgentRound]{Column: Column{Name: "demand", Kind: Float64, Unit: "resource", Meaning: "what is demanded, the mean over the round's time"},
		float: func(r *AgentRound) (float64, bool) { return r.Demand, true }}
)

// demands is the table of columns of the dataset "demand".
var demands = []field[AgentRound]{
	roundColumn,
	{Column: Column{Name: "start_s", Kind: Float64, Unit: "s", Meaning: "the round's beginning, since the trace's zero", few: true},
		float: func(r *AgentRound) (float64, bool) { return r.Start, true }},
	agentColumn, demandColumn,
}

// shares is the table of columns of the dataset "shares".
var shares = []field[AgentRound]{
	roundColumn, agentColumn, demandColumn,
	{Column: Column{Name: "allocation", Kind: Float64, Unit: "resource", Meaning: "what is given, whether demanded or not", Source: "Freeman et al. 2018"},
		float: func(r *AgentRound) (float64, bool) { return r.Allocation, true }},
}

// Long writes a dataset of agents and rounds, row by row.
type Long struct{ rows *dataset[AgentRound] }

// NewDemands begins the dataset "demand" on w, in one of Formats. at stands for
// the destination in messages.
func NewDemands(w io.Writer, at, format, version string) (*Long, error) {
	return newLong(w, at, format, version, "demand", demands)
}

// NewShares begins the dataset "shares".
func NewShares(w io.Writer, at, format, version string) (*Long, error) {
	return newLong(w, at, format, version, "shares", shares)
}

func newLong(w io.Writer, at, format, version, name string, table []field[AgentRound]) (*Long, error) {
	f, err := formatNamed(format)
	if err != nil {
		return nil, err
	}
	d, err := newDataset(w, at, f, table, &traces.Names{}, notesOf(name, version, columnsOf(table)))
	if err != nil {
		return nil, err
	}
	return &Long{d}, nil
}

// Add adds a row; the error may be an earlier row's.
func (l *Long) Add(r *AgentRound) error { return l.rows.add(r) }

// Close writes what is left and waits for it.
func (l *Long) Close() error { return l.rows.finish() }
