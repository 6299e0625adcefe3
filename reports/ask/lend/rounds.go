package lend

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"bourse/policies/lending"
	"bourse/traces"
	"bourse/traces/table"
)

// Rounds gathers the rows of a demand series into rounds. Rows of a round
// stand together, rounds follow each other without gaps, and an agent without a
// row demands nothing.
type Rounds struct {
	// Round is the number of the round read last, Demand what each agent of Pool demands
	// in it.
	Round  int64
	Demand []float64
	Pool   *Pool

	rows    *table.Rows
	stopped func() error
	growing bool // unknown agents are added to the pool

	given []int64 // by agent: the round, counted from 1, of its last row
	count int64   // rounds begun
	ready bool    // the first round has been read before it was asked for
	ended bool
	guess int // the agent of the row before
	// ahead is the row read last, which belongs to the round or is the next one's
	// first.
	ahead struct {
		round  int64
		agent  []byte
		demand float64
	}
}

// Name is the table's, for messages.
func (in *Rounds) Name() string { return in.rows.Name }

// Close closes the table.
func (in *Rounds) Close() error { return in.rows.Close() }

// first reads the first round ahead and takes its agents into the pool.
func (in *Rounds) first() error {
	in.growing = true
	err := in.Next()
	in.growing, in.ready = false, err == nil
	if errors.Is(err, io.EOF) {
		return in.empty()
	}
	return err
}

func (in *Rounds) empty() error {
	return &traces.Error{File: in.rows.Name, What: "the table has no rows"}
}

// Next reads a round; io.EOF means there is none.
func (in *Rounds) Next() error {
	if in.ready {
		in.ready = false
		return nil
	}
	if in.ended {
		return io.EOF
	}
	if err := in.stopped(); err != nil {
		return err
	}
	if in.count == 0 {
		if err := in.row(); errors.Is(err, io.EOF) {
			return in.empty()
		} else if err != nil {
			return err
		}
	}
	in.fit()
	clear(in.Demand)
	in.count++
	in.Round = in.ahead.round
	for in.ahead.round == in.Round {
		if err := in.take(); err != nil {
			return err
		}
		if err := in.row(); errors.Is(err, io.EOF) {
			in.ended = true
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// fit makes room for all agents.
func (in *Rounds) fit() {
	for len(in.Demand) < len(in.Pool.Names) {
		in.Demand, in.given = append(in.Demand, 0), append(in.given, 0)
	}
}

// take puts the row read last into the round.
func (in *Rounds) take() error {
	i, err := in.agent(in.ahead.agent)
	if err != nil || i < 0 {
		return err
	}
	if in.fit(); in.given[i] == in.count {
		return in.rows.Fault(fmt.Sprintf("agent %s has a row in round %d already", in.Pool.Names[i], in.Round),
			"want one row per agent and round")
	}
	in.Demand[i], in.given[i] = in.ahead.demand, in.count
	return nil
}

// row reads the next row and checks it.
func (in *Rounds) row() error {
	if err := in.rows.Next(); err != nil {
		return err
	}
	number, err := in.rows.Float(0)
	if err != nil {
		return err
	}
	round := int64(number)
	switch now := in.Round; {
	case float64(round) != number || math.Abs(number) > 1<<53:
		return in.rows.Fault(fmt.Sprintf("round is %g", number), "want a whole number")
	case in.count == 0 || round == now || round == now+1:
	case round < now:
		return in.rows.Fault(fmt.Sprintf("round %d comes after round %d", round, now),
			"want rows in order of rounds; sort them by round")
	default:
		missing := fmt.Sprintf("round %d is missing", now+1)
		if round > now+2 {
			missing = fmt.Sprintf("rounds %d to %d are missing", now+1, round-1)
		}
		return in.rows.Fault(fmt.Sprintf("round %d follows round %d", round, now),
			missing+"; a round without demands needs a row with demand 0")
	}
	if most := int64(in.Pool.Rounds); most > 0 && (in.count > most || in.count == most && round != in.Round) {
		return in.rows.Fault(fmt.Sprintf("round %d exceeds the %d rounds given", round, most), "")
	}
	agent, err := in.rows.Word(1)
	if err != nil {
		return err
	}
	demand, err := in.rows.Float(2)
	if err != nil {
		return err
	}
	if !(demand >= 0) || math.IsInf(demand, 1) {
		return in.rows.Fault("demand is "+strconv.FormatFloat(demand, 'g', -1, 64), "want a finite number of 0 or more")
	}
	in.ahead.round, in.ahead.agent, in.ahead.demand = round, append(in.ahead.agent[:0], agent...), demand
	return nil
}

// agent finds an agent; -1 is one that is left out.
func (in *Rounds) agent(name []byte) (int, error) {
	p := in.Pool
	// Most series keep one order of agents.
	if in.guess++; in.guess < len(p.Names) && p.Names[in.guess] == string(name) {
		return in.guess, nil
	}
	i, known := p.index[string(name)]
	switch {
	case known:
	case p.idle[string(name)]:
		return -1, nil
	case in.growing:
		i = p.add(string(name), 1)
	case p.open:
		return 0, in.rows.Fault(fmt.Sprintf("agent %s appears in round %d, when the shares of a stream are fixed", name,
			in.Round),
			"give every agent a row in the first round, of demand 0 if need be, or a table of endowments")
	default:
		return 0, in.rows.Fault(fmt.Sprintf("agent %s has no endowment", name), "give it a row in the table of endowments")
	}
	in.guess = i
	return i, nil
}

// Share passes each round's allocations on.
func Share(in *Rounds, lender lending.Lender, account *lending.Account, each func(alloc []float64) error) error {
	alloc := make([]float64, len(account.Endow))
	for {
		if err := in.Next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		lender.Round(in.Demand, alloc)
		account.Add(in.Demand, alloc)
		if err := each(alloc); err != nil {
			return err
		}
	}
}
