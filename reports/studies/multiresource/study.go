package multiresource

import (
	"context"
	"fmt"
	"io"

	"bourse/reports/studies"
)

// Options say how a reproduction is run.
type Options struct {
	// Instances is the number of random instances per point; 1000 in the paper.
	Instances int
	Seed      uint64
	// Google is the directory of the cluster data of 2011; empty leaves out the
	// second row of Figure 3.
	Google string
	// Pool is one of Pools, Raw leaves demands as the trace has them instead of
	// dividing by the machines' totals.
	Pool string
	Raw  bool
	// Out is the directory for tables and figures; empty writes none.
	Out     string
	Workers int // 0: all processors
}

// study is a run of the reproduction.
type study struct {
	*studies.Study
	Options
	ctx context.Context
}

// Run reproduces the paper, printing to out.
func Run(ctx context.Context, out io.Writer, o Options) error {
	if o.Instances < 2 {
		return fmt.Errorf("%d instances per point: 2 or more are needed for an interval", o.Instances)
	}
	report, err := studies.NewStudy(out, o.Out)
	if err != nil {
		return err
	}
	s := &study{Study: report, Options: o, ctx: ctx}
	return s.Run(ctx, s.examples, s.checkProperties, s.table1, s.table2, s.figure2, s.synthetic, s.google, s.figure4, s.figure5)
}

// claim records a statement that holds or does not.
func (s *study) claim(where, says string, holds bool, found string, args ...any) {
	s.Claim(where, says, studies.Judge(holds), found, args...)
}

// series gathers the columns of a table row by row.
type series struct {
	names   []string
	words   []string // the first column
	numbers [][]float64
}

// newSeries names the columns; the first holds words.
func newSeries(names ...string) *series {
	return &series{names: names, numbers: make([][]float64, len(names)-1)}
}

func (s *series) add(word string, numbers ...float64) {
	s.words = append(s.words, word)
	for k, v := range numbers {
		s.numbers[k] = append(s.numbers[k], v)
	}
}

// rows spells the table out, its heading first. Numbers take the shortest form
// that reads back.
func (s *series) rows() [][]string {
	out := [][]string{s.names}
	for i, word := range s.words {
		row := []string{word}
		for _, column := range s.numbers {
			row = append(row, studies.Exact(column[i]))
		}
		out = append(out, row)
	}
	return out
}
