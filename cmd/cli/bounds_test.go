package cli

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestBounds gives the program what would take all memory or all time: it is refused, in a
// sentence, before that.
func TestBounds(t *testing.T) {
	log := file(t, "log.swf", smallSWF(20))
	far := file(t, "far.swf", "; MaxProcs: 4\n1 0 0 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 -1 -1\n2 1000 0 5 1 -1 -1 1 5 -1 1 "+
		"1 1 1 1 1 -1 -1\n")
	flags := file(t, "flags.toml", `where = "`+strings.Repeat("!", 2<<20)+`true"`)
	dir := t.TempDir()
	t.Chdir(dir)
	for _, c := range []struct {
		name, want string
		args       []string
	}{
		{"a text made of a text", "unknown name repeat", []string{"replay", log, "--where",
			`len(repeat("a", 100000)) > 0`}},
		{"a text that doubles", "reduce cannot be called", []string{"replay", log, "--where",
			`len(reduce(1..100, #acc + #acc, "a")) > 0`}},
		{"texts added", "texts cannot be joined", []string{"replay", log, "--where",
			`let a = "aa"; let b = a + a; len(b + b) > 0`}},
		{"an order of texts added", "texts cannot be joined", []string{"replay", log, "--policy",
			`expr(len("a" + string(wait)))`}},
		{"a long expression", "want 65536 at most", []string{"replay", log, "--where",
			strings.Repeat("!", 70000) + "true"}},
		{"many brackets", "want 65536 at most", []string{"replay", log, "--policy",
			"expr(" + strings.Repeat("(", 70000) + "wait" + strings.Repeat(")", 70000) + ")"}},
		{"a large file of flags", "longer than 1048576 bytes", []string{"replay", log, "--config", flags}},
		{"braces in braces", "more than 100000 values", []string{"sweep", log, "--policy",
			strings.Repeat("srpt{a,b}", 30), "--out", "x"}},
		{"a long value", "too long for the name of its cell's directory",
			[]string{"sweep", log, "--policy", "expr(" + strings.Repeat("wait+", 80) + "1)", "--out", "x"}},
		{"many seeds", "want 1000000 seeds at most", []string{"sweep", log, "--seeds", "100000000", "--out", "x"}},
		{"a large grid", "more than 1000000 cells", []string{"sweep", log, "--seeds", "90000", "--policy", "fcfs,easy",
			"--load-factor", "1,2,3,4,5,6", "--out", "x"}},
		{"a fine series", "want more than 1us between them", []string{"replay", far, "--series=0.000001", "--out",
			"x"}},
	} {
		code, stdout, stderr := bourse(t, c.args...)
		if code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %.300s; want %q", c.name, code, stderr, c.want)
		}
		if len(stderr) > 2000 || stdout != "" {
			t.Errorf("%s: %d bytes of message", c.name, len(stderr))
		}
	}
	if left, _ := filepath.Glob("*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestEndlessRows: rows of tables that have no end, compressed into little, are refused at
// their beginning.
func TestEndlessRows(t *testing.T) {
	pack := func(name, head string, fill byte) string {
		path := filepath.Join(t.TempDir(), name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
		_, _ = io.WriteString(z, head)
		block := []byte(strings.Repeat(string(fill), 1<<20))
		for range 100 {
			if _, err := z.Write(block); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, head string
		fill       byte
	}{
		{"commas.csv.gz", "job,submit,run\n1,0,10\n", ','},
		{"names.csv.gz", "", 'a'},
		{"field.csv.gz", "job,submit,run\n1,0,", '1'},
		{"quote.csv.gz", "job,submit,run\n1,0,\"", 'x'},
	} {
		path := pack(c.name, c.head, c.fill)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, _, stderr := bourse(t, "trace", "inspect", "csv:"+path)
		runtime.ReadMemStats(&after)
		if code != exitFailed || !strings.Contains(stderr, "the row has more than 1048576 bytes") {
			t.Errorf("%s: exit %d, %.300s", c.name, code, stderr)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 200<<20 {
			t.Errorf("%s: %d MB were allocated", c.name, used>>20)
		}
	}
}
