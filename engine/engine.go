package engine

import (
	"context"
	"fmt"
	"io"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Config is the parts of a replay. Machine and Policy are needed.
type Config struct {
	// Machine is the machine of a replay: Processors, a Pool or a Cluster.
	Machine Machine
	Policy  policies.Policy
	// Pricer is the price scheme; nil if nobody pays.
	Pricer policies.Pricer
	// Also lists further price schemes that bill the same schedule: prices do
	// not change who runs, so several cost little more than one.
	Also []policies.Pricer
	// Bidder draws values and bids; nil if both are 1 for all jobs.
	Bidder policies.Bidder
	// Speeds are how fast jobs are on more or fewer processors than they asked for; nil if none may be.
	Speeds policies.Speeds
	// Budgets limit what users spend; nil if nothing does.
	Budgets *Budgets
	// Outages are when parts of the machine are not there, nil if never, and Limits further rules that keep
	// jobs from starting.
	Outages Outages
	// Capacity is when parts of the machine take no jobs that start, unknown in advance; what runs there runs on.
	Capacity Outages
	Limits   []Limit
	// Evict is which jobs an outage stops first.
	Evict Evict
	// Power is what the machine draws; nil if that is not wanted.
	Power *Power
	// Series are the input series that policy and price schemes may look at, and Charges what they make of the jobs and
	// the machine, by kind; nil where that is not wanted.
	Series  []policies.Series
	Charges [NumCharges]*Charge
	// MigrationCost is work added to a job each time it resumes after a
	// preemption.
	MigrationCost events.Time
	// StartCost is time that a job needs at each start, also its first, before its work goes on. A job that is preempted
	// meanwhile needs all of it again.
	StartCost events.Time
	// Restart makes a preempted job begin again: the work it has done is lost.
	Restart bool
	// Checkpoint, if not 0, is the work after which a job keeps what it has done: a
	// preempted one loses what came after the last checkpoint.
	Checkpoint events.Time
	// ResubmitKilled ends a job when its estimate is up and submits it again at
	// once, with twice the estimate, until it completes.
	ResubmitKilled bool
	// Bound is given to every Outcome.
	Bound events.Time
	// Check recomputes every conservation law while the replay runs; it costs
	// time proportional to the running jobs at every instant.
	Check bool
	// Segments and Samples take the stretches of running time and the states
	// of the system; nil if they are not wanted.
	Segments SegmentSink
	Samples  SampleSink
	// Arrivals takes jobs as they arrive; nil if they are not wanted.
	Arrivals ArrivalSink
	// Rounds takes the policy's decisions; nil if they are not wanted.
	Rounds RoundSink
	// Causes divides waits by cause; nil if that is not wanted.
	Causes Accountant
	// Progress, if not nil, is called every few thousand instants.
	Progress func(Progress)
}

// Progress reports how far a replay is.
type Progress struct {
	Now    events.Time
	Jobs   int64 // completed
	Events int64
	Live   int // running and waiting
}

// Summary is the counts and sums of a replay.
type Summary struct {
	// Jobs is the number of rows replayed; a serialised record has several.
	Jobs int64
	// Events counts arrivals, completions, changes of bid and timers; Instants
	// the distinct times at which any happened.
	Events, Instants int64
	Preemptions      int64
	// Stretched counts how often a job that has a speed was put on more or fewer processors than it asks for.
	Stretched int64
	// Left counts the jobs that ran elsewhere, WhyLeft is the reason of the first.
	Left    int64
	WhyLeft string
	// Resubmissions counts how often a job was submitted again.
	Resubmissions int64
	// BudgetsUsed counts how often a user's budget was used up before its period was over.
	BudgetsUsed int64
	// MachineEvents counts the events of the machines of a cluster, and
	// Evictions the jobs that this stopped; they are among the Preemptions.
	MachineEvents, Evictions int64
	// Held counts how often a rule of the site held a job back, and Stopped the jobs that an
	// outage stopped, which are among the Preemptions. Away is for how long the machine was not there: a part
	// of it for a part of the time.
	Held, Stopped int64
	Away          float64
	// Outages are those that have begun, those of a cap included.
	Outages []Outage
	// Energy is what the machine drew from the first submission to the last completion, JobEnergy that of what the jobs
	// used, in joules, and PeakPower the most at any time, in watts, if power is measured. Capped is
	// for how long jobs waited while part of the machine was to stay idle, OverCap for how long jobs ran there
	// that took longer than they were expected to.
	Energy, JobEnergy, PeakPower float64
	// Charged is what the machine was charged in the same time, by kind, JobCharged what its jobs were.
	Charged, JobCharged [NumCharges]float64
	Capped, OverCap     events.Time
	// Fragmented is for how long some job waited that the machines of a cluster had
	// room for all together, and none alone, if the policy measures it.
	Fragmented events.Time
	// Fragments is how much of the free GPUs of a cluster no typical job could use, in
	// device-seconds, if the policy measures it.
	Fragments float64
	// Blocked is for how long jobs waited while at least a tenth of the machine's
	// processors, or of each resource, was idle.
	Blocked events.Time
	// Submitted is the last submission. Backlog counts the jobs that began after it only,
	// Drained is when the last of them did.
	Submitted, Drained events.Time
	Backlog            int64
	// First is the first submission, Last the last completion.
	First, Last events.Time
	// Work is the processor time used, in processor-seconds, Lost the part of
	// it that preemption and estimates too short cost. On a pool both count CPU, and Used
	// what was used of each resource, in the trace's unit x seconds.
	Work, Lost float64
	Used       policies.Amount
	// Machines is the machine's size in processors, or the machines that a Pool
	// represents; Capacity what there is of each resource.
	Machines int
	Pool     bool
	Capacity policies.Amount
	// PeakLive is the largest number of unfinished jobs at any time.
	PeakLive int
}

// Utilisation returns the share of the machine's processor time from the first
// submission to the last completion that was used.
func (s *Summary) Utilisation() float64 { return s.used(s.Work, s.Capacity.CPU) }

// UtilisationOf is Utilisation for the r-th resource of a pool.
func (s *Summary) UtilisationOf(r int) float64 { return s.used(s.Used.At(r), s.Capacity.At(r)) }

func (s *Summary) used(work, capacity float64) float64 {
	span := float64(((s.Last - s.First).Seconds() - s.Away) * capacity)
	if span == 0 {
		return 0
	}
	return work / span
}

// Run replays src and gives every job's outcome to sink, in order of
// completion; a nil sink drops them. It returns at the first error, from whichever part, and when ctx
// is cancelled.
func Run(ctx context.Context, cfg Config, src traces.Source, sink Sink) (Summary, error) {
	e, err := New(cfg, src, sink)
	if err != nil {
		return Summary{}, err
	}
	defer e.Close()
	err = e.run(ctx)
	return e.sum, err
}

// Close lets go of what the policy holds outside of the program, if anything. Run closes
// its replay; a caller of Step closes its own, and does not touch it or its records again.
func (e *Replay) Close() {
	if c, ok := policies.As[io.Closer](e.cfg.Policy); ok {
		_ = c.Close()
	}
	if e.copied {
		t := e.tables
		spare.Put(&t)
		e.tables = tables{}
	}
}

// Replay is a replay in progress: plain numbers in tables indexed by
// policies.Ref, and the queue of what will happen.
type Replay struct {
	cfg  Config
	src  traces.Source
	sink Sink

	queue events.Queue
	stale int // completions in queue that a preemption has made void
	tables
	copied bool // by Fork: the tables are to be used again
	round  policies.Round

	next traces.Job // the next arrival, if more
	more bool
	seq  int64 // of the next arrival: its place in order of submission
	// arrivalSeq is that among all arrivals, jobs submitted again included: what
	// policies see. The two are the same without ResubmitKilled.
	arrivalSeq int64
	wakeAt     events.Time // when the last timer was set for
	eventSeq   int64       // sequence of timers and, with single events, of starts

	machine          machine
	now              events.Time
	started          bool            // an instant has been reached
	held             policies.Amount // in use, in grains; whole unless jobs share
	running, waiting int             // jobs
	instant          []policies.Ref  // started with nothing left to run
	pass             int64           // counts calls of Plan
	idle             int             // of these, the last in a row in which nothing had happened

	needs       policies.Needs
	serial      bool                   // jobs of one processor only
	single      bool                   // a round after every single event
	reactive    traces.Reactive        // src, or what it wraps, if its jobs follow others
	ranksLabels policies.LabelRanker   // nil if the policy is none
	gpus        policies.GPUFragmenter // nil if there are no GPUs, or the policy is none
	failers     []policies.Failer      // of policy and price schemes, those that can fail
	rebidder    policies.Rebidder
	rebids      [][]policies.Rebid // by Ref, of live jobs; nil without a rebidder
	pricers     []policies.Pricer  // cfg.Pricer and cfg.Also
	bills       []float64          // by Ref and price scheme, of live jobs
	purses      *purses            // nil without budgets
	gate        *gate              // nil without outages and limits
	meter       *meter             // nil without power and charges
	covered     events.Time        // the end of the first input series that ends
	there       policies.Amount    // what there is of the machine's capacity, in the trace's units
	usable      policies.Amount    // the part of it that need not stay idle
	nodes       *nodeSet           // nil unless segments are wanted
	audit       *audit             // nil unless Check
	sum         Summary
}

// live is the truth about a job in the system.
type live struct {
	Outcome
	run     events.Time // work of this attempt; less than Job.Run if the estimate will end it
	before  int32       // preemptions of earlier attempts
	left    events.Time // work left when it last started or stopped
	opening events.Time // of that, what was left of the cost of the last start
	since   events.Time // of the last start, or change of rate
	pace    float64     // at which its work falls since then
	opened  events.Time // of the segment in progress
	stopped int64       // the pass that preempted it last
	epoch   uint32      // bumped when it stops; never reset, so that it tells the jobs of a slot apart
	begun   bool
	shared  bool  // its rate has been set by Share
	changes int32 // of its rate
}

// tables are the live jobs: jobs[ref] is a job's public face, lives[ref] the truth about
// it, and free lists the places without a job.
type tables struct {
	jobs  policies.Pages[policies.Job]
	lives policies.Pages[live]
	free  []policies.Ref
}

// New prepares a replay of src into sink and reads the first job.
func New(cfg Config, src traces.Source, sink Sink) (*Replay, error) {
	if cfg.Policy == nil {
		return nil, ErrNoPolicy
	}
	if cfg = cfg.withDefaults(); sink == nil {
		sink = Tee()
	}
	traits, needs := policies.TraitsOf(cfg.Policy), policies.NeedsOf(cfg.Policy)
	if cfg.Machine == nil {
		cfg.Machine = Processors(0)
	}
	if traits.Leaves && cfg.ResubmitKilled {
		return nil, ErrComesBack
	}
	if cfg.Speeds != nil && cfg.Causes != nil {
		return nil, ErrSpeedCauses
	}
	if cfg.shrinks() && (traits.Leaves || traits.Fixed) {
		return nil, ErrOutages
	}
	m, err := cfg.Machine.open(traits)
	if err != nil {
		return nil, err
	}
	e := &Replay{cfg: cfg, src: src, sink: sink, machine: m}
	procs, whole := cfg.Machine.(Processors)
	e.sum.Machines, e.sum.Pool, e.sum.Capacity = m.count, !whole, m.units(m.total)
	e.round.Procs, e.round.Total = m.count, m.total
	if m.changesAt != events.Never {
		e.machine.total = policies.Amount{} // its machines are still to come
	}
	e.needs, e.serial, e.single = needs, traits.Serial, traits.SingleEvents
	e.ranksLabels, _ = policies.As[policies.LabelRanker](cfg.Policy)
	if c, ok := e.machine.placement.(*cluster); ok {
		if c.names = src.Header().Names; m.total.GPU > 0 {
			e.gpus, _ = policies.As[policies.GPUFragmenter](cfg.Policy)
		}
	}
	for _, p := range partsOf[policies.SiteReader](&cfg) {
		p.ReadSite(src.Header().Names, float64(m.count))
	}
	if err := cfg.readCalendar(src.Header()); err != nil {
		return nil, err
	}
	e.rebidder, _ = cfg.Bidder.(policies.Rebidder)
	e.reactive, _ = traces.As[traces.Reactive](src)
	e.pricers = append([]policies.Pricer{cfg.Pricer}, cfg.Also...)
	e.purses, e.gate, e.there = newPurses(cfg.Budgets, src), newGate(&cfg, m.total, src.Header().Calendar()), e.sum.Capacity
	e.usable = e.there
	if err := e.readSeries(); err != nil {
		return nil, err
	}
	e.meter, e.failers = newMeter(&cfg), e.ableToFail()
	if p, ok := policies.As[policies.Planner](cfg.Policy); ok && cfg.shrinks() {
		p.ExpectChanges()
	}
	if cfg.Segments != nil && whole {
		e.nodes = newNodeSet(int(procs))
	}
	if cfg.Check {
		e.audit = &audit{}
	}
	return e, e.fetch()
}

// shrinks reports whether parts of the machine may be away.
func (cfg *Config) shrinks() bool { return cfg.Outages != nil || cfg.Capacity != nil }

// partsOf lists the policy, the price schemes, the bidder and the limits, as far as they are a T.
func partsOf[T any](cfg *Config) (list []T) {
	if p, ok := policies.As[T](cfg.Policy); ok {
		list = append(list, p)
	}
	for _, pricer := range append([]policies.Pricer{cfg.Pricer}, cfg.Also...) {
		if p, ok := pricer.(T); ok {
			list = append(list, p)
		}
	}
	if b, ok := cfg.Bidder.(T); ok {
		list = append(list, b)
	}
	for _, l := range cfg.Limits {
		if p, ok := l.(T); ok {
			list = append(list, p)
		}
	}
	return list
}

// readCalendar tells the parts that may look at dates which the log has.
func (cfg *Config) readCalendar(h *traces.Header) error {
	for _, p := range partsOf[policies.CalendarReader](cfg) {
		if needs := p.ReadCalendar(h.Calendar()); needs != "" {
			return &traces.UndatedError{For: needs, Trace: h.Name}
		}
	}
	return nil
}

// ableToFail lists the parts of policy and price schemes that can fail.
func (e *Replay) ableToFail() (list []policies.Failer) {
	if f, ok := policies.As[policies.Fallible](e.cfg.Policy); ok {
		list = f.Failers()
	}
	for _, p := range e.pricers {
		if f, ok := p.(policies.Fallible); ok {
			list = append(list, f.Failers()...)
		}
	}
	if e.gate != nil {
		for _, l := range e.gate.limits {
			if f, ok := l.(policies.Failer); ok {
				list = append(list, f)
			}
		}
	}
	return list
}

// The numbers of instants between looks at the context, and between reports of progress. With a long queue an instant
// may take milliseconds.
const (
	looksEvery    = 1 << 6
	progressEvery = 1 << 13
)

func (e *Replay) run(ctx context.Context) error {
	for e.More() {
		if e.sum.Instants%looksEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if e.cfg.Progress != nil && e.sum.Instants%progressEvery == 0 {
				e.cfg.Progress(Progress{e.now, e.sum.Jobs, e.sum.Events, e.running + e.waiting})
			}
		}
		if err := e.Step(); err != nil {
			return err
		}
	}
	return e.finish()
}

// More reports whether anything is left to happen.
func (e *Replay) More() bool {
	return e.more || e.queue.Len() > 0 || e.waiting > 0 && min(e.machine.changesAt, e.renewal(), e.gate.changes(e.now)) !=
		events.Never
}

// Step advances to the next time at which something happens, absorbs all of it
// and lets the policy decide.
func (e *Replay) Step() error {
	for e.queue.Len() > 0 && e.void(e.queue.Head()) {
		e.discard(e.queue.Pop())
	}
	at := events.Never
	if e.queue.Len() > 0 {
		at = e.queue.Head().At
	}
	if e.more && e.next.Submit < at {
		at = e.next.Submit
	}
	if e.started && (at != events.Never || e.waiting > 0) {
		at = min(at, e.machine.changesAt)
	}
	if e.purses != nil && e.waiting+e.running > 0 {
		at = min(at, e.purses.renewal)
	}
	if e.gate != nil && e.started && (at != events.Never || e.waiting > 0) {
		at = min(at, e.gate.changes(e.now))
	}
	if at == events.Never {
		return nil // only void events were left
	}
	if err := e.advance(at); err != nil {
		return err
	}
	if err := e.absorb(); err != nil {
		return err
	}
	return e.decide()
}

// clockEnd is the last instant of a replay, some 146,000 years: to it any time read
// from a trace can be added. A sum beyond the range of Time is negative, thus before now.
const clockEnd = events.Never / 2

func (e *Replay) advance(at events.Time) error {
	if !e.started {
		e.started, e.now = true, at
		e.sum.First, e.sum.Last = at, at
		if err := e.uncovered(at); err != nil {
			return err
		}
	}
	if at < e.now || at > clockEnd {
		return &OverflowError{e.now, clockEnd}
	}
	if dt := (at - e.now).Seconds(); dt > 0 {
		use := e.machine.units(e.held)
		e.sum.Work += float64(use.CPU * dt)
		if e.sum.Pool {
			e.sum.Used = e.sum.Used.Plus(use.Times(dt))
		}
		if e.waiting > 0 && use.Times(10).Fits(e.usable.Times(9)) {
			e.sum.Blocked += at - e.now
		}
		if e.more || e.running+e.waiting > 0 { // and not only a timer is left
			if at > e.covered {
				return e.uncovered(at)
			}
			e.accrue(at - e.now)
		}
	}
	if e.audit != nil {
		e.audit.advance(e, at)
	}
	if at > e.now || e.sum.Instants == 0 {
		e.sum.Instants++
	}
	e.now = at
	for _, p := range e.pricers {
		p.Advance(at)
	}
	e.round.Now = at
	return nil
}

// accrue adds up what was away, and what was drawn.
func (e *Replay) accrue(dt events.Time) {
	if e.gate != nil {
		e.sum.Away += float64((1 - e.there.CPU/e.sum.Capacity.CPU) * dt.Seconds())
		if o := e.gate.outages; o != nil && o.capped {
			o.count(e, dt)
		}
	}
	if e.meter != nil {
		e.meter.accrue(e, dt)
	}
}

// absorb applies everything that happens now, in the order of event classes,
// or one event only, arrivals first, for a policy that wants single events: the
// next Step then finds the rest at the same instant.
func (e *Replay) absorb() error {
	if e.machine.changesAt <= e.now {
		if err := e.machine.change(e); err != nil {
			return err
		}
	}
	if e.single && e.more && e.next.Submit == e.now {
		return e.arrive()
	}
	for e.queue.Len() > 0 && e.queue.Head().At == e.now {
		ev := e.queue.Pop()
		if e.void(ev) {
			e.discard(ev)
			continue
		}
		if err := e.handle(ev); err != nil || e.single {
			return err
		}
	}
	if e.gate != nil && e.gate.outages != nil {
		if err := e.changeCapacity(); err != nil {
			return err
		}
	}
	for e.more && e.next.Submit == e.now {
		if err := e.arrive(); err != nil {
			return err
		}
	}
	return nil
}

// handle applies one event of the queue.
func (e *Replay) handle(ev events.Event) error {
	e.sum.Events++
	switch ev.Class() {
	case events.Completion:
		if ref := policies.Ref(ev.Slot); e.lives.At(ref).WhyLeft != "" {
			return e.recordLeft(ref)
		}
		return e.complete(policies.Ref(ev.Slot))
	case events.Bid:
		return e.rebid(policies.Ref(ev.Slot), ev.Arg)
	}
	return nil
}

// void reports whether an event's cause has gone: a completion of a job that
// was preempted since, or a new bid of a job that has ended.
func (e *Replay) void(ev events.Event) bool {
	switch ev.Class() {
	case events.Completion:
		return e.lives.At(policies.Ref(ev.Slot)).epoch != ev.Arg
	case events.Bid:
		return e.jobs.At(policies.Ref(ev.Slot)).Seq != ev.Seq() || e.jobs.At(policies.Ref(ev.Slot)).State == policies.Gone
	}
	return false
}

// discard drops a void event that has come up.
func (e *Replay) discard(ev events.Event) {
	if ev.Class() == events.Completion {
		e.stale--
	}
}

func (e *Replay) finish() error {
	if e.waiting+e.running > 0 {
		return &DeadlockError{e.waiting, e.firstWaiting(), 0}
	}
	if f, ok := policies.As[policies.Fragmenter](e.cfg.Policy); ok {
		e.sum.Fragmented = f.Fragmented()
	}
	if e.gpus != nil {
		_, e.sum.Fragments = e.gpus.Fragments()
	}
	if err := e.purses.unmatched(); err != nil {
		return err
	}
	if e.audit != nil {
		return e.audit.finish(e)
	}
	return nil
}

func (e *Replay) firstWaiting() string {
	first := policies.Ref(-1)
	for i := range policies.Ref(e.jobs.Len()) {
		if s := e.jobs.At(i).State; (s == policies.Waiting || s == policies.Held) && (first < 0 || e.jobs.At(i).Seq < e.jobs.At(first).Seq) {
			first = i
		}
	}
	if first < 0 {
		return "none"
	}
	j := e.jobs.At(first)
	text := fmt.Sprintf("job %d, %s, submitted at %v", j.ID, e.machine.text(j.Need), j.Submit)
	if j.Estimate.Known() {
		text += ", which asks for " + events.FormatDuration(j.Estimate)
	}
	return text
}
