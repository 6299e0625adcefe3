package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/policies/catalog"
	"bourse/policies/placement"
	"bourse/traces/suggest"
	"bourse/traces/transform"
)

// Option is one setting of a scenario by its name: a flag, a key of a file of flags,
// an axis of a sweep. This list is the only place where an option is defined.
type Option struct {
	Name string
	// Line is its summary; a word in back quotes represents the value.
	Line string
	// Kind is string, bool, int, uint or float.
	Kind string
	// Bare is the value of the option without one, empty if it needs a value.
	Bare string
	// Joins, if not empty, is what is between the values of an option that is given several times.
	Joins string
	// Known lists the values, or how they begin, where there are few.
	Known func() []string
	// text and set read and write the scenario's field.
	text func(*Scenario) string
	set  func(*Scenario, string) error
}

// Text returns the option's value in a scenario.
func (o *Option) Text(s *Scenario) string { return o.text(s) }

// Set changes the option in a scenario, if the value makes sense by itself.
func (o *Option) Set(s *Scenario, value string) error {
	if err := o.set(s, value); err != nil {
		return &OptionError{Option: o.Name, Err: err}
	}
	return nil
}

// OptionError says which option's value is wrong; Option is empty where several do not
// go together.
type OptionError struct {
	Option string
	Err    error
}

func (e *OptionError) Error() string {
	if e.Option == "" {
		return e.Err.Error()
	}
	if made := (*catalog.Error)(nil); errors.As(e.Err, &made) {
		return e.Option + " " + made.Err.Error() // the option says of what kind it is
	}
	return e.Option + " " + e.Err.Error()
}

// Unwrap returns the fault.
func (e *OptionError) Unwrap() error { return e.Err }

// Options lists every option, in the order in which they are shown.
var Options = []Option{
	word("policy", "scheduling policy: easy, fcfs, conservative, sjf, srpt, hb, nphb, wspt ... (bourse list policies; "+
		"default easy, in a market hb)",
		func(s *Scenario) *string { return &s.Policy }, optional(checkWith(catalog.Policies.Make)), catalog.Policies.Names),
	word("payment", "payment scheme: first, kth, kth-uncapped, posted:P, none (default none; in a market kth, where "+
		"jobs compete by bid)",
		func(s *Scenario) *string { return &s.Payment }, optional(checkWith(catalog.Payments.Make)), catalog.Payments.Names),
	word("values", "model of private values, what a processor-second is worth to a job's owner (default bimodal)",
		func(s *Scenario) *string { return &s.Values }, optional(checkWith(catalog.Values.Make)), catalog.Values.Names),
	word("behaviour", "how owners bid: truthful (the default), srg(beta=B,share=S)",
		func(s *Scenario) *string { return &s.Behaviour }, optional(checkWith(catalog.Behaviours.Make)),
		catalog.Behaviours.Names),
	word("bids", "read values and bids from `FILE` (job_id,value,bid[,time_s]) instead",
		func(s *Scenario) *string { return &s.Bids }, nil, nil),
	word("budget", "what each user may spend in a period, as `AMOUNT/PERIOD` (5000/1w; without a period in all), or a table "+
		"user,budget[,period]; a user who has spent it bids 0 until the next period",
		func(s *Scenario) *string { return &s.Budget }, optional(checkBudget), nil),
	{Name: "seed", Kind: "uint", Line: "seed of all random draws",
		text: func(s *Scenario) string { return strconv.FormatUint(s.Seed, 10) },
		set: func(s *Scenario, text string) (err error) {
			s.Seed, err = strconv.ParseUint(text, 10, 64)
			return wantError(err, text, "a whole number of 0 or more")
		}},
	whole("nodes", "processors of the machine (0: what the trace says)", func(s *Scenario) *int { return &s.Nodes }),
	word("machines", "what jobs run on: nodes:N, pool or pool(cpu=C,memory=M,gpu=G,disk=D), resources freely divisible, "+
		"partitions, of the sizes in the log's header, trace or trace(fit=best), the trace's machines, with first, best, worst or dot fit, or nodes.csv or "+
		"nodes.csv(fit=fgd), a table of machines, on GPUs also with random, least-dot, packing, clustering or fgd "+
		"(default: what the trace says)",
		func(s *Scenario) *string { return &s.Machines }, optional(checkMachines),
		func() []string {
			known := []string{"nodes:", "pool", "partitions", "trace"}
			for _, fit := range placement.FitNames()[1:] {
				known = append(known, "trace(fit="+fit+")")
			}
			return known
		}),
	duration("migration-cost", "`TIME` of lost work each time a preempted job resumes",
		func(s *Scenario) *Duration { return &s.MigrationCost }),
	duration("start-cost", "`TIME` of lost work at each start of a job, also its first; a job that is preempted "+
		"meanwhile needs all of it again", func(s *Scenario) *Duration { return &s.StartCost }),
	word("preemption", "what a preempted job does later: resume, restart with its work lost, or checkpoint:TIME, what "+
		"it did since the last of the checkpoints lost, of which there is one after each such time of work",
		func(s *Scenario) *string { return &s.Preempted }, checkPreemption,
		func() []string { return []string{"resume", "restart", "checkpoint:1h"} }),
	flag("resubmit-killed", "submit jobs killed at their estimate again at once, with twice the estimate, until they "+
		"complete", func(s *Scenario) *bool { return &s.ResubmitKilled }),
	flag("feedback", "submit jobs that follow others (SWF: preceding job, think time) when those have ended in the "+
		"replay, not as recorded", func(s *Scenario) *bool { return &s.Feedback }),
	word("where", "take only the records for which `EXPR` holds, as in 'run > 0 && user != 3'",
		func(s *Scenario) *string { return &s.Where }, nil, nil),
	instant("from", "take only records submitted at this `TIME` or later (30d, 1997-01-01, '1997-01-01 09:00')",
		func(s *Scenario) *events.Instant { return &s.From }),
	instant("until", "take only records submitted before this `TIME` (0: all)",
		func(s *Scenario) *events.Instant { return &s.Until }),
	flag("serial", "split each p-processor job into p one-processor jobs", func(s *Scenario) *bool { return &s.Serial }),
	{Name: "load-factor", Kind: "float", Line: "divide the times between submissions by this `FACTOR`",
		text: func(s *Scenario) string { return strconv.FormatFloat(s.LoadFactor, 'g', -1, 64) },
		set: func(s *Scenario, text string) (err error) {
			s.LoadFactor, err = strconv.ParseFloat(text, 64)
			if err == nil && !(s.LoadFactor >= 1e-6 && s.LoadFactor <= 1e6) {
				err = errors.New("out of range")
			}
			return wantError(err, text, "a number from 1e-6 to 1e6")
		}},
	{Name: "resample", Kind: "string", Line: "another log from blocks of four weeks, drawn from the seed (0: the log " +
		"itself); =blocks=N,weeks=N other blocks, another length; =users each user by itself, with " +
		"=weeks=N,users=FACTOR,long=WEEKS,same=1 another load, copies as one user", Bare: transform.Blocks,
		text: func(s *Scenario) string { return s.Resample },
		set: func(s *Scenario, text string) error {
			s.Resample = text
			_, err := resample(text)
			return err
		}},
	duration("shake", "move submissions by up to this `TIME` (60, 5m, 1h), drawn from the seed",
		func(s *Scenario) *Duration { return &s.Shake }),
	word("estimates", "requested times: recorded, log[:FACTOR], exact, scale:FACTOR, tsafrir[:MAX] (default: log if the "+
		"policy needs them)",
		func(s *Scenario) *string { return &s.Estimates },
		optional(func(text string) error { _, err := transform.ParseEstimates(text, 1); return err }),
		func() []string { return []string{"recorded", "log", "exact", "scale:", "tsafrir"} }),
	flag("kill-at-estimate", "end jobs that reach their estimate", func(s *Scenario) *bool { return &s.KillAtEstimate }),
	word("elastic", "jobs may run on more or fewer processors than they ask for, under a policy that lets them, by a `LAW`: "+
		"amdahl:SERIAL, downey:A, linear, with most=N times what they ask for, as in amdahl(serial=.05,most=4)",
		func(s *Scenario) *string { return &s.Elastic }, optional(checkWith(catalog.Elastic.Make)), catalog.Elastic.Names),
	word("limit", "the most `TIME` that jobs may ask for: longer ones end there, or with TIME:refuse are left out",
		func(s *Scenario) *string { return &s.Limit },
		optional(func(text string) error { _, _, err := ParseLimit(text); return err }),
		func() []string { return []string{"12h", "12h:refuse"} }),
	word("outages", "a table of when parts of the machine are away: start, end and perhaps processors (all without), machine (one of a "+
		"table), kind: planned, known in advance so that nothing starts that would run into it, or unplanned, and for: user 12, whose "+
		"jobs they are kept for",
		func(s *Scenario) *string { return &s.Outages }, nil, nil),
	choice("evict", "which jobs are stopped first when an outage leaves too little room: newest, the last started, "+
		"cheapest, those that bid "+
		"least, or least-lost, those that lose the least work", func(s *Scenario) *string { return &s.Evict }, evictions...),
	word("drain", "times of the `WEEK` at which the machine is away, known in advance, as in 'fri 08:00-12:00'",
		func(s *Scenario) *string { return &s.Drain },
		optional(func(text string) error { _, err := events.ParseWeekly(text); return err }), nil),
	word("windows", "which jobs may start at which times of the week only, as in 'estimate > 14400: mon-fri 17:00-08:00, sat-sun', or script:FILE",
		func(s *Scenario) *string { return &s.Windows }, checkWindows, nil),
	word("running-limits", "how many jobs or processors may run of each user, group, queue or partition, or of one, and how many of "+
		"the jobs that wait are considered, as in 'user: jobs <= 4, procs <= 64, considered <= 2; queue debug: procs <= 8'",
		func(s *Scenario) *string { return &s.RunningLimits }, checkRunningLimits, nil),
	word("site", "a model of the site from `FILE`.toml, as calibrate makes it of a log: capacity by hour, windows, limits, and its "+
		"scheduler where no policy is named",
		func(s *Scenario) *string { return &s.SiteFile }, nil, nil),
	word("power", "what a processor draws in watts, as in 'idle=60,busy=200', or a table model,idle,busy of cpu and GPU models: "+
		"adds the energy of jobs and of the machine to the results",
		func(s *Scenario) *string { return &s.Power }, optional(checkPower), nil),
	word("power-cap", "the most that the machine may draw, always or at times of the week, as in 'mon-fri 08:00-20:00: 24kW; 30kW': "+
		"nothing starts that would exceed it (needs power)",
		func(s *Scenario) *string { return &s.PowerCap }, checkPowerCap, nil),
	series(word("series-in", "an input series, what something outside is over time, as `NAME=TABLE` or "+
		"'NAME=TABLE(unit=h,as=g/kWh,extend=repeat)': "+
		"carbon and tariff of power or processors, capacity, what is there of the machine, or a name that a payment looks "+
		"at; may be given "+
		"several times", func(s *Scenario) *string { return &s.SeriesIn }, optional(checkSeries), nil)),
	choice("on-error", "at a malformed record: stop, or skip it and exit with 3",
		func(s *Scenario) *string { return &s.OnError }, "stop", "skip"),
	choice("attempts", "of a Google trace's task: last, all (one job each) or merge",
		func(s *Scenario) *string { return &s.Attempts }, "last", "all", "merge"),
	choice("censored", "tasks still running when a Google trace ends: drop, or keep as if they ended there",
		func(s *Scenario) *string { return &s.Censored }, "drop", "keep"),
	whole("sort-window", "number of records among which late submissions are sorted (0: the default)",
		func(s *Scenario) *int { return &s.SortWindow }),
	word("time-zone", "time zone `NAME` of dates, hours and days of the week (default: the log's, or else UTC), as in "+
		"Europe/Stockholm, or Etc/GMT-1 an hour east of UTC all year",
		func(s *Scenario) *string { return &s.TimeZone },
		optional(func(text string) error { _, err := events.LoadZone(text); return err }), nil),
	word("queue-limits", "leave out jobs that their queue does not accept, as in '2: procs <= 64 && estimate <= 3600; "+
		"*: procs <= 8' (*: all other queues)",
		func(s *Scenario) *string { return &s.QueueLimits }, nil, nil),
	duration("warm-up", "leave jobs of the first `TIME` (7d) out of the summary",
		func(s *Scenario) *Duration { return &s.WarmUp }),
	duration("cool-down", "leave jobs of the last `TIME` (1d) out of the summary",
		func(s *Scenario) *Duration { return &s.CoolDown }),
	bound(duration("bound", "least run `TIME` by which bounded slowdown divides",
		func(s *Scenario) *Duration { return &s.Bound })),
	flag("check", "recompute every conservation law during the replay", func(s *Scenario) *bool { return &s.Check }),
}

// Find returns the option of a name, nil if there is none.
func Find(name string) *Option {
	for i := range Options {
		if Options[i].Name == name {
			return &Options[i]
		}
	}
	return nil
}

// Set changes the option of a name.
func (s *Scenario) Set(name, value string) error {
	if o := Find(name); o != nil {
		return o.Set(s, value)
	}
	names := make([]string, len(Options))
	for i := range Options {
		names[i] = Options[i].Name
	}
	return fmt.Errorf("unknown option %q%s", name, suggest.DidYouMean(name, names))
}

// Get returns the value of the option of a name, empty if there is none.
func (s *Scenario) Get(name string) string {
	if o := Find(name); o != nil {
		return o.Text(s)
	}
	return ""
}

// series is an option of several parts, each of which may be given by itself.
func series(o Option) Option {
	o.Joins = "; "
	return o
}

// word is an option that is text; check may be nil.
func word(name, line string, field func(*Scenario) *string, check func(string) error, known func() []string) Option {
	return Option{Name: name, Line: line, Kind: "string", Known: known,
		text: func(s *Scenario) string { return *field(s) },
		set: func(s *Scenario, text string) error {
			*field(s) = text
			if check == nil {
				return nil
			}
			return check(text)
		}}
}

// choice is an option with few values.
func choice(name, line string, field func(*Scenario) *string, values ...string) Option {
	return word(name, line, field, func(text string) error {
		if slices.Contains(values, text) {
			return nil
		}
		return fmt.Errorf("%q: want %s or %s%s", text, strings.Join(values[:len(values)-1], ", "), values[len(values)-1],
			suggest.DidYouMean(text, values))
	}, func() []string { return values })
}

// whole is an option that is a number of 0 or more.
func whole(name, line string, field func(*Scenario) *int) Option {
	return Option{Name: name, Line: line, Kind: "int",
		text: func(s *Scenario) string { return strconv.Itoa(*field(s)) },
		set: func(s *Scenario, text string) (err error) {
			*field(s), err = strconv.Atoi(text)
			if err == nil && *field(s) < 0 {
				err = errors.New("below 0")
			}
			return wantError(err, text, "a whole number of 0 or more")
		}}
}

// instant is an option that is a time of the trace.
func instant(name, line string, field func(*Scenario) *events.Instant) Option {
	return Option{Name: name, Line: line, Kind: "string",
		text: func(s *Scenario) string { return field(s).String() },
		set:  func(s *Scenario, text string) error { return field(s).UnmarshalText([]byte(text)) }}
}

// duration is an option that is a time span.
func duration(name, line string, field func(*Scenario) *Duration) Option {
	return Option{Name: name, Line: line, Kind: "string",
		text: func(s *Scenario) string { return events.FormatDuration(events.Time(*field(s))) },
		set:  func(s *Scenario, text string) error { return field(s).UnmarshalText([]byte(text)) }}
}

// bound lets a duration be above 0 only.
func bound(o Option) Option {
	set := o.set
	o.set = func(s *Scenario, text string) error {
		err := set(s, text)
		if err == nil && s.Bound == 0 {
			err = fmt.Errorf("%q: want a duration above 0", text)
		}
		return err
	}
	return o
}

// flag is an option that holds or does not.
func flag(name, line string, field func(*Scenario) *bool) Option {
	return Option{Name: name, Line: line, Kind: "bool", Bare: "true",
		text: func(s *Scenario) string { return strconv.FormatBool(*field(s)) },
		set: func(s *Scenario, text string) (err error) {
			*field(s), err = strconv.ParseBool(text)
			return wantError(err, text, "true or false")
		}}
}

// wantError names the values that are allowed.
func wantError(err error, text, what string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%q: want %s", text, what)
}

// checkWith checks a name by making what it names.
func checkWith[T any](of func(string) (T, error)) func(string) error {
	return func(text string) error { _, err := of(text); return err }
}

// optional lets a value be empty.
func optional(check func(string) error) func(string) error {
	return func(text string) error {
		if text == "" {
			return nil
		}
		return check(text)
	}
}

// resample reads how the log is resampled, nil if it is not.
func resample(text string) (*transform.Resample, error) {
	if text == "" {
		return nil, nil
	}
	return transform.ParseResample(text)
}
