package formats

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/tabular"
	"bourse/traces/tracetest"
)

// TestPresets: a row of each trace without GPUs that is a table of its own, made up after its
// documentation; Parquet files are recognised by their columns, in any order.
func TestPresets(t *testing.T) {
	text := func(name, s string) column { return column{name, schema.StringLogicalType{}, parquet.ByteArray(s)} }
	instant := func(name string, s int64) column {
		return column{name, schema.NewTimestampLogicalType(true, schema.TimeUnitMicros), s * 1_000_000}
	}
	whole := func(name string, x int64) column { return column{name, schema.NoLogicalType{}, x} }
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ format, spec, want string }{
		{"pm100", oneRow(t, text("partition", "p1"), whole("job_id", 7), instant("submit_time", 1_600_000_000),
			instant("start_time", 1_600_000_030), instant("end_time", 1_600_000_090),
			whole("num_cores_alloc", 128), whole("num_gpus_alloc", 4), whole("time_limit", 10), text("job_state", "TIMEOUT"),
			whole("user_id", 3), whole("run_time", 60)),
			"7: wait 30 run 60 x128 of 600 user 3 status 0"},
		{"fdata", oneRow(t, text("jid", "j12"), text("usr", "u1"), instant("adt", 1_600_000_000),
			instant("sdt", 1_600_000_005), instant("edt", 1_600_000_065),
			whole("nnumr", 384), whole("elpl", 3600), text("exit state", "completed")),
			"1: wait 5 run 60 x384 of 3600 user u1 status 1"},
		{"opendc", oneRow(t, text("id", "1019"), whole("submission_time", 1_376_314_846_000), whole("duration", 90_500),
			column{"cpu_count", schema.NoLogicalType{}, int32(2)},
			whole("cpu_capacity", 5000), whole("mem_capacity", 1024)),
			"1019: wait -1 run 90.5 x2 of -1 user  status -1"},
		// some of its files count seconds, and have GPUs: read so by the date, with a note
		{"opendc", oneRow(t, text("id", "1"), whole("submission_time", 1_704_067_200), whole("duration", 1_209_600),
			column{"cpu_count", schema.NoLogicalType{}, int32(4)}, whole("cpu_capacity", 5000),
			column{"gpu_count", schema.NoLogicalType{}, int32(2)}),
			"1: wait -1 run 1.2096e+06 x4 of -1 user  status -1 GPUs 2, " + tabular.OddSeconds},
		{"opendc", oneRow(t, text("id", "1"), whole("submission_time", 86_400_000), whole("duration", 90_500), // from 0
			column{"cpu_count", schema.NoLogicalType{}, int32(2)}, whole("cpu_capacity", 5000)),
			"1: wait -1 run 90.5 x2 of -1 user  status -1"},
		{"eagle", write("sample.csv",
			"job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req,gpus_req,mem_req,submit_time,start_time,end_time,run_time,state,name,work_dir,submit_line\n"+
				"5,u1,a1,p,normal,7200.0,1,36,0,0.0,2019-01-01 08:00:00,2019-01-01 08:01:00,2019-01-01 "+
				"09:01:00,3600.0,COMPLETED,n,w,s\n"),
			"5: wait 60 run 3600 x36 of 7200 user u1 status 1"},
		{"alibaba2018", "alibaba2018:" + write("batch_task.csv", "M1,10,j_1,1,Terminated,100,160,50.0,0.49\n"),
			"1: wait 0 run 60 x10 of -1 user  status 1"},
	} {
		src, err := Open(c.spec, traces.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.format, err)
			continue
		}
		jobs, err := tracetest.Rest(src)
		if err != nil || len(jobs) != 1 || src.Header().Format != c.format {
			t.Errorf("%s: %d jobs as %s, %v", c.format, len(jobs), src.Header().Format, err)
			continue
		}
		got := told(&jobs[0], src.Header())
		if src.Header().Ledger.Oddities[tabular.OddSeconds] > 0 {
			got += fmt.Sprintf(" GPUs %g, %s", jobs[0].GPU*float64(jobs[0].Procs), tabular.OddSeconds)
		}
		if got != c.want {
			t.Errorf("%s: %s\nwant %s", c.format, got, c.want)
		}
	}
}

func told(j *traces.Job, h *traces.Header) string {
	seconds := func(t events.Time) string {
		if t == events.Unknown {
			return "-1"
		}
		return fmt.Sprint(t.Seconds())
	}
	user, named := h.Names.Users.Text(j.User)
	if !named && j.User != traces.NoLabel {
		user = fmt.Sprint(j.User)
	}
	return fmt.Sprintf("%d: wait %s run %s x%d of %s user %s status %d", j.ID, seconds(j.Wait), seconds(j.Run), j.Procs,
		seconds(j.Estimate), user, j.Status)
}

// TestEagleSample: the preset reads from the real sample what the reader of any table does.
func TestEagleSample(t *testing.T) {
	path := tracetest.Shared(t, "data/other/nrel-eagle-sample.csv.gz")
	read := func(spec string) []traces.Job {
		src, err := Open(spec, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return tracetest.Collect(t, src)
	}
	ours, plain := read(path), read("csv:"+path)
	if len(ours) != len(plain) || len(ours) < 900 {
		t.Fatalf("%d jobs, %d as any table", len(ours), len(plain))
	}
	for i := range ours {
		if ours[i] != plain[i] {
			t.Fatalf("job %d: %+v\nas any table %+v", i, ours[i], plain[i])
		}
	}
}
