package transform

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
)

// plainTreat is Treat said in the plainest way: whole lists, one rule after the other.
func plainTreat(jobs []traces.Job, t Options, where func(traces.Job) bool) (out []traces.Job,
	dropped [traces.NumReasons]int64) {
	var kept []traces.Job
	for _, j := range jobs {
		switch {
		case j.Run < 0:
			dropped[traces.NeverStarted]++
		case j.Procs < 1:
			dropped[traces.NoProcessors]++
		case !where(j):
			dropped[traces.Filtered]++
		case j.Submit < t.From.Since || t.Until.Since > 0 && j.Submit >= t.Until.Since:
			dropped[traces.OutsideWindow]++
		case t.Procs > 0 && !t.Serial && int(j.Procs) > t.Procs:
			dropped[traces.TooLarge]++
		default:
			kept = append(kept, j)
		}
	}
	for _, j := range kept {
		if t.LoadFactor != 0 {
			j.Submit = kept[0].Submit + events.Time(math.Round(float64(j.Submit-kept[0].Submit)/t.LoadFactor))
		}
		if !t.Serial {
			out = append(out, j)
			continue
		}
		p := j.Procs
		for k := range p {
			j.Procs, j.Task, j.Pieces = 1, k, p
			out = append(out, j)
		}
	}
	return out, dropped
}

func since(t events.Time) events.Instant { return events.Instant{Since: t} }

func TestTreatAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := tracetest.DrawJobs(t)
		tr := Options{
			From: since(events.Time(rapid.Int64Range(0, 2e9).Draw(t, "from"))), Serial: rapid.Bool().Draw(t, "serial"),
			LoadFactor: rapid.SampledFrom([]float64{0, 1, 0.5, 1.3, 7}).Draw(t, "load"),
			Procs:      rapid.IntRange(0, 12).Draw(t, "procs"),
		}
		if rapid.Bool().Draw(t, "until?") {
			tr.Until = since(tr.From.Since + events.Time(rapid.Int64Range(1, 3e10).Draw(t, "until")))
		}
		where := func(traces.Job) bool { return true }
		if rapid.Bool().Draw(t, "where?") {
			limit := rapid.IntRange(0, 9).Draw(t, "limit")
			tr.Where = fmt.Sprintf("user < %d || estimate < 0 && queue != 3", limit)
			where = func(j traces.Job) bool { return int(j.User) < limit || j.Estimate < 0 && j.Queue != 3 }
		}
		src := tracetest.NewSlice(jobs)
		treated, err := Apply(src, tr)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tracetest.Rest(treated)
		if err != nil {
			t.Fatal(err)
		}
		want, dropped := plainTreat(jobs, tr, where)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("jobs (-want +got):\n%s", diff)
		}
		l := src.Head.Ledger
		if l.Dropped != dropped || l.Replayed()+l.DroppedTotal() != int64(len(jobs)) {
			t.Fatalf("ledger %+v, want %v dropped of %d", l, dropped, len(jobs))
		}
	})
}

// TestLPCSelection is the selection of the untruthful-bids study.
func TestLPCSelection(t *testing.T) {
	src, err := formats.Open(tracetest.Shared(t, tracetest.BenchLog), traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src, err = Apply(traces.Ahead(src), Options{Where: "run >= 0 && !(status == 0 && run <= 1)"})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close(src)
	n := int64(tracetest.Drain(t, src))
	l := src.Header().Ledger
	if n != 219704 || l.Replayed() != n || l.Read != 234889 || l.Dropped[traces.NeverStarted] != 14194 ||
		l.Dropped[traces.Filtered] != 991 {
		t.Errorf("%d jobs, ledger %+v", n, l)
	}
}

func TestWhereErrors(t *testing.T) {
	for _, c := range []struct{ where, says string }{
		{"runn > 3", `unknown name runn (1:1)`},
		{"runn > 3", `(1:1); did you mean "run"?` + "\n | runn > 3\n | ^"},
		{"run > 3 && ", "unexpected token EOF (1:11)"},
		{"run + 1", "expected bool, but got float64"},
		{"now() == now()", "unknown name now"},
		{"usr == 1", "the fields are job, submit, wait, run, procs"},
		{`user == "bob"`, "mismatched types int and string"},
	} {
		_, err := Apply(tracetest.NewSlice(nil), Options{Where: c.where})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %q in it", c.where, err, c.says)
		}
	}
}

func TestWhereFailure(t *testing.T) {
	src, err := Apply(tracetest.NewSlice([]traces.Job{{ID: 7, Line: 3, Procs: 1, Pieces: 1}}),
		Options{Where: "job % user == 1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tracetest.Rest(src); err == nil ||
		!strings.Contains(err.Error(), "memory:3: the condition fails on job 7: runtime error: integer divide by zero") {
		t.Error(err)
	}
}

func TestWhereWords(t *testing.T) {
	users := &traces.Words{}
	src := tracetest.NewSlice([]traces.Job{
		{ID: 1, Procs: 1, User: users.Label([]byte("ann"))}, {ID: 2, Procs: 1, User: users.Label([]byte("bob"))},
		{ID: 3, Procs: 1, User: traces.NoLabel},
	})
	src.Head.Names.Users = users
	got, err := Apply(src, Options{Where: `user in ["bob", ""]`})
	if err != nil {
		t.Fatal(err)
	}
	if jobs := tracetest.Collect(t, got); len(jobs) != 2 || jobs[0].ID != 2 || jobs[1].ID != 3 {
		t.Errorf("%+v", jobs)
	}
}

// TestWhereLabels: a label is compared as a number or as text, as the condition has it,
// whatever the format says of its labels.
func TestWhereLabels(t *testing.T) {
	for condition, want := range map[string]string{
		"queue == 10": "1 4", `queue == "10"`: "1 4", "queue > 2": "1 3 4", `user == "ann" && queue == 10`: "1 4",
		"queue in [2, 9]": "2 3", "queue in 2..9": "2 3",
		`queue in ["2", "9"]`: "2 3", "queue > partition": "1 3 4", "queue == -1": "5", `queue == ""`: "5",
		"user == group": "2 3 5", `user startsWith "b"`: "2 3",
		`partition == "7" || partition == 2`: "compile", "partition == 2": "fails", "user > 1": "fails",
	} {
		n := traces.Names{Users: &traces.Words{}, Groups: &traces.Words{}, Queues: &traces.Words{},
			Partitions: &traces.Words{}}
		var jobs []traces.Job
		for i, row := range [][4]string{{"ann", "g", "10", "7"}, {"bo", "bo", "2", "2"}, {"bo", "bo", "9", "2"},
			{"ann", "g", "10", "7"}, {"", "", "", "p"}} {
			jobs = append(jobs, traces.Job{ID: int64(i + 1), Procs: 1, Pieces: 1, User: n.Users.Label([]byte(row[0])),
				Group: n.Groups.Label([]byte(row[1])),
				Queue: n.Queues.Label([]byte(row[2])), Partition: n.Partitions.Label([]byte(row[3]))})
		}
		src := tracetest.NewSlice(jobs)
		src.Head.Names = n
		got, err := Apply(src, Options{Where: condition})
		if err != nil {
			if want != "compile" {
				t.Errorf("%s: %v", condition, err)
			}
			continue
		}
		kept, err := tracetest.Rest(got)
		var ids []string
		for _, j := range kept {
			ids = append(ids, fmt.Sprint(j.ID))
		}
		if text := strings.Join(ids, " "); err == nil && text != want {
			t.Errorf("%s: jobs %s, want %s", condition, text, want)
		}
		if err != nil && (want != "fails" ||
			!strings.Contains(err.Error(), "is a name, and the condition takes it for a number")) || err == nil &&
			want == "fails" {
			t.Errorf("%s: %v", condition, err)
		}
	}
}

func TestTreatmentErrors(t *testing.T) {
	for _, c := range []struct {
		t    Options
		says string
	}{
		{Options{LoadFactor: -1}, "above 0"},
		{Options{LoadFactor: math.NaN()}, "above 0"},
		{Options{From: since(5), Until: since(5)}, "later than its begin"},
		{Options{From: since(-5)}, "trace's own zero"},
		{Options{Procs: -1}, "machine of -1 processors"},
	} {
		if _, err := Apply(tracetest.NewSlice(nil), c.t); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v; want %q", c.t, err, c.says)
		}
	}
}

// TestDates takes records by their dates: conditions and windows against the clock itself.
func TestDates(t *testing.T) {
	stockholm, err := events.LoadZone("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	const start = 859503600 // Friday, 28 March 1997; clocks are put forward on the 30th
	var jobs []traces.Job
	for hour := range 24 * 8 {
		jobs = append(jobs, traces.Job{ID: int64(hour), Submit: events.Time(hour) * 3600 * events.Second, Procs: 1, Queue: 1})
	}
	open := func() *tracetest.Slice {
		src := tracetest.NewSlice(jobs)
		src.Head.Start, src.Head.Fields = start, []traces.Field{{Label: "TimeZoneString", Text: "Europe/Stockholm"}}
		return src
	}
	for _, c := range []struct {
		how  Options
		keep func(at time.Time) bool
	}{
		{Options{Where: "hour == 2"}, func(at time.Time) bool { return at.Hour() == 2 }},
		{Options{Where: "weekday >= 6 && hour % 2 == 0"},
			func(at time.Time) bool { return (at.Weekday() == 0 || at.Weekday() == 6) && at.Hour()%2 == 0 }},
		{Options{Where: "date == 19970331 || week == 14 && submit % 7200 == 0"},
			func(at time.Time) bool {
				_, week := at.ISOWeek()
				return at.Day() == 31 || week == 14 && (at.Unix()-start)%7200 == 0
			}},
		{Options{QueueLimits: "1: hour < 8; *: procs < 8"}, func(at time.Time) bool { return at.Hour() < 8 }},
		{Options{From: events.Instant{Date: "1997-03-30"}, Until: events.Instant{Date: "1997-03-31"}},
			func(at time.Time) bool { return at.Day() == 30 }},
		{Options{From: events.Instant{Date: "1996-01-01"}, Until: since(3 * 3600 * events.Second)},
			func(at time.Time) bool { return at.Unix() < start+3*3600 }},
		{Options{From: since(3600 * events.Second), Until: events.Instant{Date: "1997-03-28T02:00"}},
			func(at time.Time) bool { return at.Unix() == start+3600 }},
	} {
		src, err := Apply(open(), c.how)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []int64
		for _, j := range tracetest.Collect(t, src) {
			got = append(got, j.ID)
		}
		for _, j := range jobs {
			if c.keep(time.Unix(start+int64(j.Submit/events.Second), 0).In(stockholm)) {
				want = append(want, j.ID)
			}
		}
		if !slices.Equal(got, want) || len(want) == 0 || len(want) == len(jobs) {
			t.Errorf("%+v keeps %d, want %d", c.how, got, want)
		}
	}
	late := events.Instant{Date: "1997-04-01"}
	for _, c := range []struct {
		want string
		how  Options
	}{
		{"hour needs dates, and toy does not say at which its times begin (in SWF: UnixStartTime); submit counts",
			Options{Where: "hour < 3"}},
		{"queue limits: queue *: week needs dates", Options{QueueLimits: "*: week > 3"}},
		{"a window at 1997-04-01 needs dates, and toy does not say", Options{From: late}},
		{"the time window ends at 1996-01-01, and the log begins later, Fri 28 Mar 1997 00:00",
			Options{Until: events.Instant{Date: "1996-01-01"}}},
		{"ends at 1997-04-01, before anything from 1997-04-01 on; its end should be later than its",
			Options{From: late, Until: late}},
	} {
		src := open()
		if src.Head.Name = "toy"; strings.Contains(c.want, "needs dates") {
			src.Head.Start = 0
		}
		if _, err := Apply(src, c.how); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.how, err, c.want)
		}
	}
	if _, err := Apply(tracetest.NewSlice(jobs), Options{Where: "$env.procs > 0"}); err != nil {
		t.Errorf("a condition that names no date needs them: %v", err)
	}
}

// FuzzWhere looks for expressions that compile and then panic, or that are
// decided differently when asked again.
func FuzzWhere(f *testing.F) {
	for _, s := range []string{
		"run >= 0 && !(status == 0 && run <= 1)", "queue in [1, 3..9]", "procs & 3", "job % user == 1", "[run][job] > 1",
		"All(Open, 1..procs, # > 2)", `string(user) matches "^1"`, "$env.run > 2", "let x = run; x*x > memory",
	} {
		f.Add(s)
	}
	jobs := []traces.Job{{ID: 1, Procs: 1}, {ID: 1 << 60, Procs: math.MaxInt32, User: traces.NoLabel, Run: 1e15,
		Estimate: events.Unknown, Memory: -1}}
	f.Fuzz(func(t *testing.T, where string) {
		flt, err := newFilter(where, &traces.Header{})
		if err != nil {
			return
		}
		for i := range jobs {
			a, errA := flt.holds(&jobs[i])
			b, errB := flt.holds(&jobs[i])
			if a != b || (errA == nil) != (errB == nil) {
				t.Errorf("%q on job %d: %v, %v; then %v, %v", where, i, a, errA, b, errB)
			}
		}
	})
}

// BenchmarkWhere tells what an expression costs a record.
func BenchmarkWhere(b *testing.B) {
	flt, err := newFilter("run >= 0 && !(status == 0 && run <= 1)", &traces.Header{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	j := traces.Job{ID: 1, Procs: 1, Run: 3600 * events.Second}
	for b.Loop() {
		j.Run += events.Second
		if _, err := flt.holds(&j); err != nil {
			b.Fatal(err)
		}
	}
}
