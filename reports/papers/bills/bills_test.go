package bills

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/tracetest"
)

// TestParts works out by hand what ten users use and pay.
func TestParts(t *testing.T) {
	b := bills{}
	for u := range traces.Label(10) {
		o := engine.Outcome{Job: traces.Job{User: u, Run: 10 * events.Second}, Size: float64(1 + u),
			Payment: float64(10 * (1 + u))}
		if u == 9 { // uses most, at twice the price
			o.Payment = 200
		}
		if err := b.Record(&o); err != nil {
			t.Fatal(err)
		}
	}
	p := b.parts()
	if use, pay := 100./550, 200./650; math.Abs(p.use-use) > 1e-12 || math.Abs(p.pay-pay) > 1e-12 ||
		math.Abs(p.low-550./650) > 1e-12 {
		t.Errorf("%+v, want %g of the use, %g of the payments, and a low price of %g", p, use, pay, 550./650)
	}
}

// TestEnvy works out by hand who envies whom.
func TestEnvy(t *testing.T) {
	p := places{}
	job := func(hour, wait, run events.Time, procs int32, price float64) {
		o := engine.Outcome{Job: traces.Job{Submit: hour * 3600 * events.Second, Run: run * events.Second, Procs: procs},
			Value: 2, Size: float64(procs), Payment: price * float64(procs) * run.Seconds()}
		o.Start, o.End = o.Job.Submit+wait*events.Second, o.Job.Submit+(wait+run)*events.Second
		if err := p.Record(&o); err != nil {
			t.Fatal(err)
		}
	}
	job(0, 10, 10, 1, 1) // envies the next: 20 of waiting for 10 of price
	job(0, 0, 20, 1, 2)  // envies none: the first is too short
	job(0, 0, 9, 4, 1)   // all others are narrower
	job(1, 99, 10, 1, 9) // alone in its hour
	if got := p.envy(); got != .25 {
		t.Errorf("%g envy, want a quarter", got)
	}
}

// TestBills makes the study on a month of a real log: Shapley pays just the cost, and honesty pays under critical and
// menu.
func TestBills(t *testing.T) {
	dir := t.TempDir()
	series := filepath.Join(dir, "carbon.csv")
	if err := os.WriteFile(series, []byte("time,value\n0,100\n12,300\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	report, err := papers.NewStudy(table.Output{W: &text, Format: "text"}, "")
	if err != nil {
		t.Fatal(err)
	}
	s := &study{Study: report, ctx: context.Background(), Options: Options{Logs: []string{tracetest.Shared(t,
		"data/swf/KTH-SP2-1996-2.1-cln.swf.gz")}, Month: 3, Asked: 5, Seed: 1,
		Carbon: series + "(unit=h,as=g/proc-h,extend=repeat)", Workers: 2}}
	if err := s.months(); err != nil {
		t.Fatal(err)
	}
	if n := len(s.kept.Rows); n != 8 {
		t.Fatalf("%d rows", n)
	}
	gain := func(row int) float64 { return s.kept.Rows[row].Cells[9].Value().Mean }
	if x := s.kept.Rows[6].Cells[2].Value().Mean; math.Abs(x-1) > 1e-9 {
		t.Errorf("Shapley takes %g of the cost", x)
	}
	if gain(3) != 0 || gain(4) != 0 {
		t.Errorf("lies gain %g under critical, %g under menu", gain(3), gain(4))
	}
	for _, want := range []string{"In words. Bills together are", "1 under Shapley times what the machine costs",
		"none under critical, none under menu"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}
