package demand

import (
	"io"
	"math"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces"
)

// jobs is a source of jobs in memory.
type jobs struct {
	header traces.Header
	list   []traces.Job
}

func (j *jobs) Header() *traces.Header { return &j.header }

func (j *jobs) Next(to *traces.Job) error {
	if len(j.list) == 0 {
		return io.EOF
	}
	*to, j.list = j.list[0], j.list[1:]
	return nil
}

const sec = events.Second

func job(user traces.Label, submit, wait, run events.Time, procs int32) traces.Job {
	return traces.Job{User: user, Submit: submit * sec, Wait: max(wait*sec, -1), Run: max(run*sec, -1), Procs: procs,
		Memory: 2, CPU: -1, Group: traces.NoLabel}
}

func rounds(t interface{ Fatal(...any) }, list []traces.Job, o Options) (demand []map[string]float64,
	starts []events.Time, c Counts) {
	c, err := Run(&jobs{list: list}, o, func(r *Round, name func(int) string) error {
		m := map[string]float64{}
		for k, i := range r.Agents {
			m[name(i)] = r.Demand[k]
		}
		demand, starts = append(demand, m), append(starts, r.Start)
		if int(r.Number) != len(demand) {
			t.Fatal("round ", r.Number, " is the ", len(demand), "th")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return demand, starts, c
}

func TestByHand(t *testing.T) {
	list := []traces.Job{
		job(7, 25, 10, 20, 2),  // unfinished 25-55, running 35-55
		job(8, 25, -1, 5, 1),   // no wait: 25-30
		job(7, 30, 0, -1, 1),   // never ran
		job(-1, 31, 0, 10, 1),  // nobody's
		job(8, 32, 0, 10, 0),   // nothing
		job(8, 70, 0, 5, 4),    // 70-75; rounds 6 and 7 are empty
		job(7, 74, 100, 10, 1), // unfinished 74-184
	}
	got, starts, c := rounds(t, list, Options{Every: 10 * sec, By: "user", Resource: "cpu"})
	want := []map[string]float64{{"7": 1, "8": .5}, {"7": 2}, {"7": 2}, {"7": 1}, {}, {"7": .6, "8": 2}, {"7": 1}}
	if len(got) != 17 || starts[0] != 20*sec || starts[16] != 180*sec || math.Abs(got[16]["7"]-.4) > 1e-12 {
		t.Fatalf("%d rounds from %v: %v", len(got), starts[0], got)
	}
	for r, w := range want {
		if len(got[r]) != len(w) {
			t.Errorf("round %d: %v, want %v", r+1, got[r], w)
		}
		for who, d := range w {
			if math.Abs(got[r][who]-d) > 1e-12 {
				t.Errorf("round %d: %v, want %v", r+1, got[r], w)
			}
		}
	}
	if c != (Counts{Jobs: 7, NoAgent: 1, NoDemand: 1, NoTime: 1, NoWait: 1, Rounds: 17}) {
		t.Errorf("%+v", c)
	}
	got, starts, _ = rounds(t, list, Options{Every: 10 * sec, By: "user", Resource: "memory", Running: true})
	if got[0]["7"] != 0 || got[0]["8"] != 1 || got[1]["7"] != 2 || got[2]["7"] != 4 || starts[0] != 20*sec {
		t.Errorf("running memory: %v", got)
	}
	list[0].CPU, list[1].CPU = .25, 0
	if got, _, c = rounds(t, list, Options{Every: 10 * sec, By: "user", Resource: "cpu"}); got[1]["7"] != .5 ||
		got[0]["8"] != 0 || c.NoDemand != 2 {
		t.Errorf("parts of processors: %v, %+v", got, c)
	}
	if got, _, c := rounds(t, list, Options{Every: 10 * sec, By: "group", Resource: "cpu"}); len(got) != 0 ||
		c.NoAgent != 7 {
		t.Errorf("by an unknown group: %v, %+v", got, c)
	}
}

// TestAgainstOverlap compares with the overlap of each job and each round.
func TestAgainstOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Every: events.Time(rapid.IntRange(1, 9).Draw(t, "every")) * sec, By: "user", Resource: "cpu",
			Running: rapid.Bool().Draw(t, "running")}
		var list []traces.Job
		at := 0
		for range rapid.IntRange(0, 12).Draw(t, "jobs") {
			at += rapid.IntRange(0, 12).Draw(t, "gap")
			draw := func(name string, low int) events.Time { return events.Time(rapid.IntRange(low, 20).Draw(t, name)) }
			list = append(list, job(traces.Label(rapid.IntRange(0, 2).Draw(t, "user")), events.Time(at), draw("wait", -1),
				draw("run", -1), int32(draw("procs", 0))))
		}
		got, starts, _ := rounds(t, list, o)
		for _, user := range []string{"0", "1", "2"} {
			total := 0.0
			for r := range got {
				want := 0.0
				for _, j := range list {
					from, to := span(j, o.Running)
					if user == string(rune('0'+j.User)) {
						overlap := min(to, starts[r]+o.Every) - max(from, starts[r])
						want += float64(max(0, overlap)) * float64(j.Procs) / float64(o.Every)
					}
				}
				if math.Abs(got[r][user]-want) > 1e-9 {
					t.Fatalf("user %s demands %v in round %d, want %v", user, got[r][user], r+1, want)
				}
				total += got[r][user] * o.Every.Seconds()
			}
			area := 0.0
			for _, j := range list {
				if from, to := span(j, o.Running); user == string(rune('0'+j.User)) {
					area += float64(j.Procs) * (to - from).Seconds()
				}
			}
			if math.Abs(total-area) > 1e-6 {
				t.Fatalf("user %s demands %v in all, want %v", user, total, area)
			}
		}
	})
}

// span is when a job counts.
func span(j traces.Job, running bool) (from, to events.Time) {
	start := j.Submit + max(0, j.Wait)
	if from = j.Submit; running {
		from = start
	}
	if !j.Run.Known() {
		return from, from
	}
	return from, start + j.Run
}
