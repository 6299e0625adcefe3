package formats

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/tracetest"
)

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

func zstded(text string) string {
	z, _ := zstd.NewWriter(nil)
	return string(z.EncodeAll([]byte(text), nil))
}

// manyLines is a good log of some size that does not compress to nothing.
func manyLines(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range n {
		b.WriteString(tracetest.SWFLine(i+1, fmt.Sprintf("4=%d", r.IntN(1e6)), fmt.Sprintf("12=%d", r.IntN(1e6))))
	}
	return b.String()
}

// TestBadInput is the specification's section on bad input, row by row: what
// the file holds, what is said of it, and what Skip makes of it: a number of
// jobs, or -1 where the fault ends the trace all the same.
func TestBadInput(t *testing.T) {
	good := tracetest.SWFLine(1) + tracetest.SWFLine(2)
	long := manyLines(30_000)
	packed, packedZ := gzipped(long), zstded(long)
	for _, c := range []struct {
		name, text, says string
		skip             int
	}{
		{"17 fields", tracetest.SWFLine(1) + "2 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1\n", ":2: 17 fields; expected 18", 1},
		{"cut line", good + "3 30 0", ":3: 3 fields; expected 18 (this last line has no end: the file may be cut short)", 2},
		{"word", good + tracetest.SWFLine(3, "4=abc"), `:3: field 4 (run time) is "abc"; want a finite number`, 2},
		{"word in an unused field", good + tracetest.SWFLine(3, "6=?"), `:3: field 6 (CPU time) is "?"`, 2},
		{"nan", good + tracetest.SWFLine(3, "2=NaN"), `:3: field 2 (submit time) is "NaN"`, 2},
		{"infinite", good + tracetest.SWFLine(3, "2=+Inf"), `:3: field 2 (submit time) is "+Inf"`, 2},
		{"huge exponent", good + tracetest.SWFLine(3, "2=1e300"), `:3: field 2 (submit time) is "1e300"`, 2},
		{"hexadecimal", good + tracetest.SWFLine(3, "2=0x10"), `:3: field 2 (submit time) is "0x10"`, 2},
		{"long field", good + tracetest.SWFLine(3, "2="+strings.Repeat("x", 9999)),
			`is "xxxxxxxxxxxxxxxxxxxxxxxx..."; want a finite`, 2},
		{"negative submit", good + tracetest.SWFLine(3, "2=-5"), ":3: submit time of -5s; want 0 or more", 2},
		{"submit -1 of a job that ran", good + tracetest.SWFLine(3, "2=-1"), ":3: submit time of -1s; want 0 or more", 2},
		{"submit -1 of a job that never ran", good + tracetest.SWFLine(3, "2=-1", "4=-1"), "", 3},
		{"negative run", good + tracetest.SWFLine(3, "4=-2"), ":3: run time of -2s; want 0 or more, or -1 for unknown", 2},
		{"absurd run", good + tracetest.SWFLine(3, "4=9e12"), ":3: run time of 9e+12 s; want a time below 73,000 years", 2},
		{"absurd submit", good + tracetest.SWFLine(3, "2=99999999999999"), ":3: submit time of 1e+14 s; want a time below",
			2},
		{"too many processors", good + tracetest.SWFLine(3, "5=2147483648"),
			":3: 2147483648 processors; want at most 2147483647", 2},
		{"fractional job number", good + tracetest.SWFLine(3, "1=3.5"), ":3: job number 3.5; want a whole number", 2},
		{"duplicate", good + tracetest.SWFLine(2), ":3: duplicate job ID 2", 2},
		{"byte order mark", "\xef\xbb\xbf" + good, "", 2},
		{"two gzip members", gzipped(tracetest.SWFLine(1)) + gzipped(tracetest.SWFLine(2)), "", 2},
		{"bytes after gzip", gzipped(good) + strings.Repeat("z", 40),
			"there are bytes behind the end of the gzip data after 2 records; cut them off", -1},
		{"empty", "", "is empty", -1},
		{"comments only", "; MaxProcs: 5\n;\n\n  ; nothing\n", "the trace holds no jobs", -1},
		{"empty gzip", gzipped(""), "the trace holds no jobs", -1},
		{"cut gzip", packed[:len(packed)/2], "the gzip data end early after ", -1},
		{"gzip without its end", packed[:len(packed)-4],
			"the gzip data end early after 30000 records; the file is cut short: fetch it again", -1},
		{"gzip header only", packed[:5], "broken gzip header", -1},
		{"damaged gzip", packed[:len(packed)-6] + "zz" + packed[len(packed)-4:], "damaged gzip data after 30000 records", -1},
		{"cut zstd", packedZ[:len(packedZ)/2], "the zstd data end early after ", -1},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", "not SWF text: byte 0x7f at offset 0", -1},
		{"binary after text", good + "\x00\x01\x02", "not SWF text: byte 0x00 at offset 88", -1},
		{"gzipped binary", gzipped("\x01\x02\x03"), "not SWF text: byte 0x01 at offset 0", -1},
		{"web page", " <!DOCTYPE html><html>404", "not SWF text: a web page; is this the right file?", -1},
		{"prose", strings.Repeat("The quick brown fox\n", 200),
			`: line 1, which begins with "The", is no record of a log; want SWF (`, -1},
		{"prose, skipped", "x\n" + strings.Repeat("The quick brown fox\n", 200), "", -1},
		{"one bad line", "x\n", `: line 1, which begins with "x", is no record of a log; want SWF (`, -1},
		{"endless line", strings.Repeat("1 ", 1<<20), "not SWF text: a line of more than 524288 bytes", -1},
		{"bzip2", "BZh91AY&SY", "the bzip2 data end early after 0 records", -1},
		{"xz", "\xfd7zXZ\x00.....", "a file of kind xz; gzip, zstd, bzip2 and plain text are read; unpack it first", -1},
		{"zip", "PK\x03\x04....", "a file of kind zip", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.swf")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := tracetest.All(Open, path, traces.Options{})
			if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), path)) {
				t.Errorf("%v; want %q", err, c.says)
			}
			var told int
			src, err := Open(path, traces.Options{Skip: true, OnError: func(error) { told++ }})
			var jobs []traces.Job
			if err == nil {
				jobs, err = tracetest.Rest(src)
				if l := src.Header().Ledger; l.Dropped[traces.Malformed] != int64(told) || err == nil &&
					l.Replayed() != int64(len(jobs)) {
					t.Errorf("told of %d faults, ledger %+v, %d jobs", told, l, len(jobs))
				}
				traces.Close(src)
			}
			if c.skip < 0 != (err != nil) || c.skip >= 0 && len(jobs) != c.skip {
				t.Errorf("with Skip: %d jobs, %v; want %d", len(jobs), err, c.skip)
			}
		})
	}
}

// TestJunkSkipped: the advice when Skip meets no record at all.
func TestJunkSkipped(t *testing.T) {
	_, err := tracetest.All(Open, "-",
		traces.Options{Skip: true, Stdin: strings.NewReader(strings.Repeat("The quick brown fox\n", 200))})
	if err == nil || !strings.Contains(err.Error(), "stdin: not SWF: none of the first 100 lines is a record") {
		t.Error(err)
	}
}

// TestPacked: compression is found by content, whatever the name says.
func TestPacked(t *testing.T) {
	text := manyLines(500)
	for name, data := range map[string]string{"a.swf": gzipped(text), "a.swf.gz": zstded(text), "a": text,
		"a.swf.zst": text, "b.gz": gzipped(text)} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, spec := range []string{path, "swf:" + path} {
			src, err := Open(spec, traces.Options{})
			if err != nil {
				t.Fatal(spec, err)
			}
			p, ok := traces.As[traces.Progress](src)
			if !ok || p.Fraction() < 0 {
				t.Errorf("%s: no progress", spec)
			}
			if n := tracetest.Drain(t, src); n != 500 || p.Fraction() != 1 {
				t.Errorf("%s: %d jobs, fraction %v", spec, n, p.Fraction())
			}
			if err := traces.Close(src); err != nil {
				t.Error(err)
			}
			var j traces.Job
			if err := src.Next(&j); err == nil {
				t.Error("a job after the end")
			}
		}
		if jobs, err := tracetest.All(Open, "-", traces.Options{Stdin: strings.NewReader(data)}); err != nil ||
			len(jobs) != 500 {
			t.Errorf("stdin %s: %d jobs, %v", name, len(jobs), err)
		}
	}
}

// TestPipe: a named pipe is read once, from its first byte.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if !input.Exists(path) {
		t.Skip("no /dev/fd here")
	}
	go func() {
		w.WriteString(gzipped(manyLines(2000)))
		w.Close()
	}()
	jobs, err := tracetest.All(Open, path, traces.Options{})
	if err != nil || len(jobs) != 2000 {
		t.Errorf("%d jobs, %v", len(jobs), err)
	}
}

func TestOpenErrors(t *testing.T) {
	google := t.TempDir()
	if err := os.Mkdir(filepath.Join(google, "task_events"), 0o700); err != nil {
		t.Fatal(err)
	}
	for spec, says := range map[string]string{
		"":                            "no trace given",
		"swf2:x":                      `unknown format "swf2"; did you mean "swf"? There are swf, workload, google2011, google2019, torque, sacct, gwf, philly, openb, chronus, pai, spot-gpu, helios, acme, alibaba2018, eagle, pm100, fdata, opendc, csv, parquet, synth`,
		"xyzzy:x":                     `unknown format "xyzzy"; there are swf, workload, google2011, google2019, torque, sacct, gwf, philly, openb, chronus, pai, spot-gpu, helios, acme, alibaba2018, eagle, pm100, fdata, opendc, csv, parquet, synth`,
		"no/such.swf":                 "no/such.swf: no such file or directory",
		"swf:no/such":                 "no/such: no such file or directory",
		"workload:-":                  "cannot be read from stdin",
		google:                        "no files of table task_events",
		filepath.Dir(google):          "a folder, not a trace",
		"workload:testdata/small.swf": "not a whole Parquet file",
	} {
		if _, err := Open(spec, traces.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want %q", spec, err, says)
		}
	}
}
