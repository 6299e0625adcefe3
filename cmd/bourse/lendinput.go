package main

import (
	"errors"
	"fmt"
	"io"
	"math"

	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/table"
)

// pool is who shares: names, endowments, and the number of rounds if known.
type pool struct {
	names  []string
	endow  []float64
	index  map[string]int
	rounds int
	// open: the agents are those of the first round, which is still to be read.
	open bool
	// idle are the agents that demand nothing in any round, where endowments are
	// mean demands: theirs would be 0, so they are left out.
	idle map[string]bool
}

func newPool() *pool { return &pool{index: map[string]int{}} }

func (p *pool) add(name string, endowment float64) int {
	i := len(p.names)
	p.names, p.endow = append(p.names, name), append(p.endow, endowment)
	p.index[name] = i
	return i
}

// series is where the demands come from.
type series struct {
	path string
	app  *app
}

// stream tells that the input can be read only once.
func (s *series) stream() bool { return s.path == "-" }

func (s *series) open(p *pool) (*roundReader, error) {
	rows, err := table.OpenRows(s.path, s.app.stdin, "round", "agent", "demand")
	if err != nil {
		return nil, err
	}
	return &roundReader{rows: rows, pool: p}, nil
}

// settle finds out who shares and over how many rounds. A file is read once
// before, if what it holds is needed for that.
func (c *lendFlags) settle(s *series, m catalog.Lending) (*pool, error) {
	mean, equal := c.endowments == meanDemand, c.endowments == equalParts
	if s.stream() {
		switch {
		case mean:
			return nil, usagef("a stream is read once, so mean demands are not known when the first round is shared; give --endowments FILE or equal, or a file instead of standard input")
		case m.Needs && c.rounds == 0:
			return nil, usagef("%s needs the number of rounds, which a stream does not tell; give --rounds N, or a file instead of standard input", c.mechanism)
		case c.lies || c.liar != "":
			return nil, usagef("a search for lies reads the series again; give a file instead of standard input")
		}
	}
	p := newPool()
	if !mean && !equal {
		if err := p.read(c.endowments); err != nil {
			return nil, err
		}
	}
	p.rounds = c.rounds
	if s.stream() {
		p.open = equal
		return p, nil
	}
	if mean || equal || m.Uses && c.rounds == 0 {
		if err := c.scan(s, p, mean, equal); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// read takes endowments from a table.
func (p *pool) read(path string) error {
	t, err := table.Read(path, nil)
	if err != nil {
		return err
	}
	names, err := t.Words("agent")
	if err != nil {
		return err
	}
	endow, err := t.Floats("endowment")
	if err != nil {
		return err
	}
	for i, name := range names {
		if _, twice := p.index[name]; twice {
			return t.Fault(i, "agent "+name+" has a row already", "want one row an agent")
		}
		if e := endow[i]; !(e > 0) || math.IsInf(e, 1) {
			return t.Fault(i, fmt.Sprintf("the endowment of %s is %g", name, e), "want a finite number above 0; who contributes nothing has no share, leave it out")
		}
		p.add(name, endow[i])
	}
	return nil
}

// scan reads the series for its agents, their mean demands, and the number of
// rounds.
func (c *lendFlags) scan(s *series, p *pool, mean, equal bool) (err error) {
	seen := p
	if mean || equal {
		seen = newPool()
	}
	in, err := s.open(seen)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	in.growing = mean || equal
	var sums []float64
	rounds := 0
	for ; ; rounds++ {
		if err := in.next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if err := s.app.ctx.Err(); err != nil {
			return err
		}
		for len(sums) < len(seen.names) {
			sums = append(sums, 0)
		}
		for i, d := range in.demand {
			sums[i] += d
		}
	}
	if p.rounds == 0 {
		p.rounds = rounds
	}
	p.idle = map[string]bool{}
	for i, name := range seen.names {
		switch e := sums[i] / float64(rounds); {
		case equal:
			p.add(name, 1)
		case !mean:
		case math.IsInf(e, 1):
			return &traces.Error{File: in.rows.Name, What: "the demands of agent " + name + " add up to more than a number can hold"}
		case e > 0:
			p.add(name, e)
		default:
			p.idle[name] = true
		}
	}
	if len(p.names) == 0 {
		return &traces.Error{File: in.rows.Name, What: "nobody demands anything, so mean demands are no endowments", Want: "give --endowments equal or FILE"}
	}
	return nil
}
