package plot

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bourse/reports/ask/sweep"
	"bourse/reports/figures"
	"bourse/reports/run"
	"bourse/reports/stats"
)

// made is a sweep whose mean wait is its load factor, 10 more under fcfs, and with wobble
// its seed beside that.
func made(wobble float64) *sweep.Dataset {
	d := &sweep.Dataset{Plan: &sweep.Plan{Axes: []sweep.Axis{
		{Name: "policy", Values: []string{"easy", "fcfs"}}, {Name: "load-factor", Values: []string{"1", "1.5", "2"}},
		{Name: "seed", Values: []string{"1", "2", "3"}}}}}
	d.Cells = sweep.Cells(d.Plan.Axes)
	for _, c := range d.Cells {
		at, _ := positions([]string{c.Get("load-factor"), "0"})
		wait := at[c.Get("load-factor")] + wobble*float64(int(c.Get("seed")[0])-'2')
		if c.Get("policy") == "fcfs" {
			wait += 10
		}
		s := &run.Summary{Jobs: &stats.Result{}}
		s.Jobs.Total.Jobs, s.Jobs.Total.MeanWait = 1, wait*3600
		d.Summaries = append(d.Summaries, s)
	}
	return d
}

func measure(t *testing.T) run.Measure {
	t.Helper()
	m, err := run.FindMeasure("wait")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSweep: a line for each policy over the load, intervals about the seeds' mean, in a
// unit people read.
func TestSweep(t *testing.T) {
	f, over := Sweep(made(.25), Axes{X: "load-factor", Series: "policy"}, measure(t))
	if len(f.Panels) != 1 || len(f.Panels[0].Lines) != 2 || over != nil {
		t.Fatalf("%d panels, %v", len(f.Panels), over)
	}
	p := f.Panels[0]
	if p.Y != "mean wait (h)" || p.X != "load factor" || len(p.Names) > 0 {
		t.Errorf("axes %q and %q, names %v", p.X, p.Y, p.Names)
	}
	fcfs := p.Lines[1]
	if fcfs.Name != "fcfs" || !slices.Equal(fcfs.X, []float64{1, 1.5, 2}) ||
		!slices.Equal(fcfs.Y, []float64{11, 11.5, 12}) {
		t.Errorf("%+v", fcfs)
	}
	// Student's t of two degrees of freedom: 4.303 x .25 / sqrt 3.
	if half := fcfs.High[0] - 11; half < .6210 || half > .6212 {
		t.Errorf("half an interval is %g", half)
	}
	if want := "Mean wait by load factor and policy; means of n = 3 seeds with 95 % confidence intervals (Student's " +
		"t)."; f.Caption != want {
		t.Errorf("%q, want %q", f.Caption, want)
	}
}

// TestCopies: a number that seeds do not change has no interval, and that is said.
func TestCopies(t *testing.T) {
	f, _ := Sweep(made(0), Axes{X: "load-factor", Series: "policy"}, measure(t))
	if l := f.Panels[0].Lines[0]; l.Low != nil || !strings.HasSuffix(f.Caption, "seeds change nothing here.") {
		t.Errorf("%+v, %s", l, f.Caption)
	}
}

// TestChoose wants numbers along X, the policy as series, and what is named left alone.
func TestChoose(t *testing.T) {
	axes := made(0).Plan.Axes
	for _, c := range []struct{ given, want Axes }{
		{Axes{}, Axes{X: "load-factor", Series: "policy"}},
		{Axes{X: "policy"}, Axes{X: "policy", Series: "load-factor"}},
		{Axes{Panels: "policy"}, Axes{X: "load-factor", Panels: "policy"}},
	} {
		if got := Choose(axes, c.given); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.given, got, c.want)
		}
	}
	if f, over := Sweep(made(.25), Axes{X: "load-factor"}, measure(t)); len(over) != 1 || f.Panels[0].Lines[0].Low != nil {
		t.Errorf("means over %v with an interval", over)
	}
}

// TestSave writes all files, whose data are those drawn, and a caption that LaTeX takes.
func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	f, _ := Sweep(made(.25), Axes{X: "load-factor", Panels: "policy"}, measure(t))
	names, err := f.Save(path)
	if err != nil || len(names) != 5 {
		t.Fatal(names, err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rows := strings.Split(strings.TrimSpace(read(path+".csv")), "\n")
	if rows[0] != "load-factor,policy,mean_wait_s,low,high,n" || len(rows) != 7 ||
		!strings.HasPrefix(rows[6], "2,fcfs,43200,") {
		t.Errorf("%q", rows)
	}
	if tex := read(path + ".tex"); !strings.Contains(tex, `\includegraphics[width=\linewidth]{f.pdf}`) ||
		!strings.Contains(tex, `95 \% confidence`) {
		t.Error(tex)
	}
	for _, ending := range []string{".svg", ".pdf", ".png"} {
		if len(read(path+ending)) < 3000 {
			t.Errorf("%s is short", ending)
		}
	}
}

// TestCorner puts the legend where no point is.
func TestCorner(t *testing.T) {
	for want, y := range map[string][]float64{"tl": {0, 0, 0, 2}, "bl": {2, 2, 2, 0}} {
		l := figures.Line{Y: y}
		for i := range y {
			l.X = append(l.X, float64(i))
		}
		if got := corner([]figures.Line{l}); got != want {
			t.Errorf("%v: %s, want %s", y, got, want)
		}
	}
}

// TestFarApart draws values that differ by more than two decades on a logarithmic axis,
// cuts what reaches below it and says so, and names many lines beside the panel.
func TestFarApart(t *testing.T) {
	d := made(0)
	for i, c := range d.Cells {
		wobble := float64(int(c.Get("seed")[0]) - '2')
		d.Summaries[i].Jobs.Total.MeanWait = 2 + wobble
		if c.Get("policy") == "fcfs" {
			d.Summaries[i].Jobs.Total.MeanWait = 1e4
		}
	}
	f, _ := Sweep(d, Axes{X: "load-factor", Series: "policy"}, measure(t))
	p := f.Panels[0]
	if easy := p.Lines[0]; !p.LogY || !(p.YMin > 0) || easy.Low[0] != p.YMin ||
		!strings.HasSuffix(f.Caption, "cut at its foot.") {
		t.Errorf("from %g, %+v, %s", p.YMin, easy, f.Caption)
	}
	for len(p.Lines) <= mostInside {
		p.Lines = append(p.Lines, p.Lines[0])
	}
	if f.legend(); len(f.names) != len(p.Lines) {
		t.Errorf("%d names of %d lines", len(f.names), len(p.Lines))
	}
	if _, err := f.Save(filepath.Join(t.TempDir(), "f")); err != nil {
		t.Error(err)
	}
}
