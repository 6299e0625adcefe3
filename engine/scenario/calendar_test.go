package scenario

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	_ "time/tzdata"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
)

// dated opens a log whose zero is a Monday, 17 February 1997, 9:00 in UTC.
func dated(t *testing.T, s *Scenario) traces.Source {
	s.Trace = "synth:lublin?jobs=600&procs=32&seed=3&load=1.1&estimates=3"
	src, err := s.Open(Env{})
	if err != nil {
		t.Fatal(err)
	}
	src.Header().Start = 856170000
	return src
}

// ends are the numbers of the jobs in the order in which they end, forked halfway if they are to be.
func ends(t *testing.T, policy, zone string, forked bool) (list ids) {
	s := Default()
	s.Policy, s.Payment = policy, "none"
	src := dated(t, &s)
	src.Header().SetZone(zone)
	jobs, err := s.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := jobs.Replay(s.Market)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(p.Config, jobs.Source(), &list)
	if err != nil {
		t.Fatal(err)
	}
	for step := 0; r.More() && err == nil; step++ {
		if step == 300 && forked {
			if r, err = r.Fork(p.Config.Bidder, &list); err != nil {
				t.Fatal(err)
			}
		}
		err = r.Step()
	}
	if err != nil || len(list) != 600 {
		t.Fatalf("%s: %d jobs end, %v", policy, len(list), err)
	}
	return list
}

// TestHoursOfReplays compares orders by the hour with the same worked out from the seconds, in UTC, and
// wants another order where clocks differ.
func TestHoursOfReplays(t *testing.T) {
	script := filepath.Join(t.TempDir(), "day.star")
	if err := os.WriteFile(script, []byte("def rank(job, now):\n    return -job.procs if hour(now) < 12 else job.procs\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	const at = "(submit + wait + 856170000)"
	const byHour, bySecond = "hour < 12 ? -procs : procs", at + " % 86400 < 43200 ? -procs : procs"
	// The first of January 1970 was a Thursday.
	const byDay = "weekday % 2 == 0 ? -procs : procs"
	const byDays = "(((" + at + " - " + at + " % 86400) / 86400 + 3) % 7 + 1) % 2 == 0 ? -procs : procs"
	for _, c := range []struct{ policy, dates, plain, seconds string }{
		{"expr(%)", byHour, "expr(%)", bySecond}, {"easy(order=expr(%))", byHour, "easy(order=expr(%))", bySecond},
		{"easy(backfill=expr(%))", byHour, "easy(backfill=expr(%))", bySecond},
		{"script:" + script, "", "expr(%)", bySecond}, {"expr(%)", byDay, "expr(%)", byDays},
	} {
		policy := strings.Replace(c.policy, "%", c.dates, 1)
		want := ends(t, strings.Replace(c.plain, "%", c.seconds, 1), "UTC", false)
		for _, forked := range []bool{false, true} {
			if got := ends(t, policy, "UTC", forked); !slices.Equal(got, want) {
				t.Errorf("%s: jobs do not end as under the order by seconds (forked: %v)", policy, forked)
			}
		}
		if there := ends(t, policy, "Asia/Tokyo", false); slices.Equal(there, want) {
			t.Errorf("%s: the time zone does not matter", policy)
		}
	}
}

// needy is a part of a replay that cannot do without dates.
type needy struct{ policies.Bidder }

func (needy) ReadCalendar(c *events.Calendar) string {
	if c == nil {
		return "its mood"
	}
	return ""
}

type needyPricer struct {
	policies.Pricer
	needy
}

// TestWithoutDates wants what needs dates to say so where the log has none.
func TestWithoutDates(t *testing.T) {
	for _, set := range [][2]string{{"policy", "easy(backfill=expr(weekday))"}, {"policy", "expr(week)"}, {"time-zone", "CET"},
		{"policy", "srpt"}, {"where", "date > 19970101"}, {"from", "1997-01-01"}} {
		s := Default()
		s.Trace, s.Payment = "synth:lublin?jobs=10&procs=8&seed=3", "none"
		if err := s.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
		src, err := s.Open(Env{})
		if err == nil {
			var p *Prepared
			if p, err = s.Prepare(src); err == nil {
				err = p.Refuses()
			}
		}
		if undated := (*traces.UndatedError)(nil); errors.As(err, &undated) == (set[1] == "srpt") {
			t.Errorf("%s: %v", set, err)
		}
	}
	bought, err := catalog.Policies.Make("fcfs")
	if err != nil {
		t.Fatal(err)
	}
	src := traces.MemoryOf().Source()
	for _, cfg := range []engine.Config{{Machine: engine.Processors(1), Policy: bought, Bidder: needy{}},
		{Machine: engine.Processors(1), Policy: bought, Pricer: needyPricer{}}} {
		if _, err := engine.New(cfg, src, nil); err == nil || !strings.HasPrefix(err.Error(), "its mood needs dates") {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}
