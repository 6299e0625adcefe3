package scenario

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bourse/engine"
)

// TestOptions wants an option for every field, a field for every option, and values
// that are read back from what is written.
func TestOptions(t *testing.T) {
	fields := map[string]bool{}
	var walk func(reflect.Type)
	walk = func(s reflect.Type) {
		for i := range s.NumField() {
			f := s.Field(i)
			if f.Anonymous {
				walk(f.Type)
			} else if name := strings.ReplaceAll(f.Tag.Get("json"), "_", "-"); f.IsExported() && name != "-" && name != "trace" {
				fields[name] = true
			}
		}
	}
	walk(reflect.TypeFor[Scenario]())
	other := map[string]string{
		"policy": "easy", "payment": "first", "values": "priority", "behaviour": "srg", "bids": "b.csv", "budget": "5000/1w", "seed": "7",
		"nodes": "12", "machines": "pool",
		"migration-cost": "5m", "start-cost": "12m", "preemption": "restart", "where": "run > 1", "from": "1d", "until": "1997-01-01", "time-zone": "Europe/Stockholm",
		"load-factor": "1.5", "resample": "weeks=3",
		"shake": "1h30m", "estimates": "exact", "on-error": "skip", "attempts": "all", "censored": "keep", "sort-window": "9",
		"queue-limits": "*: procs < 3", "limit": "12h:refuse", "elastic": "amdahl(serial=.1,most=3)", "outages": "away.csv", "drain": "fri 08:00-12:00",
		"windows": "procs > 9: sat-sun", "running-limits": "user: jobs <= 4", "power": "idle=1,busy=2", "power-cap": "daily 08:00-20:00: 24kW; 30kW", "site": "site.toml",
		"evict": "cheapest", "series-in": "carbon=c.csv(extend=last); tariff=t.csv",
		"warm-up": "1w", "cool-down": "90s", "bound": "1m",
	}
	for _, o := range Options {
		if !fields[o.Name] && o.Name != "check" {
			t.Errorf("option %s has no field of its name in JSON", o.Name)
		}
		delete(fields, o.Name)
		s := Default()
		value := other[o.Name]
		if o.Kind == "bool" {
			value = "true"
		}
		if err := o.Set(&s, value); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
		again := Default()
		if err := o.Set(&again, o.Text(&s)); err != nil || again != s || s == Default() {
			t.Errorf("%s: %q is read back as %q, %v", o.Name, o.Text(&s), o.Text(&again), err)
		}
		text, err := json.Marshal(&s)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := Parse(text); o.Name != "check" && (err != nil || back != s) && o.Name != "resubmit-killed" {
			t.Errorf("%s in JSON: %v\n%s", o.Name, err, text)
		}
	}
	for name := range fields {
		t.Errorf("field %s has no option", name)
	}
}

// TestFaults wants values that make no sense to be refused, with the option's name.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"policy", "nhpb", `did you mean "nphb"?`}, {"payment", "frist", "first"},
		{"nodes", "-1", "want a whole number of 0 or more"},
		{"machines", "trace(fit=bets)", `did you mean "best"? There are first, best, worst, dot`},
		{"machines", "grid", "nodes:N, pool"}, {"load-factor", "0", "want a number from 1e-6"},
		{"shake", "soon", "is not a duration"},
		{"from", "monday", "no time of a log; want seconds or units since its zero"}, {"until", "1997-02-30", "is not a date"},
		{"time-zone", "stockholm", "did you mean Europe/Stockholm?"}, {"on-error", "skp", `did you mean "skip"?`},
		{"estimates", "magic", `"magic" is unknown`}, {"serial", "perhaps", "want true or false"},
		{"polcy", "hb", `did you mean "policy"?`}, {"resample", "week=3", `did you mean "weeks"?`},
		{"elastic", "amdahl:2", "a number from 0 to 1"}, {"elastic", "gustafson", "unknown"},
		{"limit", "0", "as in 12h, or 12h:refuse"}, {"limit", "12h:kill", "as in 12h"}, {"seed", "-1", "want a whole number"},
	} {
		s := Default()
		if err := s.Set(c.name, c.value); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), c.name) {
			t.Errorf("%s=%s: %v; want %q", c.name, c.value, err, c.want)
		}
	}
	for _, c := range []struct {
		want string
		do   func(*Scenario)
	}{
		{"both say what jobs run on", func(s *Scenario) { s.Nodes, s.Machines = 3, "pool" }},
		{"the window is empty", func(s *Scenario) { s.From.Since, s.Until.Since = 5e6, 2e6 }},
		{"kill-at-estimate", func(s *Scenario) { s.ResubmitKilled = true }},
		{"new ones", func(s *Scenario) { s.Bids, s.Resample = "b.csv", "users" }},
	} {
		s := Default()
		c.do(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), c.want) || !IsFault(err) {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
	if _, err := Parse([]byte(`{"policy": "hb", "pollicy": "hb"}`)); err == nil ||
		!strings.Contains(err.Error(), `unknown field "pollicy"`) {
		t.Error(err)
	}
}

// TestReplay runs a scenario and the same jobs once more from memory.
func TestReplay(t *testing.T) {
	s := Default()
	s.Trace, s.Policy, s.Payment, s.WarmUp, s.Check = "synth:lublin?jobs=400&procs=32&seed=3&load=0.9&estimates=3", "easy",
		"none", 3600e6, true
	src, err := s.Open(Env{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Prepare(src)
	if err != nil {
		t.Fatal(err)
	}
	var counted, all ids
	out, err := p.Run(t.Context(), &counted, &all)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 400 || int64(len(all)-len(counted)) != out.Uncounted || out.Uncounted == 0 {
		t.Errorf("%d jobs, %d counted, %d left out", len(all), len(counted), out.Uncounted)
	}
	if src, err = s.Open(Env{}); err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = jobs.Replay(s.Market); err != nil {
		t.Fatal(err)
	}
	var again ids
	if _, err = p.RunAll(t.Context(), &again); err != nil || !slices.Equal(all, again) {
		t.Errorf("from memory the jobs end in another order: %v", err)
	}
	s.Where = "run < 0"
	if src, err = s.Open(Env{}); err != nil {
		t.Fatal(err)
	}
	if p, err = s.Prepare(src); err != nil {
		t.Fatal(err)
	}
	if _, err = p.Run(t.Context(), &counted); err == nil || !strings.Contains(err.Error(), "none of the 400 records") {
		t.Error(err)
	}
}

// ids are the numbers of the jobs that ended, in their order.
type ids []int64

func (x *ids) Record(o *engine.Outcome) error {
	*x = append(*x, o.Job.ID)
	return nil
}
