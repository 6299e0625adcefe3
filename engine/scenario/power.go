package scenario

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces/table"
)

var powerParams = []policies.Param{
	{Name: "idle", Doc: "watts of a processor, or a CPU, that no job uses"},
	{Name: "busy", Doc: "watts of one that a job uses"},
}

// mostWatts is what one processor or device may draw.
const mostWatts = 1e9

func checkPower(text string) error {
	if isTable(text) {
		return nil
	}
	_, err := parsePower(text)
	return err
}

// parsePower reads 'idle=60,busy=200'.
func parsePower(text string) (p *engine.Power, err error) {
	fault := func(why string) error {
		return fmt.Errorf("%q: %swant the watts of a processor, as in 'idle=60,busy=200', or a table with the columns model, idle "+
			"and busy", text, why)
	}
	spec, err := policies.ParseSpec("power(" + text + ")")
	if err != nil {
		return nil, fault("")
	}
	args, err := policies.Bind(spec, powerParams)
	if err != nil {
		return nil, fault("")
	}
	d := engine.Draw{Idle: args.Float("idle", 0, mostWatts), Busy: args.Float("busy", 0, mostWatts)}
	if args.Err() != nil {
		return nil, fault(args.Err().Error() + "; ")
	}
	if d.Busy < d.Idle {
		return nil, fault("a busy processor draws less than an idle one; ")
	}
	return &engine.Power{CPU: d}, nil
}

// power is what the machine draws, nil if that is not asked for.
func (s Site) power(h Hardware) (p *engine.Power, err error) {
	switch {
	case s.Power == "" && s.PowerCap != "":
		return nil, &OptionError{"power-cap", errors.New("needs what a processor draws; give power, too, as in 'idle=60,busy=200'")}
	case s.Power == "":
		return nil, nil
	case isTable(s.Power):
		p, err = readPower(s.Power)
	default:
		p, err = parsePower(s.Power)
	}
	if err != nil {
		return nil, err
	}
	if _, placed := h.Machine.(engine.Cluster); !placed && h.Total().GPU > 0 {
		if _, known := p.Device(""); !known {
			return nil, &OptionError{"power", errors.New("does not say what GPUs draw; give a table model,idle,busy with a row gpu")}
		}
	}
	for _, model := range slices.Sorted(maps.Keys(h.GPUs())) {
		if _, known := p.Device(model); !known {
			return nil, &OptionError{"power", fmt.Errorf("does not say what GPUs of model %s draw; give a table model,idle,busy with a "+
				"row for it, or gpu for all others", model)}
		}
	}
	return p, nil
}

// readPower reads a table with the columns model, idle and busy: cpu, gpu for all GPUs without a row, and models.
func readPower(path string) (*engine.Power, error) {
	rows, err := table.OpenSome(path, nil, []string{"model", "idle", "busy"}, nil)
	if err != nil {
		return nil, err
	}
	p, cpu := &engine.Power{GPU: map[string]engine.Draw{}}, false
	err = rows.Each(func() error {
		var d engine.Draw
		for i, to := range []*float64{&d.Idle, &d.Busy} {
			x, known, err := rows.Known(1 + i)
			if err != nil {
				return err
			}
			if !known || !(x >= 0 && x <= mostWatts) {
				return rows.Fault(fmt.Sprintf("watts of %q", rows.Text(1+i)), "want a number of 0 or more")
			}
			*to = x
		}
		model := rows.Text(0)
		if _, twice := p.GPU[model]; twice || cpu && model == "cpu" {
			return rows.Fault("a second row for "+model, "leave one of them out")
		}
		switch {
		case d.Busy < d.Idle:
			return rows.Fault("what draws less busy than idle", "want idle up to busy")
		case model == "cpu":
			p.CPU, cpu = d, true
		case model == "gpu":
			p.GPU[""] = d
		default:
			p.GPU[model] = d
		}
		return nil
	})
	if err == nil && !cpu {
		err = fmt.Errorf("%s has no row for cpu, what a processor draws", path)
	}
	return p, err
}

// capRule is the most that may be drawn, at times of the week or, without those, at all others.
type capRule struct {
	times *events.Weekly
	watts float64
	text  string
}

// units of power.
var powerUnits = []struct {
	name  string
	watts float64
}{{"MW", 1e6}, {"kW", 1e3}, {"W", 1}}

// parsePowerCap reads 'mon-fri 08:00-20:00: 24kW; 30kW'.
func parsePowerCap(text string) (rules []capRule, err error) {
	for _, part := range parts(text) {
		r := capRule{text: part}
		number := part
		if i := strings.LastIndex(part, ":"); i >= 0 {
			if r.times, err = events.ParseWeekly(part[:i]); err != nil {
				return nil, err
			}
			number = part[i+1:]
		}
		number, unit := strings.TrimSpace(number), 1.0
		for _, u := range powerUnits {
			if before, has := strings.CutSuffix(number, u.name); has {
				number, unit = strings.TrimSpace(before), u.watts
				break
			}
		}
		n, err := strconv.ParseFloat(number, 64)
		if r.watts = n * unit; err != nil || !(r.watts > 0) || math.IsInf(r.watts, 1) {
			return nil, fmt.Errorf("%q: want a power above 0, perhaps after times of the week and a colon, as in "+
				"'mon-fri 08:00-20:00: 24kW; 30kW'", part)
		}
		if i := len(rules) - 1; i >= 0 && rules[i].times == nil {
			return nil, fmt.Errorf("%q: %s holds at all times already, as it names none; put it last", part, rules[i].text)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func checkPowerCap(text string) error { _, err := parsePowerCap(text); return err }

// timesOfCap is the cap if it depends on the time of the week, else "".
func (s Site) timesOfCap() string {
	rules, _ := parsePowerCap(s.PowerCap)
	if slices.ContainsFunc(rules, func(r capRule) bool { return r.times != nil }) {
		return s.PowerCap
	}
	return ""
}

// cap makes outages of a cap, nil if it never takes anything: under a cap of C watts a machine of N processors may use
//
//	(C - N idle) / (busy - idle)
//
// of them, rounded down; the others are to stay idle.
func (s Site) cap(p *engine.Power, h Hardware, calendar *events.Calendar) (engine.Outages, error) {
	rules, err := parsePowerCap(s.PowerCap)
	if len(rules) == 0 || err != nil {
		return nil, err
	}
	if h.Total().GPU > 0 {
		return nil, &OptionError{"power-cap", errors.New("is for machines without GPUs: what runs under it would depend on the " +
			"jobs' devices")}
	}
	c, n := &powerCap{calendar: calendar}, h.Processors()
	for _, r := range rules {
		if idle := float64(n * p.CPU.Idle); r.watts < idle {
			return nil, &OptionError{"power-cap", fmt.Errorf("%q is below the %s that the machine draws with no job on it", r.text,
				watts(idle))}
		}
		away := n - r.usable(p, h)
		c.takes = c.takes || away > 0
		c.rules, c.away = append(c.rules, r), append(c.away, away)
	}
	if s.mostUsable(h) < min(1, n) {
		return nil, &OptionError{"power-cap", fmt.Errorf("%q never leaves power for a processor in use: idle the machine draws %s",
			s.PowerCap, watts(n*p.CPU.Idle))}
	}
	if !c.takes {
		return nil, nil
	}
	return c, nil
}

// usable is how many processors of a machine may be in use.
func (r *capRule) usable(p *engine.Power, h Hardware) float64 {
	n := h.Processors()
	if r.watts >= float64(n*p.CPU.Busy) {
		return n
	}
	usable := (r.watts - float64(n*p.CPU.Idle)) / (p.CPU.Busy - p.CPU.Idle)
	if _, whole := h.Machine.(engine.Processors); whole {
		return math.Floor(usable * (1 + 1e-12))
	}
	return usable
}

// mostUsable is the most that ever may be in use under the cap.
func (s Site) mostUsable(h Hardware) float64 {
	p, err := s.power(h)
	rules, fault := parsePowerCap(s.PowerCap)
	if err != nil || fault != nil || len(rules) == 0 || rules[len(rules)-1].times != nil {
		return math.Inf(1) // an error, as will be found, or times without a cap
	}
	most := 0.0
	for _, r := range rules {
		most = max(most, r.usable(p, h))
	}
	return most
}

// watts is a power in words.
func watts(w float64) string {
	for _, u := range powerUnits {
		if w >= u.watts {
			return fmt.Sprintf("%.4g %s", w/u.watts, u.name)
		}
	}
	return fmt.Sprintf("%.4g W", w)
}

// powerCap is what is to stay idle, one time after the other.
type powerCap struct {
	rules    []capRule
	away     []float64 // processors, by rule
	takes    bool
	calendar *events.Calendar
	at       events.Time
}

// Next implements engine.Outages.
func (c *powerCap) Next() (engine.Outage, bool) {
	for c.at != events.Never {
		x := engine.Outage{Start: c.at, End: events.Never, Planned: true, Capped: true}
		for i, r := range c.rules {
			if r.times == nil {
				x.Procs = c.away[i]
				break
			}
			from, to := r.times.Next(c.calendar, c.at)
			if from <= c.at {
				x.Procs, x.End = c.away[i], min(x.End, to)
				break
			}
			x.End = min(x.End, from)
		}
		if c.at = x.End; x.Procs > 0 {
			return x, true
		}
	}
	return engine.Outage{}, false
}

// Fork implements engine.Outages.
func (c *powerCap) Fork() engine.Outages {
	f := *c
	return &f
}
