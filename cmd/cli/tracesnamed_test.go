package cli

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/traces/named"
	"bourse/traces/tracetest"
)

// noTraces makes the folder for traces an empty one.
func noTraces(t *testing.T) string {
	home := t.TempDir()
	t.Setenv(named.Variable, home)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	return home
}

// TestTraceByName replays a trace of the catalogue by its name wherever one is named.
func TestTraceByName(t *testing.T) {
	home := noTraces(t)
	code, _, stderr := bourse(t, "replay", "lanl-cm5")
	if code != exitFailed || !strings.Contains(stderr, "bourse trace get lanl-cm5 fetches it") ||
		!strings.Contains(stderr, filepath.Join(home, "LANL-CM5-1994-4.1-cln.swf.gz")) {
		t.Errorf("an absent trace: exit %d: %s", code, stderr)
	}
	if _, _, stderr := bourse(t, "replay", "pai"); !strings.Contains(stderr, "aliyuncs") ||
		!strings.Contains(stderr, "bourse trace list pai") {
		t.Errorf("one without a URL: %s", stderr)
	}
	if _, _, stderr := bourse(t, "replay", "kth-sp"); !strings.Contains(stderr, `did you mean "kth-sp2"?`) {
		t.Errorf("a typo: %s", stderr)
	}
	if code, _, stderr := bourse(t, "trace", "get", "ktsp2"); code != exitUsage ||
		!strings.Contains(stderr, `did you mean "kth-sp2"?`) {
		t.Errorf("a typo: exit %d: %s", code, stderr)
	}
	must(t, os.MkdirAll(filepath.Join(home, "swf"), 0o777))
	log := filepath.Join(home, "swf", "LANL-CM5-1994-4.1-cln.swf.gz")
	must(t, os.WriteFile(log, []byte(smallSWF(50)), 0o666))
	_, want, _ := bourse(t, "replay", log, "--json")
	for _, args := range []string{"replay lanl-cm5", "compare lanl-cm5 --policy fcfs,easy", "trace inspect lanl-cm5",
		"explain lanl-cm5 --job 7", "replay lanl-cm5 --json --out " + filepath.Join(home, "out")} {
		code, out, stderr := bourse(t, strings.Fields(args)...)
		if code != 0 {
			t.Errorf("%s: exit %d: %s", args, code, stderr)
		}
		if strings.Contains(args, "--json") && out != want {
			t.Errorf("%s: another summary than by path:\n%s", args, out)
		}
	}
	if code, out, stderr := bourse(t, "rerun", filepath.Join(home, "out")); code != 0 ||
		!strings.Contains(out, "same bytes") {
		t.Errorf("rerun: exit %d: %s%s", code, out, stderr)
	}
	// A file of that name in the working directory comes first.
	t.Chdir(t.TempDir())
	must(t, os.WriteFile("lanl-cm5", []byte(smallSWF(20)), 0o666))
	if _, out, _ := bourse(t, "trace", "inspect", "lanl-cm5"); !strings.Contains(out, "20 read") {
		t.Errorf("the file was not taken:\n%s", out)
	}
}

// TestTraceGet fetches from a mirror, refuses what is not the trace, and tells the two apart
// again without a network.
func TestTraceGet(t *testing.T) {
	home := noTraces(t)
	log := read(t, tracetest.Shared(t, "data/swf/NASA-iPSC-1993-3.1-cln.swf.gz"))
	served := log
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		w.Write([]byte(served))
	}))
	defer mirror.Close()
	served = "something else"
	code, _, stderr := bourse(t, "trace", "get", "nasa-ipsc", "--url", mirror.URL)
	if code != exitFailed || !strings.Contains(stderr, "is not nasa-ipsc") ||
		!strings.Contains(stderr, "nothing is kept") {
		t.Errorf("other bytes: exit %d: %s", code, stderr)
	}
	if entries, _ := os.ReadDir(home); len(entries) > 0 {
		t.Errorf("%d files are left", len(entries))
	}
	served = log
	final := filepath.Join(home, "NASA-iPSC-1993-3.1-cln.swf.gz")
	if code, out, stderr := bourse(t, "trace", "get", "nasa-ipsc", "--url", mirror.URL); code != 0 ||
		!strings.Contains(out, final+" (same bytes)") || !strings.Contains(out, "cite:") || read(t, final) != log {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	mirror.Close() // from here on there is no network
	if code, out, stderr := bourse(t, "trace", "get", "nasa-ipsc"); code != 0 ||
		!strings.Contains(out, "was here; same bytes") {
		t.Errorf("again: exit %d: %s%s", code, out, stderr)
	}
	if code, out, _ := bourse(t, "replay", "nasa-ipsc"); code != 0 || !strings.Contains(out, "18,239 records read") {
		t.Errorf("replay: exit %d: %s", code, out)
	}
	if code, out, _ := bourse(t, "trace", "verify"); code != 0 || !strings.Contains(out, "1 trace in "+home) {
		t.Errorf("verify: exit %d: %s", code, out)
	}
	must(t, os.WriteFile(final, []byte(log[:len(log)-1]), 0o666))
	code, out, stderr := bourse(t, "trace", "verify", "nasa-ipsc", "--json")
	var told struct{ Rows []map[string]string }
	if err := json.Unmarshal([]byte(out), &told); err != nil || code != exitFailed || len(told.Rows) != 1 ||
		told.Rows[0]["verdict"] != "other bytes" || !strings.Contains(stderr, "move it away") {
		t.Errorf("a cut trace: exit %d, %v: %s%s", code, err, out, stderr)
	}
	if code, _, stderr := bourse(t, "trace", "get", "pai"); code != exitFailed ||
		!strings.Contains(stderr, "aliyuncs") || !strings.Contains(stderr, "--url URL") {
		t.Errorf("one without a URL: exit %d: %s", code, stderr)
	}
}

// TestTraceList wants the catalogue as a table, as CSV and as JSON, and all of a trace.
func TestTraceList(t *testing.T) {
	noTraces(t)
	n := len(named.All())
	if code, out, _ := bourse(t, "trace", "list"); code != 0 || strings.Count(out, "\n") != n+2 {
		t.Errorf("exit %d, %d lines for %d traces", code, strings.Count(out, "\n"), n)
	}
	_, out, _ := bourse(t, "trace", "list", "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != n+1 || rows[0][0] != "name" {
		t.Errorf("CSV of %d rows, %v", len(rows), err)
	}
	_, out, _ = bourse(t, "trace", "list", "kth-sp2", "--json")
	var told struct {
		Rows []struct {
			Name   string
			SHA256 string `json:"sha256"`
			Nodes  int    `json:"processors"`
		}
	}
	if err := json.Unmarshal([]byte(out), &told); err != nil || len(told.Rows) != 1 || told.Rows[0].Nodes != 100 ||
		len(told.Rows[0].SHA256) != 64 {
		t.Errorf("%v: %s", err, out)
	}
	if _, out, _ := bourse(t, "trace", "list", "cea-curie"); !strings.Contains(out,
		"--nodes='80640' --where='partition == 10'") || !strings.Contains(out, "cite") {
		t.Errorf("%s", out)
	}
}
