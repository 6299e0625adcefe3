package record

import (
	"math"
	"slices"
	"strconv"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// shudler names the paper whose measures the market columns follow.
const shudler = "Shudler et al."

// JobColumns is the table of columns of the dataset "jobs": one row per replayed job
// in order of completion.
var JobColumns = []Field[engine.Outcome]{
	{Column: Column{Name: "job_id", Kind: Int64, Meaning: "the trace's number of the job"},
		int64: func(o *engine.Outcome) int64 { return o.Job.ID }},
	{Column: Column{Name: "task", Kind: Int32, Meaning: "piece of a serialised job or task of a job, from 0", few: true},
		int32: func(o *engine.Outcome) int32 { return o.Job.Task }},
	label("user", "who submitted the job", func(o *engine.Outcome, n *traces.Names) (traces.Label,
		*traces.Words) {
		return o.Job.User, n.Users
	}),
	label("group", "the user's group", func(o *engine.Outcome, n *traces.Names) (traces.Label,
		*traces.Words) {
		return o.Job.Group, n.Groups
	}),
	label("queue", "the queue submitted to", func(o *engine.Outcome, n *traces.Names) (traces.Label,
		*traces.Words) {
		return o.Job.Queue, n.Queues
	}),
	label("partition", "the part of the machine asked for", func(o *engine.Outcome, n *traces.Names) (traces.Label,
		*traces.Words) {
		return o.Job.Partition, n.Partitions
	}),
	seconds("submit_s", "submission, since the trace's zero", func(o *engine.Outcome) events.Time { return o.Job.Submit }),
	unlessLeft("start_s", "first start", func(o *engine.Outcome) events.Time { return o.Start }),
	unlessLeft("end_s", "completion", func(o *engine.Outcome) events.Time { return o.End }),
	seconds("run_s", "run time tau", func(o *engine.Outcome) events.Time { return o.Job.Run }),
	{Column: Column{Name: "estimate_s", Kind: Float64, Unit: "s", Nullable: true,
		Meaning: "requested time; null if the user gave none", few: true},
		float: func(o *engine.Outcome) (float64, bool) { return o.Job.Estimate.Seconds(), o.Job.Estimate.Known() }},
	{Column: Column{Name: "procs", Kind: Int32, Unit: "1", Meaning: "processors p", few: true},
		int32: func(o *engine.Outcome) int32 { return o.Job.Procs }},
	number("size", "1", "what the job pays for: processors, or dominant share x machines of a pool", "",
		func(o *engine.Outcome) float64 { return o.Size }),
	seconds("wait_s", "phi - tau: time in the system not at its own work", (*engine.Outcome).Wait),
	seconds("flow_s", "phi = end - submit", (*engine.Outcome).Flow),
	number("bounded_slowdown", "1", "max(1, phi / max(tau, bound)); the bound is 10 s unless the scenario has another",
		"Feitelson, Rudolph et al. 1997", (*engine.Outcome).BoundedSlowdown),
	number("bsd", "1", "phi / max(tau, 60 s), no outer maximum", shudler+", II.A", (*engine.Outcome).BSD),
	number("value", "money/(proc s)", "w, what a processor-second is worth to the owner", shudler,
		func(o *engine.Outcome) float64 { return o.Value }),
	number("bid", "money/(proc s)", "b, what the owner last said it is worth", shudler,
		func(o *engine.Outcome) float64 { return o.Bid }),
	{Column: Column{Name: "aggressive", Kind: Bool, Meaning: "member of the risk-aggressive group", Source: shudler},
		flag: func(o *engine.Outcome) bool { return o.Aggressive }},
	number("payment", "money", "the bill: integral of price x size over the running time", shudler,
		func(o *engine.Outcome) float64 { return o.Payment }),
	number("valuation", "money", "v = -w size phi", shudler, (*engine.Outcome).Valuation),
	number("utility", "money", "u = v - payment", shudler, (*engine.Outcome).Utility),
	{Column: Column{Name: "left", Kind: Bool, Meaning: "the job left and ran elsewhere, for nothing: times and values are of " +
		"that"}, flag: func(o *engine.Outcome) bool { return o.WhyLeft != "" }},
	{Column: Column{Name: "preemptions", Kind: Int32, Unit: "1", Meaning: "times the job was stopped before it was done",
		few: true},
		int32: func(o *engine.Outcome) int32 { return o.Preemptions }},
	{Column: Column{Name: "preempted_by", Kind: Int64, Nullable: true,
		Meaning: "number of the job that the last preemption made room for; null if there was none"},
		int64: func(o *engine.Outcome) int64 { return o.PreemptedBy }},
	{Column: Column{Name: "restarts", Kind: Int32, Unit: "1",
		Meaning: "times the job's estimate ended it and it was submitted again with twice that", few: true},
		int32: func(o *engine.Outcome) int32 { return o.Restarts }},
	seconds("lost_s", "work lost to preemption and to estimates too short, on each of the job's processors",
		func(o *engine.Outcome) events.Time { return o.Lost }),
}

// CauseColumns are the further columns of "jobs" if waits are divided by cause.
func CauseColumns() []Field[engine.Outcome] {
	var list []Field[engine.Outcome]
	for c, is := range engine.AllCauses {
		list = append(list, seconds("wait_"+is.Name+"_s", "part of wait_s, "+is.Meaning,
			func(o *engine.Outcome) events.Time { return o.Causes[c] }))
	}
	return list
}

// EnergyColumns are the further columns of "jobs" if power is measured, PowerColumns those of "series".
var (
	EnergyColumns = []Field[engine.Outcome]{number("energy_kwh", "kWh",
		"what its processors and devices drew while it ran: integral of their busy power", "",
		func(o *engine.Outcome) float64 { return o.Energy / joules })}
	PowerColumns = []Field[engine.Sample]{number("power_kw", "kW", "what the machine draws", "",
		func(s *engine.Sample) float64 { return s.Power / 1000 })}
)

// ChargeColumns are the further columns of "jobs" for input series, by kind of charge.
var ChargeColumns = [engine.NumCharges]Field[engine.Outcome]{
	engine.Carbon: number("carbon_g", "g", "carbon of what its processors and devices drew while it ran: integral of "+
		"power x carbon intensity "+
		"(the input series carbon)", "", func(o *engine.Outcome) float64 { return o.Charged[engine.Carbon] }),
	engine.Tariff: number("tariff_cost", "money", "what that cost, or its processors: integral of the input series "+
		"tariff", "",
		func(o *engine.Outcome) float64 { return o.Charged[engine.Tariff] }),
}

// AwayColumns are the further columns of "series" with outages or a cap on power.
var AwayColumns = []Field[engine.Sample]{
	number("away", "1", "processors that an outage takes", "", func(s *engine.Sample) float64 { return s.Away }),
	number("capped", "1", "processors that a cap on power keeps idle", "", func(s *engine.Sample) float64 { return s.Capped }),
}

// joules is how many are a kilowatt-hour.
const joules = 3.6e6

// AskedColumns are the further columns of "jobs" for what jobs ask for beside processors,
// CPU and memory.
func AskedColumns(asks traces.Asks) (list []Field[engine.Outcome]) {
	asked := func(name, unit, what string, get func(*engine.Outcome) float64) Field[engine.Outcome] {
		return Field[engine.Outcome]{Column: Column{Name: name, Kind: Float64, Unit: unit, Nullable: true, Meaning: what +
			" requested per processor; null if unknown", few: true},
			float: func(o *engine.Outcome) (float64, bool) { return get(o), get(o) >= 0 }}
	}
	if asks.GPU {
		list = append(list, asked("gpu", "1", "GPUs, or the share of one,",
			func(o *engine.Outcome) float64 { return o.Job.GPU }))
	}
	if asks.Disk {
		list = append(list, asked("disk", "", "disk space", func(o *engine.Outcome) float64 { return o.Job.Disk }))
	}
	if asks.Model {
		list = append(list, label("gpu_model", "GPU models it may run on, with | between",
			func(o *engine.Outcome, n *traces.Names) (traces.Label, *traces.Words) { return o.Job.Model, n.Models }))
	}
	return list
}

// UseColumns are the further columns of "series" on a machine of several resources; placed
// says that jobs are placed on single machines.
func UseColumns(total policies.Amount, placed bool) (list []Field[engine.Sample]) {
	for r, name := range policies.ResourceNames {
		if r > 0 && total.At(r) > 0 {
			list = append(list, number("utilisation_"+name, "1", "share of all "+[...]string{"CPU", "memory", "GPUs",
				"disk"}[r]+" in use", "",
				func(s *engine.Sample) float64 { return s.UtilisationOf(r) }))
		}
	}
	if placed && total.GPU > 0 {
		list = append(list, number("gpu_fragments", "1",
			"share of all GPUs that is free but of no use to typical jobs (fragmentation)", "",
			func(s *engine.Sample) float64 { return s.Fragments / total.GPU }))
	}
	return list
}

// SegmentColumns is the table of columns of the dataset "segments": what a bill is
// made of, in order of the segments' ends.
var SegmentColumns = []Field[engine.Segment]{
	{Column: Column{Name: "job_id", Kind: Int64, Meaning: "the trace's number of the job"},
		int64: func(s *engine.Segment) int64 { return s.Job.ID }},
	{Column: Column{Name: "task", Kind: Int32, Meaning: "piece of a serialised job or task of a job, from 0", few: true},
		int32: func(s *engine.Segment) int32 { return s.Job.Task }},
	{Column: Column{Name: "nodes", Kind: Text, Nullable: true, Meaning: `processors held, as ranges "0-3 7"`},
		text: func(s *engine.Segment, _ *traces.Names, buf []byte) []byte { return append(buf, s.Nodes...) }},
	{Column: Column{Name: "procs", Kind: Int32, Unit: "1", Meaning: "number of processors held", few: true},
		int32: func(s *engine.Segment) int32 { return s.Job.Procs }},
	seconds("start_s", "start of the segment, since the trace's zero",
		func(s *engine.Segment) events.Time { return s.Start }),
	seconds("end_s", "end of the segment, since the trace's zero", func(s *engine.Segment) events.Time { return s.End }),
	number("share", "1", "fraction of the processors held, 1 if all", "",
		func(s *engine.Segment) float64 { return s.Share }),
	number("price", "money/(proc s)", "mean price: charge / (share x size x duration), size being the job's, 0 without "+
		"duration", "", (*engine.Segment).Price),
	number("charge", "money", "money due for the segment, all processors together", "",
		func(s *engine.Segment) float64 { return s.Charge }),
}

// SeriesColumns is the table of columns of the dataset "series": the state of the
// system at every change, or on a grid of time.
var SeriesColumns = []Field[engine.Sample]{
	seconds("time_s", "instant from which the state holds, since the trace's zero",
		func(s *engine.Sample) events.Time { return s.Time }),
	{Column: Column{Name: "running", Kind: Int64, Unit: "1", Meaning: "jobs running"},
		int64: func(s *engine.Sample) int64 { return int64(s.Running) }},
	{Column: Column{Name: "queued", Kind: Int64, Unit: "1", Meaning: "jobs waiting"},
		int64: func(s *engine.Sample) int64 { return int64(s.Queued) }},
	number("busy", "1", "processors in use; whole unless they are shared", "",
		func(s *engine.Sample) float64 { return s.Use.CPU }),
	number("utilisation", "1", "busy / machine size, without what an outage takes", "", (*engine.Sample).Utilisation),
	{Column: Column{Name: "price", Kind: Float64, Unit: "money/(proc s)", Nullable: true,
		Meaning: "the price scheme's common price in force; null while each job pays its own"},
		float: func(s *engine.Sample) (float64, bool) { return s.Price, !math.IsNaN(s.Price) }},
}

// seconds makes a column of times or durations that are always known.
func seconds[R any](name, meaning string, get func(*R) events.Time) Field[R] {
	return Field[R]{Column: Column{Name: name, Kind: Float64, Unit: "s", Meaning: meaning},
		float: func(r *R) (float64, bool) { return get(r).Seconds(), true }}
}

// unlessLeft makes a column of times on the machine.
func unlessLeft(name, meaning string, get func(*engine.Outcome) events.Time) Field[engine.Outcome] {
	return Field[engine.Outcome]{Column: Column{Name: name, Kind: Float64, Unit: "s", Nullable: true,
		Meaning: meaning + ", since the trace's zero; null if the job left"},
		float: func(o *engine.Outcome) (float64, bool) { return get(o).Seconds(), o.WhyLeft == "" }}
}

// number makes a column of numbers that are always known.
func number[R any](name, unit, meaning, source string, get func(*R) float64) Field[R] {
	return Field[R]{Column: Column{Name: name, Kind: Float64, Unit: unit, Meaning: meaning, Source: source},
		float: func(r *R) (float64, bool) { return get(r), true }}
}

// label makes a column of labels: the trace's names, and its numbers in decimal.
func label(name, meaning string, get func(*engine.Outcome, *traces.Names) (traces.Label,
	*traces.Words)) Field[engine.Outcome] {
	return Field[engine.Outcome]{
		Column: Column{Name: name, Kind: Text, Nullable: true, Meaning: meaning + "; null if unknown", few: true},
		text: func(o *engine.Outcome, names *traces.Names, buf []byte) []byte {
			l, words := get(o, names)
			// Words.Text would allocate a string for every number.
			if l != traces.NoLabel && (words == nil || !l.Named()) {
				return strconv.AppendInt(buf, int64(l), 10)
			}
			text, _ := words.Text(l)
			return append(buf, text...)
		},
	}
}

// JobNumber is how a job's value of a column of numbers is found.
func JobNumber(column string) func(*engine.Outcome) float64 {
	for _, c := range slices.Concat(JobColumns, EnergyColumns, ChargeColumns[:]) {
		if f := c.float; f != nil && c.Name == column {
			return func(o *engine.Outcome) float64 { x, _ := f(o); return x }
		}
	}
	return nil
}
