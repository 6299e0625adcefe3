// A program with a policy, a price and a format of its own, and all commands of bourse.
package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"bourse/cmd/cli"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/formats"
)

// example: a program of your own

// Narrow starts the narrowest waiting jobs that fit.
type Narrow struct{ waiting []policies.Ref }

// Clone copies what the policy remembers.
func (p *Narrow) Clone() policies.Policy { return &Narrow{slices.Clone(p.waiting)} }

// Plan is called once per instant.
func (p *Narrow) Plan(r *policies.Round) {
	p.waiting = append(p.waiting, r.Arrived...)
	slices.SortStableFunc(p.waiting, func(a, b policies.Ref) int { return int(r.Job(a).Procs - r.Job(b).Procs) })
	free, n := r.Free, 0
	for n < len(p.waiting) && int(r.Job(p.waiting[n]).Procs) <= free {
		free -= int(r.Job(p.waiting[n]).Procs)
		r.Start(p.waiting[n])
		n++
	}
	p.waiting = slices.Delete(p.waiting, 0, n)
}

func main() {
	cli.Main(cli.Own{
		Policies: []catalog.Entry[policies.Policy]{{
			Name: "narrow", Line: "the narrowest waiting jobs that fit",
			New: func(*policies.Args) (policies.Policy, error) { return &Narrow{}, nil },
		}},
		Payments: []catalog.Entry[catalog.Scheme]{{
			Name: "part", Line: "a running job pays a part of its bid",
			Params: []policies.Param{{Name: "of", Default: "0.5", Doc: "the part, from 0 to 1"}},
			New: func(a *policies.Args) (catalog.Scheme, error) {
				of := a.Float("of", 0, 1)
				return func(policies.Policy) (policies.Pricer, error) { return newPart(of), nil }, nil
			},
		}},
		Formats: []formats.Format{{Name: "daily", Line: "daily:N: N jobs a day for a month", Open: openDaily}},
	})
}

// end

// part is a price scheme: a part of each job's bid.
type part struct {
	of   float64
	now  events.Time
	open map[policies.Ref]events.Time
}

func newPart(of float64) *part { return &part{of: of, open: map[policies.Ref]events.Time{}} }

func (p *part) Advance(now events.Time)                { p.now = now }
func (p *part) Open(ref policies.Ref, _ *policies.Job) { p.open[ref] = p.now }
func (p *part) Close(ref policies.Ref, j *policies.Job) float64 {
	return p.Price(j) * (p.now - p.open[ref]).Seconds()
}
func (p *part) Clear(*policies.Round)         {}
func (p *part) Price(j *policies.Job) float64 { return p.of * j.Bid }
func (p *part) Quote() float64                { return 0 }
func (p *part) Clone(policies.Policy) policies.Pricer {
	return &part{p.of, p.now, maps.Clone(p.open)}
}

// openDaily makes so many jobs a day, of 1 to 8 processors.
func openDaily(text string, _ traces.Options) (traces.Source, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 10_000 {
		return nil, fmt.Errorf("daily:%s: want a number of jobs a day, 1 to 10,000", text)
	}
	const day = 24 * 3600 * events.Second
	var jobs []traces.Job
	for i := range events.Time(30 * n) {
		j := traces.UnknownJob
		j.ID, j.Submit, j.Procs = int64(i+1), i*day/events.Time(n), int32(1+i*i%8)
		j.Run, j.Estimate = (1+i%7)*3600*events.Second, 8*3600*events.Second
		jobs = append(jobs, j)
	}
	m := traces.MemoryOf(jobs...)
	m.Header().Name, m.Header().Format, m.Header().Procs = "daily:"+text, "daily", 8
	return m.Source(), nil
}
