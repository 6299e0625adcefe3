package script

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
)

// round is an instant as a plan sees it. What it decides is checked at once, so that an
// error names the line of the script.
type round struct {
	p     *Plan
	r     *policies.Round
	spare policies.Amount
	// marks say what this round has done with a job: started, or preempted.
	done map[policies.Ref]string
	// machines are those on which this round places jobs, as it leaves them.
	machines map[int]*policies.Machine
	over     bool // decisions come too late
	shares   bool // it gives rates, and so does not start or preempt
	methods  map[string]starlark.Value
}

const eitherOr = "one round gives rates or starts and preempts, not both"

func newRound(p *Plan, r *policies.Round) *round { return &round{p: p, r: r, spare: r.Spare} }

// roundAttributes are the names of a round; those with brackets are functions.
var roundAttributes = map[string]func(*round) starlark.Value{
	"now":      func(s *round) starlark.Value { return starlark.Float(s.r.Now.Seconds()) },
	"procs":    func(s *round) starlark.Value { return starlark.MakeInt(s.r.Procs) },
	"free":     func(s *round) starlark.Value { return starlark.MakeInt(int(s.spare.CPU)) },
	"waiting":  func(s *round) starlark.Value { return jobs{s.p, s.p.waiting} },
	"running":  func(s *round) starlark.Value { return jobs{s.p, s.p.running} },
	"machines": func(s *round) starlark.Value { return starlark.MakeInt(len(s.r.Machines)) },
	"fits":     method("fits", (*round).fits),
	"start":    method("start", (*round).start),
	"preempt":  method("preempt", (*round).preempt),
	"share":    method("share", (*round).share),
	"place":    method("place", (*round).place),
	"wake":     method("wake", (*round).wake),
	"leave":    method("leave", (*round).leave),
	"charge":   method("charge", (*round).charge),
	"fee":      method("fee", (*round).fee),
	"profile": func(s *round) starlark.Value {
		return starlark.NewBuiltin("profile", s.profile)
	},
}

func method(name string, f func(*round, starlark.Tuple) (starlark.Value, error)) func(*round) starlark.Value {
	return func(s *round) starlark.Value {
		if b := s.methods[name]; b != nil {
			return b
		}
		b := starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(kwargs) > 0 {
				return nil, fmt.Errorf("%s takes its parameters by place", name)
			}
			if s.over {
				return nil, fmt.Errorf("round.%s: that round is over", name)
			}
			return f(s, args)
		})
		if s.methods == nil {
			s.methods = map[string]starlark.Value{}
		}
		s.methods[name] = b
		return b
	}
}

// jobArg is the job that a decision is about.
func jobArg(of string, args starlark.Tuple, more int) (*job, error) {
	if len(args) == 1+more {
		if j, ok := args[0].(*job); ok && j.clock != nil {
			return j, nil
		}
	}
	return nil, fmt.Errorf("%s: want a job%s", of, []string{"", " and a number"}[more])
}

// requireState wants a job to be in a state, and not to have been decided about in this round.
func (s *round) requireState(verb string, j *job, want policies.State) error {
	if s.shares {
		return fmt.Errorf("cannot %s job %d: %s", verb, j.ID, eitherOr)
	}
	if did := s.done[j.ref]; did != "" {
		return fmt.Errorf("cannot %s job %d: this round has %s it already", verb, j.ID, did)
	}
	if s.p.jobs[j.ref] != j || j.State != want {
		return fmt.Errorf("cannot %s job %d: it is %s", verb, j.ID, j.state(s.p))
	}
	return nil
}

func (s *round) mark(j *job, did string) {
	if s.done == nil {
		s.done = map[policies.Ref]string{}
	}
	s.done[j.ref] = did
}

func (s *round) fits(args starlark.Tuple) (starlark.Value, error) {
	if len(args) == 2 {
		return s.fitsOn(args)
	}
	j, err := jobArg("fits", args, 0)
	if err != nil {
		return nil, err
	}
	return starlark.Bool(j.Need.Fits(s.spare)), nil
}

// fitsOn says whether a machine has room for a piece of a job.
func (s *round) fitsOn(args starlark.Tuple) (starlark.Value, error) {
	j, err := jobArg("fits", args, 1)
	if err != nil {
		return nil, err
	}
	m, err := s.machine(j, args[1])
	if err != nil {
		return nil, err
	}
	return starlark.Bool(m.Holds(&j.Job, j.Piece())), nil
}

// machine returns a machine as this round leaves it.
func (s *round) machine(j *job, number starlark.Value) (*policies.Machine, error) {
	at, err := starlark.AsInt32(number)
	if err != nil || at < 0 || at >= len(s.r.Machines) {
		return nil, fmt.Errorf("cannot place job %d: %s is no machine; there are %d, from 0", j.ID, brief(number),
			len(s.r.Machines))
	}
	m := s.machines[at]
	if m == nil {
		if s.machines == nil {
			s.machines = map[int]*policies.Machine{}
		}
		copied := s.r.Machines[at]
		copied.Devices = slices.Clone(copied.Devices)
		m = &copied
		s.machines[at] = m
	}
	return m, nil
}

func (s *round) start(args starlark.Tuple) (starlark.Value, error) {
	j, err := jobArg("start", args, 0)
	if err == nil {
		err = s.take(j)
	}
	if err != nil {
		return nil, err
	}
	s.r.Start(j.ref)
	return starlark.None, nil
}

// take subtracts the need of a job that starts.
func (s *round) take(j *job) error {
	if err := s.requireState("start", j, policies.Waiting); err != nil {
		return err
	}
	if !j.Need.Fits(s.spare) {
		return fmt.Errorf("cannot start job %d: it needs %d processors, %d are free", j.ID, j.Procs, int(s.spare.CPU))
	}
	s.spare = s.spare.Minus(j.Need)
	s.mark(j, "started")
	return nil
}

func (s *round) preempt(args starlark.Tuple) (starlark.Value, error) {
	j, err := jobArg("preempt", args, 0)
	if err == nil {
		err = s.requireState("preempt", j, policies.Running)
	}
	if err != nil {
		return nil, err
	}
	s.spare = s.spare.Plus(j.Need)
	s.mark(j, preempted)
	s.r.Preempt(j.ref)
	return starlark.None, nil
}

func (s *round) share(args starlark.Tuple) (starlark.Value, error) {
	j, err := jobArg("share", args, 1)
	if err != nil {
		return nil, err
	}
	rate, ok := starlark.AsFloat(args[1])
	if !ok || !(rate >= 0 && rate <= 1) {
		return nil, fmt.Errorf("cannot share: the rate of job %d is %s; want a number from 0 to 1", j.ID, brief(args[1]))
	}
	if s.p.jobs[j.ref] != j || j.State == policies.Gone {
		return nil, fmt.Errorf("cannot share: job %d has ended", j.ID)
	}
	if len(s.done) > 0 {
		return nil, fmt.Errorf("cannot share: %s", eitherOr)
	}
	s.shares = true
	s.r.Share(j.ref, rate)
	return starlark.None, nil
}

// place starts a job on a machine, or its pieces on a list of them, on the first devices
// that have room.
func (s *round) place(args starlark.Tuple) (starlark.Value, error) {
	j, err := jobArg("place", args, 1)
	if err != nil {
		return nil, err
	}
	numbers := []starlark.Value{args[1]}
	if list, ok := args[1].(starlark.Indexable); ok {
		numbers = numbers[:0]
		for i := range list.Len() {
			numbers = append(numbers, list.Index(i))
		}
	}
	if len(numbers) != int(j.Pieces) {
		return nil, fmt.Errorf("cannot place job %d: it has %d pieces, each for a machine, and was given %d", j.ID, j.Pieces,
			len(numbers))
	}
	if err := s.take(j); err != nil {
		return nil, err
	}
	piece := j.Piece()
	for i, number := range numbers {
		m, err := s.machine(j, number)
		if err != nil {
			return nil, err
		}
		if !m.Holds(&j.Job, piece) {
			return nil, fmt.Errorf("cannot place job %d: machine %s has no room for it", j.ID, number)
		}
		at, _ := starlark.AsInt32(number)
		spot := policies.Spot{Machine: int32(at), Devices: policies.FirstDevices(m.Devices, int32(piece.GPU))}
		m.Take(piece, spot.Devices)
		if i == 0 {
			s.r.StartOn(j.ref, spot)
		} else {
			s.r.StartFurther(spot)
		}
	}
	return starlark.None, nil
}

func (s *round) wake(args starlark.Tuple) (starlark.Value, error) {
	var at float64
	ok := len(args) == 1
	if ok {
		at, ok = starlark.AsFloat(args[0])
	}
	t, fine := events.FromSeconds(at)
	if !ok || !fine {
		return nil, fmt.Errorf("wake: want a time in seconds, as in round.now + 60")
	}
	s.r.Wake(t)
	return starlark.None, nil
}

// jobs are the waiting or the running ones: a sequence as they are before the round's
// decisions.
type jobs struct {
	p    *Plan
	refs []policies.Ref
}

// jobs implements starlark.Indexable and starlark.Sequence.
func (j jobs) String() string             { return fmt.Sprintf("%d jobs", len(j.refs)) }
func (jobs) Type() string                 { return "jobs" }
func (jobs) Freeze()                      {}
func (j jobs) Truth() starlark.Bool       { return len(j.refs) > 0 }
func (jobs) Hash() (uint32, error)        { return 0, fmt.Errorf("jobs are no key") }
func (j jobs) Len() int                   { return len(j.refs) }
func (j jobs) Index(i int) starlark.Value { return j.p.jobs[j.refs[i]] }

// Slice implements starlark.Sliceable.
func (j jobs) Slice(start, end, step int) starlark.Value {
	c := jobs{j.p, nil}
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		c.refs = append(c.refs, j.refs[i])
	}
	return c
}

// Iterate walks them.
func (j jobs) Iterate() starlark.Iterator { return &walk{j, 0} }

type walk struct {
	jobs
	at int
}

// Next implements starlark.Iterator.
func (w *walk) Next(to *starlark.Value) bool {
	if w.at == len(w.refs) {
		return false
	}
	*to = w.Index(w.at)
	w.at++
	return true
}

// Done implements starlark.Iterator.
func (*walk) Done() {}
