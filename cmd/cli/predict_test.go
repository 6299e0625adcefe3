package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestPredict asks about jobs at dates, in files and by mistake.
func TestPredict(t *testing.T) {
	t.Chdir(t.TempDir())
	log := "; UnixStartTime: 849423600\n; TimeZoneString: Europe/Stockholm\n; MaxProcs: 16\n" + smallSWF(300)
	if err := os.WriteFile("log.swf", []byte(log), 0o666); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := bourse(t, "predict", "log.swf", "--job", "50", "--at", "1996-12-01 08:20", "--out", "w.csv",
		"--figure", "f", "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var got struct {
		Rows    []map[string]any `json:"rows"`
		Answers []string         `json:"answers"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for _, name := range []string{"w.csv", "f.svg", "f.png", "f.pdf"} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(out, "would start after") || !strings.Contains(out, "Dec 1996") || !strings.Contains(out,
		"job 50 itself waits") {
		t.Errorf("no answer in %s", out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "want --procs N and --run TIME, or --job"},
		{[]string{"--procs", "4"}, "want --procs N and --run TIME, or --job"},
		{[]string{"--procs", "4", "--run", "1h", "--job", "3"}, "leave out --procs and --run"},
		{[]string{"--procs", "4000", "--run", "1h"}, "--procs 4000: the machine has"},
		{[]string{"--procs", "4", "--run", "5h", "--limit", "4h"}, "--run 5h is more than --limit 4h"},
		{[]string{"--job", "31415"}, "job 31415 is not among the jobs that are replayed"},
		{[]string{"--procs", "4", "--run", "1h", "--user", "nobody"}, "no job of the log has that user"},
		{[]string{"--procs", "4", "--run", "1h", "--at", "noon"}, "want times of the week"},
		{[]string{"--procs", "4", "--run", "1h", "--at", "1999-01-01"}, "its jobs come from"},
		{[]string{"--procs", "4", "--run", "1h", "--instants", "0"}, "want 1 or more"},
	} {
		code, _, stderr := bourse(t, append([]string{"predict", "log.swf"}, c.args...)...)
		if code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("predict %v: exit %d, %s; want %q", c.args, code, stderr, c.want)
		}
	}
	if code, _, stderr := bourse(t, "predict", "synth:lublin?jobs=50&procs=8", "--procs", "2", "--run", "1h", "--at",
		"mon 09:00"); code == 0 || !strings.Contains(stderr, "mon 09:00") {
		t.Errorf("dates in a log without: exit %d, %s", code, stderr)
	}
}
