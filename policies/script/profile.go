package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
)

// profileSteps are those of one operation on a profile: it costs O(log n), and some for each gap that is too short.
const profileSteps = 20

// profile is the script's round.profile(by=None): the free processors over time, if what runs ends as requested, or
// after by(job) seconds. What has been started in this round counts, and planned outages. With procs and of it is that of a
// part of the machine, so many processors which the jobs have for which of(job) holds; outages take nothing of it.
func (s *round) profile(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	var by, of starlark.Value = starlark.None, starlark.None
	var procs int
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "by?", &by, "procs?", &procs, "of?", &of); err != nil {
		return nil, err
	}
	part := of != starlark.None
	switch {
	case part != (procs > 0):
		return nil, fmt.Errorf("round.profile: of a part of the machine it needs both procs, above 0, and of")
	case s.over:
		return nil, fmt.Errorf("round.profile: that round is over")
	case s.r.Total.Memory > 0 || len(s.r.Machines) > 0 || s.shares:
		return nil, fmt.Errorf("round.profile: it is of processors, each with one job at a time; there are machines, " +
			"memory or shares here")
	}
	t.Steps += profileSteps * uint64(1+len(s.p.running))
	var held []policies.Ref
	free := int64(s.spare.CPU)
	if part {
		free = int64(procs)
	}
	for _, list := range [...][]policies.Ref{s.p.running, s.r.Started} {
		for _, ref := range list {
			if s.done[ref] == preempted {
				continue
			}
			if part {
				v, err := starlark.Call(t, of, starlark.Tuple{s.p.jobs[ref]}, nil)
				if err != nil {
					return nil, err
				}
				if !bool(v.Truth()) {
					continue
				}
				free -= int64(s.p.jobs[ref].Procs)
			}
			held = append(held, ref)
		}
	}
	if free < 0 {
		return nil, fmt.Errorf("round.profile: the jobs for which of holds have %d processors more than procs, %d", -free, procs)
	}
	p := sched.NewProfile(s.r.Now, free)
	expect := func(ref policies.Ref) error {
		j := *s.r.Job(ref)
		if j.State != policies.Running {
			j.Since = s.r.Now
		}
		length := j.Estimate
		if by != starlark.None {
			v, err := starlark.Call(t, by, starlark.Tuple{s.p.jobs[ref]}, nil)
			if err != nil {
				return err
			}
			x, ok := starlark.AsFloat(v)
			if length, _ = events.FromSeconds(x); !ok || !finite(x) || x < 0 {
				return fmt.Errorf("round.profile: by gives %s for job %d; want seconds", brief(v), j.ID)
			}
		}
		p.Expect(&j, length)
		return nil
	}
	for _, ref := range held {
		if err := expect(ref); err != nil {
			return nil, err
		}
	}
	if !part {
		for _, c := range s.p.changes {
			p.Add(c.At, int64(c.Procs))
		}
	}
	return &record[*availability]{"profile", availabilityAttributes, &availability{s, p, map[string]starlark.Value{}}}, nil
}

const preempted = "preempted"

// availability is a profile as a script has it.
type availability struct {
	round *round
	*sched.Profile
	methods map[string]starlark.Value
}

var availabilityAttributes = map[string]func(*availability) starlark.Value{
	"earliest": operation("earliest", (*availability).earliest),
	"reserve":  operation("reserve", (*availability).reserve),
	"free":     operation("free", (*availability).free),
}

// arguments are those of a call, by place or by name.
type arguments struct {
	of    string
	place starlark.Tuple
	named []starlark.Tuple
}

func (a *arguments) unpack(pairs ...any) error {
	return starlark.UnpackArgs(a.of, a.place, a.named, pairs...)
}

// operation is a method of a profile.
func operation(name string,
	f func(*availability, *arguments) (starlark.Value, error)) func(*availability) starlark.Value {
	return func(a *availability) starlark.Value {
		if m := a.methods[name]; m != nil {
			return m
		}
		m := starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			if a.round.over {
				return nil, fmt.Errorf("%s: that profile's round is over", name)
			}
			t.Steps += profileSteps
			return f(a, &arguments{name, args, kwargs})
		})
		a.methods[name] = m
		return m
	}
}

// seconds are a time that a script gives, None for one that it leaves out.
func (a *availability) seconds(what string, v starlark.Value, without events.Time) (events.Time, error) {
	if v == starlark.None {
		return without, nil
	}
	x, ok := starlark.AsFloat(v)
	t, fine := events.FromSeconds(x)
	if !ok || !fine {
		return 0, fmt.Errorf("%s is %s; want seconds", what, brief(v))
	}
	return t, nil
}

// earliest is earliest(procs, seconds, after=now): the first time from which on so many processors are free for so long,
// inf if there is none.
func (a *availability) earliest(args *arguments) (starlark.Value, error) {
	var procs int
	var seconds, after starlark.Value = starlark.None, starlark.None
	if err := args.unpack("procs", &procs, "seconds", &seconds, "after?", &after); err != nil {
		return nil, err
	}
	length, err := a.seconds("earliest: seconds", seconds, 0)
	if err != nil {
		return nil, err
	}
	from, err := a.seconds("earliest: after", after, a.round.r.Now)
	switch {
	case err != nil:
		return nil, err
	case from < a.round.r.Now:
		return nil, fmt.Errorf("earliest: after %g is past; it is %g", from.Seconds(), a.round.r.Now.Seconds())
	}
	at := a.Earliest(int64(procs), length, from)
	if at == events.Never {
		return predeclared["inf"], nil
	}
	return starlark.Float(at.Seconds()), nil
}

// reserve is reserve(start, seconds, procs).
func (a *availability) reserve(args *arguments) (starlark.Value, error) {
	var procs int
	var start, seconds starlark.Value
	if err := args.unpack("start", &start, "seconds", &seconds, "procs", &procs); err != nil {
		return nil, err
	}
	from, err := a.seconds("reserve: start", start, 0)
	if err != nil {
		return nil, err
	}
	length, err := a.seconds("reserve: seconds", seconds, 0)
	switch {
	case err != nil:
		return nil, err
	case from < a.round.r.Now:
		return nil, fmt.Errorf("reserve: start %g is past; it is %g", from.Seconds(), a.round.r.Now.Seconds())
	case procs < 0 || !a.Reserve(from, from+max(length, 1), int64(procs)):
		return nil, fmt.Errorf("reserve: %d processors from %g for %g s are more than is free; earliest() says when they are",
			procs, from.Seconds(), length.Seconds())
	}
	return starlark.None, nil
}

// free is free(at).
func (a *availability) free(args *arguments) (starlark.Value, error) {
	var at starlark.Value
	if err := args.unpack("at", &at); err != nil {
		return nil, err
	}
	t, err := a.seconds("free: at", at, 0)
	switch {
	case err != nil:
		return nil, err
	case t < a.round.r.Now:
		return nil, fmt.Errorf("free: %g is past; it is %g", t.Seconds(), a.round.r.Now.Seconds())
	}
	return starlark.MakeInt64(a.Free(t)), nil
}
