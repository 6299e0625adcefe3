package calibrate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces/tracetest"
)

// drawn is a small log with waits that no scheduler made.
func drawn(t *rapid.T) (rows [][7]int64, waits map[int64]int64) {
	waits = map[int64]int64{}
	at := int64(0)
	for i := range rapid.IntRange(2, 25).Draw(t, "jobs") {
		at += rapid.Int64Range(0, 20_000).Draw(t, "gap")
		rows = append(rows, [7]int64{at, rapid.Int64Range(1, 40_000).Draw(t, "run"), rapid.Int64Range(1, 60).Draw(t, "procs"),
			rapid.Int64Range(1, 40_000).Draw(t, "request"), rapid.Int64Range(1, 3).Draw(t, "user"), 1})
		waits[int64(i)] = rapid.Int64Range(0, 30_000).Draw(t, "wait")
	}
	waits[0] = 4000 // some job waits
	return rows, waits
}

// TestWhyByDefinition counts the reasons of each job at each hour by looking at all jobs, as the definitions have it.
func TestWhyByDefinition(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		rows, waits := drawn(t)
		r, err := newRecord(loaded(outer, written(outer, plantedHead, rows, waits)))
		if err != nil {
			t.Fatal(err)
		}
		start := func(i int) int64 { return rows[i][0] + waits[int64(i)] }
		end := func(i int) int64 { return start(i) + rows[i][1] }
		use := func(at int64) (n int64) {
			for i := range rows {
				if start(i) <= at && at < end(i) {
					n += rows[i][2]
				}
			}
			return n
		}
		there := func(at int64) (most int64) { // of those in use in the hours within six of it: use changes at starts only upwards
			from, until := (at/3600-reach)*3600, (at/3600+reach+1)*3600
			list := []int64{max(from, rows[0][0]/3600*3600)}
			for i := range rows {
				list = append(list, start(i))
			}
			for _, x := range list {
				if x >= from && x < until {
					most = max(most, use(x))
				}
			}
			return min(most, 64)
		}
		var want [reasons]int
		for at := rows[0][0] / 3600 * 3600; at <= rows[len(rows)-1][0]; at += 3600 {
			used, now := use(at), there(at)
			var waiting []int
			for i := range rows {
				if rows[i][0] <= at && at < start(i) {
					waiting = append(waiting, i)
				}
			}
			shadow, extra := int64(math.MaxInt64), int64(0)
			if k := slices.IndexFunc(waiting, func(i int) bool { return rows[i][2] > now-used }); k >= 0 {
				need, free := rows[waiting[k]][2], max(now-used, 0)
				expected := func(i int) int64 { return max(start(i)+rows[i][3], at+60) }
				running := slices.DeleteFunc(rowsOf(rows), func(i int) bool { return start(i) > at || at >= end(i) })
				slices.SortStableFunc(running, func(a, b int) int { return int(start(a) - start(b)) })
				slices.SortStableFunc(running, func(a, b int) int { return int(expected(a) - expected(b)) })
				for _, i := range running {
					if free += rows[i][2]; free >= need {
						shadow, extra = expected(i), free-need
						break
					}
				}
			}
			for pos, i := range waiting {
				p, user := rows[i][2], rows[i][4]
				runs := slices.ContainsFunc(rowsOf(rows), func(k int) bool { return rows[k][4] == user && start(k) <= at && at < end(k) })
				older := slices.ContainsFunc(waiting[:pos], func(k int) bool { return rows[k][4] == user })
				switch {
				case p > 64-used:
					want[noRoom]++
				case p > now-used:
					want[lessCapacity]++
				case shadow < math.MaxInt64 && at+rows[i][3] > shadow && p > extra:
					want[wouldDelay]++
				case runs:
					want[ownRuns]++
				case older:
					want[olderWaits]++
				default:
					want[noReason]++
				}
			}
		}
		w := r.why([]era{{until: events.Never}}, r.capacity())
		if len(w.Rows) == 0 {
			if want != [reasons]int{} {
				t.Fatalf("nothing is found, want %v", want)
			}
			return
		}
		s := &w.Rows[0]
		got := [reasons]float64{s.NoRoom, s.Window, s.Capacity, s.WouldDelay, s.Older, s.Runs, s.None}
		for k := range got {
			if n := int(math.Round(got[k] * float64(s.Waited))); n != want[k] {
				t.Fatalf("reason %d: %d job-hours, want %d of %v", k, n, want[k], want)
			}
		}
	})
}

func rowsOf(rows [][7]int64) (list []int) {
	for i := range rows {
		list = append(list, i)
	}
	return list
}

// TestReferencesSeeNoFuture works the references out by their definitions: what had started before each submission,
// or before the weeks that are judged.
func TestReferencesSeeNoFuture(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		rows, waits := drawn(t)
		r, err := newRecord(loaded(outer, written(outer, plantedHead, rows, waits)))
		if err != nil {
			t.Fatal(err)
		}
		last := r.lastStarts()
		from, until := r.first, r.first+(r.last-r.first)/2
		all, of := r.medians(from, until)
		var before []float64
		for i := range r.jobs {
			j := &r.jobs[i]
			type started struct {
				at   events.Time
				i    int
				wait float64
			}
			var list []started
			for k := range r.jobs {
				if x := &r.jobs[k]; x.start < j.submit && x.class == j.class && x.queue == j.queue {
					list = append(list, started{x.start, k, x.wait()})
				}
			}
			slices.SortFunc(list, func(a, b started) int { return int(min(1, max(-1, a.at-b.at))) })
			var w []float64
			for _, x := range list[max(0, len(list)-lastOfClass):] {
				w = append(w, x.wait)
			}
			if got, want := last[i], median(w); got != want {
				t.Fatalf("job %d: %v, want %v of %v", i, got, want, w)
			}
			if j.submit < until && j.start < until {
				before = append(before, j.wait())
			}
		}
		if want := median(before); all != want {
			t.Fatalf("the median is %v, want %v", all, want)
		}
		for i := range r.jobs {
			var w []float64
			for k := range r.jobs {
				if x := &r.jobs[k]; groupOf(x) == groupOf(&r.jobs[i]) && x.submit < until && x.start < until {
					w = append(w, x.wait())
				}
			}
			want := all
			if len(w) >= leastOfClass {
				want = median(w)
			}
			if got := of(&r.jobs[i]); got != want {
				t.Fatalf("the median of job %d's class is %v, want %v", i, got, want)
			}
		}
	})
}

// TestPublicLogs compares with the shares that a program of its own in another language worked out of the logs.
func TestPublicLogs(t *testing.T) {
	for _, c := range []struct {
		file string
		want [reasons]float64 // in the order of Shares
	}{
		{"KTH-SP2-1996-2.1-cln", [reasons]float64{.46, .20, .07, .05, .07, .03, .13}},
		{"CTC-SP2-1996-3.1-cln", [reasons]float64{.58, 0, .11, .13, .08, .05, .05}},
		{"SDSC-BLUE-2000-4.2-cln", [reasons]float64{.32, 0, .11, .16, .22, .08, .10}},
	} {
		t.Run(c.file, func(t *testing.T) {
			w, err := Why(loaded(t, tracetest.Shared(t, "data/swf/"+c.file+".swf.gz")))
			if err != nil {
				t.Fatal(err)
			}
			s := &w.Rows[0]
			for k, got := range []float64{s.NoRoom, s.Window, s.Capacity, s.WouldDelay, s.Older, s.Runs, s.None} {
				if math.Abs(got-c.want[k]) > .016 {
					t.Errorf("reason %d: %.3f, want %.2f", k, got, c.want[k])
				}
			}
		})
	}
}

// TestKTH finds the rule of a site again that its log does not state: requests above 4 h start from 17:00 on weekdays.
func TestKTH(t *testing.T) {
	r, err := newRecord(loaded(t, tracetest.Shared(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz")))
	if err != nil {
		t.Fatal(err)
	}
	eras := r.eras()
	if len(eras) != 2 || eras[0].until/day < 230 || eras[0].until/day > 270 {
		t.Fatalf("%d eras; the rule was loosened about day 247", len(eras))
	}
	for c := range classes {
		for h := 8; h < 16; h++ {
			if shut := eras[0].closed[c][workdays][h]; shut != (c > 3) {
				t.Errorf("class %d is closed at %d: %v", c, h, shut)
			}
		}
	}
	rules := windowRules(eras)
	if len(rules) == 0 || !strings.HasPrefix(rules[0].Why, "requests above 4h up to 8h do not start mon-thu 04:00-17:00") {
		t.Errorf("the first rule is %+v", rules)
	}
}

// TestRefuses wants a sentence where nothing can be learnt.
func TestRefuses(t *testing.T) {
	rows := workload(5, 1)
	none := map[int64]int64{}
	some := map[int64]int64{}
	for i := range rows {
		none[int64(i)], some[int64(i)] = -1, int64(i%9)*1000
	}
	for _, c := range []struct {
		waits map[int64]int64
		want  error
	}{{none, ErrNoWaits}, {some, ErrShort}} {
		if _, err := Run(t.Context(), Config{Jobs: loaded(t, written(t, plantedHead, rows, c.waits))}); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
	for i := range rows {
		rows[i][3] = -1
	}
	if w, err := Why(loaded(t, written(t, plantedHead, rows, some))); err != nil || !strings.Contains(fmt.Sprint(w.Notes),
		"most jobs have no requested time") {
		t.Errorf("%v: %v", err, w)
	}
	undated := loaded(t, written(t, "; MaxProcs: 64\n", rows, some))
	w, err := Why(undated)
	if err != nil || !strings.Contains(fmt.Sprint(w.Notes), "the log has no dates") {
		t.Errorf("%v: %v", err, w)
	}
}
