package scenario

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies/catalog"
	"bourse/traces"
)

// writeSeries writes a table of values an hour apart, which begin an hour before the log.
func writeSeries(t rapid.TB, dir, name string, values []float64) string {
	t.Helper()
	text := "hour,value\n"
	for i, v := range values {
		text += fmt.Sprintf("%d,%g\n", i-1, v)
	}
	path := filepath.Join(dir, name+".csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// billed replays jobs under a site's rules and a payment, with every law checked.
func billed(t rapid.TB, site Site, procs int, policy, payment string, jobs []traces.Job) (*drawn, engine.Summary,
	error) {
	t.Helper()
	s := Default()
	s.Site, s.Check = site, true
	s.Policy, s.Payment = policy, payment
	h := Hardware{Machine: engine.Processors(procs)}
	l := &Loaded{Scenario: s, Hardware: h, Memory: traces.MemoryOf(jobs...)}
	l.Memory.Header().Start = 86400 * 4
	if err := s.rules(&l.rules, h, l.Memory.Header()); err != nil {
		return nil, engine.Summary{}, err
	}
	p, err := l.Replay(s.Market)
	if err != nil {
		return nil, engine.Summary{}, err
	}
	var d drawn
	p.Config.Segments = &d
	sum, err := engine.Run(context.Background(), p.Config, l.Source(), &d)
	return &d, sum, err
}

// TestCharges wants carbon and tariffs to be what the definition makes of the segments, hour by hour, whatever the
// policy; and the machine's to be of what idle processors draw as well.
func TestCharges(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var carbon, tariff []float64
		for range rapid.IntRange(2, 30).Draw(t, "hours") {
			carbon = append(carbon, float64(rapid.IntRange(0, 900).Draw(t, "carbon")))
			tariff = append(tariff, float64(rapid.IntRange(-20, 90).Draw(t, "tariff")))
		}
		site := Site{Power: "idle=60,busy=200", SeriesIn: "carbon=" + writeSeries(t, dir, "carbon", carbon) +
			"(unit=h,extend=repeat); tariff=" +
			writeSeries(t, dir, "tariff", tariff) + "(unit=h,extend=repeat,as=ct/proc-h)"}
		policy := rapid.SampledFrom([]string{"easy", "srpt", "drf", "fcfs"}).Draw(t, "policy")
		d, sum, err := billed(t, site, 8, policy, "metered:tariff", drawJobs(t, 8, true))
		if err != nil {
			t.Fatal(err)
		}
		of := func(values []float64, from, to events.Time) (sum float64) {
			const hour = 3600 * events.Second
			for at := from; at < to; {
				next := min(to, (at/hour+1)*hour)
				sum += values[int(at/hour+1)%len(values)] * (next - at).Seconds()
				at = next
			}
			return sum
		}
		close := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-8*max(1, math.Abs(want)) {
				t.Fatalf("%s is %g, want %g", what, got, want)
			}
		}
		grams, money, all := map[int64]float64{}, map[int64]float64{}, 0.0
		for _, s := range d.segments {
			held := float64(s.Job.Procs) * s.Share
			grams[s.Job.ID] += held * 200 * of(carbon, s.Start, s.End) / 3.6e6
			money[s.Job.ID] += held * .01 * of(tariff, s.Start, s.End) / 3600
			all += held * 140 * of(carbon, s.Start, s.End) / 3.6e6
		}
		for i := range d.records {
			o := &d.records[i]
			close("a job's carbon", o.Charged[engine.Carbon], grams[o.Job.ID])
			close("a job's tariff", o.Charged[engine.Tariff], money[o.Job.ID])
			close("a job's bill", o.Payment, money[o.Job.ID])
		}
		close("the machine's carbon", sum.Charged[engine.Carbon], all+8*60*of(carbon, sum.First, sum.Last)/3.6e6)
	})
}

// TestShapleyBills wants all bills together to be the cost, whatever the policy; the audit wants so to the cent as
// well.
func TestShapleyBills(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := rapid.SampledFrom([]string{"easy", "srpt", "drf", "fcfs", "hb"}).Draw(t, "policy")
		levels := rapid.SampledFrom([]string{"3d/8h/1h/5m", "7h", "1d/50m/7m"}).Draw(t, "levels")
		d, sum, err := billed(t, Site{}, 8, policy, "shapley(cost=1234.56,levels="+levels+")", drawJobs(t, 8, true))
		if err != nil {
			t.Fatal(err)
		}
		paid := 0.0
		for i := range d.records {
			paid += d.records[i].Payment
		}
		if math.Abs(paid-1234.56) > .005 && sum.Work > 0 {
			t.Fatalf("%g is paid", paid)
		}
	})
}

// TestJointBills wants two schemes together to charge what each does alone.
func TestJointBills(t *testing.T) {
	dir := t.TempDir()
	site := Site{SeriesIn: "tariff=" + writeSeries(t, dir, "tariff", []float64{3, 1, 4, 1, 5}) + "(unit=h,extend=repeat)"}
	rapid.Check(t, func(t *rapid.T) {
		jobs, policy := drawJobs(t, 8, false), rapid.SampledFrom([]string{"hb", "nphb", "hb(fit=skip)"}).Draw(t, "policy")
		pay := func(payment string) map[int64]float64 {
			d, _, err := billed(t, site, 8, policy, payment, jobs)
			if err != nil {
				t.Fatal(err)
			}
			bills := map[int64]float64{}
			for i := range d.records {
				bills[d.records[i].Job.ID] = d.records[i].Payment
			}
			return bills
		}
		kth, tariff := pay("kth"), pay("metered:tariff")
		for id, bill := range pay("kth+metered:tariff") {
			if want := kth[id] + tariff[id]; math.Abs(bill-want) > 1e-9*max(1, math.Abs(want)) {
				t.Fatalf("job %d is billed %g, want %g", id, bill, want)
			}
		}
	})
}

// TestCapacitySeries wants processors that are there by a series to be what outages of the others are.
func TestCapacitySeries(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var there []float64
		for range rapid.IntRange(2, 12).Draw(t, "hours") {
			there = append(there, float64(rapid.IntRange(0, 8).Draw(t, "there")))
		}
		there, jobs := append(there, 8), drawJobs(t, 8, false)
		away := "start,end,processors,kind\n"
		for i := 1; i < len(there)-1; {
			k := i + 1
			for there[k] == there[i] && k < len(there)-1 {
				k++
			}
			if there[i] < 8 {
				away += fmt.Sprintf("%d,%d,%g,unplanned\n", 3600*(i-1), 3600*(k-1), 8-there[i])
			}
			i = k
		}
		table := filepath.Join(dir, "away.csv")
		if err := os.WriteFile(table, []byte(away+"99999999,100000000,1,unplanned\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		policy := rapid.SampledFrom([]string{"easy", "conservative", "fcfs", "srpt"}).Draw(t, "policy")
		got, _, err := billed(t, Site{SeriesIn: "capacity=" + writeSeries(t, dir, "capacity", there) +
			"(unit=h,extend=last)"}, 8, policy, "none", jobs)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := billed(t, Site{Outages: table}, 8, policy, "none", jobs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.records {
			a, b := &got.records[i], &want.records[i]
			if a.Job.ID != b.Job.ID || a.Start != b.Start || a.End != b.End || a.Preemptions != b.Preemptions {
				t.Fatalf("%s: job %d ran from %v to %v, by the table of outages job %d from %v to %v", policy, a.Job.ID, a.Start,
					a.End,
					b.Job.ID, b.Start, b.End)
			}
		}
	})
}

// TestBadSeries wants what is wrong with a series to be said in a sentence, whatever it is.
func TestBadSeries(t *testing.T) {
	dir := t.TempDir()
	var jobs []traces.Job
	rapid.Check(t, func(t *rapid.T) { jobs = drawJobs(t, 8, false) })
	hours := "time,value\n" // rows enough to tell that they are even
	for i := range 40 {
		hours += fmt.Sprintf("%d,%d\n", 3600*i, i%7)
	}
	long := hours + "14400000,1\n"
	for _, c := range []struct{ table, how, want string }{
		{hours, "(as=lb/kWh)", "is no mass"},
		{hours, "(as=g/kwh)", `did you mean "kWh"`},
		{hours, "(extend=on)", "want no, last or repeat"},
		{hours, "(unit=m)", "want s, min, h or d"},
		{hours, "", "give power, too"},
		{hours, "(as=g/proc-h,value=price)", "price"},
		{long, "(as=g/proc-h)", "a gap: rows are 1h00m apart"},
		{"time,value\n0,1\n", "(as=g/proc-h)", "has one row"},
		{"time,value\n", "(as=g/proc-h)", "has no rows"},
		{"time,value\n5,1\n4,1\n", "(as=g/proc-h)", "is not after the one before it"},
		{"time,value\n5,1\n6,\n", "(as=g/proc-h)", "value is empty"},
		{"time,value\n5,1\n6,x\n", "(as=g/proc-h)", `value is "x"`},
		{"time,value\nnoon,1\n6,1\n", "(as=g/proc-h)", "no time of a log"},
		{"time,value\n0,1\n1,1\n", "(as=g/proc-h)", "if its times are hours, say unit=h"},
		{"time,a,b\n0,1,2\n", "(as=g/proc-h)", "say which has the values"},
		{hours, "(as=g/proc-h,zone=berlin)", "Europe/Berlin"},
		{hours, "(as=g/proc-h,from=soon)", "no time of a log"},
		{"time,value\n900000,1\n903600,1\n", "(as=g/proc-h)", "want a longer one, or extend=last or extend=repeat"},
	} {
		path := filepath.Join(dir, "series.csv")
		if err := os.WriteFile(path, []byte(c.table), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := billed(t, Site{SeriesIn: "carbon=" + path + c.how}, 8, "easy", "none", append(jobs, traces.Job{ID: 99,
			Submit: 99 * 3600 * events.Second,
			Run:    3600 * events.Second, Estimate: 3600 * events.Second, Procs: 1, Pieces: 1, Prev: -1, CPU: -1, Memory: -1,
			GPU: -1, Disk: -1}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.how, err, c.want)
		}
	}
	for _, c := range []struct{ site, payment, want string }{
		{"", "metered:tariff", "needs the input series tariff, and there is none"},
		{"tarif=" + filepath.Join(dir, "series.csv") + "(extend=repeat)", "metered:tariff", `did you mean "tarif"?`},
		{"tariff=" + filepath.Join(dir, "series.csv") + "(extend=repeat,as=EUR/MWh)", "metered:tariff", "give power, too"},
		{"capacity=" + filepath.Join(dir, "series.csv") + "(as=g/kWh)", "none", "capacity is in processors"},
	} {
		if _, _, err := billed(t, Site{SeriesIn: c.site}, 8, "easy", c.payment, jobs); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q in it", c.site, c.payment, err, c.want)
		}
	}
	over := writeSeries(t, dir, "over", []float64{8, 9})
	if _, _, err := billed(t, Site{SeriesIn: "capacity=" + over + "(unit=h)"}, 8, "easy", "none", jobs); err == nil ||
		!strings.Contains(err.Error(), "from 0 to the machine's 8") {
		t.Error(err)
	}
	for _, text := range []string{"shapley(cost=1,levels=1h/2h)", "shapley(cost=1,levels=1h/0)", "shapley", "metered"} {
		if _, err := catalog.Payments.Make(text); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// TestSeriesDates wants dates that say their zone to be read as that, whatever the log's.
func TestSeriesDates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tariff.csv")
	if err := os.WriteFile(path, []byte("time,tariff\n2024-01-01T01:00:00Z,1\n2024-01-01T03:00:00+01:00,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := parseSeries("tariff=" + path)
	if err != nil {
		t.Fatal(err)
	}
	log := &traces.Header{Start: 1704067200} // 2024 in UTC
	log.SetZone("America/New_York")
	steps, err := list[0].read(log)
	if err != nil {
		t.Fatal(err)
	}
	if from, to := steps.Span(); from != 3600*events.Second || to != 3*3600*events.Second {
		t.Errorf("from %v to %v, want an hour and three after the log's zero", from, to)
	}
}
