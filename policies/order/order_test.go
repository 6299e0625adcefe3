package order

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/fields"
)

// TestKeysAreTheFormulas compares every order's key with its formula, written
// with the mathematics of the standard library and in seconds: keys must order
// pairs of jobs as the formula does, but for ties within rounding.
func TestKeysAreTheFormulas(t *testing.T) {
	type values struct{ r, n, s, wait, bid float64 }
	for order, formula := range map[*Order]func(v values) float64{
		BySubmit:         func(values) float64 { return 0 },
		ByBid:            func(v values) float64 { return -v.bid },
		ByBidPerEstimate: func(v values) float64 { return -v.bid / v.r },
		ByShortest:       func(v values) float64 { return v.r },
		ByLongest:        func(v values) float64 { return -v.r },
		BySmallest:       func(v values) float64 { return v.r * v.n },
		ByLargest:        func(v values) float64 { return -v.r * v.n },
		ByExpansion:      func(v values) float64 { return -(v.wait + v.r) / v.r },
		ByWFP3:           func(v values) float64 { return -math.Pow(v.wait/v.r, 3) * v.n },
		ByUNICEF: func(v values) float64 {
			if v.n == 1 {
				return -v.wait / v.r * (1 << 20)
			}
			return -v.wait / (math.Log2(v.n) * v.r)
		},
		ByF1: func(v values) float64 { return math.Log10(v.r)*v.n + 8.70e2*math.Log10(v.s) },
		ByF2: func(v values) float64 { return math.Sqrt(v.r)*v.n + 2.56e4*math.Log10(v.s) },
		ByF3: func(v values) float64 { return v.r*v.n + 6.86e6*math.Log10(v.s) },
		ByF4: func(v values) float64 { return v.r*math.Sqrt(v.n) + 5.30e5*math.Log10(v.s) },
	} {
		for _, runtime := range []bool{false, true} {
			ranking := NewRanker(Ranking{Order: order, Runtime: runtime})
			now := events.Time(1_000_000) * events.Second
			draw := func(t *rapid.T) (policies.Job, values) {
				r := rapid.IntRange(0, 100_000).Draw(t, "r")
				v := values{float64(max(r, 1)), float64(rapid.IntRange(1, 1024).Draw(t, "n")),
					float64(rapid.IntRange(0, 1_000_000).Draw(t, "s")), 0, float64(rapid.IntRange(0, 99).Draw(t, "bid"))}
				v.wait = 1_000_000 - v.s
				j := policies.Job{Procs: int32(v.n), Submit: events.Time(v.s) * events.Second, Bid: v.bid,
					Estimate: events.Time(r) * events.Second, Run: events.Unknown}
				if runtime {
					j.Run, j.Estimate = j.Estimate, events.Unknown
				}
				v.s = max(v.s, 1)
				return j, v
			}
			if runtime && (order == ByBidPerEstimate) {
				continue // its twin is ByBidPerRun
			}
			rapid.Check(t, func(t *rapid.T) {
				a, va := draw(t)
				b, vb := draw(t)
				x, y := formula(va), formula(vb)
				if math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y)) {
					return
				}
				if got := ranking.Key(now, &a) < ranking.Key(now, &b); got != (x < y) {
					t.Fatalf("order %s: keys %g and %g, formula %g and %g", order.Name, ranking.Key(now, &a), ranking.Key(now, &b), x,
						y)
				}
			})
		}
	}
}

// TestUsageAgainstSummation compares decayed usage with the sum over small steps
// of time of what runs, each weighted by its age.
func TestUsageAgainstSummation(t *testing.T) {
	const half = 100.0
	u := newUsage(half * events.Second)
	alice, bob := policies.Job{User: 1, Procs: 3}, policies.Job{User: 2, Procs: 1}
	stretches := []struct {
		job      *policies.Job
		from, to float64
	}{{&alice, 0, 50}, {&alice, 20, 300}, {&bob, 0, 400}, {&alice, 350, 360}}
	const end = 500.0
	want := map[traces.Label]float64{}
	for _, s := range stretches {
		for at := s.from + .005; at < s.to; at += .01 {
			want[s.job.User] += .01 * float64(s.job.Procs) * math.Exp2(-(end-at)/half)
		}
	}
	for at := 0.0; at <= end; at++ {
		now := events.Time(at) * events.Second
		for _, s := range stretches {
			if s.from == at {
				u.change(now, s.job, s.job.Procs)
			}
			if s.to == at {
				u.change(now, s.job, -s.job.Procs)
			}
		}
	}
	for user, w := range want {
		if got := u.valueAt(end*events.Second, user); math.Abs(got/w-1) > 1e-6 {
			t.Errorf("user %d has used %g, the sum is %g", user, got, w)
		}
	}
	if got := u.valueAt(1e6*events.Second, 1); got > 1e-100 {
		t.Errorf("usage of long ago counts %g", got)
	}
}

func TestExpressions(t *testing.T) {
	for _, f := range fields.Table {
		if f.Policy != (expressionValues[f.Name] != nil) {
			t.Errorf("the field %s is for policies: %v, and has another value", f.Name, f.Policy)
		}
	}
	j := &policies.Job{Procs: 4, Submit: 10 * events.Second, Estimate: 60 * events.Second, Run: events.Unknown, Bid: 2.5,
		User: 7}
	for text, want := range map[string]float64{
		"wait": 20, "-bid * procs": -10, "estimate / procs": 15, "user == 7 ? 1 : 2": 1, "run": -1,
		"0 / 0": math.Inf(1), "1 / (wait - 20)": math.Inf(1), "wait > 5 ? submit : estimate": 10,
	} {
		x, err := NewExpression(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Key(30*events.Second, j); got != want {
			t.Errorf("%s = %g, want %g", text, got, want)
		}
		if got := x.Clone().Key(30*events.Second, j); got != want {
			t.Errorf("a copy of %s gives %g, want %g", text, got, want)
		}
	}
	for text, want := range map[string]string{"wiat": "did you mean", "bid >": "unexpected", `"a"`: "float64"} {
		if _, err := NewExpression(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	x, err := NewExpression("hour < 8 ? submit % 60 : weekday * date")
	if err != nil || !x.Looks().Changes || x.ReadCalendar(nil) != "hour" {
		t.Errorf("%v: an expression of the hour changes with time and needs dates", err)
	}
	monday := events.NewCalendar(856170000, time.UTC) // 17 February 1997, 9:00
	if needs := x.ReadCalendar(monday); needs != "" {
		t.Errorf("with dates it still needs %s", needs)
	}
	for hours, want := range map[events.Time]float64{0: 19970217, 14: 19970217, 15: 10, 24: 2 * 19970218} {
		if got, copied := x.Key(hours*3600*events.Second, j), x.Clone().Key(hours*3600*events.Second, j); got != want ||
			copied != want {
			t.Errorf("%d hours after 9:00 it gives %g and its copy %g, want %g", hours, got, copied, want)
		}
	}
	if x, _ := NewExpression("$env.procs"); x.ReadCalendar(nil) != "" {
		t.Error("an expression that names no date needs them")
	}
	if x, _ := NewExpression("run * wait"); !x.of.Uses("run") || !x.Looks().Changes ||
		!(&Ranking{Keys: x}).Needs().RunTimes {
		t.Error("run * wait is clairvoyant and changes with time")
	}
}

// interval is what a user had running from one time to another.
type interval struct {
	user     traces.Label
	from, to events.Time
	procs    int32
}

// TestMultifactor wants priorities to be the formula's, usage being the integral of what ran, each processor-second
// weighed by its age at the beginning of the period.
func TestMultifactor(t *testing.T) {
	const halfLife, every, maxAge, machine = 40 * events.Second, 7 * events.Second, 20 * events.Second, 16.0
	rapid.Check(t, func(t *rapid.T) {
		keys := NewMultifactor(Weights{Age: 3, Size: 5, Fairshare: 100, Partition: Points{"1": 2, "*": -1},
			HalfLife: halfLife, Every: every, MaxAge: maxAge})
		keys.(policies.SiteReader).ReadSite(traces.Names{}, machine)
		watch := keys.(watcher)
		var ran []interval
		open := map[int]*policies.Job{}
		now := events.Time(0)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now += events.Time(rapid.IntRange(0, 5).Draw(t, "gap")) * events.Second
			j := &policies.Job{User: traces.Label(rapid.IntRange(1, 4).Draw(t, "user")),
				Procs:     int32(rapid.IntRange(1, 8).Draw(t, "procs")),
				Submit:    now - events.Time(rapid.IntRange(0, 30).Draw(t, "age"))*events.Second,
				Partition: traces.Label(rapid.IntRange(1, 2).Draw(t, "partition"))}
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				watch.Started(now, j)
				open[len(ran)], ran = j, append(ran, interval{j.User, now, events.Never, j.Procs})
			case 1:
				for i := range ran {
					if x := open[i]; x != nil {
						watch.Ended(now, x)
						ran[i].to = now
						delete(open, i)
						break
					}
				}
			case 2:
				if got, want := keys.Key(now, j), plainPriority(ran, now, j); math.Abs(got+want) > 1e-9 {
					t.Fatalf("at %v: priority %v, want %v", now, -got, want)
				}
			}
			if rapid.IntRange(0, 5).Draw(t, "copy") == 0 {
				keys = keys.Clone()
				watch = keys.(watcher)
			}
		}
	})
}

func plainPriority(ran []interval, now events.Time, j *policies.Job) float64 {
	const halfLife, every, maxAge, machine = 40.0, 7.0, 20.0, 16.0
	at := math.Floor(now.Seconds()/every) * every
	used, all, users := map[traces.Label]float64{}, 0.0, map[traces.Label]bool{}
	for _, x := range ran {
		if x.from.Seconds() >= at {
			continue
		}
		users[x.user] = true
		weight := func(t float64) float64 { return math.Exp2(-(at-t)/halfLife) * halfLife / math.Ln2 }
		n := float64(x.procs) * (weight(min(x.to.Seconds(), at)) - weight(x.from.Seconds()))
		used[x.user], all = used[x.user]+n, all+n
	}
	share := 1.0
	if all > 0 {
		share = math.Exp2(-used[j.User] / all * float64(len(users)))
	}
	points := -1.0
	if j.Partition == 1 {
		points = 2
	}
	return 3*min(max(at-j.Submit.Seconds(), 0)/maxAge, 1) + 5*float64(j.Procs)/machine + 100*share + points
}
