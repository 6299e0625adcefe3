package google

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bourse/traces"
	"bourse/traces/tracetest"
)

// as2019 writes the rows of a text of 2011 as BigQuery exports those of 2019:
// numbers as strings, event types by name in every other row.
func as2019(text string) (instances, collections string) {
	codes := [...]int{0, 3, 4, 5, 6, 7, 8, 9, 10} // of 2019 by those of 2011
	var in, of strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Split(line, ",")
		code := codes[f[5][0]-'0']
		kind := fmt.Sprintf(`"%d"`, code)
		if i%2 == 1 {
			kind = `"` + names2019[code] + `"`
		}
		fmt.Fprintf(&in,
			`{"time":"%s","type":%s,"collection_id":"%s","instance_index":"%s","machine_id":"%s","priority":"%s","scheduling_class":"%s","collection_type":"0","resource_request":{"cpus":%s,"memory":%s}}`+"\n",
			f[0], kind, f[2], f[3], f[4], f[8], f[7], f[9], f[10])
		if f[5] == "0" {
			fmt.Fprintf(&of, `{"time":"%s","type":"SUBMIT","collection_id":"%s","user":%q,"collection_type":0}`+"\n", f[0], f[2],
				f[6])
		}
	}
	return in.String(), of.String()
}

func folder2019(t *testing.T, instances, collections, machines string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"instance_events-000000000000.json": instances,
		"collection_events-000000000000.json": collections, "machine_events-000000000000.json": machines} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestGoogle2019 wants the same jobs, users and machines from both formats.
func TestGoogle2019(t *testing.T) {
	text := tracetest.GoogleEvents("0 4 0 0", "0 4 0 1", "700 1 0 0", "710 1 0 1", "720 1 1 0", "800 1 0 2", "800 1 0 0",
		"850 1 0 1", "900 1 0 4", "950 1 1 5",
		"960 2 0 0", "961 2 0 1", "971 2 0 3", "980 3 0 0", "990 3 0 1", "1000 4 0 4")
	instances, collections := as2019(text)
	instances += `{"time":"1000","type":"SUBMIT","collection_id":"9","instance_index":"0","collection_type":"ALLOC_SET"}` +
		"\n"
	machines := `{"time":"0","machine_id":"1","type":"ADD","capacity":{"cpus":0.5,"memory":0.25}}` + "\n" +
		`{"time":0,"machine_id":2,"type":1,"capacity":{"cpus":1,"memory":1}}` + "\n" +
		`{"time":"700000000","machine_id":"2","type":"2"}` + "\n"
	for _, mode := range []traces.Attempts{traces.LastAttempt, traces.AllAttempts, traces.MergedAttempts} {
		var got [2][]traces.Job
		var heads [2]*traces.Header
		var machine [2][]traces.MachineEvent
		for i, dir := range []string{tracetest.GoogleTrace(t, oneMachine, text),
			folder2019(t, instances, collections, machines)} {
			src, err := openAny(dir, traces.Options{Attempts: mode})
			if err != nil {
				t.Fatal(err)
			}
			if got[i], err = tracetest.Rest(src); err != nil {
				t.Fatal(err)
			}
			for k := range got[i] {
				text, _ := src.Header().Names.Users.Text(got[i][k].User)
				if want := fmt.Sprintf("user%d=", got[i][k].ID); text != want {
					t.Errorf("job %d is of %q", got[i][k].ID, text)
				}
				got[i][k].User = 0
			}
			heads[i], machine[i] = src.Header(), src.(traces.MachineEvents).MachineEvents()
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" {
			t.Errorf("%s: %s", mode, diff)
		}
		if diff := cmp.Diff(machine[0], machine[1]); diff != "" || heads[0].Capacity != heads[1].Capacity ||
			heads[1].Format != "google2019" {
			t.Errorf("%+v, %+v: %s", heads[0], heads[1], diff)
		}
	}
}

func TestGoogle2019BadInput(t *testing.T) {
	good, of := as2019(tracetest.GoogleEvents("600 1 0 0", "601 1 0 1", "602 1 0 4"))
	for text, want := range map[string]string{
		tracetest.GoogleEvents("600 1 0 0"): "13 columns are those of 2011",
		`{"time":"600000000","type":"SUBMIT","collection_id":2.75E+15,"instance_index":"0"}` +
			"\n": "a spreadsheet or a float has rounded it",
		`{"time":"600000000","type":"SUBMITTED","collection_id":"1","instance_index":"0"}` +
			"\n": "event type SUBMITTED; want 0 to 10",
		`{"time":"600000000","collection_id":"1","instance_index":"0"}` +
			"\n": "a row without an event type",
		`{"time":"600000000","type":"11","collection_id":"1","instance_index":"0"}` +
			"\n": "event type 11",
		`{"type":"0","collection_id":"1","instance_index":"0"}` +
			"\n": "a row without a time",
		`{"time":"1","type":"0","collection_id":"1"}` + "\n": "without " +
			"collection_id and instance_index",
		`{"time":"1","type":"0","collection_id":"1","instance_index":"0","resource_request":{"cpus":-2}}` +
			"\n": "a request below 0",
		`{"time":` + "\n": "a row that cannot be read",
	} {
		src, err := openAny(folder2019(t, good+text, of, ""), traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tracetest.Rest(src); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), ":4: ") {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
	// Skipped, each costs its own row, whatever table it stands in.
	machines := `{"time":"0","machine_id":"1","type":"1","capacity":{"cpus":1,"memory":1}}` + "\n" + `{"time":"0"}` +
		"\n{\n"
	skipping, err := openAny(folder2019(t, good+"junk\n{\n\n", of+"junk\n", machines), traces.Options{Skip: true})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := tracetest.Rest(skipping)
	if h := skipping.Header(); err != nil || len(jobs) != 1 || h.Ledger.Dropped[traces.Malformed] != 6 ||
		h.Capacity.Machines != 1 {
		t.Errorf("%v, %d jobs, %+v", err, len(jobs), h.Ledger)
	}
	src, err := openAny("google2019:"+tracetest.Shared(t, "data/google2019/borg-kaggle-join-sample.csv.gz"),
		traces.Options{})
	if err == nil {
		_, err = tracetest.Rest(src)
	}
	if err == nil || !strings.Contains(err.Error(), "rounded by a spreadsheet") {
		t.Errorf("the damaged sample: %v", err)
	}
}

func FuzzGoogle2019(f *testing.F) {
	good, _ := as2019(tracetest.GoogleEvents("600 1 0 0", "601 1 0 1"))
	for _, line := range strings.Split(good, "\n") {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var row row2019
		if decode2019(line, &row) != nil {
			return
		}
		var e TaskEvent
		if keep, fault := event2019(&row, &e); !keep || fault != nil {
			return
		}
		if e.At < 0 || e.Task < 0 || e.Kind >= numKinds || e.CPU < -1 || e.Memory < -1 || e.Priority < -1 || e.Class < -1 {
			t.Fatalf("%+v from %q", e, line)
		}
		if !json.Valid(line) {
			t.Fatalf("%q was taken", line)
		}
	})
}
