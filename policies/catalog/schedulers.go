package catalog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/policies/sched"
	"bourse/policies/script"
)

// listSchedulers makes a policy of each order that is not one already.
func listSchedulers(taken []Entry[policies.Policy]) []Entry[policies.Policy] {
	var made []Entry[policies.Policy]
	known := List[policies.Policy]{Entries: taken}
	names := map[string]bool{"bid": true} // nphb
	for _, name := range known.Names() {
		names[name] = true
	}
	for _, order := range Orders.Entries {
		if names[order.Name] || order.Yours {
			continue
		}
		made = append(made, Entry[policies.Policy]{
			Name: order.Name, Paper: order.Paper, Params: order.Params, Example: order.Example,
			Line: "list: " + order.Line + "; no backfilling",
			New: func(a *policies.Args) (policies.Policy, error) {
				r, err := order.New(a)
				if err != nil {
					return nil, err
				}
				return sched.NewRanked(r), nil
			},
		})
	}
	return made
}

// backfilling lists the policies that plan ahead by estimates.
var backfilling = []Entry[policies.Policy]{
	{
		Name: "easy", Also: "backfill", Paper: "Lifka 1995; Mu'alem and Feitelson 2001",
		Line: "EASY backfilling: later jobs may start if they do not delay the head's reservation; a job past its estimate " +
			"counts as about to end",
		Params: []policies.Param{
			{Name: "order", Default: "fcfs", Doc: "order of the queue, one of the orders"},
			{Name: "backfill", Default: "fcfs", Doc: "order in which jobs are tried for backfilling"},
			{Name: "reservations", Default: "1", Doc: "jobs that hold a reservation; 0 starts whatever fits"},
			{Name: "estimates", Default: "requested", Doc: "for how long jobs are taken to run: requested, or recent, the mean of " +
				"their user's last two that ended (EASY++ with backfill=sjf), or script:FILE, its predict(job, now); corrected when " +
				"outlived"},
			{Name: "tie", Default: "batch", Doc: "batch: one decision an instant; pyss: one after every event, submissions " +
				"first"},
		},
		New: newEasy,
	},
	{
		Name: "los", Paper: "Shmueli and Feitelson 2005",
		Line: "lookahead optimizing: as EASY, but behind the first job that does not fit those start that together fill most " +
			"of what is free",
		Params: []policies.Param{{Name: "lookahead", Default: "50", Doc: "jobs behind the first that are looked at"}},
		New:    fromArgs(func(a *policies.Args) policies.Policy { return sched.NewLOS(a.Int("lookahead", 1, 10_000)) }),
	},
	{
		Name: "slurm", Paper: "Slurm's documentation", Example: "slurm(order=multifactor)",
		Line: "Slurm's loops: at each event jobs start in order until one does not fit; every bf-interval the next ones are " +
			"planned in order, and those whose place is now start",
		Params: []policies.Param{
			{Name: "order", Default: "multifactor", Doc: "order of the queue, one of the orders"},
			{Name: "bf-interval", Default: "30s", Doc: "least time between two passes of backfilling"},
			{Name: "bf-max-job-test", Default: "500", Doc: "jobs that a pass plans"},
			{Name: "bf-window", Default: "1d", Doc: "how far ahead it plans; jobs whose place is later reserve nothing"},
			{Name: "bf-resolution", Default: "60s", Doc: "step of its plan"},
			{Name: "default-queue-depth", Default: "100", Doc: "jobs that are tried at each event"},
		},
		New: newSlurm,
	},
	{
		Name: "conservative", Paper: "Mu'alem and Feitelson 2001",
		Line: "conservative backfilling: every job gets a reservation on arrival, moved only to earlier times; a job past " +
			"its estimate is planned to run as long again",
		New: withoutArgs(func() policies.Policy { return sched.NewConservative() }),
	},
}

func newSlurm(a *policies.Args) (policies.Policy, error) {
	by, err := Orders.Make(a.Text("order"))
	if err != nil {
		return nil, err
	}
	return sched.NewSlurm(sched.SlurmRules{Order: by, Interval: a.Duration("bf-interval", 1e-6, events.MaxSeconds),
		Window:     a.Duration("bf-window", 0, events.MaxSeconds),
		Resolution: a.Duration("bf-resolution", 1e-6, events.MaxSeconds),
		MaxJobTest: a.Int("bf-max-job-test", 1, 1_000_000), QueueDepth: a.Int("default-queue-depth", 1, 1_000_000)}), nil
}

// replaying lists the policies that decide nothing.
var replaying = []Entry[policies.Policy]{{
	Name: "recorded",
	Line: "as the log has it: jobs start when it says; where that is more than the machine holds they wait in order of " +
		"recorded start until they fit, and those whose wait is unknown start when submitted, if they fit; both are counted",
	New: withoutArgs(func() policies.Policy { return &sched.Recorded{} }),
}}

// preemptive lists the policies that stop running jobs, other than hb.
var preemptive = []Entry[policies.Policy]{
	{
		Name: "srpt", Group: Preemptive, Paper: "Schrage 1968",
		Line: "shortest remaining processing time, preemptive, clairvoyant",
		Params: []policies.Param{{Name: "by", Default: "time",
			Doc: "what is left of a job is counted in: time, or area, processor-seconds"}, preemptions},
		New: func(a *policies.Args) (policies.Policy, error) {
			return sparing(a, sched.NewSRPT(a.Choice("by", "time", "area") == "area"))
		},
	},
	{
		Name: "las", Group: Preemptive, Paper: "Gu et al., Tiresias, NSDI 2019",
		Line: "least attained service, preemptive: the class of a job is the number of limits that its service has " +
			"reached; the least class runs, inside a class by submission",
		Params: []policies.Param{
			{Name: "limits", Default: "3250", Doc: "rising, as in 3600/7200/18000"},
			{Name: "by", Default: "area", Doc: "what service is counted in: area, processor-seconds, or time, seconds"},
			{Name: "promote", Default: "0", Doc: "a job that has waited so many times as long as it ran goes back to the " +
				"first class; 0: none does"},
		},
		New: newLAS,
	},
	{
		Name: "priority", Group: Preemptive,
		Line: "preemptive priority: the least class runs; victims are the lowest class, then the latest start",
		Params: []policies.Param{{Name: "by", Default: "trace",
			Doc: "trace: its priority, highest first, else its queue, least first; or an expression that gives a job's class, " +
				"least first, over the names of order expr but wait and those of dates"}, preemptions},
		New: func(a *policies.Args) (policies.Policy, error) {
			if a.Text("by") == "trace" {
				return sparing(a, sched.NewPriority(order.Ranking{Order: order.ByPriority}))
			}
			x, err := order.NewExpression(a.Text("by"))
			if err != nil {
				return nil, err
			}
			r := order.Ranking{Keys: x}
			if r.Looks().Changes {
				return nil, errors.New("priority: a class that changes while a job runs or waits is not possible; leave out wait, hour, " +
					"weekday, date and week")
			}
			return sparing(a, sched.NewPriority(r))
		},
	},
}

var preemptions = policies.Param{Name: "preemptions", Default: "any",
	Doc: "how often a job may be preempted; from then on it keeps its processors"}

// sparing limits how often a preemptive policy stops a job.
func sparing(a *policies.Args, p *sched.Preemptive) (policies.Policy, error) {
	if a.Text(preemptions.Name) == "any" {
		return p, nil
	}
	most := a.Int(preemptions.Name, 0, 1_000_000)
	if a.Err() != nil {
		return nil, fmt.Errorf("%w, or any", a.Err())
	}
	return sched.NewSparing(p, most), nil
}

// Predictors lists what easy may take jobs to run for, in addition to what they request.
var Predictors = List[sched.Predictor]{"estimates", []Entry[sched.Predictor]{
	{
		Name: "recent", Paper: "Tsafrir, Etsion and Feitelson 2007", Line: "the mean of the user's last two jobs that ended",
		New: fromArgs(func(*policies.Args) sched.Predictor { return sched.NewRecent() }),
	},
	{
		Name: scriptEntry, Example: "script:predict.star", Yours: true, Params: []policies.Param{scriptFile},
		Line: "predict(job, now) of a Starlark script, in seconds",
		New:  scripted(func(f *script.File) (sched.Predictor, error) { return script.NewPredict(f) }),
	},
}}

func newEasy(a *policies.Args) (policies.Policy, error) {
	order, err := Orders.Make(a.Text("order"))
	if err != nil {
		return nil, err
	}
	backfill, err := Orders.Make(a.Text("backfill"))
	if err != nil {
		return nil, err
	}
	rules := sched.Rules{Order: order, Backfill: backfill, Reservations: a.Int("reservations", 0, 1_000_000)}
	if rules.Reservations == 0 {
		rules.Reservations = sched.NoReservation
	}
	if text := a.Text("estimates"); text != "requested" {
		if rules.Predict, err = Predictors.Make(text); err != nil {
			return nil, err
		}
	}
	rules.SingleEvents = a.Choice("tie", "batch", "pyss") == "pyss"
	if rules.SingleEvents && rules.Scans() {
		return nil, errors.New("easy: tie=pyss takes at most one reservation, requested times and no order that changes " +
			"while jobs wait")
	}
	return sched.NewEasy(rules), nil
}

var runtime = policies.Param{Name: "runtime", Default: "false",
	Doc: "true: know true run times and look at them instead of estimates"}

// Orders lists the rankings of waiting jobs. Each is also a policy of its
// own, the list scheduler of that order, where no other policy has its name.
var Orders = List[order.Ranking]{"order", append(fixedOrders(), []Entry[order.Ranking]{
	{
		Name: order.ByUsage.Name, Paper: order.ByUsage.Paper, Line: order.ByUsage.Line,
		Params: []policies.Param{{Name: "halflife", Default: "604800",
			Doc: "time in which past usage loses half its weight: seconds, or as in 1d"}},
		New: fromArgs(func(a *policies.Args) order.Ranking {
			return order.Ranking{Order: order.ByUsage, HalfLife: a.Duration("halflife", 1e-6, events.MaxSeconds)}
		}),
	},
	{
		Name: "multifactor", Paper: "Slurm's documentation", Line: "Slurm's multifactor priority, greatest first: age, size, " +
			"fair share 2^(-usage/share), points of partition and queue, worked out every so often",
		Params: []policies.Param{
			{Name: "age", Default: "1000", Doc: "weight of the age, 1 from max-age on"},
			{Name: "size", Default: "1000", Doc: "weight of the part of the machine that a job asks for"},
			{Name: "fairshare", Default: "10000", Doc: "weight of a user's fair share, 1 to 0 as usage grows"},
			{Name: "partition", Default: "none", Doc: "points by partition, as in debug:500/batch:100; * is all others"},
			{Name: "qos", Default: "none", Doc: "points by queue, as in high:500/*:100: tables with a QOS have it as the queue"},
			{Name: "halflife", Default: "7d", Doc: "time in which past usage loses half its weight"},
			{Name: "every", Default: "300s", Doc: "priorities are worked out again so often"},
			{Name: "max-age", Default: "7d", Doc: "age from which on it counts no more"},
		},
		New: newMultifactor,
	},
	{
		Name: "expr", Example: "expr(submit)", Line: "least value of an expression first, as in expr(-bid*procs) or " +
			"expr(by=wait>60?0:estimate)",
		Params: []policies.Param{{Name: "by", Doc: "expression over wait, estimate, procs, bid, submit, run, user, group, " +
			"queue, partition, priority, class, size, and of the present hour, weekday, date, week"}},
		New: func(a *policies.Args) (order.Ranking, error) {
			x, err := order.NewExpression(a.Text("by"))
			if err != nil {
				return order.Ranking{}, err
			}
			return order.Ranking{Keys: x}, nil
		},
	},
	{
		Name: scriptEntry, Example: "script:fair.star", Yours: true,
		Line:   "least rank(job, now) of a Starlark script first, as in script:fair.star(halflife=3600)",
		Params: []policies.Param{scriptFile},
		New: scripted(func(f *script.File) (order.Ranking, error) {
			k, err := script.NewRank(f)
			return order.Ranking{Keys: k}, err
		}),
	},
}...)}

func newMultifactor(a *policies.Args) (r order.Ranking, err error) {
	w := order.Weights{Age: a.Float("age", 0, 1e12), Size: a.Float("size", 0, 1e12), Fairshare: a.Float("fairshare", 0, 1e12),
		HalfLife: a.Duration("halflife", 1e-6, events.MaxSeconds), Every: a.Duration("every", 1e-6, events.MaxSeconds),
		MaxAge: a.Duration("max-age", 1e-6, events.MaxSeconds)}
	for name, points := range map[string]*order.Points{"partition": &w.Partition, "qos": &w.QOS} {
		for part := range strings.SplitSeq(a.Text(name), "/") {
			label, number, given := strings.Cut(part, ":")
			x, err := strconv.ParseFloat(number, 64)
			switch {
			case part == "none":
				continue
			case !given || err != nil || !(x >= -1e12 && x <= 1e12):
				return r, fmt.Errorf("multifactor: %s=%q: want names and points, as in debug:500/*:100", name, a.Text(name))
			case *points == nil:
				*points = order.Points{}
			}
			(*points)[strings.TrimSpace(label)] = x
		}
	}
	return order.Ranking{Keys: order.NewMultifactor(w)}, nil
}

// fixedOrders are those that have no parameter but, perhaps, a clairvoyant twin.
func fixedOrders() []Entry[order.Ranking] {
	var made []Entry[order.Ranking]
	for _, o := range order.Orders {
		e := Entry[order.Ranking]{Name: o.Name, Line: o.Line, Paper: o.Paper}
		if o.Twin {
			e.Params = []policies.Param{runtime}
		}
		e.New = fromArgs(func(a *policies.Args) order.Ranking {
			return order.Ranking{Order: o, Runtime: o.Twin && a.Bool(runtime.Name)}
		})
		made = append(made, e)
	}
	return made
}

func newLAS(a *policies.Args) (policies.Policy, error) {
	var limits []float64
	for _, text := range strings.Split(a.Text("limits"), "/") {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x > 0 && x <= 1e12) || len(limits) > 0 && x <= limits[len(limits)-1] {
			return nil, fmt.Errorf("las: limits=%q: want rising numbers above 0, as in 3600/7200/18000", a.Text("limits"))
		}
		limits = append(limits, x)
	}
	by, promote := a.Choice("by", "area", "time"), a.Float("promote", 0, 1e6)
	return sched.NewLAS(limits, by == "area", promote), nil
}

// urgent lists the policies that look at when jobs are worth what.
var urgent = []Entry[policies.Policy]{
	{
		Name: "hvd", Group: Preemptive,
		Line: "highest value density, preemptive, clairvoyant: bid x factor of the job's shape / time left; what can be " +
			"worth nothing any more comes last",
		Params: []policies.Param{
			{Name: "per", Default: "left", Doc: "left: per second of what is left; run: of all the run time, under which a " +
				"critical payment makes truth best"},
		},
		New: fromArgs(func(a *policies.Args) policies.Policy {
			return sched.NewHVD(a.Choice("per", "left", "run") == "run")
		}),
	},
	{
		Name: "edf", Group: Preemptive,
		Line: "earliest deadline first, preemptive: of values with deadlines or steps",
		New:  withoutArgs(func() policies.Policy { return &sched.EDF{} }),
	},
}

// selling lists the policies that set prices themselves.
var selling = []Entry[policies.Policy]{
	{
		Name: "exponential", Group: Prices, Paper: "Zhou, Chakrabarty and Lukose, WINE 2008",
		Line: "posted prices that grow with the share of the machine in use; a job that does not want them leaves and runs " +
			"elsewhere, or waits",
		Params: []policies.Param{
			{Name: "low", Default: "1", Doc: "price of an idle machine"},
			{Name: "high", Default: "180", Doc: "price of the last processor: the greatest value"},
			{Name: "else", Default: "leave", Doc: "what a job does that does not want the price: leave or wait"},
		},
		New: func(a *policies.Args) (policies.Policy, error) {
			low, high, other := a.Float("low", 1e-9, policies.MostMoney), a.Float("high", 1e-9, policies.MostMoney),
				a.Choice("else", "leave", "wait")
			if high < low {
				return nil, fmt.Errorf("exponential: high=%g is below low=%g", high, low)
			}
			return sched.NewExponential(low, high, other == "wait"), nil
		},
	},
	{
		Name: "menu", Group: Prices, Paper: "after Cole, Dobzinski and Fleischer, SAGT 2008",
		Line: "each arriving job is offered all starts that are left, at prices that grow with what is promised already, " +
			"and keeps the one " +
			"that is best for it: known at submission, and its bill, too",
		Params: []policies.Param{
			{Name: "low", Default: "1", Doc: "price of a processor-second in which nothing is promised"},
			{Name: "high", Default: "3", Doc: "price of one in which all of the machine is; of 1, 3, 10, 30 and 180 the " +
				"least waits' cost on KTH-SP2 " +
				"and CTC-SP2"},
			{Name: "moves", Default: "false", Doc: "true: starts move up for nothing into what jobs that end early leave, and " +
				"lies may pay"},
		},
		New: func(a *policies.Args) (policies.Policy, error) {
			low, high := a.Float("low", 1e-9, policies.MostMoney), a.Float("high", 1e-9, policies.MostMoney)
			if high < low {
				return nil, fmt.Errorf("menu: high=%g is below low=%g", high, low)
			}
			m := sched.NewMenu(low, high)
			m.Moves = a.Bool("moves")
			return m, nil
		},
	},
	{
		Name: "dlgm", Group: Prices, Paper: "Heydenreich, Mueller and Uetz, Operations Research 58, 2010",
		Line:   "serial jobs choose one of the processors' queues on arrival and pay those whom they overtake there",
		Params: []policies.Param{{Name: "compensate", Default: "true", Doc: "false: the operator keeps what is paid"}},
		New:    fromArgs(func(a *policies.Args) policies.Policy { return sched.NewDLGM(a.Bool("compensate")) }),
	},
	{
		Name: "spot", Group: Prices,
		Line: "a market that clears every so often: the highest bids that fit run until the next time, for the bid of the " +
			"first that does not fit",
		Params: []policies.Param{
			{Name: "every", Default: "300", Doc: "seconds, or a time as in 5m"},
			{Name: "reserve", Default: "1", Doc: "least price; jobs that come with a lower bid leave"},
			{Name: "refill", Default: "false", Doc: "true: between two times the best of those that wait take what becomes " +
				"free, if they bid the price"},
		},
		New: fromArgs(func(a *policies.Args) policies.Policy {
			return sched.NewSpot(a.Duration("every", 1e-3, 1e9), a.Float("reserve", 0, policies.MostMoney), a.Bool("refill"))
		}),
	},
}
