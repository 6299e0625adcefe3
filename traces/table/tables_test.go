package table_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/traces/table"
)

var columns = []record.Values{
	{Name: "agent", Words: []string{"a", "b, c", "\"d\"", ""}},
	{Name: "n", Ints: []int64{1, -2, 1 << 40, 0}},
	{Name: "share", Floats: []float64{.1, 1e-300, math.NaN(), 3}},
}

// TestRoundTrip writes and reads both formats.
func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"t.csv", "t.parquet", "t.PARQUET"} {
		path := filepath.Join(t.TempDir(), name)
		if err := run.Write(path, nil, false, "1", columns); err != nil {
			t.Fatal(err)
		}
		got, err := table.Read(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Columns(), []string{"agent", "n", "share"}) || got.Rows() != 4 {
			t.Fatalf("%s: columns %v, %d rows", name, got.Columns(), got.Rows())
		}
		n, err := got.Floats("N")
		if err != nil || !slices.Equal(n, []float64{1, -2, 1 << 40, 0}) {
			t.Errorf("%s: n is %v, %v", name, n, err)
		}
		if words, err := got.Words("n"); err != nil || words[2] != "1099511627776" {
			t.Errorf("%s: n in words is %v, %v", name, words, err)
		}
		if _, err := got.Words("agent"); err == nil ||
			!strings.HasSuffix(err.Error(),
				map[bool]string{true: ":4: agent is empty", false: ":5: agent is empty"}[name != "t.csv"]) {
			t.Errorf("%s: the empty word should be found: %v", name, err)
		}
		if _, err := got.Floats("share"); err == nil || !strings.Contains(err.Error(), "share is empty; want a number") {
			t.Errorf("%s: the unknown number should be found: %v", name, err)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "standard input: the table is empty; the first line should name the columns"},
		{"agent,cpu\n", "standard input: the table has no rows"},
		{"agent,cpu\na,1,2\n", "standard input:2: the row has another number of fields"},
		{"agent,cpu\na,\"1\n", "standard input:2: not CSV"},
		{"agent,,cpu\na,1,2\n", "standard input:1: column 2 has no name"},
		{"agent,cpu,CPU\na,1,2\n", "standard input:1: two columns are called CPU"},
		{"agent,cpu\na,1\n\nb,x\n", `standard input:4: cpu is "x"; want a number`},
		{"agent,cpu\na,NaN\n", `standard input:2: cpu is "NaN"`},
		{"agent,cpy\na,1\n", `standard input:1: no column cpu; the columns are agent, cpy; did you mean "cpy"?`},
	} {
		table, err := table.Read("-", strings.NewReader(c.text))
		if err == nil {
			_, err = table.Floats("cpu")
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := table.Read(filepath.Join(t.TempDir(), "none.csv"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	bom, err := table.Read("-", strings.NewReader("\ufeffagent , cpu\r\n a , 2 \r\n"))
	if err != nil || !slices.Contains(bom.Columns(), "agent") {
		t.Fatalf("a byte order mark and blanks should not count: %v", err)
	}
	if cpu, err := bom.Floats("cpu"); err != nil || cpu[0] != 2 {
		t.Errorf("cpu is %v, %v", cpu, err)
	}
}

// TestDamagedParquet wants errors, not panics, and never a wrong table.
func TestDamagedParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	if err := run.Write(path, nil, false, "1", columns); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(t.TempDir(), "damaged.parquet")
	for cut := 0; cut < len(whole); cut += 7 {
		if err := os.WriteFile(damaged, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := table.Read(damaged, nil); err == nil {
			t.Fatalf("cut after %d bytes: %v", cut, got)
		}
	}
}

// TestWriteRefuses wants files in the way, missing directories and failing
// writers to be told, with nothing left behind.
func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run.Write(path, nil, false, "1", columns); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a file in the way: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Errorf("the file in the way is now %q", text)
	}
	if err := run.Write(path, nil, true, "1", columns); err != nil {
		t.Error(err)
	}
	if err := run.CheckOut(filepath.Join(dir, "no", "t.csv"), false); err == nil {
		t.Error("a missing directory should be refused")
	}
	if err := run.CheckOut(dir, true); err == nil {
		t.Error("a directory should be refused")
	}
	odd := append([]record.Values{{Name: "x", Ints: []int64{1}}}, columns...)
	other := filepath.Join(dir, "other.csv")
	if err := run.Write(other, nil, false, "1", odd); err == nil {
		t.Error("columns of different lengths should be refused")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
