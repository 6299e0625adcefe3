package waiting

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/papers"
	"bourse/reports/papers/claimtest"
	"bourse/reports/table"
	"bourse/traces/tracetest"
)

func made(t *testing.T, o Options, out io.Writer) *papers.Study {
	t.Helper()
	report, err := papers.NewStudy(table.Output{W: out}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(context.Background(), report, o); err != nil {
		t.Fatal(err)
	}
	return report
}

// TestFigure8 wants the printed figures of the study but for that of the fault, and mutations of the data to be
// noticed.
func TestFigure8(t *testing.T) {
	data := filepath.Dir(tracetest.Shared(t, "data/world/gaia/"+jobsFile))
	var text strings.Builder
	report := made(t, Options{Data: data}, &text)
	for _, want := range []string{"0.780037  0.780037", "0.683704  0.683704", "0.724888  0.724888", "0.639105  0.639105",
		"0.546196  0.607509", "562.1713", "4.729 hours"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %s in\n%s", want, text.String())
		}
	}
	if n := report.Counted(); n[papers.Holds] != 8 || n[papers.Differs] != 1 {
		t.Errorf("%v", n)
	}
	other := func() *papers.Study { // the jobs of another day
		s := &study{Options: Options{Data: data}, ctx: context.Background()}
		s.Study, _ = papers.NewStudy(table.Output{W: io.Discard}, "")
		if err := s.read(); err != nil {
			t.Fatal(err)
		}
		for i := range s.jobs {
			s.jobs[i].submit += 7 * hour
		}
		if err := errors.Join(s.figure8(), s.capacities()); err != nil {
			t.Fatal(err)
		}
		return s.Study
	}
	var notice []claimtest.Claim
	report.Each(func(where, says string, v papers.Verdict) {
		if v == papers.Holds || strings.Contains(says, "artifact's fault") {
			notice = append(notice, claimtest.Claim{Where: where, Says: says})
		}
	})
	claimtest.Run(t, report, map[claimtest.Claim]string{{Where: "Figure 8, Wait Awhile",
		Says: "0.607509 of the carbon without waiting"}: "it differs, for a fault of the artifact"},
		[]claimtest.Mutation{{What: "jobs seven hours later", Broken: other, Notice: notice}})
}

// TestQueues wants carbon to be saved, and jobs to wait for it, on a log with a queue.
func TestQueues(t *testing.T) {
	data := filepath.Dir(tracetest.Shared(t, "data/world/gaia/"+jobsFile))
	var text strings.Builder
	made(t, Options{Data: data, Logs: []string{tracetest.Shared(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz")}, Replicas: 2,
		Seed: 1, Workers: 2}, &text)
	for _, want := range []string{"at once", "KTH-SP2-1996-2.1-cln  saving", "who gains by lying about slack"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %s in\n%s", want, text.String())
		}
	}
}
