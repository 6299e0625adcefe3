package run

import (
	"os"
	"path/filepath"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
)

func TestSeriesGrid(t *testing.T) {
	dir := t.TempDir()
	r, err := Create(dir, Options{Format: "csv", Series: true, SeriesEvery: 10 * events.Second})
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range []events.Time{3, 10, 12, 35, 40} {
		if err := r.Sample(&engine.Sample{Time: at * events.Second, Running: i,
			Capacity: policies.Amount{CPU: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Commit(nil, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "series.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want := "time_s,running,queued,busy,utilisation,price\n10,1,0,0,0,0\n20,2,0,0,0,0\n30,2,0,0,0,0\n40,4,0,0,0,0\n"
	if string(text) != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
}
