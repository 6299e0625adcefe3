package engine

import (
	"math"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Outcome is the record of one job. Sinks get a pointer to the engine's own
// record and must not keep it.
type Outcome struct {
	// Job is the job as it was replayed.
	Job traces.Job
	// Size is the quantity that the job pays for and its weight: its processors, or on a pool
	// its dominant share times the machines in it.
	Size float64
	// Seq is the job's place in order of submission, ties by trace order: 0,
	// 1, 2... Records come in order of completion; Seq puts them back.
	Seq int64
	// Row is the job's place in the trace as it was given. It is Seq unless the
	// source is traces.Reactive, whose jobs come when others have ended.
	Row int64
	// Start is the first start, End the completion.
	Start, End events.Time
	// Value is the job's private value, Bid its last bid, per processor-second.
	Value, Bid float64
	// Aggressive marks members of the risk-aggressive group.
	Aggressive bool
	// Shape is how the job's worth falls with time, nil if it does so evenly.
	Shape *policies.Shape
	// Payment is the bill: the integral of price times Size over the time the
	// job ran.
	Payment float64
	// Also holds the bills under the further price schemes of Config.Also.
	Also []float64
	// WhyLeft is the reason for which the job left: it ran elsewhere, for nothing, from Start
	// to End. "" if it did not leave.
	WhyLeft string
	// Preemptions counts how often the job was stopped before it was done, and
	// Lost is the work (time on its processors) that this cost it. Restarts counts
	// how often its estimate ended it and it was submitted again; what it had done
	// by then is in Lost.
	Preemptions int32
	Restarts    int32
	Lost        events.Time
	// PreemptedBy is the trace's number of the job that the last preemption made
	// room for, NoJob if there was none or the policy did not say.
	PreemptedBy int64
	// Energy is what the job's processors and devices drew while it ran, in joules; 0 unless Config.Power says what
	// they draw.
	Energy float64
	// Charged is what it was charged while it ran, by kind; 0 unless Config.Charges says so.
	Charged [NumCharges]float64
	// Causes divides the wait by cause; nil unless Config.Causes does so. It is good
	// until the sink returns.
	Causes *Causes
	// Ref is the job's place in the tables of rounds when it ended.
	Ref policies.Ref
	// Bound is the least run time by which bounded slowdown divides, DefaultBound if 0.
	Bound events.Time
}

// NoJob is the number of no job.
const NoJob = math.MinInt64

// DefaultBound is the least run time by which bounded slowdown divides where nothing
// else is set: 10 s (Feitelson, Rudolph et al. 1997).
const DefaultBound = 10 * events.Second

// bsdFloor is that of the market study: 60 s (Shudler et al., section II.A).
const bsdFloor = 60 * events.Second

// Flow returns phi = end - submit.
func (o *Outcome) Flow() events.Time { return o.End - o.Job.Submit }

// Wait returns phi - tau: the time the job was there and not at its own work. One that was faster on more processors than
// it would have been at once on what it asked for has not waited.
func (o *Outcome) Wait() events.Time { return max(0, o.Flow()-o.Job.Run) }

// BoundedSlowdown returns max(1, phi / max(tau, Bound)).
func (o *Outcome) BoundedSlowdown() float64 { return o.slowdown(o.Flow()) }

// Recorded returns the log's record of the job: its wait, and its bounded slowdown;
// false if it says nothing.
func (o *Outcome) Recorded() (wait events.Time, slowdown float64, known bool) {
	return o.Job.Wait, o.slowdown(o.Job.Wait + o.Job.Run), o.Job.Wait.Known()
}

func (o *Outcome) slowdown(flow events.Time) float64 {
	bound := o.Bound
	if bound == 0 {
		bound = DefaultBound
	}
	return max(1, float64(flow)/float64(max(o.Job.Run, bound)))
}

// BSD returns phi / max(tau, 60 s). As in the market study there is no outer maximum:
// it is below 1 for short jobs that hardly wait.
func (o *Outcome) BSD() float64 { return float64(o.Flow()) / float64(max(o.Job.Run, bsdFloor)) }

// WeightedFlow returns w p phi, p being the Size: the job's part of the total weighted flow time.
// The conversion keeps the product from being fused with a later sum.
func (o *Outcome) WeightedFlow() float64 {
	return float64(o.Value * o.Size * o.Flow().Seconds())
}

// Valuation returns v = -w p phi, or with a shape what the job was worth when it ended.
func (o *Outcome) Valuation() float64 {
	if o.Shape == nil {
		return -o.WeightedFlow()
	}
	return float64(o.Worth() * o.Shape.At(o.Flow()))
}

// Worth is w p tau, what a job with a shape of first factor 1 is worth at the most.
func (o *Outcome) Worth() float64 { return float64(float64(o.Value*o.Size) * o.Job.Run.Seconds()) }

// Loss is the factor of the value, v = -w Loss: the flow time of each of its processors, or
// by its shape.
func (o *Outcome) Loss() float64 {
	if o.Shape == nil {
		return float64(o.Size * o.Flow().Seconds())
	}
	return -float64(float64(o.Size*o.Job.Run.Seconds()) * o.Shape.At(o.Flow()))
}

// Utility returns u = v - payment.
func (o *Outcome) Utility() float64 { return o.Valuation() - o.Payment }

// Severe reports whether the job is severely slowed down: BSD >= 5.
func (o *Outcome) Severe() bool { return o.BSD() >= SevereSlowdown }

// SevereSlowdown is the BSD from which a job counts as severely
// slowed down (Shudler et al., section III.A).
const SevereSlowdown = 5

// Segment is one stretch of a job's running time under one bid: from a start
// to a completion, a preemption or a change of bid. A bill is the sum of its
// segments' charges.
type Segment struct {
	Job        *traces.Job
	Size       float64 // what the job pays for; see Outcome
	Start, End events.Time
	// Share is the fraction of its processors that the job held, 1 if all.
	Share float64
	// Charge is the money due for the segment, all processors together.
	Charge float64
	// Nodes is the set of processors held, as ranges "0-3 7"; empty if they were
	// shared. It is valid until the sink returns.
	Nodes []byte
}

// Price returns the mean price of the segment per processor-second, 0 for a
// segment without duration.
func (s *Segment) Price() float64 {
	if s.End <= s.Start {
		return 0
	}
	return s.Charge / (s.Size * s.Share * (s.End - s.Start).Seconds())
}

// Sample is the state of the system from Time to the next sample.
type Sample struct {
	Time events.Time
	// Running and Queued count jobs; Use is what they hold of the processors, or of each
	// of a pool's resources, of Capacity.
	Running, Queued int
	Use, Capacity   policies.Amount
	// Away is how many processors an outage takes, and Capped how many are to stay idle.
	Away, Capped float64
	// Fragments is how much of the free GPUs of a cluster no typical job could use, in devices.
	Fragments float64
	// Power is what the machine draws, in watts, if that is measured.
	Power float64
	// Price is the scheme's common price in force (policies.Pricer.Quote).
	Price float64
}

// Utilisation returns the share of processors in use, of those that are there; 0 while none is.
func (s *Sample) Utilisation() float64 { return s.UtilisationOf(0) }

// UtilisationOf is Utilisation for the r-th resource.
func (s *Sample) UtilisationOf(r int) float64 {
	if s.Capacity.At(r) == 0 {
		return 0
	}
	return s.Use.At(r) / s.Capacity.At(r)
}

// Sink takes outcomes in order of completion.
type Sink interface{ Record(*Outcome) error }

// ArrivalSink takes jobs as they are submitted: of what becomes of them nothing is known
// yet. share is the part of each of the machine's resources that the job takes.
type ArrivalSink interface {
	Arrive(o *Outcome, share policies.Amount)
}

// SegmentSink takes segments in order of their end.
type SegmentSink interface{ Segment(*Segment) error }

// SampleSink takes samples in order of time.
type SampleSink interface{ Sample(*Sample) error }

// RoundSink takes every round after its decisions have been carried out and
// priced: the jobs it starts run, those it preempts wait again. The round is the
// engine's own; a sink must neither change nor keep it.
type RoundSink interface{ Round(*policies.Round) error }

// Tee returns a sink that passes every record on to each of sinks in turn, up to the
// first error.
func Tee(sinks ...Sink) Sink { return tee(sinks) }

type tee []Sink

// Record implements Sink.
func (t tee) Record(o *Outcome) error {
	for _, s := range t {
		if err := s.Record(o); err != nil {
			return err
		}
	}
	return nil
}
