package page

import (
	"math"
	"strings"
	"testing"
)

// TestHeadline begins the page of a single run with how long its jobs wait.
func TestHeadline(t *testing.T) {
	page := html(t, made{jobs: 30, payment: "none"}.make(t))
	if !strings.Contains(page, `<section class="answer" aria-label="Answer"><p>Jobs wait `) ||
		!strings.Contains(page, "on average under hb; half of them ") || !strings.Contains(page, "<h1>log under hb</h1>") {
		t.Error("the page does not open with its figures")
	}
}

// TestWeek puts what happens on a Wednesday at noon there, and adds up to the mean of all hours.
func TestWeek(t *testing.T) {
	const wednesday = 1704283200 // 2024-01-03 12:00 UTC
	g := grid{first: 0, last: 4 * week, bins: 10}
	means := make([]float64, 4*7*24)
	for i := range means {
		if i%(7*24) == 0 {
			means[i] = .5
		}
	}
	h := &heatOfWeek{}
	h.add(g, wednesday, means, 100)
	for d := range h {
		for hour, c := range h[d] {
			want := 0.0
			if d == 2 && hour == 12 {
				want = 50
			}
			if got := c.sum / c.n; c.n != 4 || math.Abs(got-want) > 1e-9 {
				t.Errorf("%s %d:00: %g in %g hours, want %g", days[d], hour, got, c.n, want)
			}
		}
	}
}

// TestBusiest finds the week in which most jobs wait, and none in a short log.
func TestBusiest(t *testing.T) {
	queue := make([]float64, 40)
	for i := range queue {
		queue[i] = float64(i % 3)
	}
	queue[20], queue[22] = 9, 9
	p := &input{grid: grid{first: 100, last: 100 + 40*86400, bins: 40}, data: []*gathered{{tracks: tracks{queue: track{mean: queue}}}}}
	w, ok := p.busiest()
	if !ok || w.From > 100+20*86400 || w.Until < 100+23*86400 || w.Until-w.From != week {
		t.Errorf("the busiest week is %v, %v", w, ok)
	}
	p.grid.last = 100 + 6*86400
	if w, ok := p.busiest(); ok {
		t.Errorf("in six days the busiest week is %v", w)
	}
}

// TestSteps125 has ticks at 1, 2 and 5 in each power of ten.
func TestSteps125(t *testing.T) {
	got := steps125(13, 700)
	if len(got) != 6 || got[0] != 10 || got[5] != 500 {
		t.Errorf("ticks %v", got)
	}
}
