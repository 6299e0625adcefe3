package formats

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bourse/traces"
	"bourse/traces/accounting"
	"bourse/traces/input"
	"bourse/traces/swf"
	"bourse/traces/tabular"
	"bourse/traces/tracetest"
)

// asSWF reads a trace and returns its jobs as SWF lines, one string a job.
func asSWF(spec string, o traces.Options) ([]string, *traces.Header, error) {
	src, err := Open(spec, o)
	if err != nil {
		return nil, nil, err
	}
	defer traces.Close(src)
	var b bytes.Buffer
	if _, err := swf.Write(&b, src); err != nil {
		return nil, nil, err
	}
	var out []string
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		if line[0] != ';' {
			out = append(out, line)
		}
	}
	return out, src.Header(), nil
}

// TestFixtures: what the small logs of other formats hold, worked out by hand.
func TestFixtures(t *testing.T) {
	for _, c := range []struct {
		file, format string
		start        int64
		jobs         []string
		read         int64
		dropped      map[traces.Reason]int64
		odd          map[string]int64
	}{
		{file: "small.sacct", format: "sacct", start: 1709279970, jobs: []string{
			"102 0 -1 -1 8 -1 -1 8 -1 2048000 5 2 2 -1 -1 1 -1 -1",
			"100 30 300 7200 16 -1 -1 16 93784 4194304 1 1 1 -1 -1 1 -1 -1",
			"10300000001 630 0 90 1 -1 -1 1 1800 4194304 0 1 1 -1 -1 2 -1 -1",
			"10300000002 630 5 1800 1 -1 -1 1 1800 4194304 0 1 1 -1 -1 2 -1 -1",
			"104 1230 1500 3600 32 -1 -1 32 -1 512000 1 2 2 -1 -1 1 -1 -1",
			"106 5430 -1 -1 4 -1 -1 4 604800 262144 -1 3 2 -1 -1 1 -1 -1",
			"107 5490 0 -1 4 -1 -1 4 600 262144 5 3 2 -1 -1 1 -1 -1",
		}, read: 12, dropped: map[traces.Reason]int64{traces.Repeat: 1, traces.Step: 3, traces.Unfinished: 1},
			odd: map[string]int64{input.OddOrder: 1}},
		{file: "small.torque", format: "torque", start: 1508731000, jobs: []string{
			"12 0 110 390 9 -1 -1 9 600 -1 1 2 1 -1 2 -1 -1 -1",
			"1100000002 100 100 60 6 -1 -1 6 3600 2048 1 1 1 -1 1 -1 -1 -1",
			"10 205 4 112 1 -1 -1 1 -1 2097152 5 2 1 -1 1 -1 -1 -1",
			"13 300 -1 -1 20 -1 -1 20 600 -1 0 2 1 -1 2 -1 -1 -1",
		}, read: 6, dropped: map[traces.Reason]int64{traces.Repeat: 1, traces.Step: 1}, odd: map[string]int64{
			input.OddOrder: 1, accounting.OddDeleted: 1, traces.OddEstimate: 1, "records of type Q (queued) ignored": 1,
			"records of type S (started) ignored": 1,
			"records of type D (deleted) ignored": 2, "records of type R (run again) ignored": 1,
		}},
		{file: "small.gwf", format: "gwf", start: 1100000000, jobs: []string{
			"2 0 0 50.5 4 -1 -1 4 -1 -1 0 2 1 -1 1 1 -1 -1",
			"1 10 5 100 2 -1 -1 2 600 1024 1 1 1 -1 1 1 -1 -1",
			"3 20 -1 -1 1 -1 -1 1 -1 -1 5 1 1 -1 2 1 -1 -1",
		}, read: 3, odd: map[string]int64{input.OddOrder: 1}},
	} {
		for _, spec := range []string{"testdata/" + c.file, c.format + ":testdata/" + c.file} {
			got, h, err := asSWF(spec, traces.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := traces.Ledger{Read: c.read, Oddities: c.odd}
			for r, n := range c.dropped {
				want.Dropped[r] = n
			}
			if diff := cmp.Diff(c.jobs, got); diff != "" {
				t.Errorf("%s: %s", spec, diff)
			}
			if diff := cmp.Diff(want, *h.Ledger); diff != "" || h.Format != c.format || h.Start != c.start ||
				h.Ledger.Replayed() != int64(len(got)) {
				t.Errorf("%s: format %s, start %d: %s", spec, h.Format, h.Start, diff)
			}
		}
	}
}

// TestMembers: a log as a file, packed, in folders and in archives is the same.
func TestMembers(t *testing.T) {
	text, err := os.ReadFile("testdata/small.torque")
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := asSWF("testdata/small.torque", traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cut := bytes.Index(text, []byte("10/23/2017 00:02:01"))
	days := map[string]string{"20171022": string(text[:cut]), "20171023": string(text[cut:]), ".hidden": "junk",
		"sub/20171024": ""}
	put := func(name, data string) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(data), 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range []string{".hidden", "20171023", "20171022"} {
		w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(days[name])), Typeflag: tar.TypeReg})
		w.Write([]byte(days[name]))
	}
	w.Close()
	for name, data := range days {
		put("days/"+name, data)
		put("packed/"+name+".gz", gzipped(data))
	}
	for _, spec := range []string{
		put("a", string(text)), put("b.swf", gzipped(string(text))), filepath.Join(dir, "days"), filepath.Join(dir, "packed"),
		put("c.tar", b.String()), put("c.tgz", gzipped(b.String())), put("d", zstded(b.String())), "torque:" +
			filepath.Join(dir, "c.tgz"),
	} {
		got, h, err := asSWF(spec, traces.Options{})
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if len(got) != len(want) || h.Ledger.Read != 6 || h.Format != "torque" {
			t.Errorf("%s: %d jobs, %+v", spec, len(got), h.Ledger)
		}
	}
	if _, _, err := asSWF(put("cut.tgz", gzipped(b.String()[:900])), traces.Options{}); err == nil ||
		!strings.Contains(err.Error(), "cut.tgz: ") {
		t.Errorf("a cut archive: %v", err)
	}
}

// TestBadRecords: what is said of records of the other formats that cannot be
// read, and how many jobs are left when they are skipped (-1: none can be).
func TestBadRecords(t *testing.T) {
	const (
		sacctHead = "JobID|Submit|Start|End|State|AllocCPUS\n1|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T09:00:00|COMPLETED|4\n"
		torque    = "10/23/2017 00:01:00;E;1.srv;user=u ctime=1508731100 start=1508731200 end=1508731260 " +
			"Resource_List.nodes=1:ppn=2\n"
		table = "submit,run,procs\n0,10,1\n"
	)
	gwf := "1 0 0 10 1 -1 -1 1 -1 -1 1 U G A Q P S S -1\n"
	for _, c := range []struct {
		format, text, says string
		skip               int
	}{
		{"sacct", sacctHead + "2|2024-03-01T08:00:00|x\n",
			":3: 3 fields; expected 6, as in the first line (a job name that holds a |?", 1},
		{"sacct", sacctHead + "x|2024-03-01T08:00:00|||COMPLETED|4\n",
			`:3: column JobID is "x"; want a job number as in 123, 123_4 or 123.batch`, 1},
		{"sacct", sacctHead + "2|Tuesday|||COMPLETED|4\n", `:3: column Submit is "Tuesday"`, 1},
		{"sacct", sacctHead + "2|Unknown|||COMPLETED|4\n", `:3: column Submit is "Unknown"; want a time of submission`, 1},
		{"sacct", sacctHead + "2|2024-03-01T08:00:00|2024-03-01T09:00:00|2024-03-01T08:30:00|COMPLETED|4\n",
			":3: the job ends 1800s before it starts", 1},
		{"sacct", sacctHead + "2|2024-03-01T08:00:00|2024-03-01T09:00:00|2024-03-01T09:30:00|COMPLETED|many\n",
			`:3: column AllocCPUS is "many"`, 1},
		{"sacct", "JobID|State\n1|COMPLETED\n", "no column is known to hold the submission (submit=COLUMN) or the run time",
			-1},
		{"sacct", "User|Submit|Elapsed\nx|1|2\n", ":1: no column JobID; want a dump made with sacct -a -X -P -S START -E " +
			"END -o JobID,", -1},
		{"sacct", "JobID,Submit\n", "not a dump of sacct", -1},
		{"sacct", "JobID|Submit|Elapsed\n", "the trace holds no jobs", -1},
		{"torque", torque + "10/23/2017 00:01:00;E\n", `:2: "10/23/2017 00:01:00;E" is no accounting record`, 1},
		{"torque", torque + "23/10/2017 00:01:00;E;2.srv;\n", `:2: time stamp "23/10/2017 00:01:00"`, 1},
		{"torque", torque + "10/23/2017 00:01:00;Z;2.srv;\n", `:2: record of type "Z"`, 1},
		{"torque", torque + "10/23/2017 00:01:00;E;x.srv;\n", `:2: job "x.srv"`, 1},
		{"torque", torque + "10/23/2017 00:01:00;E;2[;ctime=1\n", `:2: job "2["`, 1},
		{"torque", torque + "10/23/2017 00:01:00;E;2.srv;user=u\n", ":2: no ctime in an E record", 1},
		{"torque", torque + "10/23/2017 00:01:00;E;2.srv;ctime=9 start=9 end=8\n",
			":2: start=9s and end=8s; want an end after the start", 1},
		{"torque", torque + "10/23/2017 00:01:00;E;2.srv;ctime=9 Resource_List.walltime=1:x:0\n",
			":2: Resource_List.walltime=1:x:0", 1},
		{"torque", torque + "10/23/2017 00:01:00;E;2.srv;ctime=9 exec_host=n/5-2\n", ":2: 0 processors, from exec_host=n/5-2",
			1},
		{"torque", "\n\n", "the trace holds no jobs", -1},
		{"torque", strings.Repeat("prose\n", 300), `:1: "prose" is no accounting record`, -1},
		{"torque", "\x00\x01", "not torque text: byte 0x00", -1},
		{"gwf", gwf + "2 0 0\n", ":2: 3 fields; expected the 29", 1},
		{"gwf", gwf + "2 zero 0 10 1 -1 -1 1 -1 -1 1 U G A Q P S S -1\n", `:2: column 2 is "zero"`, 1},
		{"gwf", gwf + gwf, ":2: duplicate job ID 1", 1},
		{"csv", table + "5,5\n", ":3: 2 fields; expected 3, as in the first line", 1},
		{"csv", table + "5,5,\"1\n", `:3: misplaced quote`, 1},
		{"csv", table + "5,-3,1\n", `:3: column run is "-3"`, 1},
		{"csv", table + "-5,3,1\n", `:3: column submit is "-5"`, 1},
		{"csv", table + "1e300,3,1\n", `:3: column submit is "1e300"`, 1},
		{"csv", table + "5,5,99999999999\n", `:3: column procs is "99999999999"`, 1},
		{"csv", table + ",5,1\n", `:3: column submit is ""; want a time of submission`, 1},
		{"csv", "id,submit,run\n1,0,1\nx,0,1\n", `:3: column id is "x"; want a whole number, as in the rows before`, 1},
		{"csv", "when,long\n0,1\n", "no column is known to hold the submission (submit=COLUMN) or the run time " +
			"(run=COLUMN, or start= and end=); name it, as in csv:", -1},
		{"csv", "", "it is empty; want a line of column names", -1},
		{"csv", "submit,run\n", "the trace holds no jobs", -1},
		{"csv", "\"submit,run\n", "misplaced quote in the column names", -1},
		{"philly", "a,b\n1,2\n", "there is no column timestamp or duration or num_gpus or cluster, without which the jobs " +
			"cannot be replayed; format philly is read from the columns timestamp, duration, num_gpus, cluster", -1},
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := asSWF(c.format+":"+path, traces.Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s %q: %v; want %q", c.format, c.text, err, c.says)
		}
		told := int64(0)
		src, err := Open(c.format+":"+path, traces.Options{Skip: true, OnError: func(error) { told++ }})
		if err != nil {
			if c.skip >= 0 {
				t.Errorf("%s %q with Skip: %v", c.format, c.text, err)
			}
			continue
		}
		jobs, err := tracetest.Rest(src)
		if l := src.Header().Ledger; len(jobs) != c.skip || err != nil || l.Dropped[traces.Malformed] != told ||
			l.Replayed() != int64(c.skip) {
			t.Errorf("%s %q with Skip: %d jobs, %v, %+v", c.format, c.text, len(jobs), err, l)
		}
	}
}

// TestStop: reading a log as a whole ends when it is asked to.
func TestStop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.csv")
	var b strings.Builder
	b.WriteString("submit,run\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "%d,1\n", i)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	asked := 0
	_, err := Open(path, traces.Options{Stop: func() error {
		if asked++; asked == 2 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || asked != 2 {
		t.Errorf("%v after %d questions", err, asked)
	}
}

// TestSacctVariants: raw numbers beside those that users know, raw times, a component of a
// heterogeneous job without the others, elements of arrays, states cut short, the trailing bar of sacct -p.
func TestSacctVariants(t *testing.T) {
	const head = "JobIDRaw|JobID|Submit|Start|End|State|ElapsedRaw|NCPUS|TimelimitRaw|QOS|User|\n"
	for row, want := range map[string]string{
		"7|5_2|1709280000|1709280010|1709280110|COMPLETED|100|4|3|normal|u|": "500000002 0 10 100 4 -1 -1 4 180 -1 1 1 " +
			"-1 -1 1 -1 -1 -1",
		// suspended for 10 s
		"8|8|1709280000|1709280010|1709280110|OUT_OF_ME+|90|4||normal|u|": "8 0 10 90 4 -1 -1 4 -1 -1 0 1 -1 -1 1 -1 " +
			"-1 -1",
		"12+1|12+1|1709280000|1709280010|1709280110|CANCELLED by 7|100|4|0||u|": "12 0 10 100 4 -1 -1 4 -1 -1 5 1 -1 -1 -1 " +
			"-1 -1 -1",
		"9_[1-5]|9_[1-5]|1709280000|Unknown|Unknown|PENDING|0|0|5|||": "9 0 -1 -1 0 -1 -1 0 300 -1 -1 -1 -1 -1 " +
			"-1 -1 -1 -1",
		"10|10|1709280000|1709280010|1709280110|WHATEVER|100|4|1|||": "10 0 10 100 4 -1 -1 4 60 -1 -1 -1 -1 -1 " +
			"-1 -1 -1 -1",
	} {
		path := filepath.Join(t.TempDir(), "dump")
		if err := os.WriteFile(path, []byte(head+row+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got, h, err := asSWF(path, traces.Options{})
		if err != nil || h.Format != "sacct" {
			t.Errorf("%s: %v", row, err)
			continue
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%s: %s", row, diff)
		}
	}
}

// TestHeterogeneousJobs wants the components of a job to be one job, whatever their order
// and however often the job was run.
func TestHeterogeneousJobs(t *testing.T) {
	const head = "JobID|Submit|Start|End|State|AllocCPUS|ReqMem|Timelimit\n"
	row := func(id, start, end, state, cpus, mem string) string {
		return strings.Join([]string{id, "1709280000", start, end, state, cpus, mem, "00:10:00"}, "|") + "\n"
	}
	for name, c := range map[string]struct {
		rows string
		want []string
		note int64
	}{
		"together": {row("5+1", "1709280010", "1709280110", "COMPLETED", "4", "4Gc") +
			row("5+0", "1709280010", "1709280110", "COMPLETED", "12", "1Gc") +
			row("5+0.batch", "1709280010", "1709280110", "COMPLETED", "12", ""),
			[]string{"5 0 10 100 16 -1 -1 16 600 1835008 1 -1 -1 -1 -1 -1 -1 -1"}, 1},
		"apart, one failed": {row("5+0", "1709280010", "1709280110", "COMPLETED", "1", "") +
			row("5+1", "1709280010", "1709280090", "FAILED", "2", "") + row("5+2", "1709280005", "1709280120", "COMPLETED", "3",
			""),
			[]string{"5 0 5 115 6 -1 -1 6 600 -1 0 -1 -1 -1 -1 -1 -1 -1"}, 2},
		"run again": {row("5+0", "1709280010", "1709280020", "NODE_FAIL", "1", "") +
			row("5+1", "1709280010", "1709280020", "NODE_FAIL", "2", "") + row("5+0", "1709280040", "1709280050", "COMPLETED",
			"1", "") + row("5+1", "1709280040", "1709280050", "COMPLETED", "2", ""),
			[]string{"5 0 40 10 3 -1 -1 3 600 -1 1 -1 -1 -1 -1 -1 -1 -1"}, 1},
		"without the first": {row("5+1", "1709280010", "1709280110", "COMPLETED", "4", "") +
			row("5+2", "1709280010", "1709280110", "COMPLETED", "3", "") + row("6", "1709280010", "1709280110", "COMPLETED", "1",
			""),
			[]string{"5 0 10 100 7 -1 -1 7 600 -1 1 -1 -1 -1 -1 -1 -1 -1", "6 0 10 100 1 -1 -1 1 600 -1 1 -1 -1 -1 -1 -1 -1 -1"},
			1},
	} {
		path := filepath.Join(t.TempDir(), "dump")
		if err := os.WriteFile(path, []byte(head+c.rows), 0o600); err != nil {
			t.Fatal(err)
		}
		got, h, err := asSWF(path, traces.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" || h.Ledger.Oddities[tabular.OddComponent] != c.note ||
			h.Ledger.Replayed() != int64(len(got)) {
			t.Errorf("%s: %s; %+v", name, diff, h.Ledger)
		}
	}
}

// TestArraysInTables wants rows that share a number to be tasks of one job, and numbers of
// elements as Slurm shows them to be read.
func TestArraysInTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.csv")
	if err := os.WriteFile(path, []byte("id,submit,run,gpus_wanted\n7,0,1,1\n7,0,2,1\n8_3,1,3,0\n7,2,4,0\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	src, err := Open(path, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := traces.Each(src, func(j *traces.Job) error {
		got = append(got, fmt.Sprintf("%d/%d for %v", j.ID, j.Task, j.Run))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"7/0 for 1s", "7/1 for 2s", "800000003/0 for 3s", "7/2 for 4s"}, got); diff != "" {
		t.Error(diff)
	}
	if o := src.Header().Ledger.Oddities; o[input.OddArray] != 2 || o[fmt.Sprintf(tabular.OddUnused, "gpus_wanted")] != 1 {
		t.Errorf("%v", o)
	}
}

// TestDetect: what a file is taken for by its first line and its name.
func TestDetect(t *testing.T) {
	for name, c := range map[string]struct{ text, format string }{
		"jobs.txt":  {"Job ID,Submit Time,Run Time\n1,0,1\n", "csv"},
		"jobs":      {"\"submit\";\"start\";\"end\"\n0;1;2\n", "csv"},
		"x.swf":     {tracetest.SWFLine(1), "swf"},
		"x":         {"; a,b,submit,run\n" + tracetest.SWFLine(1), "swf"},
		"y":         {"some,words,only\n", "swf"},
		"dump.csv":  {"JobID|Submit|Elapsed\n1|0|1\n", "sacct"},
		"dump.txt":  {fixedWidth, "sacct"},
		"words":     {"a jobid in a sentence\nof words\n", "swf"},
		"x.gwf":     {"# GWF\n", "gwf"},
		"p.csv.gz":  {gzipped("timestamp,duration,num_gpus,gpu_time,cluster\n0,1,1,1,a\n"), "philly"},
		"20171001":  {"10/01/2017 00:00:05;Q;10.srv;queue=batch\n", "torque"},
		"empty.tsv": {"", "csv"},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := formatOf(path); f.Name != c.format {
			t.Errorf("%s (%q) is taken for %s, want %s", name, c.text, f.Name, c.format)
		}
	}
}

// fixedWidth is what sacct prints without -P.
const fixedWidth = "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode \n" +
	"------------ ---------- ---------- ---------- ---------- ---------- -------- \n" +
	"4001              train       long       phys         16  COMPLETED      0:0 \n"

// TestFixedWidth wants what sacct prints without -P to be refused with what to do, whatever
// the file is called.
func TestFixedWidth(t *testing.T) {
	for _, name := range []string{"dump", "dump.txt", "dump.sacct"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(fixedWidth), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path, traces.Options{})
		if err == nil || !strings.Contains(err.Error(), "columns of fixed width, as sacct prints them for people to read, "+
			"with long values cut; want a dump made with sacct -a -X -P ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoLog wants a file that is none to be refused for that, before anything else is asked.
func TestNoLog(t *testing.T) {
	for _, text := range []string{"hello\n", "\n; a comment\nhello world\n", "some,words,only\n"} {
		path := filepath.Join(t.TempDir(), "file.txt")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, traces.Options{}); err == nil ||
			!strings.Contains(err.Error(), "is no record of a log; want SWF (") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
