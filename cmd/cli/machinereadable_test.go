package cli

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bourse/reports/catalogue"
	"bourse/reports/terminal"
)

// comparisonJSON is what a program reads of compare --json.
type comparisonJSON struct {
	Metric  string
	Answers []string
	Rows    []struct {
		Settings   map[string]string
		Name       string
		Verdict    string
		Baseline   string
		Difference estimateJSON
		Figures    map[string]estimateJSON
		Replicas   []string
		Values     map[string][]float64
	}
}

type estimateJSON struct {
	Value float64
	Half  *float64 `json:"half_interval"`
}

// TestJSON wants replay to print what summary.json holds, and compare the same
// figures under the same names, from runs, from a trace and from a sweep.
func TestJSON(t *testing.T) {
	log, dir := file(t, "log.swf", smallSWF(200)), t.TempDir()
	out := filepath.Join(dir, "out")
	code, text, stderr := bourse(t, "replay", log, "--policy", "easy", "--payment", "none", "--json", "--out", out)
	if code != 0 || text != read(t, filepath.Join(out, "summary.json")) {
		t.Fatalf("exit %d %s: %s", code, stderr, text)
	}
	var summary struct {
		Jobs struct{ Total map[string]float64 }
	}
	if err := json.Unmarshal([]byte(text), &summary); err != nil {
		t.Fatal(err)
	}
	cells := filepath.Join(dir, "cells")
	if code, _, stderr := bourse(t, "sweep", log, "--policy", "fcfs,easy", "--payment", "none", "--replicas", "5",
		"--shake", "60", "--out", cells); code != 0 {
		t.Fatal(stderr)
	}
	for _, args := range []string{"compare " + log + " --policy fcfs,easy --metric wait",
		"compare " + cells + " --metric wait"} {
		code, text, stderr := bourse(t, append(strings.Fields(args), "--json")...)
		var told comparisonJSON
		if err := json.Unmarshal([]byte(text), &told); code != 0 || err != nil || len(told.Rows) == 0 {
			t.Fatalf("%s: exit %d %s, %v: %s", args, code, stderr, err, text)
		}
		best, last := told.Rows[0], told.Rows[len(told.Rows)-1]
		if !strings.HasPrefix(args, "compare "+cells) {
			easy := best
			for name, got := range easy.Figures {
				if want, ok := summary.Jobs.Total[name]; ok && math.Abs(got.Value-want) > 1e-9*math.Abs(want) {
					t.Errorf("%s: %s is %g, the summary has %g", args, name, got.Value, want)
				}
			}
		}
		want := last.Figures["mean_wait_s"].Value - best.Figures["mean_wait_s"].Value
		if d := last.Difference; (d.Half == nil) != strings.Contains(args, "--policy") || math.Abs(d.Value-want) > 1e-9*math.Abs(want) ||
			last.Baseline != best.Name || best.Name != "easy" || best.Verdict != "best" {
			t.Fatalf("%s: the difference of waits is %+v to %v, want %g and half of an interval", args, d,
				last.Baseline, want)
		}
		code, table, _ := bourse(t, strings.Fields(args)...)
		printed := "no end"
		if d := last.Difference; d.Half != nil {
			printed = terminal.Seconds.Change(d.Value-*d.Half) + " to " + terminal.Seconds.Change(d.Value+*d.Half)
		}
		if code != 0 ||
			!strings.Contains(table, printed) || !strings.HasSuffix(table, told.Answers[0]+"\n") {
			t.Errorf("the table has no %q, or another answer:\n%s", printed, table)
		}
		if n := len(last.Values["mean_wait_s"]); strings.HasPrefix(args, "compare "+cells) &&
			(n != 5 || len(last.Replicas) != 5) {
			t.Errorf("%d values of %v", n, last.Replicas)
		}
	}
}

// TestJSONOfGreatFigures wants figures to be finite whatever jobs are worth.
func TestJSONOfGreatFigures(t *testing.T) {
	log := file(t, "log.swf", smallSWF(50))
	for _, payment := range []string{"posted:1e100", "first:1e100", "kth:1e100"} {
		if code, text, stderr := bourse(t, "replay", log, "--json", "--payment", payment); code != 0 ||
			!json.Valid([]byte(text)) {
			t.Errorf("%s: exit %d %s", payment, code, stderr)
		}
	}
	if code, _, stderr := bourse(t, "replay", log, "--payment", "posted:1e101"); code != exitUsage ||
		!strings.Contains(stderr, "from 0 to 1e+100") {
		t.Errorf("exit %d %s", code, stderr)
	}
	bids := file(t, "bids.csv", "job_id,value,bid\n1,1e101,1\n")
	if code, _, stderr := bourse(t, "replay", log, "--bids", bids); code != exitFailed ||
		!strings.Contains(stderr, "bids.csv:2: value is 1e+101; want a number from 0 to 1e+100") {
		t.Errorf("exit %d %s", code, stderr)
	}
}

// TestDryRun wants to be told what would happen, and nothing to happen.
func TestDryRun(t *testing.T) {
	log, dir := file(t, "log.swf", smallSWF(50)), t.TempDir()
	out := filepath.Join(dir, "out")
	code, text, stderr := bourse(t, "replay", log, "--where", "job <= 40", "--out", out, "--series", "--dry-run")
	for _, want := range []string{"50 read, 10 left out", "40 jobs", "processors", "easy", "none", "series.parquet"} {
		if code != 0 || !strings.Contains(text, want) {
			t.Errorf("exit %d %s: %q is missing in\n%s", code, stderr, want, text)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
	if code, _, stderr := bourse(t, "replay", log, "--out", out); code != 0 {
		t.Fatal(stderr)
	}
	if _, text, _ := bourse(t, "replay", log, "--out", out, "--dry-run"); !strings.Contains(text,
		"would refuse without --overwrite") {
		t.Errorf("the earlier run is not mentioned:\n%s", text)
	}
	if code, _, stderr := bourse(t, "replay", log, "--where", "job > 99", "--dry-run"); code == 0 ||
		!strings.Contains(stderr, "none of the 50 records") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestConfig wants a file to do what the same flags do, the command line to win, and
// faults to be told by line.
func TestConfig(t *testing.T) {
	log := file(t, "log.swf", smallSWF(100))
	config := file(t, "run.toml", "# a run\npolicy = \"nphb\"\nload-factor = 1.5\nserial = true\nseed = 7\n")
	same := func(a, b []string) {
		t.Helper()
		codeA, outA, errA := bourse(t, append([]string{"replay", log, "--json"}, a...)...)
		codeB, outB, errB := bourse(t, append([]string{"replay", log, "--json"}, b...)...)
		if codeA != 0 || codeB != 0 || outA != outB {
			t.Errorf("%v and %v differ: %s %s", a, b, errA, errB)
		}
	}
	same([]string{"--config", config}, []string{"--policy", "nphb", "--load-factor", "1.5", "--serial", "--seed", "7"})
	same([]string{"--config", config, "--policy", "wspt"}, []string{"--policy", "wspt", "--load-factor", "1.5",
		"--serial", "--seed", "7"})
	// A flag that may stand without a value is given by true and left out by false.
	log = file(t, "weeks.swf", weeksSWF(100))
	optional := file(t, "optional.toml", "resample = true\r\nseries = true\r\n")
	same([]string{"--config", optional, "--out", filepath.Join(t.TempDir(), "a")},
		[]string{"--resample", "--series", "--out", filepath.Join(t.TempDir(), "b")})
	same([]string{"--config", file(t, "off.toml", "resample = false\nseries = false\n")}, nil)
	lists := file(t, "compare.toml", "policy = [\"fcfs\", \"easy(backfill=sjf)\"]\n")
	if code, out, stderr := bourse(t, "compare", log, "--config", lists); code != 0 ||
		!strings.Contains(out, "easy(backfill=sjf)") {
		t.Errorf("exit %d %s: %s", code, stderr, out)
	}
	for text, want := range map[string]string{
		"seed = 1\npolcy = \"hb\"\n":     `:2: "polcy" is no flag of bourse replay; did you mean "policy"?`,
		"seed = 1\n\n[replay]\nx = 1\n":  `:3: replay is a table`,
		"[seed]\nx = 1\n":                ":1: seed is a table",
		"nodes = 3\nmachines.pool = 1\n": ":2: machines is a table",
		"policy = hb\n":                  ":1: ",
		"nodes = \"many\"\n":             `:1: --nodes "many": want a whole number of 0 or more`,
		"serial = \"yes\"\n":             `:1: --serial "yes": want true or false`,
		"seed = -1\n":                    `:1: --seed "-1": want a whole number of 0 or more`,
		"seed = 1979-05-27\n":            ":1: ",
		"config = \"again.toml\"\n":      ":1: a file of flags cannot name another",
	} {
		bad := file(t, "bad.toml", text)
		if code, _, stderr := bourse(t, "replay", log, "--config", bad); code != exitUsage ||
			!strings.Contains(stderr, bad) || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit %d %s, wanted %q", text, code, stderr, want)
		}
	}
	if code, _, stderr := bourse(t, "replay", log, "--config", "nowhere.toml"); code == 0 ||
		!strings.Contains(stderr, "nowhere.toml") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestComplete asks what may follow.
func TestComplete(t *testing.T) {
	for words, want := range map[string]string{
		"": "replay explain sweep merge game regret truth validate calibrate predict episodes learn rerun bundle " +
			"compare report plot trace allocate lend apportion equilibrium reproduce policy list completion version",
		"tra":                            "trace",
		"trace ":                         "inspect convert synth list get verify demand",
		"trace get kth":                  "kth-sp2",
		"replay log.swf --pol":           "--policy",
		"replay log.swf --policy con":    "conservative",
		"replay log.swf --policy=cons":   "--policy=conservative",
		"compare log.swf --policy hb,wf": "hb,wfp3",
		"lend x --mechanism k":           "karma",
		"allocate x --mechanism dr":      "drf",
		"reproduce m":                    "multi-resource",
		"reproduce multi-resource --ins": "--instances",
		"list pol":                       "policies",
		"completion ":                    "bash zsh fish",
		"replay log.swf --serial ":       "",
		"replay ":                        "",
		"nonsense ":                      "",
	} {
		code, out, stderr := bourse(t, append([]string{"__complete"}, strings.Split(words, " ")...)...)
		if got := strings.Join(strings.Fields(out), " "); code != 0 || got != want {
			t.Errorf("%q: exit %d %s, got %q, want %q", words, code, stderr, got, want)
		}
	}
	if code, _, stderr := bourse(t, "completion", "bsh"); code != exitUsage ||
		!strings.Contains(stderr, `did you mean "bash"`) {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestCompletionInBash lets a bash use the script.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	script := `source <(bourse completion bash)
COMP_WORDS=(bourse replay log.swf --policy con); COMP_CWORD=4
_bourse; echo "${COMPREPLY[*]}"`
	c := exec.Command(bash, "--norc", "-c", script)
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "conservative" {
		t.Errorf("%v: %s", err, out)
	}
}

// TestListJSON wants the catalogue's names, as the text has them, and a refusal of kinds that
// are no entries.
func TestListJSON(t *testing.T) {
	code, text, stderr := bourse(t, "list", "--json")
	var all map[string][]catalogue.Entry
	if err := json.Unmarshal([]byte(text), &all); code != 0 || err != nil || len(all) != 8 {
		t.Fatalf("exit %d %s, %v: %s", code, stderr, err, text)
	}
	for kind, entries := range all {
		_, text, _ := bourse(t, "list", kind)
		_, one, _ := bourse(t, "list", kind, "--json")
		if len(entries) == 0 || !strings.Contains(one, entries[0].Name) {
			t.Errorf("%s: %d entries: %s", kind, len(entries), one)
		}
		for _, e := range entries {
			if !strings.Contains(text, "\n"+e.Name+" ") || e.Line == "" ||
				e.Yours != slices.Contains([]string{"script", "exec", "defer", "greedy", "uniform-progress"}, e.Name) && kind == "policies" {
				t.Errorf("%s: %+v", kind, e)
			}
		}
	}
	if code, _, stderr := bourse(t, "list", "columns", "--json"); code != 2 ||
		!strings.Contains(stderr, "preferences") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
