// Package lend shares one resource round by round from tables: it reads endowments and
// series of demands, and runs a mechanism of package share over them, in memory that
// follows the agents and not the rounds.
package lend

import (
	"errors"
	"io"
	"math"
	"slices"

	"bourse/traces"
	"bourse/traces/table"
)

// Pool is the agents that share: names, endowments, and the number of rounds if known.
type Pool struct {
	Names  []string
	Endow  []float64
	Rounds int
	index  map[string]int
	// open: the agents are those of the first round, which is still to be read.
	open bool
	// idle are the agents that demand nothing in any round, where endowments are
	// mean demands: theirs would be 0, so they are left out.
	idle map[string]bool
}

func newPool() *Pool { return &Pool{index: map[string]int{}} }

func (p *Pool) add(name string, endowment float64) int {
	i := len(p.Names)
	p.Names, p.Endow = append(p.Names, name), append(p.Endow, endowment)
	p.index[name] = i
	return i
}

// Idle is how many agents are left out because they demand nothing and their endowments
// would be mean demands.
func (p *Pool) Idle() int { return len(p.idle) }

// Series is a table of demands: round, agent, demand.
type Series struct {
	Path  string // "-" is Stdin
	Stdin io.Reader
	// Stop, if not nil, is asked now and then; an error ends reading.
	Stop func() error
}

// Stream means that the series can be read only once.
func (s *Series) Stream() bool { return s.Path == "-" }

func (s *Series) stopped() error {
	if s.Stop == nil {
		return nil
	}
	return s.Stop()
}

// Open begins to read the rounds of a pool. If its agents are those of the first round,
// that is read ahead.
func (s *Series) Open(p *Pool) (*Rounds, error) {
	rows, err := table.OpenRows(s.Path, s.Stdin, "round", "agent", "demand")
	if err != nil {
		return nil, err
	}
	in := &Rounds{rows: rows, stopped: s.stopped, Pool: p}
	if p.open {
		if err := in.first(); err != nil {
			return nil, errors.Join(err, in.Close())
		}
	}
	return in, nil
}

// What endowments may be besides a table.
const (
	MeanDemand = "mean"
	EqualParts = "equal"
)

// Settle finds out who shares: endowments are MeanDemand, EqualParts or the path of a
// table. rounds is their number, 0 if it is not known; counted says that it must be. A
// file is read once before, if what it holds is needed for that; a stream cannot be, and
// then needs endowments of another kind than MeanDemand.
func (s *Series) Settle(endowments string, rounds int, counted bool) (*Pool, error) {
	mean, equal := endowments == MeanDemand, endowments == EqualParts
	p := newPool()
	if !mean && !equal {
		if err := p.read(endowments); err != nil {
			return nil, err
		}
	}
	p.Rounds = rounds
	if s.Stream() {
		p.open = equal
		return p, nil
	}
	if mean || equal || counted && rounds == 0 {
		if err := s.scan(p, mean, equal); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// read takes endowments from a table.
func (p *Pool) read(path string) error {
	t, err := table.Read(path, nil)
	if err != nil {
		return err
	}
	names, err := t.Words("agent")
	if err != nil {
		return err
	}
	endow, err := t.FloatsFor("endowment", func(e float64) bool { return e > 0 && !math.IsInf(e, 1) },
		"want a finite number above 0; leave out agents that contribute nothing")
	if err != nil {
		return err
	}
	for i, name := range names {
		if _, twice := p.index[name]; twice {
			return t.Fault(i, "agent "+name+" has a row already", "want one row per agent")
		}
		p.add(name, endow[i])
	}
	return nil
}

// scan reads the series for its agents, their mean demands, and the number of
// rounds.
func (s *Series) scan(p *Pool, mean, equal bool) (err error) {
	seen := p
	if mean || equal {
		seen = newPool()
	}
	in, err := s.Open(seen)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	in.growing = mean || equal
	var sums []float64
	rounds := 0
	for ; ; rounds++ {
		if err := in.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		for len(sums) < len(seen.Names) {
			sums = append(sums, 0)
		}
		for i, d := range in.Demand {
			sums[i] += d
		}
	}
	if p.Rounds == 0 {
		p.Rounds = rounds
	}
	p.idle = map[string]bool{}
	for i, name := range seen.Names {
		switch e := sums[i] / float64(rounds); {
		case equal:
			p.add(name, 1)
		case !mean:
		case math.IsInf(e, 1):
			return &traces.Error{File: in.rows.Name, What: "the demands of agent " + name + " overflow when summed"}
		case e > 0:
			p.add(name, e)
		default:
			p.idle[name] = true
		}
	}
	if len(p.Names) == 0 {
		return &traces.Error{File: in.rows.Name, What: "no agent demands anything, so mean demands cannot be endowments",
			Want: "give equal endowments, or a table of them"}
	}
	return nil
}

// Load reads all rounds into memory, up to what a search could use.
func (s *Series) Load(p *Pool) (truth [][]float64, err error) {
	in, err := s.Open(p)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	for len(truth)*len(p.Names) < 1<<22 {
		if err := in.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		truth = append(truth, slices.Clone(in.Demand))
	}
	return truth, nil
}
