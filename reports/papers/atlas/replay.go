package atlas

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/reports/ask/calibrate"
	"bourse/reports/ask/sweep"
	"bourse/reports/experiment"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/named"
	"bourse/traces/transform"
)

// replayed is an atlas of the logs, each under every policy, itself and its replicas.
func replayed(ctx context.Context, o Options) (a atlas, err error) {
	for i, spec := range o.Logs {
		l, replicas, err := load(spec, o)
		if err != nil {
			return a, fmt.Errorf("%s: %w", spec, err)
		}
		a.logs = append(a.logs, l)
		done := func(done, of int, err error) {
			if o.Progress != nil {
				o.Progress(i*of+done, len(o.Logs)*of, err)
			}
		}
		var names []string
		for _, p := range policies {
			names = append(names, p.name)
		}
		values, err := experiment.Run(ctx, o.Workers, names, len(replicas),
			func(policy string, replica int) ([len(measures)]float64, error) {
				v, err := replay(ctx, policy, replicas[replica])
				if err != nil {
					err = fmt.Errorf("%s, %s: %w", l.name, policy, err)
				}
				return v, err
			}, done)
		if err != nil {
			return a, err
		}
		for _, policy := range names {
			for replica, v := range values[policy] {
				a.figures = append(a.figures, figure{log: l.name, policy: policy, replica: replica, values: v})
			}
		}
	}
	return a, nil
}

// load reads a log and draws its replicas. The first is the log itself.
func load(spec string, o Options) (l log, replicas []*scenario.Loaded, err error) {
	s := scenario.Default()
	s.Trace, s.Seed = spec, o.Seed
	entry := entryOf(spec)
	replicas, err = s.ReadReplicas(o.Replicas, transform.Blocks, "easy")
	if unknown := (*scenario.UnknownMachineError)(nil); errors.As(err, &unknown) {
		if s.Nodes = cmp.Or(entry.Take, entry.Nodes); s.Nodes > 0 {
			replicas, err = s.ReadReplicas(o.Replicas, transform.Blocks, "easy")
		}
	}
	if short := (*transform.ShortLogError)(nil); errors.As(err, &short) {
		replicas, err = s.ReadReplicas(0, "", "easy")
	}
	if err != nil {
		return l, nil, err
	}
	l, err = describe(spec, replicas[0])
	l.caution = entry.Caution
	return l, replicas, err
}

// entryOf is what the catalogue of traces says of a log, nothing if it is not in there.
func entryOf(spec string) named.Trace {
	path, _, _ := strings.Cut(spec, "?")
	for _, t := range named.All() {
		if t.Name == spec || strings.HasSuffix(path, t.File) {
			return t
		}
	}
	return named.Trace{}
}

// describe says what a log is: its load is the work of its jobs by what the machine can do
// from the first submission to the last.
func describe(spec string, jobs *scenario.Loaded) (l log, err error) {
	l = log{name: sweep.Label(spec), jobs: jobs.Memory.Len()}
	if path := run.InputPath(spec); path != "" {
		if l.sha256, err = run.HashFile(path)(); err != nil {
			return l, err
		}
	}
	if m, ok := jobs.Hardware.Machine.(engine.Processors); ok {
		l.processors = int(m)
	}
	var work float64
	users := map[traces.Label]bool{}
	for i := range l.jobs {
		j := jobs.Memory.Job(i)
		work += float64(float64(j.Procs) * j.Run.Seconds())
		users[j.User] = true
	}
	l.users, l.requests = len(users), 1
	for _, n := range jobs.Memory.Header().Ledger.Notes() {
		if n.What == transform.OddNoEstimate {
			l.requests = rounded(1 - float64(n.Count)/float64(l.jobs))
		}
	}
	why, err := calibrate.Why(jobs)
	switch {
	case errors.Is(err, calibrate.ErrNoWaits), errors.Is(err, calibrate.ErrNever):
		l.roomy = -1
	case err != nil:
		return l, err
	default:
		l.roomy = rounded(1 - why.Rows[0].NoRoom)
	}
	span := (jobs.Memory.Job(l.jobs-1).Submit - jobs.Memory.Job(0).Submit).Seconds()
	l.weeks = rounded(span / (7 * 24 * 3600))
	l.load = rounded(work / max(1, span) / max(1, float64(l.processors)))
	return l, nil
}

func replay(ctx context.Context, policy string, jobs *scenario.Loaded) (values [len(measures)]float64, err error) {
	s := jobs.Scenario
	s.Policy, s.Payment = policy, "none"
	p, err := jobs.Replay(s.Market)
	if err != nil {
		return values, err
	}
	c := &stats.Collector{Groups: make(stats.Groups, jobs.Memory.Len())} // all in one: run-time groups are not asked for
	if _, err := p.Run(ctx, c); err != nil {
		return values, err
	}
	total := c.Result().Total
	for i, m := range measures {
		values[i] = rounded(m.Of(run.Figures{Aggregate: &total}))
	}
	return values, nil
}
