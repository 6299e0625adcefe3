package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/google"
)

// made writes a trace into a new folder.
func made(t *testing.T, query string, workers int) (string, Counts) {
	t.Helper()
	o, err := Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	o.Workers = workers
	dir := t.TempDir()
	n, err := Write(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return dir, n
}

// rows returns a table's rows, cut at commas, each led by its part.
func rows(t *testing.T, dir, table string) (list [][]string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, table, "*"))
	if err != nil || len(names) == 0 {
		t.Fatal("no files of", table)
	}
	slices.Sort(names)
	for i, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(plain)) {
			list = append(list, append([]string{fmt.Sprint(i)}, strings.Split(strings.TrimSpace(line), ",")...))
		}
	}
	return list
}

const small = "machines=100&days=1.1&tasks=20000&seed=3"

// TestSameBytes: the number of workers does not show, the seed does.
func TestSameBytes(t *testing.T) {
	all := func(query string, workers int) string {
		dir, _ := made(t, query, workers)
		var b strings.Builder
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			fmt.Fprintf(&b, "%s %x\n", strings.TrimPrefix(path, dir), text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	one := all(small, 1)
	if four := all(small, 4); one != four {
		t.Error("four workers write other bytes than one")
	}
	if other := all(strings.Replace(small, "seed=3", "seed=4", 1), 1); one == other {
		t.Error("another seed writes the same bytes")
	}
}

// TestStates walks over all task events with a plain state machine: every row is
// legal where it stands, in its part, in order of time.
func TestStates(t *testing.T) {
	dir, n := made(t, small, 2)
	state, last, seen := map[string]string{}, int64(0), int64(0)
	list := rows(t, dir, google.TaskTable)
	for _, c := range list {
		at, key, what, machine := wholeOf(c[1]), c[3]+","+c[4], c[6], c[5]
		if at < last {
			t.Fatalf("a row at %d after one at %d", at, last)
		}
		last = at
		if part := max(0, int64((events.Time(at)-google.WindowStart)/partLength)); fmt.Sprint(part) != c[0] {
			t.Fatalf("a row at %d in part %s", at, c[0])
		}
		if len(c) != 14 {
			t.Fatalf("%d columns", len(c)-1)
		}
		was, known := state[key]
		if !known {
			seen++
		}
		var legal bool
		switch what {
		case "0":
			legal = !known || was == "2" || was == "3" || was == "5"
		case "1", "8":
			legal = machine != "" && (what == "1" && was == "0" || what == "8" && was == "1")
		case "2", "3", "4":
			legal = was == "1" && machine != ""
		case "5":
			legal = was == "1" && machine != "" || was == "0" && machine == ""
		}
		if !legal {
			t.Fatalf("event %s of task %s after %q on machine %q", what, key, was, machine)
		}
		if what != "8" {
			state[key] = what
		}
	}
	if n.TaskRows != int64(len(list)) || n.Tasks != seen || seen != 20_000 {
		t.Errorf("%d rows and %d tasks counted, %d and %d written; 20000 were asked for", n.TaskRows, n.Tasks, len(list),
			seen)
	}
	if last >= int64(google.WindowStart)+95_040e6 || last < int64(google.WindowStart)+94_000e6 {
		t.Errorf("the last row is at %d", last)
	}
}

// TestJobEvents: each job is submitted, scheduled and ended once at most, in order.
func TestJobEvents(t *testing.T) {
	dir, _ := made(t, small, 2)
	tasks := map[string]int{}
	for _, c := range rows(t, dir, google.TaskTable) {
		tasks[c[3]]++
	}
	state := map[string]string{}
	for _, c := range rows(t, dir, google.JobTable) {
		was, known := state[c[3]]
		if ok := c[4] == "0" && !known || c[4] == "1" && was == "0" || c[4] >= "3" && c[4] <= "5" && known &&
			was <= "1"; !ok || len(c) != 9 {
			t.Fatalf("event %s of job %s after %q", c[4], c[3], was)
		}
		state[c[3]] = c[4]
	}
	for job := range tasks {
		if _, ok := state[job]; !ok {
			t.Errorf("job %s has tasks and no events", job)
		}
	}
	if len(state) != len(tasks) {
		t.Errorf("%d jobs with events, %d with tasks", len(state), len(tasks))
	}
}

// TestRead: the reader takes every row, finds every task and nothing odd but what
// the real trace has, too.
func TestRead(t *testing.T) {
	const tasks = 60_000
	dir, _ := made(t, "machines=125&days=0.5&tasks=60000", 2)
	src, err := formats.Open(dir, traces.Options{Censored: true})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close(src)
	if n := src.Header().Capacity.Machines; n != 125 {
		t.Errorf("%d machines", n)
	}
	sizes, priorities := map[int64]int{}, map[int64]int32{}
	var j traces.Job
	for {
		err := src.Next(&j)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if j.ID > 6_000_000_000 { // it was not there before
			sizes[j.ID]++
			priorities[j.ID] = j.Priority
		}
	}
	counts, ok := traces.As[google.Counter](src)
	if !ok || counts.Counts().Tasks != tasks {
		t.Fatalf("%d tasks, want %d", counts.Counts().Tasks, tasks)
	}
	for _, note := range src.Header().Ledger.Notes() {
		if !slices.Contains([]string{"events inserted by the trace's authors",
			"submissions without a request for CPU or memory",
			"tasks present before the window: their time counts from its beginning"}, note.What) {
			t.Errorf("%d times: %s", note.Count, note.What)
		}
	}
	checkJobs(t, sizes, priorities)
}

// checkJobs compares the jobs of each tier, and how many of them are large, with
// the tables.
func checkJobs(t *testing.T, sizes map[int64]int, priorities map[int64]int32) {
	var by, large [tiers]float64
	for id, p := range priorities {
		by[tierOf(int(p))]++
		if sizes[id] > fewTasks {
			large[tierOf(int(p))]++
		}
	}
	n := float64(len(sizes))
	for i := range measured().Tiers {
		want := measured().Tiers[i].Arriving.Jobs
		if got := by[i] / n; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/n) {
			t.Errorf("%s: %.3f of %v jobs, want %.3f", measured().Tiers[i].Name, got, n, want)
		}
		// The share of small jobs lies between the quantiles that the curve is made of.
		high, low := 1.0, 0.0
		for g, size := range measured().Tiers[i].Arriving.Size {
			if size > fewTasks+0.5 {
				high = min(high, sizeGrid[g])
			} else {
				low = max(low, sizeGrid[g])
			}
		}
		slack := 5 * math.Sqrt(0.25/max(1, by[i]))
		if got := 1 - large[i]/max(1, by[i]); got < low-slack || got > high+slack {
			t.Errorf("%s: %.3f of the jobs are small; want %.3f to %.3f", measured().Tiers[i].Name, got, low, high)
		}
	}
}

// TestMachines: capacities in proportion; a machine goes only while it is there.
func TestMachines(t *testing.T) {
	dir, n := made(t, "machines=1000&days=29&tasks=1000", 1)
	there, shape, large := map[string]bool{}, map[string]string{}, 0
	list := rows(t, dir, google.MachineTable)
	for _, c := range list {
		switch c[3] {
		case "0":
			if there[c[2]] {
				t.Fatalf("machine %s comes twice", c[2])
			}
			there[c[2]] = true
			if c[1] == "0" && c[5] == "1" {
				large++
			}
		case "1", "2":
			if c[3] == "1" && !there[c[2]] {
				t.Fatalf("machine %s goes and is away", c[2])
			}
			there[c[2]] = there[c[2]] && c[3] == "2"
		}
		if was, ok := shape[c[2]]; ok && was != c[5]+c[6] {
			t.Fatalf("machine %s changes", c[2])
		}
		shape[c[2]] = c[5] + c[6]
	}
	if len(shape) != 1000 || large < 62 || large > 65 || n.MachineRows != int64(len(list)) {
		t.Errorf("%d machines, %d of them large, %d rows counted, %d written", len(shape), large, n.MachineRows, len(list))
	}
	if outages := len(list) - 1000; outages < 500 || outages > 5000 {
		t.Errorf("%d later events", outages)
	}
}

func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		"machines=0":       "machines=0; want a whole number from 1 to",
		"day=3":            `unknown parameter "day"; did you mean "days"`,
		"tasks=many":       "tasks=many; want a number from 1",
		"seed=-1":          "seed=-1",
		"days=2&days=3":    "days is given 2 times",
		"tasks=1e3&days=x": "days=x",
	} {
		if _, err := Parse(query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", query, err, want)
		}
	}
	o, err := Parse("tasks=25e6")
	if err != nil || o.Tasks != 25_000_000 || o.Machines != 12_500 || o.parts() != 500 {
		t.Errorf("%+v in %d parts, %v", o, o.parts(), err)
	}
	if _, err := Write(t.TempDir(), Options{Machines: 1, Days: 10_000, Tasks: 1}); !errors.Is(err, errParts) {
		t.Error(err)
	}
}

// TestStop: generation stops when it is asked to.
func TestStop(t *testing.T) {
	o, err := Parse(small)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	o.Stop = func() error { return enough }
	if _, err := Write(t.TempDir(), o); !errors.Is(err, enough) {
		t.Error(err)
	}
}
