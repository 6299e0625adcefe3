package papers_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// TestReport wants headings, tables and verdicts in the report, and tables as files.
func TestReport(t *testing.T) {
	var out bytes.Buffer
	dir := filepath.Join(t.TempDir(), "made", "here")
	s, err := papers.NewStudy(table.Output{W: &out}, dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Heading("Figure %d: naïve", 2)
	ratios := table.New(table.Col("n", "n", terminal.Number), table.Col("ratio", "ratio", terminal.Ratio))
	ratios.Add(20, 1.5)
	ratios.Add(200, 2.5)
	s.Show(ratios)
	s.Claim("Figure 2", "ratios fall", papers.Judge(true), "from %.1f to %.1f", 2.0, 1.5)
	s.Claim("Table 1", "they never rise", papers.Judge(false), "once")
	s.Claim("Table 1", "the mean is above 1", papers.Unclear, "1.0 ±0.2").Read("over all rows (section 2)").Tried(3)
	s.Check("Table 1", "parts add up", true, "exactly")
	if a, b := s.VerdictOf("Table 1", "they never rise"), s.VerdictOf("Table 1", "they rise"); a != papers.Differs ||
		b != "" {
		t.Errorf("verdicts %q and %q", a, b)
	}
	if err := s.Verdicts(); err != nil {
		t.Fatal(err)
	}
	const want = `
Figure 2: naïve
---------------

n    ratio
20    1.50
200   2.50

Verdicts
--------

where     the paper says       found here       verdict
Figure 2  ratios fall          from 2.0 to 1.5  holds
Table 1   they never rise      once             differs
Table 1   the mean is above 1  1.0 ±0.2         unclear
Table 1   parts add up         exactly          check of the code

How they are read, and the settings tried where there were several:
  Table 1, "the mean is above 1": over all rows (section 2); 3 settings tried

3 claims: 1 hold, 1 differ, 1 unclear, 0 of which the set-up is not published; 1 check of the code.
`
	if out.String() != want {
		t.Errorf("the report is\n%s\nwant\n%s", out.String(), want)
	}
	named := table.New(table.Named("n", "name")...)
	named.Add(1, `with "quotes", and a comma`)
	if err := s.Keep("table", named); err != nil {
		t.Fatal(err)
	}
	if err := s.Publish(papers.Page{Title: "A study", Paper: "A & B", Command: "bourse reproduce a",
		Version: "test"}, nil); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "report.txt")); err != nil || string(text) != want[1:] {
		t.Errorf("the report kept is\n%s, %v", text, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, papers.PageFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A &amp; B", "<p>3 claims: 1 hold", `<tr class="differs"><td>Table 1</td>`,
		"over all rows (section 2); 3 settings tried", "<code>bourse reproduce a</code>"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	text, err = os.ReadFile(filepath.Join(dir, "table.csv"))
	if err != nil || string(text) != "n,name\n1,\"with \"\"quotes\"\", and a comma\"\n" {
		t.Errorf("kept %q, %v", text, err)
	}
}

// TestWithoutFolder wants a study without a folder to write no files.
func TestWithoutFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	s, err := papers.NewStudy(table.Output{W: &bytes.Buffer{}}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Keep("table", &table.Table{}), s.Draw("figure")); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("files %v, %v", left, err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestVerdictsReportsWriteErrors wants the last part of a report not to be lost silently.
func TestVerdictsReportsWriteErrors(t *testing.T) {
	s, err := papers.NewStudy(table.Output{W: full{}}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Verdicts(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("error %v", err)
	}
}
