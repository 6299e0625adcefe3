package cli

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// bourse runs the program and returns its exit code and what it printed.
func bourse(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return bourseWith(t, "", args...)
}

func bourseWith(t testing.TB, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, talk bytes.Buffer
	code = execute(strings.NewReader(stdin), &out, &talk, args)
	return code, out.String(), talk.String()
}

// file writes a file into a fresh directory and returns its path.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// smallSWF writes a small log: a job every ten seconds, of 1 to 4 processors.
func smallSWF(jobs int) string {
	var b strings.Builder
	b.WriteString("; Version: 2.2\n; UnixStartTime: 1000000000\n; MaxProcs: 4\n")
	for i := 1; i <= jobs; i++ {
		fmt.Fprintf(&b, "%d %d -1 %d %d -1 -1 -1 %d -1 1 %d %d -1 1 1 -1 -1\n", i, 10*i, 5+i*7%40, 1+i%4, 60+i%3*600,
			i%5, i%2)
	}
	return b.String()
}

// weeksSWF is smallSWF whose second half comes week by week, in ten weeks.
func weeksSWF(jobs int) string {
	lines := strings.SplitAfter(smallSWF(jobs), "\n")
	for i, line := range lines[3:] {
		if id, rest, found := strings.Cut(line, " "); found {
			submit, rest, _ := strings.Cut(rest, " ")
			at, _ := strconv.Atoi(submit)
			lines[3+i] = fmt.Sprint(id, " ", at+max(0, i-jobs/2)*20/jobs*7*86400, " ", rest)
		}
	}
	return strings.Join(lines, "")
}

// filesIn lists what is in a directory, by name.
func filesIn(t testing.TB, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != dir {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// change replaces text in a file.
func change(t *testing.T, path, old, new string) {
	t.Helper()
	text := read(t, path)
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %q", path, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(text, old, new, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// again is bourse rerun, which should end with code and print all of want.
func again(t *testing.T, code int, args []string, want ...string) {
	t.Helper()
	got, stdout, stderr := bourse(t, append([]string{"rerun"}, args...)...)
	if got != code {
		t.Errorf("rerun %v: exit %d, want %d\n%s%s", args, got, code, stdout, stderr)
	}
	for _, w := range want {
		if !strings.Contains(stdout+stderr, w) {
			t.Errorf("rerun %v does not say %q\n%s%s", args, w, stdout, stderr)
		}
	}
}

func done(t *testing.T, args ...string) {
	t.Helper()
	if code, _, stderr := bourse(t, args...); code != 0 {
		t.Fatalf("%v: exit %d %s", args, code, stderr)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestReplayWritesARun(t *testing.T) {
	log := file(t, "log.swf", smallSWF(100))
	out := filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := bourse(t, "replay", log, "--policy", "hb", "--payment", "kth", "--behaviour", "srg",
		"--format", "csv", "--segments", "--series", "--check", "--out", out)
	if code != 0 || stderr != "" {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{"owners", "conservative", "aggressive", "all", "4 processors, utilisation",
		"100 records read, 100 replayed"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the summary lacks %q:\n%s", want, stdout)
		}
	}
	if got, want := filesIn(t, out), "jobs.csv manifest.json segments.csv series.csv summary.json"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	if rows := strings.Count(read(t, filepath.Join(out, "jobs.csv")), "\n"); rows != 101 {
		t.Errorf("%d lines of jobs, want a header and 100", rows)
	}
	for _, want := range []string{`"policy": "hb"`, `"seed": 1`, `"sha256": "`} {
		if !strings.Contains(read(t, filepath.Join(out, "manifest.json")), want) {
			t.Errorf("the manifest lacks %s", want)
		}
	}
}

func TestStreams(t *testing.T) {
	code, stdout, stderr := bourseWith(t, smallSWF(20), "replay", "-", "--out", "-", "--format", "csv")
	if code != 0 || strings.Count(stdout, "\n") != 21 || !strings.HasPrefix(stdout, "job_id,task,user,") {
		t.Errorf("exit %d, %q", code, stdout)
	}
	if !strings.Contains(stderr, "20 records read, 20 replayed") {
		t.Errorf("the summary should go to standard error: %q", stderr)
	}
	if code, stdout, _ = bourseWith(t, smallSWF(20), "replay", "-", "--out", "-"); code != 0 || len(stdout) < 1000 {
		t.Errorf("arrow to standard output: exit %d, %d bytes", code, len(stdout))
	}
}

// TestBadInput is section 7 of the specification, end to end: a message that
// says what and where, exit code 1, and nothing left of the output.
func TestBadInput(t *testing.T) {
	gz := func(text string, cut int) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		fmt.Fprint(w, text)
		w.Close()
		return b.String()[:b.Len()-cut]
	}
	line := func(format string, args ...any) string { return smallSWF(2) + fmt.Sprintf(format, args...) + "\n" }
	for _, c := range []struct{ name, file, text, want string }{
		{"truncated gzip", "log.swf.gz", gz(smallSWF(5000), 40), "log.swf.gz"},
		{"binary junk", "log.swf", "\x7fELF\x00\x01\x02\x03\x00\x00\xff\xfe junk", "not SWF text"},
		{"17 fields", "log.swf", line("3 30 -1 5 1 -1 -1 -1 60 -1 1 1 1 -1 1 1 -1"), "log.swf:6: 17 fields"},
		{"negative submit", "log.swf", line("3 -30 -1 5 1 -1 -1 -1 60 -1 1 1 1 -1 1 1 -1 -1"), "log.swf:6:"},
		{"negative run", "log.swf", line("3 30 -1 -5 1 -1 -1 -1 60 -1 1 1 1 -1 1 1 -1 -1"), "log.swf:6:"},
		{"absurd time", "log.swf", line("3 1e300 -1 5 1 -1 -1 -1 60 -1 1 1 1 -1 1 1 -1 -1"), "log.swf:6:"},
		{"NaN", "log.swf", line("3 NaN -1 5 1 -1 -1 -1 60 -1 1 1 1 -1 1 1 -1 -1"), "log.swf:6:"},
		{"duplicate id", "log.swf", line("2 30 -1 5 1 -1 -1 -1 60 -1 1 1 1 -1 1 1 -1 -1"), "log.swf:6:"},
		{"empty file", "log.swf", "", "log.swf"},
		{"only comments", "log.swf", "; Version: 2.2\n; MaxProcs: 4\n", "log.swf"},
		{"no machine size", "log.swf", "1 0 -1 5 1 -1 -1 -1 60 -1 1 1 1 -1 1 1 -1 -1\n", "--nodes N says it"},
		{"all too large", "log.swf", "; MaxProcs: 4\n1 0 -1 5 8 -1 -1 -1 60 -1 1 1 1 -1 1 1 -1 -1\n",
			"1 larger than the machine"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := file(t, c.file, c.text)
			out := filepath.Join(t.TempDir(), "out")
			code, _, stderr := bourse(t, "replay", log, "--out", out)
			if code != 1 || !strings.Contains(stderr, c.want) {
				t.Errorf("exit %d, want 1 with %q: %s", code, c.want, stderr)
			}
			if left, err := os.Stat(out); err == nil && left.IsDir() && filesIn(t, out) != "" {
				t.Errorf("left behind: %s", filesIn(t, out))
			}
		})
	}
}

func TestBidsFromATable(t *testing.T) {
	log := file(t, "log.swf", smallSWF(3))
	bids := func(text string) string { return file(t, "bids.csv", "job_id,value,bid\n"+text) }
	for _, c := range []struct {
		name, table string
		code        int
		want        string
	}{
		{"fits", "1,5,4\n2,6,5\n3,7,7\n", 0, ""},
		{"NaN", "1,5,NaN\n2,6,5\n3,7,7\n", 1, `bids.csv:2: bid is "NaN"`},
		{"missing", "1,5,4\n2,6,5\n", 1, "no bid for job 3"},
		{"stranger", "1,5,4\n2,6,5\n3,7,7\n99,1,1\n", 1, "bids.csv:5: bid for job 99, which is not in the trace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			code, _, stderr := bourse(t, "replay", log, "--bids", bids(c.table), "--out", out, "--format", "csv")
			if code != c.code || !strings.Contains(stderr, c.want) {
				t.Fatalf("exit %d, want %d with %q: %s", code, c.code, c.want, stderr)
			}
			if left := ""; code != 0 {
				if _, err := os.Stat(out); err == nil {
					left = filesIn(t, out)
				}
				if left != "" {
					t.Errorf("left behind: %s", left)
				}
			} else if !strings.Contains(read(t, filepath.Join(out, "jobs.csv")), ",5,4,false,") {
				t.Error("the records do not hold the table's value and bid")
			}
		})
	}
}

func TestOutputDirectories(t *testing.T) {
	log := file(t, "log.swf", smallSWF(10))
	out := filepath.Join(t.TempDir(), "out")
	if code, _, stderr := bourse(t, "replay", log, "--out", out); code != 0 {
		t.Fatal(stderr)
	}
	before := read(t, filepath.Join(out, "jobs.parquet"))
	code, _, stderr := bourse(t, "replay", log, "--out", out, "--seed", "2")
	if code != 1 || !strings.Contains(stderr, "holds the results of an earlier run") ||
		!strings.Contains(stderr, "--overwrite") {
		t.Errorf("an earlier run: exit %d, %s", code, stderr)
	}
	if read(t, filepath.Join(out, "jobs.parquet")) != before {
		t.Error("a refused replay changed the earlier run")
	}
	if code, _, stderr = bourse(t, "replay", log, "--out", out, "--seed", "2", "--overwrite"); code != 0 ||
		read(t, filepath.Join(out, "jobs.parquet")) == before {
		t.Errorf("--overwrite: exit %d, %s", code, stderr)
	}
	if code, _, stderr = bourse(t, "replay", log, "--out", log); code != 1 || !strings.Contains(stderr, log) {
		t.Errorf("a file in place of the directory: exit %d, %s", code, stderr)
	}
}
