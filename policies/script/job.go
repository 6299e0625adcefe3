package script

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/fields"
	"bourse/traces/suggest"
)

// job is a job as scripts see it: as it was when an order was asked for its rank, or for a plan as it is, the same value
// for all its life. Times are in seconds, labels numbers, or texts where the log has names.
type job struct {
	policies.Job
	now   events.Time
	clock *events.Time // instead of now, for a plan
	ref   policies.Ref
	site  *site
}

// waitsUntil is the instant that waits are counted up to.
func (j *job) waitsUntil() events.Time {
	if j.clock != nil {
		return *j.clock
	}
	return j.now
}

// state is the state of a job of a plan, in words.
func (j *job) state(p *Plan) string {
	switch {
	case j.State == policies.Gone || p.jobs[j.ref] != j:
		return "over"
	case j.State == policies.Running:
		return "running"
	}
	return "waiting"
}

// attributes of jobs, in the order that help lists them.
var attributes = []struct {
	name, line string
	of         func(*job) starlark.Value
}{
	{"id", "the trace's number", func(j *job) starlark.Value { return starlark.MakeInt64(j.ID) }},
	{"order", "its place in order of submission", label(func(j *job) int64 { return j.Seq })},
	{"running", "whether it runs", func(j *job) starlark.Value { return starlark.Bool(j.State == policies.Running) }},
	{"procs", "processors", func(j *job) starlark.Value { return starlark.MakeInt(int(j.Procs)) }},
	{"size", "what it pays for: its processors, or on a pool its dominant share in machines",
		number(func(j *job) float64 { return j.Size })},
	{"gpu", "the GPUs that each of its processors asks for, -1 if it does not say",
		number(func(j *job) float64 { return j.GPU })},
	{"memory", "the memory that it holds while it runs, of all its processors; 0 where the machine is of processors alone",
		number(func(j *job) float64 { return j.Need.Memory })},
	{"disk", "the disk space that each asks for, -1 if it does not say", number(func(j *job) float64 { return j.Disk })},
	{"pieces", "in how many pieces it is placed on machines, each on one",
		func(j *job) starlark.Value { return starlark.MakeInt(int(j.Pieces)) }},
	{"submit", "when it came", seconds(func(j *job) events.Time { return j.Submit })},
	{"wait", "seconds since then", seconds(func(j *job) events.Time { return j.waitsUntil() - j.Submit })},
	{"estimate", "the requested time", seconds(func(j *job) events.Time { return j.Estimate })},
	{"run", "the true run time, for clairvoyant scripts", seconds(func(j *job) events.Time { return j.Run })},
	{"left", "the work left at its last start or stop, for clairvoyant scripts",
		seconds(func(j *job) events.Time { return j.Left })},
	{"since", "the last start of a running job", seconds(func(j *job) events.Time { return j.Since })},
	{"bid", "what its owner bids for a processor-second", number(func(j *job) float64 { return j.Bid })},
	{"user", "its user: a number, or a text where the log has names", named(func(j *job, n *traces.Names) spelled {
		return spelled{j.User, n.Users}
	})},
	{"group", "its group", named(func(j *job, n *traces.Names) spelled { return spelled{j.Group, n.Groups} })},
	{"queue", "its queue", named(func(j *job, n *traces.Names) spelled { return spelled{j.Queue, n.Queues} })},
	{"partition", "its partition", named(func(j *job, n *traces.Names) spelled {
		return spelled{j.Partition, n.Partitions}
	})},
	{"priority", "the trace's, -1 if it has none", label(func(j *job) int64 { return int64(j.Priority) })},
	{"class", "its scheduling class, -1 if it has none", label(func(j *job) int64 { return int64(j.Class) })},
	{"rate", "the share of its processors that it holds", number(func(j *job) float64 { return j.Rate })},
}

func number(of func(*job) float64) func(*job) starlark.Value {
	return func(j *job) starlark.Value { return starlark.Float(of(j)) }
}

func seconds(of func(*job) events.Time) func(*job) starlark.Value {
	return func(j *job) starlark.Value { return starlark.Float(fields.Seconds(of(j))) }
}

func label(of func(*job) int64) func(*job) starlark.Value {
	return func(j *job) starlark.Value { return starlark.MakeInt64(of(j)) }
}

// labels are the attributes that may be texts.
var labels = []string{"user", "group", "queue", "partition"}

// spelled is a label and the words that spell it out.
type spelled struct {
	traces.Label
	words *traces.Words
}

// named is a label by what it is called, the number that it is, or -1 without one.
func named(of func(*job, *traces.Names) spelled) func(*job) starlark.Value {
	return func(j *job) starlark.Value {
		var names traces.Names
		if j.site != nil {
			names = j.site.names
		}
		l := of(j, &names)
		if text, ok := l.words.Text(l.Label); ok && l.Named() && l.words != nil {
			return starlark.String(text)
		}
		return starlark.MakeInt64(int64(l.Label))
	}
}

var places = func() map[string]int {
	at := map[string]int{}
	for i, a := range attributes {
		at[a.name] = i
	}
	return at
}()

func attributeNames() []string {
	names := make([]string, len(attributes))
	for i, a := range attributes {
		names[i] = a.name
	}
	return names
}

// job implements starlark.HasAttrs, and may be a key of a dict.
func (j *job) String() string        { return fmt.Sprintf("job %d", j.ID) }
func (*job) Type() string            { return "job" }
func (*job) Freeze()                 {}
func (*job) Truth() starlark.Bool    { return true }
func (j *job) Hash() (uint32, error) { return uint32(j.Seq), nil }
func (*job) AttrNames() []string     { return slices.Sorted(slices.Values(attributeNames())) }

// Attr returns an attribute; there is no setting one.
func (j *job) Attr(name string) (starlark.Value, error) {
	if i, ok := places[name]; ok {
		return attributes[i].of(j), nil
	}
	return nil, fmt.Errorf("a job has no %q%s", name, suggest.Among(name, attributeNames()))
}
