package cli

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bourse/events"
	"bourse/reports/ask/demands"
	"bourse/traces"
	"bourse/traces/demand"
	"bourse/traces/formats"
)

// demandLog has three jobs: user 7 demands 2 processors from 25 to 55 s, of which
// the first 10 waiting; user 8 demands 1 from 31 to 36 s and 4 from 80 to 85 s.
const demandLog = `; MaxProcs: 8
1 25 10 20 2 -1 -1 2 20 -1 1 7 1 -1 1 -1 -1 -1
2 31 0 5 1 -1 -1 1 5 -1 1 8 1 -1 1 -1 -1 -1
3 80 0 5 4 -1 -1 4 5 -1 1 8 1 -1 1 -1 -1 -1
`

func TestTraceDemand(t *testing.T) {
	log := file(t, "log.swf", demandLog)
	for _, c := range []struct{ args, out, talk string }{
		{"--every 10s", "round,start_s,agent,demand\n1,20,7,1\n2,30,7,2\n2,30,8,0.5\n3,40,7,2\n4,50,7,1\n5,60,7,0\n" +
			"6,70,7,0\n7,80,8,2\n", "3 jobs in 7 rounds of 10s"},
		{"--every 10 --of running --where user==7", "round,start_s,agent,demand\n1,30,7,1\n2,40,7,2\n3,50,7,1\n",
			"1 jobs in 3 rounds"},
		{"--every 1m --by group", "round,start_s,agent,demand\n1,0,1,1.0833333333333333\n2,60,1,0.3333333333333333\n",
			""},
		{"--every 1m --by partition --until 80", "round,start_s,agent,demand\n", "2 left out: unknown partition"},
		{"--resource memory", "round,start_s,agent,demand\n", "3 left out: unknown memory"},
	} {
		code, stdout, stderr := bourse(t, append([]string{"trace", "demand", log}, strings.Fields(c.args)...)...)
		if code != 0 || stdout != c.out || !strings.Contains(stderr, c.talk) {
			t.Errorf("%s: exit %d\n%s%s", c.args, code, stdout, stderr)
		}
	}
	// What it writes, lend reads, rounds without demand included.
	out := filepath.Join(t.TempDir(), "demand.parquet")
	if code, _, stderr := bourse(t, "trace", "demand", log, "--every", "10s", "--out", out); code != 0 {
		t.Fatal(stderr)
	}
	if code, stdout, stderr := bourse(t, "lend", out, "--mechanism", "smm"); code != 0 ||
		!strings.Contains(stderr, "2 agents, 7 rounds") || strings.Count(stdout, "\n") != 15 {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}

func TestTraceDemandUsage(t *testing.T) {
	for _, c := range []refusal{
		{2, "log.swf --by usr", `did you mean "user"?`},
		{2, "log.swf --resource cpus", `did you mean "cpu"?`},
		{2, "log.swf --of run", "there are unfinished, running"},
		{2, "log.swf --every 0", "want a duration above 0, as in 30s, 5m or 1h"},
		{2, "log.swf --every 5x", "is not a duration"},
		{2, "log.swf --every inf", "is not a duration"},
		{2, "log.swf --overwrite", "add --out FILE"},
		{1, "none.swf", "none.swf"},
		{2, "", "takes one trace"},
	} {
		c.check(t, "trace", "demand")
	}
	bad := file(t, "bad.swf", demandLog+"4 90 x\n")
	if code, _, stderr := bourse(t, "trace", "demand", bad, "--every", "10s"); code != 1 ||
		!strings.Contains(stderr, "bad.swf:5") || !strings.Contains(stderr, "--on-error=skip") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if code, _, _ := bourse(t, "trace", "demand", bad, "--every", "10s", "--on-error", "skip"); code != 3 {
		t.Errorf("exit %d, want 3", code)
	}
}

// noRoom is a disk without room.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestTraceDemandFull: a disk that is full is said once, of the file.
func TestTraceDemandFull(t *testing.T) {
	for _, format := range []string{"csv", "parquet"} {
		src, err := formats.Open(file(t, "log.swf", demandLog), traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = demands.Write(noRoom{}, "demand", format, Version, src, demand.Options{Every: events.Second, By: "user",
			Resource: "cpu"})
		if err == nil || err.Error() != "writing demand: no space left on device" {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// TestSizeTooLarge: a machine's size that is no number of processors is not passed over in silence.
func TestSizeTooLarge(t *testing.T) {
	for _, label := range []string{"MaxProcs", "MaxNodes"} {
		log := file(t, "log.swf", strings.Replace(demandLog, "MaxProcs: 8", label+": 99999999999999999999", 1))
		code, _, stderr := bourse(t, "replay", log, "--policy", "fcfs", "--payment", "none")
		if code != 1 || !strings.Contains(stderr,
			`log.swf says that the machine had "99999999999999999999" processors, a number that is too large`) ||
			!strings.Contains(stderr, "--nodes N") {
			t.Errorf("exit %d\n%s", code, stderr)
		}
	}
}
