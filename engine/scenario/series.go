package scenario

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/suggest"
	"bourse/traces/table"
)

// seriesParams say how a table is read as an input series.
var seriesParams = []policies.Param{
	{Name: "time", Default: "-", Doc: "the column of times, dates or numbers since the log's zero (default: time, or " +
		"the first)"},
	{Name: "value", Default: "-", Doc: "the column of values (default: the series' name, value, or the second of two)"},
	{Name: "unit", Default: "s", Doc: "the unit of times that are numbers: s, min, h or d"},
	{Name: "as", Default: "-", Doc: "the unit of the values"},
	{Name: "extend", Default: "no", Doc: "what is after the last row, and for repeat also before the first: no, last " +
		"or repeat"},
	{Name: "from", Default: "0", Doc: "the series' time that is the log's zero"},
	{Name: "zone", Default: "-", Doc: "the time zone of dates (default: the log's)"},
	{Name: "gaps", Default: "no", Doc: "hold: the value before a gap holds in it"},
}

// inputSeries is a series by its name, a table and how that is read.
type inputSeries struct {
	name, file string
	args       *policies.Args
	text       string
	scale      float64 // of the values, to grams or money, per second and watt or processor
	perWatt    bool
	second     float64          // a unit of its times that are numbers
	dates      *events.Calendar // once they are looked at
}

// units of time, in seconds.
var timeUnits = map[string]float64{"s": 1, "min": 60, "h": 3600, "d": 86400}

// The units of values: amounts, and what they are per.
var (
	grams   = map[string]float64{"g": 1, "kg": 1e3, "t": 1e6}
	perWhat = map[string]struct {
		divide  float64
		perWatt bool
	}{"kWh": {3.6e6, true}, "MWh": {3.6e9, true}, "proc-s": {1, false}, "proc-h": {3600, false}}
	usualUnits = map[string]string{"carbon": "g/kWh", "tariff": "1/proc-s", "capacity": "procs", "spot": "procs"}
)

// parseSeries reads 'carbon=FILE(extend=repeat); tariff=FILE'.
func parseSeries(text string) (list []inputSeries, err error) {
	for _, part := range parts(text) {
		name, rest, ok := strings.Cut(part, "=")
		s := inputSeries{name: strings.TrimSpace(name), text: part}
		if !ok || s.name == "" || strings.ContainsAny(s.name, "( :+,") {
			return nil, fmt.Errorf("%q: want a name and a table, as in carbon=FILE or "+
				"'tariff=FILE(unit=h,as=EUR/MWh,extend=repeat)'", part)
		}
		spec, err := policies.ParseSpec(rest)
		if err != nil {
			return nil, err
		}
		if s.file = spec.Name; !isTable(s.file) {
			return nil, fmt.Errorf("%s=%s: want a table, CSV (perhaps .gz or .zst) or .parquet", s.name, s.file)
		}
		if s.args, err = policies.Bind(spec, seriesParams); err != nil {
			return nil, err
		}
		s.args.Choice("extend", "no", "last", "repeat")
		s.args.Choice("gaps", "no", "hold")
		s.args.Choice("unit", "s", "min", "h", "d")
		if err := s.args.Err(); err != nil {
			return nil, err
		}
		s.second = timeUnits[s.args.Text("unit")]
		if err := s.setUnit(); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(x inputSeries) bool { return x.name == s.name }) {
			return nil, fmt.Errorf("%s is given twice", s.name)
		}
		list = append(list, s)
	}
	return list, nil
}

func checkSeries(text string) error { _, err := parseSeries(text); return err }

// given is the text of a parameter, the other one if it is not given.
func (s *inputSeries) given(param, otherwise string) string {
	if text := s.args.Text(param); text != "-" {
		return text
	}
	return otherwise
}

// setUnit reads the unit of the values.
func (s *inputSeries) setUnit() error {
	unit := s.given("as", usualUnits[s.name])
	if s.scale = 1; unit == "" || unit == "procs" && usualUnits[s.name] == unit {
		return nil
	}
	amount, what, _ := strings.Cut(unit, "/")
	per, known := perWhat[what]
	factor, mass := grams[amount]
	switch {
	case usualUnits[s.name] == "procs":
		return fmt.Errorf("%s: as=%s: %[1]s is in processors", s.name, unit)
	case !known:
		return fmt.Errorf("%s: the unit %q is unknown; want an amount per kWh, MWh, proc-s (a processor for a second) or "+
			"proc-h, as in g/kWh, "+
			"EUR/MWh or 1/proc-h%s", s.name, unit, suggest.DidYouMean(what, []string{"kWh", "MWh", "proc-s", "proc-h"}))
	case s.name == "carbon" && !mass:
		return fmt.Errorf("carbon: the unit %q is no mass; want g, kg or t, as in g/kWh", unit)
	case s.name != "carbon" && amount == "ct":
		factor = .01
	case s.name != "carbon":
		factor = 1
	}
	s.scale, s.perWatt = factor/per.divide, per.perWatt
	return nil
}

// readSeries reads the input series, and returns the machine's changes of size that are one of them, nil if none is.
func (s Site) readSeries(cfg *engine.Config, h Hardware, log *traces.Header) (size engine.Outages, err error) {
	list, err := parseSeries(s.SeriesIn)
	if err != nil {
		return nil, &OptionError{"series-in", err}
	}
	for i := range list {
		x := &list[i]
		steps, err := x.read(log)
		if err == nil && x.name == "capacity" {
			size, err = newSupply(steps, h)
		}
		if err != nil {
			return nil, err
		}
		in := policies.Series{Name: x.name, Values: steps}
		scaled := steps.Scaled(x.scale)
		if !x.perWatt {
			in.Price = scaled
		} else if _, ok := h.Machine.(engine.Processors); !ok {
			in.NoPrice = "it is per kWh, and on this machine what a processor draws is not all that jobs draw"
		} else if cfg.Power == nil {
			in.NoPrice = "it is per kWh, and what a processor draws is not known; give power, too, as in 'idle=60,busy=200'"
		} else {
			in.Price = scaled.Scaled(cfg.Power.CPU.Busy)
		}
		cfg.Series = append(cfg.Series, in)
		kind := slices.Index(engine.ChargeNames[:], x.name)
		if kind < 0 {
			continue
		}
		if x.perWatt && cfg.Power == nil {
			unit := x.given("as", usualUnits[x.name])
			amount, _, _ := strings.Cut(unit, "/")
			return nil, &OptionError{"series-in", fmt.Errorf("%s is in %s: give power, too, what a processor draws, as in "+
				"'idle=60,busy=200', or the series per processor (as=%s/proc-h)", x.name, unit, amount)}
		}
		cfg.Charges[kind] = &engine.Charge{Steps: scaled, PerWatt: x.perWatt}
	}
	return size, nil
}

// read reads the table. In times that are numbers and begin after the log does, nothing is assumed.
func (s *inputSeries) read(log *traces.Header) (*events.Steps, error) {
	time, value, err := s.columns()
	if err != nil {
		return nil, err
	}
	rows, err := table.OpenSome(s.file, nil, []string{time, value}, nil)
	if err != nil {
		return nil, err
	}
	if s.given("zone", "") != "" { // else dates are looked at where there are any
		if s.dates, err = s.calendar(log); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
	}
	zero, err := s.parseTime(s.args.Text("from"), log)
	if err != nil {
		return nil, errors.Join(&OptionError{"series-in", err}, rows.Close())
	}
	var at []events.Time
	var values []float64
	var lines []int64
	err = rows.Each(func() error {
		var t events.Time
		x, ok := rows.Number(0)
		if ok {
			t, ok = events.FromSeconds(x * s.second)
		}
		var err error
		if !ok {
			t, err = s.parseTime(rows.Text(0), log)
		}
		if err != nil {
			return rows.Fault(err.Error(), "")
		}
		v, err := rows.Float(1)
		switch {
		case err != nil:
			return err
		case math.IsInf(v, 0) || math.Abs(v) > policies.MostMoney:
			return rows.Fault(fmt.Sprintf("%s is %g", value, v), "want a finite number")
		case len(at) > 0 && t-zero <= at[len(at)-1]:
			return rows.Fault(fmt.Sprintf("%s %s is not after the one before it", time, rows.Text(0)),
				"want rows in order of time, each once")
		}
		at, values, lines = append(at, t-zero), append(values, v), append(lines, rows.Line())
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("%s has no rows", s.file)
	}
	beyond := map[string]events.Beyond{"no": events.Nowhere, "last": events.OnAndOn,
		"repeat": events.Again}[s.args.Text("extend")]
	if len(at) == 1 && beyond != events.OnAndOn {
		return nil, fmt.Errorf("%s has one row, and for how long its value holds is unknown; want two or more, or "+
			"extend=last", s.file)
	}
	return events.NewSteps(at, values, beyond), s.findGap(at, lines)
}

// columns finds the columns of times and values.
func (s *inputSeries) columns() (time, value string, err error) {
	names, err := table.Names(s.file)
	if err != nil {
		return "", "", err
	}
	if time = s.given("time", ""); time == "" {
		if time = "time"; !slices.Contains(names, time) {
			time = names[0]
		}
	}
	if value = s.given("value", ""); value != "" {
		return time, value, nil
	}
	for _, name := range []string{s.name, "value"} {
		if slices.Contains(names, name) {
			return time, name, nil
		}
	}
	if len(names) != 2 {
		return "", "", fmt.Errorf("%s has the columns %s: say which has the values, as in '%s=%s(value=%s)'", s.file,
			strings.Join(names, ", "),
			s.name, s.file, names[len(names)-1])
	}
	return time, names[1-slices.Index(names, time)], nil
}

// calendar is that of the dates in the series.
func (s *inputSeries) calendar(log *traces.Header) (*events.Calendar, error) {
	h := *log
	if zone := s.given("zone", ""); zone != "" {
		if _, err := events.LoadZone(zone); err != nil {
			return nil, &OptionError{"series-in", err}
		}
		h.SetZone(zone)
	}
	return h.Calendar(), nil
}

// parseTime reads a date, or a number in the unit of the series.
func (s *inputSeries) parseTime(text string, log *traces.Header) (events.Time, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		t, ok := events.FromSeconds(x * s.second)
		if !ok {
			return 0, fmt.Errorf("%q is out of range", text)
		}
		return t, nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil && log.Calendar() != nil { // it says its zone
		return log.Calendar().Of(at), nil
	}
	i, err := events.ParseInstant(text)
	if err == nil && i.Date != "" && s.dates == nil {
		s.dates, err = s.calendar(log)
	}
	switch {
	case err != nil:
		return 0, err
	case i.Date == "":
		return i.Since, nil
	case s.dates == nil:
		return 0, &traces.UndatedError{For: "the date " + i.Date + " in the series " + s.name, Trace: log.Name,
			Instead: "give seconds since its zero"}
	}
	return s.dates.Parse(i.Date)
}

// findGap refuses times at which rows of an even series are missing.
func (s *inputSeries) findGap(at []events.Time, lines []int64) error {
	if len(at) < 4 || s.args.Text("gaps") == "hold" {
		return nil
	}
	steps := make([]events.Time, len(at)-1)
	for i := range steps {
		steps[i] = at[i+1] - at[i]
	}
	sorted := slices.Clone(steps)
	slices.Sort(sorted)
	usual, same := sorted[len(sorted)/2], 0
	for _, step := range steps {
		if step == usual {
			same++
		}
	}
	if i := slices.IndexFunc(steps, func(step events.Time) bool { return step >= 2*usual }); i >= 0 &&
		10*same >= 9*len(steps) {
		return &traces.Error{File: s.file, Line: lines[i+1], What: fmt.Sprintf("a gap: rows are %s apart, and this one is "+
			"%s after the one before it",
			usual.Short(), steps[i].Short()), Want: "fill it, or gaps=hold lets the value before it hold"}
	}
	return nil
}
