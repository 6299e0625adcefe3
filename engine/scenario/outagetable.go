package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/placed"
	"bourse/traces"
	"bourse/traces/suggest"
	"bourse/traces/table"
)

// outageTable is a table of when parts of the machine are away or kept for some jobs.
type outageTable struct {
	outages      []engine.Outage
	machines     []absence
	reservations []engine.Limit
}

// absence is an outage of one machine of a cluster.
type absence struct {
	engine.Outage
	machine int64
	line    int64
}

// outageKinds are what a table may say of an outage.
var outageKinds = []string{"unplanned", "planned"}

// outageReader reads the rows of a table with the columns start and end, and perhaps processors, kind, machine and for,
// CSV or Parquet by its name.
type outageReader struct {
	*table.Rows
	on    Hardware
	log   *traces.Header
	lines []int64 // of outages
	outageTable
}

func readOutages(path string, h Hardware, log *traces.Header) (t *outageTable, err error) {
	rows, err := table.OpenSome(path, nil, []string{"start", "end"}, []string{"processors", "kind", "machine", "for"})
	if err != nil {
		return nil, err
	}
	r := outageReader{Rows: rows, on: h, log: log}
	if err = rows.Each(r.read); err != nil {
		return nil, err
	}
	list := r.outages
	if len(list)+len(r.machines)+len(r.reservations) == 0 {
		return nil, fmt.Errorf("%s has no outages; want rows of start, end and perhaps processors, kind, machine and for",
			path)
	}
	for i, x := range list { // what is away at the start of each
		away := 0.0
		for _, y := range list {
			if y.Start <= x.Start && x.Start < y.End {
				away += y.Procs
			}
		}
		if most := h.Processors(); away > most {
			return nil, fmt.Errorf("%s:%d: %g processors are away when this outage begins, and the machine has %g", path,
				r.lines[i], away, most)
		}
	}
	slices.SortStableFunc(list, func(a, b engine.Outage) int { return cmp.Compare(a.Start, b.Start) })
	return &r.outageTable, nil
}

// read reads a row.
func (r *outageReader) read() (err error) {
	var o engine.Outage
	for i, at := range []*events.Time{&o.Start, &o.End} {
		if *at, err = r.instant(i); err != nil {
			return err
		}
	}
	if o.End <= o.Start {
		return r.Fault("an outage that ends no later than it begins", "want start before end")
	}
	kind, machine, owner := strings.ToLower(r.Text(3)), r.Text(4), strings.TrimSpace(r.Text(5))
	if kind != "" && !slices.Contains(outageKinds, kind) {
		return r.Fault(fmt.Sprintf("kind %q", kind), "want planned or unplanned"+suggest.DidYouMean(kind, outageKinds))
	}
	o.Planned = kind == "planned"
	if o.Procs, err = r.processors(machine, owner); err != nil {
		return err
	}
	switch {
	case owner != "":
		return r.reserve(&o, kind, owner)
	case machine != "":
		return r.takeMachine(&o, machine)
	}
	r.outages, r.lines = append(r.outages, o), append(r.lines, r.Line())
	return nil
}

// instant reads a time, a date or seconds.
func (r *outageReader) instant(column int) (at events.Time, err error) {
	x, err := events.ParseInstant(r.Text(column))
	if err != nil {
		return 0, r.Fault(err.Error(), "")
	}
	if x.Date == "" {
		return x.Since, nil
	}
	calendar := r.log.Calendar()
	if calendar == nil {
		return 0, &traces.UndatedError{For: "an outage at " + x.Date, Trace: r.log.Name,
			Instead: "give seconds from its zero"}
	}
	return calendar.Parse(x.Date)
}

// processors reads how many are away; 0 is all.
func (r *outageReader) processors(machine, owner string) (float64, error) {
	procs, known, err := r.Known(2)
	_, cluster := r.on.Machine.(engine.Cluster)
	_, whole := r.on.Machine.(engine.Processors)
	switch {
	case err != nil || !known:
		return 0, err
	case machine != "":
		return 0, r.Fault("an outage of a machine with a number of processors", "leave one of the two empty")
	case cluster && owner == "":
		return 0, r.Fault("an outage of some processors of single machines", "name the machine, or leave processors "+
			"empty for an outage of all")
	case !(procs > 0 && procs <= r.on.Processors()) || whole && procs != float64(int(procs)):
		return 0, r.Fault(fmt.Sprintf("an outage of %g processors", procs),
			fmt.Sprintf("want above 0 and up to %g, or nothing for all", r.on.Processors()))
	}
	return procs, nil
}

// reserve keeps processors for those jobs, as in "user 12".
func (r *outageReader) reserve(o *engine.Outage, kind, owner string) error {
	l := &reservation{from: o.Start, until: o.End, text: "reservation for " + owner}
	l.by, l.only, _ = strings.Cut(owner, " ")
	l.only, l.names = strings.TrimSpace(l.only), r.log.Names
	switch {
	case !slices.Contains(labels, l.by) || l.only == "":
		return r.Fault(fmt.Sprintf("a reservation for %q", owner),
			"want user, group, queue or partition and the name of one, as in user 12")
	case kind == "unplanned":
		return r.Fault("an unplanned reservation", "a reservation is known in advance; leave kind empty")
	case r.Text(4) != "":
		return r.Fault("a reservation of a machine", "reservations are of processors; or give the machine a partition")
	}
	if n := int64(r.on.Processors()); o.Procs > 0 {
		l.open = n - int64(o.Procs)
	}
	r.reservations = append(r.reservations, l)
	return nil
}

// takeMachine takes a machine of a cluster away.
func (r *outageReader) takeMachine(o *engine.Outage, name string) error {
	list, cluster := r.on.Machine.(engine.Cluster)
	if !cluster {
		return r.Fault(fmt.Sprintf("an outage of machine %q where there are no single machines", name),
			"give a number of processors")
	}
	i := slices.IndexFunc(list, func(e traces.MachineEvent) bool { return nameOf(&e) == name })
	if i < 0 {
		return r.Fault(fmt.Sprintf("machine %q is unknown", name), fmt.Sprintf("the first is %q", nameOf(&list[0])))
	}
	r.machines = append(r.machines, absence{*o, list[i].Machine, r.Line()})
	return nil
}

// nameOf is what a table calls a machine, or a trace's number for it.
func nameOf(e *traces.MachineEvent) string {
	if e.Name != "" {
		return e.Name
	}
	return strconv.FormatInt(e.Machine, 10)
}

// without is a cluster without the machines that are away, each for a time.
func (t *outageTable) without(list engine.Cluster, path string, policy policies.Policy) (engine.Cluster, error) {
	list = slices.Clone(list)
	for _, x := range t.machines {
		var has *traces.MachineEvent // what it has when the outage begins
		for i := range list {
			if e := &list[i]; e.Machine == x.machine && e.At <= x.Start {
				has = e
			} else if e.Machine == x.machine && e.At <= x.End {
				return nil, fmt.Errorf("%s:%d: the machine changes during this outage, by another row or by the table of "+
					"machines", path, x.line)
			}
		}
		if has == nil || has.Gone {
			return nil, fmt.Errorf("%s:%d: the machine is not there when this outage begins", path, x.line)
		}
		if _, plans := policies.As[*placed.Backfill](policy); x.Planned && !plans {
			return nil, fmt.Errorf("%s:%d: policies that plan ahead on machines know of a planned outage of one (easy, "+
				"conservative); for others want an unplanned one, or one of all machines", path, x.line)
		}
		gone, back := *has, *has
		gone.At, gone.Gone, back.At = x.Start, true, x.End
		if x.Planned {
			gone.Back = x.End
		}
		list = append(list, gone, back)
		slices.SortStableFunc(list, func(a, b traces.MachineEvent) int { return cmp.Compare(a.At, b.At) })
	}
	return list, nil
}
