package google

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/tracetest"
)

const oneMachine = "0,1,0,p,0.5,0.25\n0,2,0,p,1,1\n700000000,2,1,p,,\n"

func TestGoogleAttempts(t *testing.T) {
	// Task 1/0 is evicted, comes back at once and ends; 1/1 is killed waiting; 2/0 fails
	// and stays away; 3/0 never ends; 4/0 was there before the window.
	dir := tracetest.GoogleTrace(t, oneMachine, tracetest.GoogleEvents("0 4 0 0", "0 4 0 1", "700 1 0 0", "710 1 0 1",
		"720 1 1 0", "800 1 0 2", "800 1 0 0", "850 1 0 1"),
		tracetest.GoogleEvents("900 1 0 4", "950 1 1 5", "960 2 0 0", "961 2 0 1", "971 2 0 3", "980 3 0 0", "990 3 0 1",
			"1000 4 0 4"))
	row := func(job int64, task int32, submit, wait, run, wasted int, status, attempt int32) string {
		return fmt.Sprintf("%d/%d at %d waited %d ran %d wasted %d status %d attempt %d", job, task, submit, wait, run,
			wasted, status, attempt)
	}
	lived := row(4, 0, 600, 0, 400, 0, 1, 1)
	waiting := "1/1 at 720, never started, status 5"
	failed := row(2, 0, 960, 1, 10, 0, 0, 1)
	for _, c := range []struct {
		mode     traces.Attempts
		censored bool
		want     []string
	}{
		{traces.LastAttempt, false, []string{lived, waiting, row(1, 0, 800, 50, 50, 90, 1, 2), failed}},
		{traces.MergedAttempts, false, []string{lived, row(1, 0, 700, 60, 140, 90, 1, 2), waiting, failed}},
		{traces.AllAttempts, false, []string{lived, row(1, 0, 700, 10, 90, 0, -1, 1), waiting,
			row(1, 0, 800, 50, 50, 0, 1, 2), failed}},
		{traces.LastAttempt, true, []string{lived, waiting, row(1, 0, 800, 50, 50, 90, 1, 2), failed,
			row(3, 0, 980, 10, 10, 0, -1, 1)}},
	} {
		src, err := openAny(dir, traces.Options{Attempts: c.mode, Censored: c.censored})
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := tracetest.Rest(src)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, j := range jobs {
			if j.CPU != .125 || j.Memory != .0625 || j.Priority != int32(j.ID%10) || j.Class != 2 || j.Procs != 1 {
				t.Errorf("%s: %+v", c.mode, j)
			}
			if !j.Run.Known() {
				got = append(got, fmt.Sprintf("%d/%d at %d, never started, status %d", j.ID, j.Task, j.Submit/events.Second,
					j.Status))
				continue
			}
			s := func(t events.Time) int { return int(t / events.Second) }
			got = append(got, row(j.ID, j.Task, s(j.Submit), s(j.Wait), s(j.Run), s(j.Wasted), j.Status, j.Attempt))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, censored %v: %s", c.mode, c.censored, diff)
		}
		l := src.Header().Ledger
		if want := int64(len(c.want)); l.Replayed() != want || !c.censored && l.Dropped[traces.Unfinished] != 1 {
			t.Errorf("%s: ledger %+v", c.mode, l)
		}
		n := src.(Counter).Counts()
		if n.Tasks != 5 || n.Jobs != 4 || n.Users != 4 || n.Attempts != 4 || n.Censored != 1 || n.Ended[Finish] != 2 ||
			n.Rows[Submit] != 6 {
			t.Errorf("%s: %+v", c.mode, n)
		}
		if h := src.Header(); h.Capacity != (traces.Capacity{CPU: 1.5, Memory: 1.25, Machines: 2}) {
			t.Errorf("capacity %+v", h.Capacity)
		}
		if text, _ := src.Header().Names.Users.Text(jobs[0].User); text != "user4=" {
			t.Errorf("user %q", text)
		}
		traces.Close(src)
	}
}

// A task that has been away for longer than an hour is another one when it comes
// back, and so is one that had finished.
func TestGoogleComesBack(t *testing.T) {
	dir := tracetest.GoogleTrace(t, "", tracetest.GoogleEvents("600 1 0 0", "601 1 0 1", "602 1 0 3", "700 2 0 0",
		"701 2 0 1", "702 2 0 4", "703 2 0 0", "704 2 0 1", "705 2 0 4",
		"5000 1 0 0", "5001 1 0 1", "5002 1 0 4"))
	src, err := openAny("google2011:"+dir, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := tracetest.Rest(src)
	if err != nil || len(jobs) != 4 ||
		src.Header().Ledger.Oddities["tasks that returned after they had ended: one job each time"] != 2 {
		t.Fatal(len(jobs), err, src.Header().Ledger)
	}
}

func TestGoogleOddities(t *testing.T) {
	for what, rows := range map[string][]string{
		"schedules of a task that was not submitted": {"600 1 0 1", "601 1 0 4"},
		"schedules of a task that is running": {"600 1 0 0", "600 1 0 1", "601 1 0 1",
			"601 1 0 4"},
		"duplicate submissions of a task": {"600 1 0 0", "600 1 0 0", "601 1 0 1",
			"601 1 0 4"},
		"ends of an unknown task": {"600 2 0 4", "600 1 0 0", "601 1 0 1",
			"601 1 0 4"},
		"ends of a task that has ended": {"600 1 0 0", "601 1 0 1", "601 1 0 3",
			"602 1 0 3"},
		"evictions of a task that is waiting": {"600 1 0 0", "601 1 0 2", "601 1 0 0",
			"602 1 0 1", "603 1 0 4"},
		"events earlier than the row before": {"700 1 0 0", "700 1 0 1", "690 1 0 4"},
		"tasks that end before they start":   {"700 1 0 0", "700 1 0 1", "690 1 0 4"},
		"updates of an unknown task": {"600 2 0 7", "600 1 0 0", "601 1 0 1",
			"601 1 0 4"},
		"tasks present before the window: their time counts from its beginning": {"0 1 0 0", "0 1 0 1", "601 1 0 4"},
		"events after the window ignored": {"600 1 0 0", "601 1 0 1", "602 1 0 4",
			"after 1 1 0"},
		"submissions without a request for CPU or memory": nil,
		"events inserted by the trace's authors":          nil,
	} {
		text := tracetest.GoogleEvents(rows...)
		if rows == nil {
			text = "600000000,2,1,0,7,0,u,0,0,,,,\n601000000,,1,0,7,1,u,0,0,,,,\n602000000,,1,0,7,4,u,0,0,,,,\n"
		}
		src, err := openAny(tracetest.GoogleTrace(t, "", text), traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := tracetest.Rest(src)
		if err != nil || len(jobs) != 1 || src.Header().Ledger.Oddities[what] == 0 {
			t.Errorf("%s: %d jobs, %v, %v", what, len(jobs), err, src.Header().Ledger.Oddities)
		}
	}
}

func TestGoogleBadInput(t *testing.T) {
	good := tracetest.GoogleEvents("600 1 0 0", "601 1 0 1", "602 1 0 4")
	for _, c := range []struct{ text, want string }{
		{good + "603,,1,0\n", "part-00000-of-00500.csv.gz:4: 4 columns, task_events has 13"},
		{good + strings.Repeat(",", 13) + "\n", "14 columns"},
		{good + "603,,1,0,7,9,u,0,0,.1,.1,.1,0\n", "event type 9; want 0 to 8; the trace of 2019"},
		{good + "603,,x,0,7,1,u,0,0,.1,.1,.1,0\n", "should be a whole number"},
		{good + "-3,,1,0,7,1,u,0,0,.1,.1,.1,0\n", "a negative time"},
		{good + "603,,1,0,7,1,u,0,0,a,.1,.1,0\n", "a request that is not a number"},
		{good + "603,,1,0,7,1,u,0,0,-.1,.1,.1,0\n", "a request that is not a number"},
		{`{"time":"0","type":"SUBMIT"}` + "\n", "JSON, not the CSV of 2011; the trace of 2019 is read with google2019:PATH"},
		{"1,2,3,4,5,6,7,8\n", "8 columns are those of job_events"},
	} {
		src, err := openAny(tracetest.GoogleTrace(t, "", c.text), traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = tracetest.Rest(src); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q", err, c.want)
		}
		if strings.HasPrefix(c.text, good) {
			src, _ := openAny(tracetest.GoogleTrace(t, "", c.text), traces.Options{Skip: true})
			jobs, err := tracetest.Rest(src)
			if l := src.Header().Ledger; err != nil || len(jobs) != 1 || l.Dropped[traces.Malformed] != 1 || l.Read != 2 {
				t.Errorf("skipping: %d jobs, %v, %+v", len(jobs), err, l)
			}
		}
	}
	dir := tracetest.GoogleTrace(t, "", good, good, good)
	os.Remove(filepath.Join(dir, "task_events", "part-00001-of-00500.csv.gz"))
	if _, err := openAny(dir, traces.Options{}); err == nil || !strings.Contains(err.Error(), "part 00001 is missing") {
		t.Error(err)
	}
	if _, err := openAny(dir, traces.Options{Skip: true}); err != nil {
		t.Error(err)
	}
	dir = tracetest.GoogleTrace(t, "", good)
	name := filepath.Join(dir, "task_events", "part-00000-of-00500.csv.gz")
	whole, _ := os.ReadFile(name)
	os.WriteFile(name, whole[:len(whole)-12], 0o600)
	src, err := openAny(dir, traces.Options{Skip: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = tracetest.Rest(src); err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Error("a truncated part:", err)
	}
	for _, text := range []string{"0,1,0,p\n", "0,1,3,p,1,1\n", "0,1,0,p,x,1\n"} {
		if _, err := openAny(tracetest.GoogleTrace(t, text, good), traces.Options{}); err == nil ||
			!strings.Contains(err.Error(), "part-00000-of-00001.csv.gz:1: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := openAny(tracetest.GoogleTrace(t, "", ""), traces.Options{}); err != nil {
		t.Fatal(err)
	}
	if src, _ := openAny(tracetest.GoogleTrace(t, "", ""), traces.Options{}); src != nil {
		if _, err := tracetest.Rest(src); err == nil || !strings.Contains(err.Error(), "holds no tasks") {
			t.Error("an empty trace:", err)
		}
	}
}

// A trace is read whole at the first Next, which an interrupt must be able to end.
func TestGoogleStops(t *testing.T) {
	stop := errors.New("stop")
	src, err := openAny(tracetest.GoogleTrace(t, "", tracetest.GoogleEvents("600 1 0 0", "601 1 0 1", "602 1 0 4")),
		traces.Options{Stop: func() error { return stop }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tracetest.Rest(src); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// TestGoogleCounts compares with a count by awk over parts 0 to 13:
//
//	awk -F, '{k=$3","$4; job[$3]; task[k]; user[$7]; row[$6]++
//	  if ($6==1) r[k]=1; if ($6>=2 && $6<=6 && r[k]) {attempts++; ended[$6]++; r[k]=0}}'
func TestGoogleCounts(t *testing.T) {
	src, err := openAny(tracetest.Shared(t, "data/google2011"), traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close(src)
	var j traces.Job
	last := traces.Job{Line: -1}
	n := int64(0)
	for {
		err := src.Next(&j)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 && !tracetest.InOrder(&last, &j) {
			t.Fatalf("%+v after %+v", j, last)
		}
		n, last = n+1, j
	}
	got := *src.(Counter).Counts()
	want := Counts{
		Rows: [numKinds]int64{936182, 890517, 219839, 18604, 330742, 213308, 0, 3, 140},
		Jobs: 19146, Tasks: 614019, Users: 567, Attempts: 752939, Ended: [numKinds]int64{Evict: 219591, Fail: 18604,
			Finish: 330742, Kill: 184002},
		Censored: 137578, End: got.End,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if l := src.Header().Ledger; l.Replayed() != n || l.Read != n+l.Dropped[traces.Unfinished] ||
		l.Dropped[traces.Unfinished] != got.Censored {
		t.Errorf("%d jobs, ledger %+v", n, l)
	}
}

func FuzzGoogle2011(f *testing.F) {
	f.Add([]byte("600,,1,0,7,1,u,0,0,.1,1e-3,.1,0"))
	f.Add([]byte(",,,,,,,,,,,,"))
	f.Fuzz(func(t *testing.T, line []byte) {
		var e TaskEvent
		fields := split(nil, line)
		if len(fields) != taskColumns || e.parse(line, fields) != nil {
			return
		}
		if e.At < 0 || e.Task < 0 || e.Kind >= numKinds || e.CPU < -1 || e.Memory < -1 || e.Priority < -1 || e.Class < -1 ||
			e.user < -1 {
			t.Fatalf("%+v from %q", e, line)
		}
	})
}

// TestGoogleYearsMixedUp wants a folder given to the reader of the other year to be
// named for what it is.
func TestGoogleYearsMixedUp(t *testing.T) {
	older, newer := tracetest.GoogleTrace(t, oneMachine, tracetest.GoogleEvents("700 1 0 0")), t.TempDir()
	if err := os.WriteFile(filepath.Join(newer, "instance_events-000000000000.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string]string{
		"google2019:" + older:       "the folder holds the tables of google2011: name it google2011:" + older,
		"google2011:" + newer:       "the folder holds the tables of google2019: name it google2019:" + newer,
		"google2011:" + t.TempDir(): "part-00000-of-00500.csv.gz",
		"google2019:" + t.TempDir(): "JSON lines or Parquet",
	} {
		if _, err := openAny(spec, traces.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
}

// TestGoogleMachinesSkipped wants --on-error=skip to hold for machine events, too.
func TestGoogleMachinesSkipped(t *testing.T) {
	dir := tracetest.GoogleTrace(t, oneMachine+"0,3,0,p,much,1\n0,3\n",
		tracetest.GoogleEvents("700 1 0 0", "710 1 0 1", "720 1 0 4"))
	if _, err := openAny(dir, traces.Options{}); err == nil ||
		!strings.Contains(err.Error(), ":4: a capacity that is not a number") {
		t.Errorf("%v", err)
	}
	src, err := openAny(dir, traces.Options{Skip: true})
	if err != nil {
		t.Fatal(err)
	}
	if jobs, err := tracetest.Rest(src); err != nil || len(jobs) != 1 ||
		src.Header().Ledger.Dropped[traces.Malformed] != 2 {
		t.Errorf("%d jobs, %v, %+v", len(jobs), err, src.Header().Ledger)
	}
}

// openAny opens a trace of either year, as its folder or the name before it says.
func openAny(spec string, o traces.Options) (traces.Source, error) {
	name, path, forced := strings.Cut(spec, ":")
	if !forced {
		name, path = FormatOf(spec), spec
	}
	if name == v2019.name {
		return Open2019(path, o)
	}
	return Open2011(path, o)
}
