package scenario_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/engine/scenario"
	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/traces"
)

// written returns the path of a file of this name and content.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadBids(t *testing.T) {
	const far = math.MaxInt64 - 1 // no floating number is so exact
	csv := written(t, "bids.csv",
		"bid,job_id,note,value,time_s\n2,1,x,3,\n1,1,x,3,10.5\n4,1,x,3,7\n5,9223372036854775806,x,6,100\n")
	parquet := filepath.Join(t.TempDir(), "bids.parquet")
	if err := run.Write(parquet, nil, false, "1",
		[]record.Values{{Name: "bid", Floats: []float64{2, 1, 4, 5}}, {Name: "job_id", Ints: []int64{1, 1, 1, far}},
			{Name: "value", Ints: []int64{3, 3, 3, 6}},
			{Name: "time_s", Floats: []float64{math.NaN(), 10.5, 7, 100}}}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{csv, parquet} {
		table, err := scenario.ReadBids(path)
		if err != nil {
			t.Fatal(err)
		}
		if o, err := table.Bid(&traces.Job{ID: 1}); err != nil || o.Value != 3 || o.Bid != 2 {
			t.Errorf("%s: job 1: %v %v", path, o, err)
		}
		if r := table.Rebids(&traces.Job{ID: 1}); len(r) != 2 || r[0].At != 7_000_000 || r[0].Bid != 4 ||
			r[1].At != 10_500_000 {
			t.Errorf("%s: later bids of job 1: %v", path, r)
		}
		if o, err := table.Bid(&traces.Job{ID: far}); err != nil || o.Bid != 5 {
			t.Errorf("%s: job %d: %v %v", path, int64(far), o, err)
		}
	}
}

func TestReadBadBids(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "bids.csv: the table is empty",
		"job_id,value,bid\n":                    "bids.csv: the bid table has no rows",
		"job_id,value,bids\n1,2,3\n":            `bids.csv:1: no column bid; the columns are job_id, value, bids; did you mean "bids"?`,
		"job_id,value,bid\n1,2\n":               "bids.csv:2: the row has another number of fields",
		"job_id,value,bid\n1,2,NaN\n":           `bids.csv:2: bid is "NaN"; want a number`,
		"job_id,value,bid\n1,2,+Inf\n":          "bids.csv:2: bid is +Inf",
		"job_id,value,bid\n1,-2,1\n":            "bids.csv:2: value is -2",
		"job_id,value,bid\n1,2,dear\n":          `bids.csv:2: bid is "dear"`,
		"job_id,value,bid\n1,,1\n":              "bids.csv:2: value is empty",
		"job_id,value,bid\n1.5,2,1\n":           `bids.csv:2: job_id is "1.5"; want a whole number`,
		"job_id,value,bid\n1,2,1\n1,2,1\n":      "bids.csv:3: duplicate bid of job 1 for the same time",
		"job_id,value,bid,time_s\n1,2,1,soon\n": `bids.csv:2: time_s is "soon"`,
		"job_id,value,bid,time_s\n1,2,1,1e99\n": "bids.csv:2: time_s is 1e+99; want seconds on the trace's clock",
	} {
		if _, err := scenario.ReadBids(written(t, "bids.csv", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\nwant an error with %q", text, err, want)
		}
	}
	if _, err := scenario.ReadBids(written(t, "bids.parquet", "job_id,value,bid\n")); err == nil ||
		!strings.Contains(err.Error(), "bids.parquet: not a whole Parquet file") {
		t.Errorf("CSV under a Parquet name: %v", err)
	}
	parquet := filepath.Join(t.TempDir(), "bids.parquet")
	if err := run.Write(parquet, nil, false, "1",
		[]record.Values{{Name: "job_id", Floats: []float64{7, 1 << 54}}, {Name: "value", Ints: []int64{1, 1}},
			{Name: "bid", Ints: []int64{1, 1}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := scenario.ReadBids(parquet); err == nil ||
		!strings.Contains(err.Error(), `bids.parquet:2: job_id is "18014398509481984"; want a whole number; floating`) {
		t.Errorf("a rounded job number: %v", err)
	}
}
