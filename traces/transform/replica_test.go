package transform

import (
	"errors"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/rng"
	"bourse/traces/tracetest"
)

// someJobs draws jobs in order of submission over some weeks.
func someJobs(t *rapid.T, weeks int64) []traces.Job {
	n := rapid.IntRange(1, 60).Draw(t, "jobs")
	jobs := make([]traces.Job, n)
	for i := range jobs {
		j := traces.UnknownJob
		j.ID, j.Run, j.Procs = int64(10+i), 5, 1
		j.Submit = events.Time(rapid.Int64Range(0, weeks*int64(events.Week)-1).Draw(t, "submit"))
		j.User = traces.Label(rapid.Int64Range(-1, 6).Draw(t, "user"))
		jobs[i] = j
	}
	sort.SliceStable(jobs, func(a, b int) bool { return jobs[a].Submit < jobs[b].Submit })
	return jobs
}

// TestShake: submissions move by no more than asked, in order, the same for the
// same seed, and as sorting everything at once would have it.
func TestShake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := someJobs(t, 1)
		by := events.Time(rapid.Int64Range(1, int64(events.Week)).Draw(t, "by"))
		seed := rapid.Uint64().Draw(t, "seed")
		src, err := Apply(tracetest.NewSlice(jobs), Options{Shake: by, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		got, err := tracetest.Rest(src)
		if err != nil {
			t.Fatal(err)
		}
		want := append([]traces.Job(nil), jobs...)
		for i := range want {
			r := rng.Stream(seed, "shake", uint64(want[i].ID)<<20)
			moved := want[i].Submit - by + events.Time(r.Int64N(2*int64(by)+1))
			want[i].Submit = max(0, moved)
		}
		sort.SliceStable(want, func(a, b int) bool { return want[a].Submit < want[b].Submit })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestResample: every job of the new log is one of the old at its own time of the
// week, of a copy of its user; long-term users keep all their jobs once a turn;
// the ledger adds up.
func TestResample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weeks := rapid.Int64Range(1, 8).Draw(t, "weeks")
		jobs := someJobs(t, weeks)
		how := Resample{Weeks: rapid.IntRange(0, 20).Draw(t, "length"),
			Users: rapid.SampledFrom([]float64{0, 1, 2, 0.5}).Draw(t, "users"), Long: rapid.IntRange(0, 9).Draw(t, "long")}
		src, err := Apply(tracetest.NewSlice(jobs), Options{Resample: &how, Seed: rapid.Uint64().Draw(t, "seed")})
		if err != nil {
			t.Fatal(err)
		}
		got, err := tracetest.Rest(src)
		if err != nil {
			t.Fatal(err)
		}
		l := src.Header().Ledger
		if l.Read != int64(len(jobs)) || l.Replayed() != int64(len(got)) || l.Added < 0 {
			t.Fatalf("%d jobs of %d, ledger %+v", len(got), len(jobs), l)
		}
		first := jobs[0].Submit / events.Week
		length := jobs[len(jobs)-1].Submit/events.Week - first + 1
		if how.Weeks > 0 {
			length = events.Time(how.Weeks)
		}
		origin := map[events.Time]bool{}
		for i := range jobs {
			origin[jobs[i].Submit%events.Week] = true
		}
		for i := range got {
			j := &got[i]
			if j.ID != int64(i)+1 || i > 0 && got[i-1].Submit > j.Submit || !origin[j.Submit%events.Week] ||
				j.Submit/events.Week < first || j.Submit/events.Week >= first+length || j.User < traces.NoLabel {
				t.Fatalf("%+v", j)
			}
		}
		if how.Long == 1 && how.Weeks == 0 && how.Users <= 1 && how.Users != 0.5 && len(got) != len(jobs) {
			t.Fatalf("all users are long-term, and %d jobs became %d", len(jobs), len(got))
		}
	})
}

// TestBlocks: the new log is blocks of whole weeks of the old one, all jobs of each at the same
// distance and of the same users, as many weeks as there are; the ledger adds up.
func TestBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weeks := rapid.Int64Range(1, 14).Draw(t, "weeks")
		jobs := someJobs(t, weeks)
		how := Resample{Blocks: rapid.IntRange(1, 4).Draw(t, "blocks"), Weeks: rapid.IntRange(0, 20).Draw(t, "length")}
		src, err := Apply(tracetest.NewSlice(jobs), Options{Resample: &how, Seed: rapid.Uint64().Draw(t, "seed")})
		if err != nil {
			t.Fatal(err)
		}
		first := jobs[0].Submit
		whole := int((jobs[len(jobs)-1].Submit - first) / events.Week)
		got, err := tracetest.Rest(src)
		if short := (*ShortLogError)(nil); errors.As(err, &short) != (whole < 2*how.Blocks) {
			t.Fatalf("%d whole weeks in blocks of %d: %v", whole, how.Blocks, err)
		} else if err != nil {
			return
		}
		if l := src.Header().Ledger; l.Replayed() != int64(len(got)) || l.Read != int64(len(jobs)) {
			t.Fatalf("%d jobs, ledger %+v", len(got), l)
		}
		length := how.Weeks
		if length == 0 {
			length = whole
		}
		at := 0
		for begin := 0; begin < length; begin += how.Blocks {
			var block []traces.Job
			size := min(how.Blocks, length-begin)
			for ; at < len(got) && int((got[at].Submit-first)/events.Week) < begin+size; at++ {
				block = append(block, got[at])
			}
			fits := func(from int) bool { // the block is the old log from that week on
				var old []traces.Job
				for _, j := range jobs {
					if w := int((j.Submit - first) / events.Week); w >= from && w < from+size {
						j.Submit += events.Time(begin-from) * events.Week
						old = append(old, j)
					}
				}
				return slices.EqualFunc(old, block, func(a, b traces.Job) bool {
					return a.Submit == b.Submit && a.User == b.User && a.Run == b.Run && a.Procs == b.Procs
				})
			}
			found := false
			for from := 0; from+how.Blocks <= whole; from++ {
				found = found || fits(from)
			}
			if !found {
				t.Fatalf("the block at week %d is no part of the log: %+v", begin, block)
			}
		}
		if at != len(got) {
			t.Fatalf("%d jobs behind the last week", len(got)-at)
		}
	})
}

// TestResampleKeepsUsers: a long-term user's jobs move together, a preceding job
// stays the preceding one, and copies have names of their own.
func TestResampleKeepsUsers(t *testing.T) {
	job := func(id int64, week, second int64, user traces.Label, prev int64) traces.Job {
		j := traces.UnknownJob
		j.ID, j.Submit, j.User, j.Prev, j.Run, j.Procs, j.Think = id,
			events.Time(week)*events.Week+events.Time(second)*events.Second, user, prev, 1, 1, 7
		if prev < 0 {
			j.Think = events.Unknown
		}
		return j
	}
	w := &traces.Words{}
	ann, bo := w.Label([]byte("ann")), w.Label([]byte("bo"))
	jobs := []traces.Job{job(1, 0, 10, ann, -1), job(2, 0, 20, ann, 1), job(3, 1, 5, bo, -1), job(4, 3, 30, ann, 2)}
	src := tracetest.NewSlice(jobs)
	src.Head.Names.Users = w
	treated, err := Apply(src, Options{Resample: &Resample{Users: 2, Long: 4}, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	got, err := tracetest.Rest(treated)
	if err != nil {
		t.Fatal(err)
	}
	users := map[string][]traces.Job{}
	for _, j := range got {
		name, _ := w.Text(j.User)
		users[name] = append(users[name], j)
	}
	if len(users["ann"]) != 3 || len(users["ann~2"]) != 3 || len(users["bo"]) != 1 || len(users["bo~2"]) != 1 ||
		len(users) != 4 {
		t.Fatalf("%v", users)
	}
	for _, name := range []string{"ann", "ann~2"} {
		chained := 0
		for _, j := range users[name] {
			if j.Prev > 0 {
				chained++
				if p := got[j.Prev-1]; p.User != j.User || p.Submit > j.Submit || j.Think != 7 {
					t.Errorf("%s: %+v after %+v", name, j, p)
				}
			} else if j.Think.Known() {
				t.Errorf("%s: think time without a job before", name)
			}
		}
		if chained == 0 {
			t.Errorf("%s: no preceding job is left", name)
		}
	}
	if l := treated.Header().Ledger; l.Added != 4 || l.Replayed() != 8 {
		t.Errorf("%+v", l)
	}
	again := tracetest.NewSlice(jobs)
	again.Head.Names.Users = w
	same, err := Apply(again, Options{Resample: &Resample{Users: 2, Long: 4, Same: true}, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range tracetest.Collect(t, same) {
		if j.User != ann && j.User != bo || j.Submit != got[i].Submit {
			t.Errorf("%+v, with other names %+v", j, got[i])
		}
	}
}

// TestResampleRealLog: a replica of a log has its daily and weekly cycle and about
// its load, and differs from it and from another replica.
func TestResampleRealLog(t *testing.T) {
	path := tracetest.Shared(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz")
	read := func(how Options) ([]traces.Job, *traces.Ledger) {
		src, err := formats.Open(path, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer traces.Close(src)
		treated, err := Apply(src, how)
		if err != nil {
			t.Fatal(err)
		}
		return tracetest.Collect(t, treated), treated.Header().Ledger
	}
	profile := func(jobs []traces.Job) (share float64) { // of jobs in the busiest eight hours of the day
		var hours [24]float64
		for i := range jobs {
			hours[jobs[i].Submit/(3600*events.Second)%24]++
		}
		for h := range hours {
			sum := 0.0
			for k := range 8 {
				sum += hours[(h+k)%24]
			}
			share = max(share, sum/float64(len(jobs)))
		}
		return share
	}
	old, _ := read(Options{})
	one, l := read(Options{Resample: &Resample{}, Seed: 1})
	two, _ := read(Options{Resample: &Resample{}, Seed: 2})
	double, _ := read(Options{Resample: &Resample{Users: 2}, Seed: 1})
	if n := float64(len(one)) / float64(len(old)); n < 0.7 || n > 1.3 {
		t.Errorf("%d jobs became %d", len(old), len(one))
	}
	if n := float64(len(double)) / float64(len(old)); n < 1.6 || n > 2.4 {
		t.Errorf("%d jobs of twice the users, %d before", len(double), len(old))
	}
	if d := profile(one) - profile(old); d > 0.05 || d < -0.05 {
		t.Errorf("the busiest eight hours hold %.3f of the jobs, in the log %.3f", profile(one), profile(old))
	}
	if cmp.Equal(one, two) {
		t.Error("two seeds gave the same log")
	}
	again, _ := read(Options{Resample: &Resample{}, Seed: 1})
	if !cmp.Equal(one, again) {
		t.Error("one seed gave two logs")
	}
	if l.Replayed() != int64(len(one)) {
		t.Errorf("ledger %+v for %d jobs", l, len(one))
	}
}

func TestParseReplicas(t *testing.T) {
	for text, want := range map[string]events.Time{"0": 0, "90": 90, "90s": 90, "5min": 300, "5m": 300, "1h30m": 5400,
		"2d12h": 216000, "2h": 7200, "7d": 604800, "2w": 1209600, "1.5h": 5400, "1-00:00:01": 86401, "00:10:00": 600} {
		if got, err := events.ParseDuration(text); err != nil || got != want*events.Second {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "x", "5m3h", "5x", "m", "-3", "1e99d", "-1:00"} {
		if got, err := events.ParseDuration(bad); err == nil {
			t.Errorf("%q: %v", bad, got)
		}
	}
	if r, err := ParseResample("weeks=52,users=1.5,long=8,same=1"); err != nil || *r != (Resample{Weeks: 52, Users: 1.5, Long: 8, Same: true}) {
		t.Error(r, err)
	}
	for text, says := range map[string]string{"week=3": `did you mean "weeks"?`, "users=x": "want a number",
		"weeks=-1": "up to 5,200 weeks", "same=2": "want a number", "": "is unknown",
		"blocks=0": "1 week or more", "blocks=x": "want a number", "blocks=2,users=2": "all users together"} {
		if _, err := ParseResample(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzDuration(f *testing.F) {
	f.Add("7d")
	f.Add("1-02:03:04")
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := events.ParseDuration(text); err == nil {
			if again, err := events.ParseDuration(events.FormatDuration(d)); d < 0 || err != nil || again != d {
				t.Fatal(d, again, err)
			}
		}
		if r, err := ParseResample(text); err == nil && r.check() != nil {
			t.Fatal(r)
		}
	})
}
