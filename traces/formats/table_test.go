package formats

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/google/go-cmp/cmp"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/swf"
	"bourse/traces/tracetest"
)

// TestCSV: columns by their usual names, by a mapping, and in several units.
func TestCSV(t *testing.T) {
	job := "1 0 5 100 4 -1 -1 4 200 -1 1 1 -1 -1 -1 -1 -1 -1"
	for _, c := range []struct{ name, query, text, want string }{
		{"usual names", "", "job_id,submit_s,wait_s,run_s,estimate_s,procs,status,user\n1,0,5,100,200,4,1,ann\n", job},
		{"instants", "", "Job ID;Submit Time;Start;End;Limit;CPUs;State;Owner\n1;2024-03-01 " +
			"08:00:00;2024-03-01T08:00:05Z;2024-03-01T10:01:45+02:00;3:20;4;COMPLETED;ann\n", job},
		{"tabs and quotes",
			"", "\"job\"\tsubmit\tstart\tend\treqtime\tcores\tstatus\tuser\n1\t0\t5\t105\t200\t4\tdone\t\"ann\"\n", job},
		{"mapping", "?submit=When&run=Long&procs=Size&user=Who&estimate=Most&status=How&wait=Queued&job=Nr",
			"Nr,When,Long,Size,Who,Most,How,Queued\n1,0,100,4,ann,200,1,5\n", job},
		{"milliseconds", "?time=ms&duration=min&start=s&end=e&estimate=m",
			"job,submit,s,e,m,procs,state,user\n1,1709280000000,1709280005000,1709280105000,3.5,4,ok,ann\n",
			"1 0 5 100 4 -1 -1 4 210 -1 -1 1 -1 -1 -1 -1 -1 -1"},
		{"hours", "?time=h&duration=min", "job,submit,start,end,limit,procs,state,user\n1,10,10.5,12,90,4,CD,ann\n",
			"1 36000 1800 5400 4 -1 -1 4 5400 -1 1 1 -1 -1 -1 -1 -1 -1"},
		{"days", "?time=d&duration=h", "job,submit,run,procs\n1,2,.5,4\n",
			"1 172800 -1 1800 4 -1 -1 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"},
		{"nanoseconds", "?time=ns",
			"job,submit,start,end,limit,procs,state,user\n1,1709280000000000000,1709280005000000000,1709280105000000000,200,4,CD,ann\n",
			job},
		{"byte order mark, words for ids, no sizes", "", "\xef\xbb\xbfjob,submit,run\njob-7,0,100\n,,\n",
			"1 0 -1 100 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"},
		{"delimiter", "?delimiter=bar", "a,b|submit|run\n1|0|100\n", "1 0 -1 100 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"},
	} {
		path := filepath.Join(t.TempDir(), "log.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, spec := range []string{path + c.query, "csv:" + path + c.query} {
			got, h, err := asSWF(spec, traces.Options{})
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if diff := cmp.Diff([]string{c.want}, got); diff != "" || h.Name != path {
				t.Errorf("%s (%s): %s", c.name, h.Name, diff)
			}
		}
	}
}

// TestMappingErrors: parameters that make no sense.
func TestMappingErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(path, []byte("Submitted,Elapsed,CPUs\n0,1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for query, says := range map[string]string{
		"submitt=x":               `unknown parameter "submitt"; did you mean "submit"?`,
		"submit=Submited":         `submit=Submited: there is no such column; did you mean "Submitted"? There are Submitted, Elapsed, CPUs`,
		"submit=":                 "submit=: there is no such column",
		"time=y":                  "time=y: want unix, s, ms, us, ns, min, h or d",
		"duration=y":              "duration=y: want s, ms, us, ns, min, h or d",
		"delimiter=x":             "delimiter=x: want comma",
		"submit=a&submit=b":       "parameter submit is given 2 times",
		"run=%zz":                 "want name=column&name=column",
		"procs=Elapsed&run=CPUs2": `run=CPUs2: there is no such column`,
	} {
		if _, err := Open(path+"?"+query, traces.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %q", query, err, says)
		}
	}
}

// table writes a Parquet as other programs do: nullable columns, time stamps.
func table(t *testing.T) []byte {
	stamp := schema.NewTimestampLogicalType(true, schema.TimeUnitMillis)
	opt := parquet.Repetitions.Optional
	root := schema.MustGroup(schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{
		schema.MustPrimitive(schema.NewPrimitiveNodeLogical("Submitted", opt, stamp, parquet.Types.Int64, -1, -1)),
		schema.NewFloat64Node("Elapsed", opt, -1),
		schema.NewInt32Node("CPUs", opt, -1),
		schema.MustPrimitive(schema.NewPrimitiveNodeLogical("Owner", opt, schema.StringLogicalType{}, parquet.Types.ByteArray,
			-1, -1)),
		schema.NewBooleanNode("odd", opt, -1),
	}, -1))
	var b bytes.Buffer
	f := file.NewParquetWriter(&b, root)
	for range 2 {
		g := f.AppendRowGroup()
		write := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		c, _ := g.NextColumn()
		_, err := c.(*file.Int64ColumnChunkWriter).WriteBatch([]int64{1709280010000, 1709280000500, 1709280000500},
			[]int16{1, 1, 1}, nil)
		write(err)
		c.Close()
		c, _ = g.NextColumn()
		_, err = c.(*file.Float64ColumnChunkWriter).WriteBatch([]float64{1.5, 20}, []int16{1, 0, 1}, nil)
		write(err)
		c.Close()
		c, _ = g.NextColumn()
		_, err = c.(*file.Int32ColumnChunkWriter).WriteBatch([]int32{4, 2}, []int16{1, 1, 0}, nil)
		write(err)
		c.Close()
		c, _ = g.NextColumn()
		_, err = c.(*file.ByteArrayColumnChunkWriter).WriteBatch([]parquet.ByteArray{parquet.ByteArray("ann"),
			parquet.ByteArray("bo")}, []int16{1, 0, 1}, nil)
		write(err)
		c.Close()
		c, _ = g.NextColumn()
		_, err = c.(*file.BooleanColumnChunkWriter).WriteBatch([]bool{true, true, true}, []int16{1, 1, 1}, nil)
		write(err)
		c.Close()
		g.Close()
	}
	f.Close()
	return b.Bytes()
}

func TestPlainParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.parquet")
	data := table(t)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"2 0.5 -1 -1 2 -1 -1 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1", "3 0.5 -1 20 -1 -1 -1 -1 -1 -1 -1 2 -1 -1 -1 -1 -1 -1",
		"5 0.5 -1 -1 2 -1 -1 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1", "6 0.5 -1 20 -1 -1 -1 -1 -1 -1 -1 2 -1 -1 -1 -1 -1 -1",
		"1 10 -1 1.5 4 -1 -1 4 -1 -1 -1 1 -1 -1 -1 -1 -1 -1", "4 10 -1 1.5 4 -1 -1 4 -1 -1 -1 1 -1 -1 -1 -1 -1 -1",
	}
	for _, spec := range []string{path, "parquet:" + path, path + "?run=Elapsed&submit=Submitted"} {
		got, h, err := asSWF(spec, traces.Options{})
		if err != nil {
			t.Fatal(spec, err)
		}
		if diff := cmp.Diff(want, got); diff != "" || h.Start != 1709280000 || h.Format != "parquet" {
			t.Errorf("%s: %d %s", spec, h.Start, diff)
		}
	}
	for spec, says := range map[string]string{
		"parquet:-":                    "cannot be read from stdin",
		path + "?user=odd":             "column odd is of type BOOLEAN",
		path + "?user=Owners":          `user=Owners: there is no such column; did you mean "Owner"?`,
		"parquet:testdata/small.swf":   "not a whole Parquet file",
		"parquet:testdata/none":        "no such file",
		"parquet:testdata/small.swf?x": `unknown parameter "x"`,
	} {
		if _, err := Open(spec, traces.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %q", spec, err, says)
		}
	}
	// Damage anywhere ends in an error or in jobs, never in a panic.
	for at := 4; at < len(data); at += 7 {
		bad := bytes.Clone(data)
		bad[at] ^= 0x55
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if src, err := Open("parquet:"+path, traces.Options{Skip: true}); err == nil {
			if _, err := tracetest.Rest(src); err != nil {
				t.Errorf("byte %d: %v", at, err)
			}
		}
	}
}

// fuzzFormat: whatever the bytes, the reader of a format ends, with jobs in order
// and a ledger that adds up.
func fuzzFormat(t *testing.T, format, query string, data []byte, skip bool) {
	src, err := Open(format+":-"+query, traces.Options{Stdin: bytes.NewReader(data), Skip: skip})
	if err != nil {
		return
	}
	jobs, err := tracetest.Rest(src)
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		j := &jobs[i]
		if i > 0 && jobs[i-1].Submit > j.Submit || j.Submit < 0 || j.Run < events.Unknown || j.Wait < events.Unknown ||
			j.Estimate == 0 || j.Estimate < events.Unknown ||
			j.Status < -1 || j.Status > 5 || j.Think < events.Unknown || !(j.Memory >= -1) || j.Pieces != 1 || j.Task != 0 {
			t.Fatalf("%+v", j)
		}
	}
	if l := src.Header().Ledger; l.Replayed() != int64(len(jobs)) || len(jobs) == 0 || !skip &&
		l.Dropped[traces.Malformed] > 0 {
		t.Fatalf("%d jobs, ledger %+v", len(jobs), l)
	}
	var b bytes.Buffer
	if _, err := swf.Write(&b, tracetest.NewSlice(jobs)); err != nil {
		t.Fatal(err)
	}
}

func fuzzFixture(f *testing.F, name string) {
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, true)
	f.Add(text, false)
}

func FuzzTorque(f *testing.F) {
	fuzzFixture(f, "small.torque")
	f.Fuzz(func(t *testing.T, data []byte, skip bool) { fuzzFormat(t, "torque", "", data, skip) })
}

func FuzzSacct(f *testing.F) {
	fuzzFixture(f, "small.sacct")
	f.Fuzz(func(t *testing.T, data []byte, skip bool) { fuzzFormat(t, "sacct", "", data, skip) })
}

func FuzzGWF(f *testing.F) {
	fuzzFixture(f, "small.gwf")
	f.Fuzz(func(t *testing.T, data []byte, skip bool) { fuzzFormat(t, "gwf", "", data, skip) })
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("job,submit,start,end,limit,procs,state,user,reqmem\n1,0,5,105,200,4,done,\"ann\",4G\n"), "", true)
	f.Add([]byte("a;b\n1;2024-03-01 08:00:00\n"), "?submit=b&run=a&duration=min", false)
	f.Add([]byte("s\tr\n1709280000000\t3\n"), "?submit=s&run=r&time=ms&delimiter=tab", true)
	f.Fuzz(func(t *testing.T, data []byte, query string, skip bool) { fuzzFormat(t, "csv", query, data, skip) })
}
