package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// protocol is the version of the messages.
const protocol = 1

// Options are the facts shown to a program and the time that it may take.
type Options struct {
	Command string
	// Clairvoyant programs receive run times; those that need Estimates refuse jobs
	// without one.
	Clairvoyant, Estimates bool
	// Leaves and Charges permit programs to let jobs leave, and to set prices.
	Leaves, Charges bool
	Seed            int           // that it receives
	Timeout         time.Duration // for an answer
}

// Exec is a policy that a program decides. Jobs are named by their place in order of
// submission, which is their own number, as the trace's need not be.
type Exec struct {
	policies.AsFCFS
	o      Options
	words  []string
	open   func() (peer, error) // how it is begun
	p      peer
	linked bool // to a program that decides other replays, too
	err    error
	seq    []int64                // by Ref
	refs   map[int64]policies.Ref // looked up by number, never walked over
	line   []byte
	sent   []byte // all lines so far: a copy is made by telling another program the same
	lines  int
	names  traces.Names
	dates  *events.Calendar // nil where the log has none
	series []policies.Series
	// What it charges, by Ref, and the running jobs of which that has changed in the last round.
	agreed   []float64
	repriced []policies.Ref
}

// peer answers a line with a line.
type peer interface {
	ask(line []byte) ([]byte, error)
	close()
}

// New reads the command; the program is not started before it is needed.
func New(o Options) (*Exec, error) {
	words, err := split(o.Command)
	if err != nil {
		return nil, fmt.Errorf("exec %q: %w", o.Command, err)
	}
	return newExec(o, words), nil
}

func newExec(o Options, words []string) *Exec {
	return &Exec{o: o, words: words, refs: map[int64]policies.Ref{}, open: func() (peer, error) {
		return startProcess(words, o.Timeout)
	}}
}

// Needs are those of the options.
func (x *Exec) Needs() policies.Needs {
	return policies.Needs{RunTimes: x.o.Clairvoyant, Estimates: x.o.Estimates}
}

// Traits are those of the options.
func (x *Exec) Traits() policies.Traits { return policies.Traits{Leaves: x.o.Leaves} }

// Err implements policies.Failer.
func (x *Exec) Err() error { return x.err }

// Failers implements policies.Fallible.
func (x *Exec) Failers() []policies.Failer { return []policies.Failer{x} }

// answer is a program's line of decisions.
type answer struct {
	Start   []int64      `json:"start"`
	Preempt []int64      `json:"preempt"`
	Share   [][2]float64 `json:"share"`
	Wake    *float64     `json:"wake"`
	Leave   []leaving    `json:"leave"`
	Charge  [][2]float64 `json:"charge"`
	Stop    bool         `json:"stop"`
}

// Plan tells the program what happened and does as it says.
func (x *Exec) Plan(r *policies.Round) {
	if x.err != nil {
		return
	}
	if err := x.plan(r); err != nil {
		x.err = fmt.Errorf("%s at %v: %w", x.o.Command, r.Now, err)
	}
}

func (x *Exec) plan(r *policies.Round) error {
	if err := x.start(r.Procs); err != nil {
		return err
	}
	x.message(r)
	x.sent, x.lines = append(x.sent, x.line...), x.lines+1
	text, err := x.p.ask(x.line)
	if err != nil {
		return err
	}
	var a answer
	if err := strict(text, &a); err != nil {
		return err
	}
	return x.carryOut(r, &a)
}

// strict reads one answer and wants nothing in it that is not known.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		hint := ""
		if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
			hint = "; print to standard error what is no answer"
		}
		return fmt.Errorf("it answered %q, which is not what is wanted: %v%s", short(text), err, hint)
	}
	if d.More() {
		return fmt.Errorf("it answered %q: more than one value in a line", short(text))
	}
	return nil
}

// start starts the program, if it is not running, and brings it to where this policy is.
func (x *Exec) start(procs int) error {
	if x.p != nil {
		return nil
	}
	p, err := x.open()
	if err != nil {
		return err
	}
	x.p = p
	facts := map[string]any{"protocol": protocol, "procs": procs, "seed": x.o.Seed, "clairvoyant": x.o.Clairvoyant,
		"estimates": x.o.Estimates}
	if x.dates != nil {
		facts["epoch"], facts["time_zone"] = x.dates.At(0).Unix(), x.dates.Zone()
	}
	if len(x.series) > 0 {
		facts["series"] = announced(x.series)
	}
	hello, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	text, err := p.ask(append(hello, '\n'))
	if err != nil {
		return err
	}
	var greeting struct{ Protocol int }
	if err := strict(text, &greeting); err != nil {
		return err
	}
	if greeting.Protocol != protocol {
		return fmt.Errorf("it speaks protocol %d; want %d", greeting.Protocol, protocol)
	}
	rest := x.sent
	for range x.lines {
		end := slices.Index(rest, '\n') + 1
		if _, err := p.ask(rest[:end]); err != nil {
			return err
		}
		rest = rest[end:]
	}
	return nil
}

// carryOut turns an answer into decisions.
func (x *Exec) carryOut(r *policies.Round, a *answer) error {
	if a.Stop {
		return ErrStopped
	}
	for _, id := range a.Preempt {
		ref, err := x.ref(id)
		if err != nil {
			return fmt.Errorf("it preempts %w", err)
		}
		r.Preempt(ref)
	}
	for _, id := range a.Start {
		ref, err := x.ref(id)
		if err != nil {
			return fmt.Errorf("it starts %w", err)
		}
		r.Start(ref)
	}
	for _, s := range a.Share {
		ref, err := x.ref(int64(s[0]))
		if err != nil {
			return fmt.Errorf("it shares %w", err)
		}
		if !(s[1] >= 0 && s[1] <= 1) {
			return fmt.Errorf("it gives job %g the rate %g; want 0 to 1", s[0], s[1])
		}
		r.Share(ref, s[1])
	}
	if err := x.letGo(r, a.Leave); err != nil {
		return err
	}
	if err := x.charge(r, a.Charge); err != nil {
		return err
	}
	if a.Wake != nil {
		at, ok := events.FromSeconds(*a.Wake)
		if !ok {
			return fmt.Errorf("it wants to be woken at %g; want seconds", *a.Wake)
		}
		r.Wake(at)
	}
	return nil
}

func (x *Exec) ref(id int64) (policies.Ref, error) {
	if ref, ok := x.refs[id]; ok {
		return ref, nil
	}
	return 0, fmt.Errorf("job %d, which is not there; want its \"id\", which is not the log's number", id)
}

// message writes what happened into x.line.
func (x *Exec) message(r *policies.Round) {
	b := append(x.line[:0], `{"now":`...)
	b = seconds(b, r.Now)
	b = append(b, `,"free":`...)
	b = strconv.AppendInt(b, int64(r.Free), 10)
	for _, ref := range r.Ended {
		delete(x.refs, x.seq[ref])
	}
	b = append(b, `,"arrived":[`...)
	for i, ref := range r.Arrived {
		j := r.Job(ref)
		for int(ref) >= len(x.seq) {
			x.seq = append(x.seq, 0)
		}
		x.seq[ref], x.refs[j.Seq] = j.Seq, ref
		if int(ref) < len(x.agreed) {
			x.agreed[ref] = 0 // of the job that had this place before
		}
		b = x.job(comma(b, i), j)
	}
	b = append(b, `],"ended":[`...)
	for i, ref := range r.Ended {
		b = strconv.AppendInt(comma(b, i), x.seq[ref], 10)
	}
	if b = append(b, ']'); len(x.series) > 0 {
		b = append(b, `,"series":{`...)
		for i, s := range x.series {
			b = strconv.AppendQuote(comma(b, i), s.Name)
			b = strconv.AppendFloat(append(b, ':'), s.Values.At(r.Now), 'g', -1, 64)
		}
		b = append(b, '}')
	}
	b = append(b, `,"changed":[`...)
	for i, ref := range r.Rebid {
		b = append(comma(b, i), `{"id":`...)
		b = strconv.AppendInt(b, x.seq[ref], 10)
		b = append(b, `,"bid":`...)
		b = strconv.AppendFloat(b, r.Job(ref).Bid, 'g', -1, 64)
		b = append(b, '}')
	}
	x.line = append(b, "]}\n"...)
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// seconds writes a time, null if it is unknown.
func seconds(b []byte, t events.Time) []byte {
	if t == events.Unknown {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, t.Seconds(), 'f', -1, 64)
}

// job writes what the program may know of a job that arrives.
func (x *Exec) job(b []byte, j *policies.Job) []byte {
	number := func(name string, v int64) {
		b = append(append(append(b, `,"`...), name...), `":`...)
		b = strconv.AppendInt(b, v, 10)
	}
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, j.Seq, 10)
	number("job", j.ID)
	number("procs", int64(j.Procs))
	b = x.label(b, "user", j.User, x.names.Users)
	b = x.label(b, "group", j.Group, x.names.Groups)
	b = x.label(b, "queue", j.Queue, x.names.Queues)
	b = x.label(b, "partition", j.Partition, x.names.Partitions)
	number("priority", int64(j.Priority))
	number("class", int64(j.Class))
	number("pieces", int64(j.Pieces))
	b = append(b, `,"memory":`...)
	b = strconv.AppendFloat(b, j.Need.Memory, 'g', -1, 64)
	b = append(b, `,"gpu":`...)
	if b = strconv.AppendFloat(b, j.GPU, 'g', -1, 64); j.GPU < 0 {
		b = append(b[:len(b)-len("-1")], "null"...)
	}
	b = seconds(append(b, `,"submit":`...), j.Submit)
	b = seconds(append(b, `,"estimate":`...), j.Estimate)
	if x.o.Clairvoyant {
		b = seconds(append(b, `,"run":`...), j.Run)
	}
	b = append(b, `,"bid":`...)
	b = strconv.AppendFloat(b, j.Bid, 'g', -1, 64)
	return append(b, '}')
}

// ReadSite implements policies.SiteReader.
func (x *Exec) ReadSite(n traces.Names, _ float64) { x.names = n }

// ReadCalendar implements policies.CalendarReader.
func (x *Exec) ReadCalendar(c *events.Calendar) (needs string) {
	x.dates = c
	return ""
}

// ReadSeries implements policies.SeriesReader.
func (x *Exec) ReadSeries(all []policies.Series) error {
	x.series = all
	return nil
}

// announced are the input series as the program is shown them, once: each value holds from its time, in seconds, to the
// next, the last until the end; a series that repeats does so from then on.
func announced(all []policies.Series) map[string]any {
	shown := map[string]any{}
	for _, s := range all {
		first, end := s.Values.Span()
		times, values := make([]float64, s.Values.Len()), make([]float64, s.Values.Len())
		for i := range times {
			from, _, v := s.Values.Step(i)
			times[i], values[i] = from.Seconds(), v
		}
		after := "no"
		if s.Values.Covers(end, end+1) {
			if after = "last"; s.Values.Covers(first-1, first) {
				after = "repeat"
			}
		}
		shown[s.Name] = map[string]any{"time": times, "value": values, "end": end.Seconds(), "after": after}
	}
	return shown
}

// Clone returns a copy with its own program, which receives all that this one received
// before it is first asked: a program's memory cannot be copied. That takes the time of
// the replay up to here.
func (x *Exec) Clone() policies.Policy { return x.clone() }

func (x *Exec) clone() *Exec {
	c := &Exec{o: x.o, words: x.words, open: x.open, err: x.err, seq: slices.Clone(x.seq), refs: map[int64]policies.Ref{},
		sent: slices.Clone(x.sent), lines: x.lines, names: x.names, dates: x.dates, series: x.series,
		agreed: slices.Clone(x.agreed), repriced: slices.Clone(x.repriced)}
	if x.linked {
		c.open = func() (peer, error) { return nil, errors.New("a replay over a link cannot be copied") }
	}
	for ref, seq := range c.seq {
		if at, ok := x.refs[seq]; ok && int(at) == ref {
			c.refs[seq] = at
		}
	}
	return c
}

// Close ends the program.
func (x *Exec) Close() error {
	if x.p != nil {
		x.p.close()
		x.p = nil
	}
	return nil
}
