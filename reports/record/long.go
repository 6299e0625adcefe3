package record

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
	roundColumn = Field[AgentRound]{Column: Column{Name: "round", Kind: Int64, Meaning: "number of the round"},
		int64: func(r *AgentRound) int64 { return r.Round }}
	agentColumn = Field[AgentRound]{Column: Column{Name: "agent", Kind: Text, Meaning: "who demands", few: true},
		text: func(r *AgentRound, _ *traces.Names, buf []byte) []byte { return append(buf, r.Agent...) }}
	demandColumn = Field[AgentRound]{Column: Column{Name: "demand", Kind: Float64, Unit: "resource",
		Meaning: "what is demanded, the mean over the round's time"},
		float: func(r *AgentRound) (float64, bool) { return r.Demand, true }}
)

// Demands is the table of columns of the dataset "demand".
var Demands = []Field[AgentRound]{
	roundColumn,
	{Column: Column{Name: "start_s", Kind: Float64, Unit: "s", Meaning: "the round's beginning, since the trace's zero",
		few: true},
		float: func(r *AgentRound) (float64, bool) { return r.Start, true }},
	agentColumn, demandColumn,
}

// Shares is the table of columns of the dataset "shares".
var Shares = []Field[AgentRound]{
	roundColumn, agentColumn, demandColumn,
	{Column: Column{Name: "allocation", Kind: Float64, Unit: "resource", Meaning: "what is given, whether demanded or not",
		Source: "Freeman et al. 2018"},
		float: func(r *AgentRound) (float64, bool) { return r.Allocation, true }},
}

// NewDemands begins the dataset "demand" on w, in one of Formats. at stands for
// the destination in messages.
func NewDemands(w io.Writer, at, format, version string) (*Stream[AgentRound], error) {
	return openTable(w, at, format, version, "demand", Demands)
}

// NewShares begins the dataset "shares".
func NewShares(w io.Writer, at, format, version string) (*Stream[AgentRound], error) {
	return openTable(w, at, format, version, "shares", Shares)
}
