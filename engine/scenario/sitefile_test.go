package scenario

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
)

// siteJobs are jobs of two users on a machine of eight processors, one an hour.
func siteJobs() (list []traces.Job) {
	for i := range 60 {
		list = append(list, traces.Job{ID: int64(i), Submit: events.Time(i) * 3600 * events.Second, Run: events.Time(3+i%5) * 3600 * events.Second,
			Estimate: 8 * 3600 * events.Second, Procs: int32(1 + i*3%7), User: traces.Label(i % 2), CPU: -1, Memory: -1, GPU: -1, Disk: -1,
			Pieces: 1, Prev: -1, Wait: events.Unknown})
	}
	return list
}

// replayedAt replays the jobs under a scenario.
func replayedAt(t *testing.T, s Scenario) records {
	t.Helper()
	log := traces.MemoryOf(siteJobs()...)
	log.Header().Start, log.Header().Procs = 86400*4, 8 // a Monday
	s.Market = s.Settled()
	l := &Loaded{Scenario: s, Hardware: Hardware{Machine: engine.Processors(8)}, Memory: log}
	if err := l.Scenario.rules(&l.rules, l.Hardware, log.Header()); err != nil {
		t.Fatal(err)
	}
	p, err := l.Replay(s.Market)
	if err != nil {
		t.Fatal(err)
	}
	var got records
	if _, err := p.RunAll(context.Background(), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestSiteIsItsOptions wants a model to do what the options do that its rules are written as, read from its own text.
func TestSiteIsItsOptions(t *testing.T) {
	m := &SiteModel{Scheduler: SiteRule{Rule: "easy(order=sjf)", Why: `it "says" so`},
		Windows: []SiteRule{{"procs > 3: mon-fri 17:00-08:00, sat-sun", "nights"}},
		Limits:  []SiteRule{{"user: jobs <= 2, considered <= 3", ""}},
		Judged:  []SiteJudged{{Model: "site", Rank: .5, LogError: 1.25, Error: 3600, Off: -10, Near: .5}}}
	path := filepath.Join(t.TempDir(), "site.toml")
	text, err := m.Text("a model")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if again, err := ReadSite(path); err != nil || !reflect.DeepEqual(again, m) {
		t.Fatalf("%v: %+v is read back as %+v", err, m, again)
	}
	options := Default()
	options.Policy, options.Windows, options.RunningLimits = "easy(order=sjf)", m.Windows[0].Rule, m.Limits[0].Rule
	site := Default()
	site.SiteFile, site.Policy = path, options.Policy
	if a, b := replayedAt(t, options), replayedAt(t, site); !reflect.DeepEqual(a, b) {
		t.Error("a site's model is another schedule than its options")
	}
	chosen, err := site.withSite(Market{})
	if err != nil || chosen.Policy != "easy(order=sjf)" {
		t.Errorf("%v: the site's scheduler is %s", err, chosen.Policy)
	}
}

// TestSiteCapacity wants no job to start that would take more than there is, none to be stopped, and none to wait for
// a capacity of which nobody knows yet.
func TestSiteCapacity(t *testing.T) {
	s := Default()
	s.Policy = "easy"
	s.given = &SiteModel{Capacity: &SiteCapacity{Hours: "10 3; 20 8\n30 7; 40 8"}}
	got := replayedAt(t, s)
	there := func(at events.Time) int32 {
		switch h := at / (3600 * events.Second); {
		case h >= 10 && h < 20:
			return 3
		case h >= 30 && h < 40:
			return 7
		}
		return 8
	}
	for i := range got {
		o, used := &got[i], int32(0)
		if o.Preemptions > 0 {
			t.Errorf("job %d was stopped", o.Job.ID)
		}
		for k := range got {
			if x := &got[k]; x.Start <= o.Start && o.Start < x.End {
				used += x.Job.Procs
			}
		}
		if used > there(o.Start) {
			t.Errorf("at the start of job %d %d processors are in use, and there are %d", o.Job.ID, used, there(o.Start))
		}
	}
	s.given = &SiteModel{Capacity: &SiteCapacity{Hours: "50 3; 200 8"}}
	early, plain := replayedAt(t, s), func() records { s.given = nil; return replayedAt(t, s) }()
	for i := range early {
		for k := range plain {
			if early[i].Seq == plain[k].Seq && plain[k].Start < 50*3600*events.Second && early[i].Start != plain[k].Start {
				t.Errorf("job %d starts at %v, and before the capacity falls nothing differs: "+
					"%v", early[i].Job.ID, early[i].Start, plain[k].Start)
			}
		}
	}
}

// TestSiteRefuses wants a sentence for what is no model, or one of another log.
func TestSiteRefuses(t *testing.T) {
	log := &traces.Header{Name: "this.swf", Start: 5, Procs: 8, Ledger: &traces.Ledger{}}
	for text, want := range map[string]string{
		"[schedular]\nrule = \"easy\"": "has the key schedular",
		"windows = 3":                  "site.toml: ",
		"[log]\nname = \"other.swf\"\nstart = 5\nprocessors = 9": "is a model of other.swf, with 9 processors",
		"[[windows]]\nrule = \"estimate > 3\"":                   "site windows: ",
		"[[limits]]\nrule = \"user: jobs < 3\"":                  "site limits: ",
		"[capacity]\nhours = \"24 x\"":                           `capacity: "24 x" is no hour`,
		"[capacity]\nhours = \"24 8; 12 3\"":                     "capacity: hour 12 is not behind",
	} {
		path := filepath.Join(t.TempDir(), "site.toml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s := Default()
		s.SiteFile = path
		err := s.rules(&engine.Config{}, Hardware{Machine: engine.Processors(8)}, log)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	s := Default()
	s.given, s.LoadFactor = &SiteModel{Capacity: &SiteCapacity{}}, 2
	if err := s.rules(&engine.Config{}, Hardware{Machine: engine.Processors(8)}, log); err == nil || !strings.Contains(err.Error(),
		"leave [capacity] out") {
		t.Errorf("a capacity by hour of jobs at other times: %v", err)
	}
}
