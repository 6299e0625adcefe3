package run

import (
	"strings"
	"testing"

	"bourse/engine"
	"bourse/policies"
	"bourse/reports/record/recordtest"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/traces"
)

func summaryOf(t testing.TB, n int) *Summary {
	var c stats.Collector
	records := recordtest.MakeJobs(n, 7)
	for i := range records {
		if err := c.Record(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	l := &traces.Ledger{Read: int64(n) + 1234}
	l.Dropped[traces.NeverStarted] = 1200
	l.Dropped[traces.TooLarge] = 34
	l.Odd("fields beyond the 18th ignored")
	return NewSummary(l, nil, NewMachine(&engine.Summary{
		Machines: 128, Capacity: policies.Amount{CPU: 128}, Last: 3_600_000_000_000, Work: 128 * 3_600_000 * 0.73,
		Events: 3 * int64(n)}), c.Result())
}

func TestSummaryReport(t *testing.T) {
	var text strings.Builder
	s := summaryOf(t, 30_000)
	s.Market = true
	if err := table.Print(&text, s.Report("easy", 1_234_567.8)); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + text.String())
	for _, line := range strings.Split(text.String(), "\n") {
		if len(line) > 101 {
			t.Errorf("line of %d characters: %q", len(line), line)
		}
	}
	for _, want := range []string{"low", "high", "conservative", "aggressive", "all", "30,000", "utilisation 73.0%",
		"makespan 41d16h", "(1,234,568/s)", "1,200 never started, 34 larger than the machine",
		"note: fields beyond the 18th ignored (1)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

func TestSummaryReportOfNothing(t *testing.T) {
	var text strings.Builder
	var c stats.Collector
	if err := table.Print(&text, NewSummary(nil, nil, Machine{}, c.Result()).Report("easy", 0)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), "NaN") {
		t.Error(text.String())
	}
}

func TestListColumns(t *testing.T) {
	var text strings.Builder
	if err := table.Print(&text, ColumnTables()); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + text.String())
	for _, set := range Datasets() {
		for _, c := range set.Columns {
			if !strings.Contains(text.String(), "\n"+c.Name+" ") || c.Meaning == "" {
				t.Errorf("column %s is not documented", c.Name)
			}
		}
	}
}

// TestUserColumns wants the table of users to have the columns that are documented.
func TestUserColumns(t *testing.T) {
	var names []string
	u := NewUsers(nil)
	if err := u.Record(&engine.Outcome{Charged: [engine.NumCharges]float64{1, 1}}); err != nil {
		t.Fatal(err)
	}
	for _, v := range u.Table([]policies.UserShare{}, true).Columns {
		names = append(names, v.Name)
	}
	for _, set := range Datasets() {
		if set.Name != "users" {
			continue
		}
		for i, c := range set.Columns {
			if i >= len(names) || names[i] != c.Name {
				t.Errorf("column %d is %s, not in %v", i, c.Name, names)
			}
		}
		return
	}
	t.Error("the table of users is not listed")
}
