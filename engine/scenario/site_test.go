package scenario

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies/catalog"
	"bourse/traces"
)

// TestLimitsHoldNobodyTooLong wants a policy that starts whatever fits to keep to windows, running limits and a
// reservation, and to start every job as soon as there is room and both let it: it looks at every job at every instant
// at which something could change.
func TestLimitsHoldNobodyTooLong(t *testing.T) {
	const hour = 3600 * events.Second
	table := filepath.Join(t.TempDir(), "reserved.csv")
	rapid.Check(t, func(t *rapid.T) {
		var jobs []traces.Job
		at := events.Time(0)
		for i := range rapid.IntRange(1, 20).Draw(t, "jobs") {
			at += events.Time(rapid.IntRange(0, 6).Draw(t, "gap")) * hour
			run := events.Time(rapid.IntRange(1, 20).Draw(t, "run")) * hour
			jobs = append(jobs, traces.Job{ID: int64(i), Submit: at, Run: run, Estimate: run, Pieces: 1, Prev: -1,
				Procs: int32(rapid.IntRange(1, 4).Draw(t, "procs")), User: traces.Label(rapid.IntRange(0, 2).Draw(t, "user")),
				CPU: -1, Memory: -1, GPU: -1, Disk: -1})
		}
		considered := rapid.IntRange(1, 9).Draw(t, "considered")
		from := events.Time(rapid.IntRange(0, 30).Draw(t, "from")) * hour
		until := from + events.Time(rapid.IntRange(1, 40).Draw(t, "for"))*hour
		row := fmt.Sprintf("start,end,processors,for\n%d,%d,3,user 1\n", from/events.Second, until/events.Second)
		if err := os.WriteFile(table, []byte(row), 0o666); err != nil {
			t.Fatal(err)
		}
		site := Site{Outages: table, Windows: "procs > 2: mon-fri 17:00-08:00, sat-sun",
			RunningLimits: fmt.Sprintf("user: jobs <= 2, procs <= 5, considered <= %d", considered)}
		log := &traces.Header{Start: 86400 * 4, Ledger: &traces.Ledger{}} // a Monday
		policy, err := catalog.Policies.Make("nphb(fit=skip)")
		if err != nil {
			t.Fatal(err)
		}
		cfg := engine.Config{Machine: engine.Processors(6), Policy: policy, Check: true}
		if err := site.rules(&cfg, Hardware{Machine: cfg.Machine}, log); err != nil {
			t.Fatal(err)
		}
		var got records
		if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), &got); err != nil {
			t.Fatal(err)
		}
		open := func(at events.Time) bool { // by hand: day 0 is a Monday
			day, clock := at/(24*hour)%7, at/hour%24
			return day >= 5 || clock >= 17 || clock < 8 && day > 0
		}
		may := func(o *engine.Outcome, at events.Time) string {
			free, own, procs, ahead, others := int32(6), 0, o.Job.Procs, 0, o.Job.Procs
			for i := range got {
				k := &got[i]
				same := k.Job.User == o.Job.User
				if k != o && k.Start <= at && at < k.End {
					if k.Job.User != 1 && k.End > from {
						others += k.Job.Procs
					}
					if free -= k.Job.Procs; same {
						own, procs = own+1, procs+k.Job.Procs
					}
				}
				if same && k.Job.ID < o.Job.ID && k.Start > at { // still waits
					ahead++
				}
			}
			switch {
			case ahead >= considered:
				return "those of its user that are considered"
			case o.Job.Procs > 2 && !open(at):
				return "the window"
			case own >= 2 || procs > 5:
				return "the running limit"
			case o.Job.User != 1 && at < until && at+o.Job.Run > from && others > 3:
				return "the reservation"
			case o.Job.Procs > free:
				return "room"
			}
			return ""
		}
		for i := range got {
			o := &got[i]
			if why := may(o, o.Start); why != "" {
				t.Fatalf("job %d starts at %v against %s", o.Job.ID, o.Start, why)
			}
			for at := o.Job.Submit; at < o.Start; at += hour { // all that happens does so on the hour
				if may(o, at) == "" {
					t.Fatalf("job %d may start at %v and does so at %v", o.Job.ID, at, o.Start)
				}
			}
		}
	})
}

// records keeps all outcomes.
type records []engine.Outcome

func (r *records) Record(o *engine.Outcome) error {
	*r = append(*r, *o)
	return nil
}

func TestSiteFaults(t *testing.T) {
	dated := &traces.Header{Name: "log", Start: 1}
	rules := func(s Site, h *traces.Header) error {
		var cfg engine.Config
		return s.rules(&cfg, Hardware{Machine: engine.Processors(10)}, h)
	}
	file := func(text string) Site {
		path := filepath.Join(t.TempDir(), "away.csv")
		if err := os.WriteFile(path, []byte("start,end,processors,kind,machine,for\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
		return Site{Outages: path}
	}
	for _, c := range []struct {
		site Site
		want string
	}{
		{file(""), "has no outages"},
		{file("5,5,,,,"), "csv:2: an outage that ends no later than it begins"},
		{file("5,x,,,,"), `csv:2: "x" is no time of a log`},
		{file("5,9,11,,,"), "up to 10, or nothing for all"},
		{file("5,9,1.5,,,"), "want above 0 and up to 10"},
		{file("5,9,6,,,\n7,10,6,,,"), "csv:3: 12 processors are away when this outage begins, and the machine has 10"},
		{file("5,9,,plannd,,"), `did you mean "planned"?`},
		{file("5,9,4,,,usr 1"), "want user, group, queue or partition and the name of one, as in user 12"},
		{file("5,9,4,unplanned,,user 1"), "a reservation is known in advance"},
		{file("5,9,,planned,node1,"), "where there are no single machines"},
		{file("5,9,4,,node1,"), "leave one of the two empty"},
		{Site{RunningLimits: "usr: jobs <= 3"}, `did you mean "user"?`},
		{Site{RunningLimits: "user: jobs < 3"}, "want jobs <= N"},
		{Site{RunningLimits: "user: jobs <= 0"}, "N at least 1"},
		{Site{Windows: "prcs > 3: fri"}, `did you mean "procs"?`},
		{Site{Windows: "procs > 3: frx"}, `"frx" is no time of the week`},
	} {
		if err := rules(c.site, dated); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.site, err, c.want)
		}
	}
	for _, s := range []Site{{Drain: "fri"}, {Windows: "procs > 1: fri"}, file("1997-01-01,1997-01-02,,,,")} {
		if err := rules(s, &traces.Header{Name: "log"}); err == nil || !strings.Contains(err.Error(), "needs dates") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestNeverAdmitted wants a replay to end at a job that no rule will ever let start.
func TestNeverAdmitted(t *testing.T) {
	job := traces.Job{ID: 7, Run: 200 * 3600 * events.Second, Estimate: 200 * 3600 * events.Second, Procs: 4, Pieces: 1}
	for site, want := range map[Site]string{
		{Drain: "fri 08:00-12:00"}:          "job 7 asks for 4 processors for 1w1d8h, and no time within a year is long enough for that: the outage from",
		{RunningLimits: "user: procs <= 3"}: "job 7 asks for 4 processors, and user: procs <= 3 never lets it start",
	} {
		cfg := engine.Config{Machine: engine.Processors(6)}
		cfg.Policy, _ = catalog.Policies.Make("fcfs")
		if err := site.rules(&cfg, Hardware{Machine: cfg.Machine}, &traces.Header{Start: 1}); err != nil {
			t.Fatal(err)
		}
		_, err := engine.Run(context.Background(), cfg, traces.MemoryOf(job).Source(), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", site, err, want)
		}
	}
}

// TestMachinesAway takes machines of a cluster away by name, as its table does itself, and wants what runs on them to
// be stopped, unless the policy knows in advance.
func TestMachinesAway(t *testing.T) {
	on := Hardware{Machine: engine.Cluster{{Machine: 0, Name: "a", CPU: 1}, {Machine: 1, Name: "b", CPU: 1},
		{At: 90 * events.Second, Machine: 1, Name: "b", CPU: 2}}, Fit: "first"}
	jobs := []traces.Job{{ID: 1, Run: 20 * events.Second, Estimate: 20 * events.Second, CPU: 1, Procs: 1, Pieces: 1},
		{ID: 2, Run: 20 * events.Second, Estimate: 20 * events.Second, CPU: 1, Procs: 1, Pieces: 1}}
	path := filepath.Join(t.TempDir(), "away.csv")
	for _, c := range []struct{ policy, row, want string }{
		{"fcfs(fit=skip)", "10,40,unplanned,b", "1 0s-20s 0, 2 0s-30s 1"},
		{"easy", "10,40,unplanned,b", "1 0s-20s 0, 2 0s-30s 1"},
		{"easy", "10,40,planned,b", "1 0s-20s 0, 2 20s-40s 0"},
		{"conservative", "10,40,planned,a\n60,80,planned,b", "1 0s-20s 0, 2 20s-40s 0"},
		{"fcfs(fit=skip)", "10,40,planned,b", "csv:2: policies that plan ahead on machines know of a planned outage"},
		{"easy", "10,40,planned,c", `csv:2: machine "c" is unknown; the first is "a"`},
		{"easy", "10,40,planned,a\n20,30,planned,a", "csv:3: the machine is not there when this outage begins"},
		{"easy", "30,50,planned,a\n10,40,planned,a", "csv:3: the machine changes during this outage"},
		{"easy", "60,99,planned,b", "csv:2: the machine changes during this outage"},
	} {
		if err := os.WriteFile(path, []byte("start,end,kind,machine\n"+c.row), 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := catalog.Policies.Make(c.policy)
		if err != nil {
			t.Fatal(err)
		}
		cfg := engine.Config{Machine: on.Machine, Check: true}
		if cfg.Policy, err = on.place(p, 1); err != nil {
			t.Fatal(err)
		}
		got, records := "", records(nil)
		if err = (Site{Outages: path}).rules(&cfg, on, &traces.Header{Name: "log"}); err == nil {
			_, err = engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), &records)
		}
		slices.SortFunc(records, func(a, b engine.Outcome) int { return int(a.Job.ID - b.Job.ID) })
		for i, o := range records {
			got += strings.Repeat(", ", min(i, 1)) + fmt.Sprintf("%d %v-%v %d", o.Job.ID, o.Start, o.End, o.Preemptions)
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, %q: got %s, want %s", c.policy, c.row, got, c.want)
		}
	}
}
