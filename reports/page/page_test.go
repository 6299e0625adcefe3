package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// html makes the page of some folders.
func html(t testing.TB, dirs ...string) string {
	t.Helper()
	runs, err := Open(dirs, false)
	check(t, err)
	var out bytes.Buffer
	check(t, Write(&out, runs, nil, Window{}, "test"))
	return out.String()
}

// charts reads the charts back from a page.
func charts(t testing.TB, page string) map[string]chart {
	t.Helper()
	m := regexp.MustCompile(`(?s)<script type="application/json" id="page-data">(.*?)</script>`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page has no data")
	}
	var content struct{ Charts []chart }
	check(t, json.Unmarshal([]byte(m[1]), &content))
	out := map[string]chart{}
	for _, c := range content.Charts {
		out[c.ID] = c
	}
	return out
}

func TestEveryChartHasData(t *testing.T) {
	one := made{jobs: 300, segments: true, series: true}.make(t)
	two := made{jobs: 300, policy: "fcfs", format: "csv"}.make(t)
	for _, c := range []struct {
		dirs []string
		want string
	}{
		{[]string{one}, "bsd cost gantt load payments price queue shares sizes use wait"},
		{[]string{one, two}, "bsd cost load payments price queue shares sizes use wait"},
		{[]string{made{jobs: 300, policy: "fcfs", payment: "none"}.make(t)}, "bsd load queue sizes use wait"},
		{[]string{made{jobs: 1}.make(t)}, "bsd load queue use"},
	} {
		page := html(t, c.dirs...)
		if page != html(t, c.dirs...) {
			t.Error("the same folders gave two pages")
		}
		all := charts(t, page)
		if n := len(strings.Fields(c.want)); len(all) != n {
			t.Errorf("%v: %d charts, want %d", c.dirs, len(all), n)
		}
		for _, id := range strings.Fields(c.want) {
			x, ok := all[id]
			switch {
			case !ok:
				t.Errorf("%v: no chart %s", c.dirs, id)
			case x.Series != nil && len(x.Series.Lines[0].Mean) != x.Series.Bins:
				t.Errorf("%s: %d values in %d bins", id, len(x.Series.Lines[0].Mean), x.Series.Bins)
			case x.Gantt != nil:
				if n := len(x.Gantt.Runs[0].Start); n < 300 || n != len(x.Gantt.Runs[0].Wait) {
					t.Errorf("%d rectangles", n)
				}
			case x.Series == nil && (len(x.Data.Rows) == 0 || len(x.Data.Rows[0]) != len(x.Data.Names)):
				t.Errorf("%s: no data", id)
			}
			for _, part := range []string{"figure", "chart", "title"} {
				if ok && !strings.Contains(page, fmt.Sprintf(`id="%s-%s"`, part, id)) {
					t.Errorf("%s: the page has no %s for it", id, part)
				}
			}
		}
	}
}

// TestRunsKeepTheirColours: in a chart that a run has nothing for, the others are
// drawn as in all charts.
func TestRunsKeepTheirColours(t *testing.T) {
	page := html(t, made{jobs: 50, policy: "fcfs"}.make(t), made{jobs: 50, series: true}.make(t))
	lines := charts(t, page)["price"].Series.Lines
	if len(lines) != 1 || lines[0].Run != 1 || lines[0].Label != "hb" {
		t.Errorf("%d lines, the first of run %d, %s", len(lines), lines[0].Run, lines[0].Label)
	}
	if !strings.Contains(page, "Not known of fcfs.") {
		t.Error("the page does not say whose price it lacks")
	}
}

// TestSchedulesOnce: runs of one schedule and other bills are drawn as one where the
// schedule is, and each by itself where money is.
func TestSchedulesOnce(t *testing.T) {
	first, kth := made{jobs: 300, payment: "first"}.make(t), made{jobs: 300}.make(t)
	page := html(t, first, kth, made{jobs: 300, policy: "fcfs"}.make(t))
	all := charts(t, page)
	lines := func(c chart) string {
		names := map[string]bool{}
		for _, r := range c.Data.Rows {
			names[fmt.Sprint(r[0])] = true
		}
		return fmt.Sprint(slices.Sorted(maps.Keys(names)))
	}
	if got := lines(all["wait"]); got != "[fcfs, kth hb, first = hb, kth]" {
		t.Errorf("waits of %s", got)
	}
	if got := lines(all["cost"]); got != "[fcfs, kth hb, first hb, kth]" {
		t.Errorf("costs of %s", got)
	}
	if !strings.Contains(page, "hb, first and hb, kth have the same schedule and are drawn once.") {
		t.Error("it is not said")
	}
}

// TestNothingAboveTheMachine: shares of the machine are drawn only where it is known when
// jobs ran, and nothing is above 100 %.
func TestNothingAboveTheMachine(t *testing.T) {
	if _, ok := charts(t, html(t, made{jobs: 300}.make(t)))["shares"]; ok {
		t.Error("shares without segments")
	}
	sums := map[any]float64{}
	for _, r := range charts(t, html(t, made{jobs: 300, segments: true}.make(t)))["shares"].Data.Rows {
		sums[r[2]] += r[3].(float64)
	}
	for at, sum := range sums {
		if sum > 100.01 {
			t.Errorf("%g %% of the machine at %v", sum, at)
		}
	}
	for _, l := range charts(t, html(t, made{jobs: 300, segments: true}.make(t)))["use"].Series.Lines {
		for _, x := range l.Most {
			if x > 100.01 {
				t.Errorf("a utilisation of %g %%", x)
			}
		}
	}
}

// TestAnswer opens with what it is given, in the order it is given, and draws intervals about
// the values.
func TestAnswer(t *testing.T) {
	one, two := made{jobs: 30}.make(t), made{jobs: 30, policy: "fcfs"}.make(t)
	runs, err := Open([]string{one, two}, false)
	check(t, err)
	answer := &Answer{Lines: []string{"best by bounded slowdown: fcfs"}, Badges: map[string][]string{two: {"clairvoyant"}},
		Rankings: []Ranking{{Measure: "bounded slowdown", Samples: "20 stretches",
			Places: []Place{{two, 10, stats.Exactly(0), "best"},
				{one, 12, stats.Estimate{Mean: 2, Half: 1.5}, "worse"}}}}}
	var out bytes.Buffer
	check(t, Write(&out, runs, answer, Window{}, "test"))
	page := out.String()
	if got, want := fmt.Sprint(charts(t, page)["rank-a"].Data.Rows),
		"[[fcfs · clairvoyant 10 10 10 best 10.00] [hb · preemptive 12 10.5 13.5 worse 12.00 (+2.00)]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if a, b := strings.Index(page, "<p>Best by bounded slowdown: fcfs. 10.00 against 12.00 "+
		"under hb (95 %: 0.50 to 3.50 more).</p>"), strings.Index(page, `id="summary"`); a < 0 ||
		a > b {
		t.Error("the page does not open with the answer")
	}
}

// TestCauses draws what jobs waited for in hours, of runs that kept it.
func TestCauses(t *testing.T) {
	one := made{jobs: 30, waits: []run.Wait{{Cause: "behind", MeanS: 7200, Percent: 80},
		{Cause: "room", MeanS: 1800, Percent: 20}, {Cause: "held"}}}.make(t)
	c, ok := charts(t, html(t, one, made{jobs: 30, policy: "fcfs"}.make(t)))["causes"]
	if want := "[[hb behind other jobs 2 80] [hb for room 0.5 20]]"; !ok || fmt.Sprint(c.Data.Rows) != want {
		t.Errorf("%v, want %s", c.Data, want)
	}
	if !strings.Contains(html(t, made{jobs: 30}.make(t)), "no run kept the causes of waits") {
		t.Error("it is not said that there are none")
	}
}

// TestTablesSayWhatSummaryJSONSays wants every number of the summary's tables to
// read back as that of summary.json.
func TestTablesSayWhatSummaryJSONSays(t *testing.T) {
	dir := made{jobs: 500}.make(t)
	s, err := run.ReadSummary(filepath.Join(dir, run.SummaryFile))
	check(t, err)
	var want []string
	add := func(a *stats.Aggregate) {
		want = append(want, fmt.Sprint(a.Jobs))
		for _, x := range []float64{a.MeanWait, a.P95Wait, a.MeanBoundedSlowdown, a.P95BoundedSlowdown, a.MeanPayment,
			a.SumPayment, a.MeanUtility} {
			want = append(want, terminal.General.Text(x))
		}
	}
	for _, b := range s.Jobs.Bands {
		add(&b.Aggregate)
	}
	add(&s.Jobs.Total)
	page := html(t, dir)
	_, page, _ = strings.Cut(page, `<section id="summary">`)
	page, _, _ = strings.Cut(page, "</table>")
	var got []string
	for _, m := range regexp.MustCompile(`data-value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		got = append(got, strings.ReplaceAll(m[1], "&#43;", "+"))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the page has\n%v, summary.json\n%v", got, want)
	}
}

// TestDistributionsAgreeWithSummary wants what is counted from the records to be
// what the replay counted: jobs and 95th percentiles by band.
func TestDistributionsAgreeWithSummary(t *testing.T) {
	dir := made{jobs: 6000}.make(t)
	runs, err := Open([]string{dir}, false)
	check(t, err)
	p, err := gather(runs)
	check(t, err)
	for _, b := range runs[0].Summary.Jobs.Bands {
		for band := range numBands {
			if stats.Band(band).String() == b.Band {
				h := &p.data[0].bsd[band]
				if h.Quantile(.95) != b.P95BoundedSlowdown || h.N() != b.Jobs {
					t.Errorf("%s: p95 %v of %d jobs, summary %v of %d", b.Band, h.Quantile(.95), h.N(), b.P95BoundedSlowdown, b.Jobs)
				}
			}
		}
	}
}

// TestPageRunsOnlyItself wants a strict policy with the hash of each script and
// style, and nothing that would be loaded.
func TestPageRunsOnlyItself(t *testing.T) {
	page := html(t, made{jobs: 50}.make(t))
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if policy == nil || !strings.HasPrefix(policy[1], "default-src 'none'; ") || strings.Contains(policy[1], "unsafe") {
		t.Fatalf("policy %q", policy)
	}
	found := 0
	for _, m := range regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(page, -1) {
		sum := sha256.Sum256([]byte(m[2]))
		if hash := base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(policy[1], "'sha256-"+hash+"'") {
			t.Errorf("a %s of %d bytes is not in the policy", m[1], len(m[2]))
		}
		found++
	}
	if found != len(scripts)+len(styles) {
		t.Errorf("%d scripts and styles, want %d", found, len(scripts)+len(styles))
	}
	outside := regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAllString(page, "")
	if m := regexp.MustCompile(`(?i)(src|href)="?(https?:)?//[^"]*|<link|@import|url\(|style="`).FindString(outside); m != "" {
		t.Errorf("the page asks for %s", m)
	}
	if !strings.HasPrefix(page, "<!DOCTYPE html>\n<html lang=\"en\">") || !strings.Contains(page[:512], generator) {
		t.Error("the page does not begin as one")
	}
}

// TestAssetsMayStandInAPage refuses text that would end a script or be changed by
// the reader of HTML.
func TestAssetsMayStandInAPage(t *testing.T) {
	for _, name := range append(append([]string{}, scripts...), styles...) {
		for _, bad := range []string{"</script", "</style", "<!--", "\r", "\x00"} {
			if strings.Contains(strings.ToLower(file(name)), bad) {
				t.Errorf("%s contains %q", name, bad)
			}
		}
	}
	licences := file("assets/LICENSES.txt")
	for _, line := range strings.Split(strings.TrimSpace(file("assets/VERSIONS")), "\n") {
		if !strings.Contains(licences, "\n"+line+" (") && !strings.HasPrefix(licences, line+" (") {
			t.Errorf("no licence of %s", line)
		}
	}
}

func TestNamesCannotBreakThePage(t *testing.T) {
	evil := `</script><script>alert("1")</script><b>'&.swf`
	one := made{jobs: 20, trace: evil, policy: "hb"}.make(t)
	two := made{jobs: 20, trace: evil, policy: "fcfs"}.make(t)
	edit(t, filepath.Join(two, run.ManifestFile), func(b []byte) []byte {
		return bytes.Replace(b, []byte(`"value": "fcfs"`), []byte(`"value": "</script><script>alert(2)//"`), 1)
	})
	page := html(t, one, two)
	for _, bad := range []string{"<script>alert", "</script><b>", "<b>'"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
	if len(charts(t, page)) == 0 {
		t.Error("no charts")
	}
}

func TestOpenRefuses(t *testing.T) {
	good := made{jobs: 20, hash: "aa"}.make(t)
	broken := func(change func(dir string)) string {
		dir := made{jobs: 20, hash: "aa"}.make(t)
		change(dir)
		return dir
	}
	text := filepath.Join(t.TempDir(), "log.swf")
	check(t, os.WriteFile(text, nil, 0o644))
	sweep := t.TempDir()
	check(t, errors.Join(os.Mkdir(filepath.Join(sweep, run.SweepFolder), 0o755),
		os.WriteFile(filepath.Join(sweep, run.PlanFile), []byte("{}"), 0o644)))
	for _, c := range []struct {
		dirs []string
		want string
	}{
		{[]string{filepath.Join(t.TempDir(), "none")}, "no such directory"},
		{[]string{text}, "it is a file"},
		{[]string{t.TempDir()}, "does not hold a finished run: it has no manifest.json"},
		{[]string{sweep}, "holds a sweep"},
		{[]string{good, good + "/"}, "is named twice"},
		{strings.Fields(strings.Repeat("x ", 15)), "at most 14"},
		{[]string{broken(func(dir string) { os.Remove(filepath.Join(dir, run.ManifestFile)) })},
			"is incomplete: it has no manifest.json"},
		{[]string{broken(func(dir string) { os.Remove(filepath.Join(dir, run.SummaryFile)) })}, "is incomplete"},
		{[]string{broken(func(dir string) { os.Remove(filepath.Join(dir, "jobs.parquet")) })}, "jobs.parquet is missing"},
		{[]string{broken(func(dir string) {
			edit(t, filepath.Join(dir, "jobs.parquet"), func(b []byte) []byte { return b[:len(b)-9] })
		})}, "is not the file of this run"},
		{[]string{broken(func(dir string) {
			edit(t, filepath.Join(dir, run.ManifestFile), func(b []byte) []byte { return []byte("{}") })
		})}, "does not hold a finished run"},
		{[]string{made{jobs: 20, format: "arrow"}.make(t)}, "its records are in Arrow"},
		{[]string{good, made{jobs: 20, hash: "bb"}.make(t)}, "content has changed"},
		{[]string{good, made{jobs: 20, hash: "bb", trace: "other.swf"}.make(t)}, "another trace"},
		{[]string{made{jobs: 20}.make(t), made{jobs: 20, trace: "synth:lublin"}.make(t)}, "another trace"},
	} {
		_, err := Open(c.dirs, false)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.dirs, err, c.want)
		}
	}
}

// TestRecordsMustBeTheRuns changes what only reading the records shows.
func TestRecordsMustBeTheRuns(t *testing.T) {
	for _, c := range []struct {
		file   string
		change func([]byte) []byte
		want   string
	}{
		{"jobs.csv", func(b []byte) []byte { return bytes.Replace(b, []byte("1"), []byte("2"), 1) },
			"is not the file its manifest describes"},
		{run.SummaryFile, func(b []byte) []byte { return bytes.Replace(b, []byte(`"jobs": 20`), []byte(`"jobs": 21`), 1) },
			"not of one replay"},
		{run.SummaryFile, func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"mean_bounded_slowdown": `), []byte(`"mean_bounded_slowdown": 1`), 1)
		}, "not of one replay"},
	} {
		dir := made{jobs: 20, format: "csv"}.make(t)
		edit(t, filepath.Join(dir, c.file), c.change)
		runs, err := Open([]string{dir}, false)
		check(t, err)
		err = Write(&bytes.Buffer{}, runs, nil, Window{}, "test")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
}

func TestLabelsAndWarnings(t *testing.T) {
	hb, fcfs := made{jobs: 20, hash: "aa"}.make(t), made{jobs: 30, policy: "fcfs", hash: "aa"}.make(t)
	edit(t, filepath.Join(fcfs, run.ManifestFile), func(b []byte) []byte {
		b = bytes.Replace(b, []byte(`"bourse": "test"`), []byte(`"bourse": "older"`), 1)
		return bytes.Replace(b, []byte(`"where": ""`), []byte(`"where": "run > 5"`), 1)
	})
	runs, err := Open([]string{hb, fcfs}, false)
	check(t, err)
	if runs[0].Label != "hb, where none" || runs[1].Label != "fcfs, where run > 5" {
		t.Errorf("labels %q and %q", runs[0].Label, runs[1].Label)
	}
	text := strings.Join(Warnings(runs, "test"), "\n")
	for _, want := range []string{"by bourse older", "differ in where", "replays 20 records"} {
		if !strings.Contains(text, want) {
			t.Errorf("no warning %q in\n%s", want, text)
		}
	}
	other := made{jobs: 20, hash: "bb"}.make(t)
	if runs, err = Open([]string{hb, other}, true); err != nil {
		t.Fatal(err)
	}
	if w := Warnings(runs, "test"); len(w) != 1 || !strings.Contains(w[0], "hashes differ") {
		t.Errorf("warnings %q", w)
	}
	if runs[0].Label != hb || runs[1].Label != other {
		t.Errorf("alike runs are called %q and %q", runs[0].Label, runs[1].Label)
	}
}

// TestSizeDoesNotFollowTheJobs: what is drawn are bins.
func TestSizeDoesNotFollowTheJobs(t *testing.T) {
	few, many := len(html(t, synthetic(t, 20_000))), len(html(t, synthetic(t, 200_000)))
	if many > 2_500_000 || many > few+few/4 {
		t.Errorf("a page of 20,000 jobs has %d bytes, one of 200,000 jobs %d", few, many)
	}
}

// BenchmarkPage makes the page of a million jobs.
func BenchmarkPage(b *testing.B) {
	dir := synthetic(b, 1_000_000)
	b.ReportAllocs()
	for b.Loop() {
		b.ReportMetric(float64(len(html(b, dir))), "bytes")
	}
}

// TestNamesOfObjects wants names that every object of JavaScript has to be others in charts, in
// their data and wherever their specification has them, and other names to stay as they are.
func TestNamesOfObjects(t *testing.T) {
	names := []any{"constructor", "toString", "valueOf", "__proto__", "__defineGetter__", "eve", "my constructor", "to"}
	v := &view{Sections: []section{{Charts: []*chart{{ID: "who", Spec: object{"domain": names},
		Data: &data{Names: []string{"who"}, Rows: [][]any{names}}}}}}}
	check(t, v.contain(1, nil))
	var content struct{ Charts []chart }
	check(t, json.Unmarshal([]byte(v.Data), &content))
	for _, got := range [][]any{content.Charts[0].Data.Rows[0], content.Charts[0].Spec["domain"].([]any)} {
		for i, name := range names {
			want := name.(string)
			if i < 5 {
				want = "\u200b" + want
			}
			if got[i] != want {
				t.Errorf("%q for %q, want %q", got[i], name, want)
			}
		}
	}
}
