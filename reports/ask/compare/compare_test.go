package compare

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bourse/events"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/table"
)

// tableOf makes a table of entries with these waits by seed.
func tableOf(waits ...[]float64) *Ranking {
	metric, _ := run.FindMeasure("wait")
	t := &Ranking{Keys: []string{"policy"}, Metric: metric, Samples: "seeds"}
	for i, x := range waits {
		e := &Entry{Settings: []string{string(rune('a' + i))}, Name: string(rune('a' + i)), Samples: x}
		for k, w := range x {
			e.Cells = append(e.Cells, run.Figures{Aggregate: &stats.Aggregate{Times: stats.Times{Jobs: 100, MeanWait: w}},
				Machine: &run.Machine{Utilisation: .5}})
			e.Replicas = append(e.Replicas, fmt.Sprint(k+1))
		}
		t.Entries = append(t.Entries, e)
	}
	return t
}

// permutation is the p-value of a paired difference by all ways to swap pairs.
func permutation(a, b []float64) float64 {
	sum := func(swaps int) (s float64) {
		for i := range a {
			d := b[i] - a[i]
			if swaps>>i&1 == 1 {
				d = -d
			}
			s += d
		}
		return math.Abs(s)
	}
	n := 0
	for swaps := range 1 << len(a) {
		if sum(swaps) >= sum(0)-1e-9 {
			n++
		}
	}
	return float64(n) / float64(int(1)<<len(a))
}

// TestVerdicts holds verdicts on random replicas against permutation tests with Holm's
// correction by its definition, where these are not close to the limit.
func TestVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[Verdict]int{}
	for range 60 {
		waits := make([][]float64, 4)
		for i := range waits {
			waits[i] = make([]float64, 13)
		}
		for k := range waits[0] {
			shared := 100 * r.ExpFloat64()
			for i := range waits {
				waits[i][k] = 500 + shared + float64(7*i*(i+1)) + 20*r.NormFloat64()
			}
		}
		table := tableOf(waits...)
		if err := table.Judge(""); err != nil {
			t.Fatal(err)
		}
		mean := func(i int) float64 { return stats.EstimateOf(waits[i]).Mean }
		best := slices.MinFunc([]int{0, 1, 2, 3}, func(a, b int) int {
			return map[bool]int{true: -1, false: 1}[mean(a) < mean(b)]
		})
		if table.Entries[0].Name != string(rune('a'+best)) || table.Entries[0].Verdict != Best {
			t.Fatalf("%s is first, of %d", table.Entries[0].Name, best)
		}
		type pair struct {
			other int
			p     float64
		}
		var pairs []pair
		for i := range waits {
			if i != best {
				pairs = append(pairs, pair{i, permutation(waits[best], waits[i])})
			}
		}
		slices.SortFunc(pairs, func(a, b pair) int { return map[bool]int{true: -1, false: 1}[a.p < b.p] })
		rejecting := true
		for rank, x := range pairs {
			limit := alpha / float64(len(pairs)-rank)
			if rejecting = rejecting && x.p <= limit; x.p > limit/2 && x.p < 2*limit {
				break // the two tests may differ here, and in all that follows
			}
			e := table.Entries[slices.IndexFunc(table.Entries,
				func(e *Entry) bool { return e.Name == string(rune('a'+x.other)) })]
			if seen[e.Verdict]++; (e.Verdict == Worse) != rejecting {
				t.Errorf("%s is %s with p = %g, by permutation %g (%d of %d)", e.Name, e.Verdict, e.P, x.p, rank+1, len(pairs))
			}
		}
	}
	if seen[Worse] < 20 || seen[Tied] < 5 {
		t.Errorf("too few verdicts were held against another test: %v", seen)
	}
}

// TestFalseAlarms: the truly best is called worse in 5 % of all tables at most, whether
// the others are as good, nearly as good, or partly far worse.
func TestFalseAlarms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, worse := range [][]float64{{0, 0, 0, 0, 0, 0}, {0, 0}, {0, .2, .4, .6, .8, 1}, {0, 0, 0, 9, 9, 9},
		{0, .3, .3, .3, .3, .3, .3, 5, 5}} {
		alarms := 0
		const tables = 1000
		for range tables {
			waits := make([][]float64, len(worse))
			for i := range waits {
				for range 10 {
					waits[i] = append(waits[i], 100+worse[i]+r.NormFloat64())
				}
			}
			table := tableOf(waits...)
			if err := table.Judge(""); err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(table.Entries, func(e *Entry) bool { return e.Name == "a" && e.Verdict == Worse }) {
				alarms++
			}
		}
		if alarms > tables*5/100 {
			t.Errorf("%v: %d of %d", worse, alarms, tables)
		}
	}
}

// TestAnswers wants what can be said, and no more.
func TestAnswers(t *testing.T) {
	far, near := []float64{900, 950, 880, 910, 890}, []float64{501, 509, 502, 505, 503}
	base, one := []float64{500, 510, 501, 504, 503}, []float64{500, 500, 500, 500, 500}
	high := []float64{600, 600, 600, 600, 600}
	for want, table := range map[string]*Ranking{
		"best by mean wait: b; a is worse":                               tableOf(far, base),
		"best by mean wait: b; tied with it: c":                          tableOf(far, base, near),
		"best by mean wait: b; equal to it: c; tied with it: d":          tableOf(far, base, base, near),
		"mean wait is the same for all: a, b":                            tableOf(base, base),
		"lowest mean wait: a; how certain that is cannot be said: there": tableOf(one, high),
		"; not testable, as no seed changes either: b":                   tableOf(one, high, far),
		"there is nothing to compare":                                    tableOf(base),
	} {
		if err := table.Judge(""); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(table.Answers(), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	table := tableOf(far, base)
	table.Metric.High = true
	if err := table.Judge("b"); err != nil || table.Entries[0].Name != "a" || table.Entries[0].Base.Name != "b" ||
		table.Entries[0].Difference.Mean <= 0 {
		t.Errorf("where more is better: %v, %+v", err, table.Entries[0])
	}
	if err := tableOf(far, base).Judge("bb"); err == nil || !strings.Contains(err.Error(), `Want one of b, a`) {
		t.Error(err)
	}
	blocks := tableOf(far, base, base, far)
	for i, e := range blocks.Entries {
		e.Block = []string{"load 1", "load 2"}[i/2]
	}
	if err := blocks.Judge(""); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(blocks.Answers(), "\n"); got != "load 1: best by mean wait: b; a is worse\nload 2: best by "+
		"mean wait: c; d is worse" {
		t.Error(got)
	}
	for _, e := range blocks.Entries {
		e.Name = map[string]string{"a": "fcfs", "b": "easy", "c": "easy", "d": "fcfs"}[e.Name]
	}
	if got := blocks.Answers(); len(got) != 1 || got[0] != "load 1, 2: best by mean wait: easy; fcfs is worse" {
		t.Errorf("of blocks that say the same: %q", got)
	}
}

// TestUnlikeTheLog wants no verdict from replicas that wait otherwise than the log.
func TestUnlikeTheLog(t *testing.T) {
	far, base := []float64{900, 950, 880, 910, 890}, []float64{500, 510, 501, 504, 503}
	for log, want := range map[float64]string{500: "best by mean wait: b; a is worse", 100: "the replicas do not resemble " +
		"the log: the mean wait of a is 9.06 times the log's", 2000: "the mean wait of a is 0.453 times"} {
		table := tableOf(far, base)
		for _, e := range table.Entries {
			e.Log = &run.Figures{Aggregate: &stats.Aggregate{Times: stats.Times{Jobs: 100, MeanWait: log}},
				Machine: &run.Machine{Utilisation: .5}}
		}
		if err := table.Judge(""); err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := writeAs(&text, table, "text"); err != nil || !strings.Contains(text.String(), want) ||
			!strings.Contains(text.String(), "replicas / log") {
			t.Errorf("%v, want %q in\n%s", err, want, text.String())
		}
	}
}

// TestCopies wants no interval of copies, in text or for programs.
func TestCopies(t *testing.T) {
	table := tableOf([]float64{5, 5, 5}, []float64{7, 7, 7})
	table.Unsure = "the 3 seeds change nothing here"
	if err := table.Judge(""); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "markdown", "latex"} {
		var text bytes.Buffer
		if err := writeAs(&text, table, format); err != nil || strings.ContainsAny(text.String(), "±") ||
			strings.Contains(text.String(), "pm") || !strings.Contains(text.String(), "the 3 seeds change nothing here") {
			t.Errorf("%v\n%s", err, text.String())
		}
	}
	var text bytes.Buffer
	if err := writeAs(&text, table, "json"); err != nil || strings.Contains(text.String(), "half_interval") ||
		strings.Contains(text.String(), `"best"`) {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// TestForPrograms reads CSV and JSON back: every digit of every replica is there.
func TestForPrograms(t *testing.T) {
	third := []float64{1. / 3, 2. / 3, 1}
	table := tableOf(third, []float64{100, 200, 250})
	if err := table.Judge(""); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := writeAs(&text, table, "csv"); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(lines) != 7 || lines[1][0] != "a" || lines[1][1] != "1" || lines[1][3] != "0.3333333333333333" ||
		lines[0][3] != "mean_wait_s" {
		t.Errorf("%v %v", err, lines)
	}
	if err := writeAs(&text, table, "json"); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Rows []struct{ Values map[string][]float64 }
	}
	if err := json.Unmarshal(text.Bytes(), &d); err != nil || !slices.Equal(d.Rows[0].Values["mean_wait_s"], third) {
		t.Errorf("%v %+v", err, d)
	}
}

// TestWho counts who gains and loses, by definition: every job is a stretch of its own.
func TestWho(t *testing.T) {
	const n = 600
	r := rand.New(rand.NewPCG(7, 8))
	user := func(i int) string { return []string{"gains", "loses", "same", "few"}[min(i%3+3*(i/597), 3)] }
	table := tableOf([]float64{1}, []float64{1})
	table.by, table.log = "user", &jobs{until: n}
	for _, e := range table.Entries {
		e.schedule = newSchedule(n)
	}
	for i := range n {
		table.log.submit = append(table.log.submit, events.Time(i)*3600*events.Second)
		before := 100 * r.ExpFloat64()
		change := map[string]float64{"gains": -30, "loses": 20, "few": -1}[user(i)]
		if change != 0 {
			change += r.NormFloat64()
		}
		for k, x := range []float64{before, before + change} {
			table.Entries[k].schedule.set(i, table.log.submit[i], table.log.submit[i]+1, 1, k == 1, x)
		}
	}
	table.log.groupBy(user)
	if err := table.Judge("a"); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := writeAs(&text, table, "text"); err != nil {
		t.Fatal(err)
	}
	if want := "from a to b: 2 of 4 users gain, 1 loses, 1 sees no change; beyond chance 1 gain and 1 lose, of the 2 " +
		"that differ in 6 stretches or more (corrected for their number)\n"; !strings.HasSuffix(text.String(), want) {
		t.Errorf("%s\nwant %s", text.String(), want)
	}
	list := table.changes()
	if list[0].Group != "gains" || list[3].Group != "loses" || !list[0].sure() || !list[3].sure() || list[1].P != nil {
		t.Errorf("%+v", list)
	}
	if err := writeAs(&text, table, "csv"); err != nil || strings.Count(text.String(), "mean_wait_s") != 4 {
		t.Errorf("%v %s", err, text.String())
	}
}

func writeAs(w io.Writer, t *Ranking, format string) error {
	return (&table.Output{W: w, Format: format}).Write(t.Report())
}
