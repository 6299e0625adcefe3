package page

import (
	"strings"
	"testing"

	"bourse/traces/table"
)

// TestGantt holds the rectangles of a page against the segments they are made of: at no
// time two jobs on a processor, and all the work.
func TestGantt(t *testing.T) {
	dir := made{jobs: 300, segments: true}.make(t)
	g := charts(t, html(t, dir))["gantt"].Gantt
	type stretch struct{ from, to int64 }
	busy, area, at := map[int32][]stretch{}, int64(0), int64(0)
	r := g.Runs[0]
	for i := range r.Start {
		at += r.Start[i]
		for p := r.Low[i]; p < r.Low[i]+r.Count[i]; p++ {
			for _, s := range busy[p] {
				if at < s.to && s.from < at+r.Len[i] {
					t.Fatalf("processor %d has two jobs at %d", p, at)
				}
			}
			busy[p] = append(busy[p], stretch{at, at + r.Len[i]})
		}
		area += r.Len[i] * int64(r.Count[i])
	}
	runs, err := Open([]string{dir}, false)
	check(t, err)
	want := 0.0
	check(t, runs[0].rows("segments", []string{"start_s", "end_s", "procs"}, func(in *table.Rows) error {
		var x [3]float64
		err := in.Floats(x[:])
		want += (x[1] - x[0]) * x[2]
		return err
	}))
	if float64(area) != want || area == 0 {
		t.Errorf("%d processor seconds, want %g", area, want)
	}
}

// TestGanttWindow shows what overlaps the window, and says why there is none.
func TestGanttWindow(t *testing.T) {
	dir := made{jobs: 300, segments: true}.make(t)
	runs, err := Open([]string{dir}, false)
	check(t, err)
	p, err := gather(runs)
	check(t, err)
	from := p.grid.first + (p.grid.last-p.grid.first)/2
	c, _, err := p.gantt(Window{from, from + 60})
	check(t, err)
	if n := len(c.Gantt.Runs[0].Start); n == 0 || n > 20 {
		t.Errorf("%d rectangles in a minute", n)
	}
	if !strings.Contains(html(t, made{jobs: 30}.make(t)), "it takes segments, which record the processors of each job") {
		t.Error("the page does not say why it has no Gantt chart")
	}
}

// TestNodeRange reads what segments say of processors.
func TestNodeRange(t *testing.T) {
	for text, want := range map[string][2]int32{"3": {3, 3}, "0-7": {0, 7}} {
		if low, high, ok := nodeRange([]byte(text)); !ok || low != want[0] || high != want[1] {
			t.Errorf("%s is %d to %d", text, low, high)
		}
	}
	for _, text := range []string{"", "x", "5-3", "-1", "1-"} {
		if _, _, ok := nodeRange([]byte(text)); ok {
			t.Errorf("%q is taken", text)
		}
	}
}
