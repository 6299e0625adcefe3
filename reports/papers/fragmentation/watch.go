package fragmentation

import (
	"bourse/engine"
	"bourse/policies"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// The figures of a run: of the pods that arrive after the warm-up, and of the GPUs from then
// until pods cease to arrive.
const (
	meanWait = iota
	slowdown
	waitShare
	waitOne
	waitSeveral
	inUse
	ofAll
	ofFree
	partSeveral
	preempted
	paid
	numFigures
)

type measured [numFigures]float64

// noted are the figures in tables, nothing if they are not there, and in the file.
var noted = [numFigures]struct {
	head   string
	unit   terminal.Unit
	column string
}{
	meanWait:    {"mean wait (s)", terminal.Fixed(0), "mean_wait_s"},
	slowdown:    {"bounded slowdown", terminal.Fixed(2), "bounded_slowdown"},
	waitShare:   {"of shares (s)", terminal.Fixed(0), "wait_of_shares_s"},
	waitOne:     {"of 1 GPU (s)", terminal.Fixed(0), "wait_of_one_s"},
	waitSeveral: {"of several (h)", terminal.Fixed(1), "wait_of_several_h"},
	inUse:       {"GPUs in use (%)", terminal.Fixed(1), "in_use_percent"},
	ofAll:       {"fragments (% of all)", terminal.Fixed(1), "fragments_percent"},
	ofFree:      {"(% of free)", terminal.Fixed(0), "fragments_of_free_percent"},
	partSeveral: {"", terminal.Fixed(0), "wait_that_is_of_several_percent"},
	preempted:   {"preempted", terminal.Fixed(0), "preempted"},
	paid:        {"paid (% of cost)", terminal.Fixed(0), "paid_of_cost_percent"},
}

// watch adds up what is noted while a run goes on.
type watch struct {
	gpu                   float64
	pods, wait            [4]float64 // by class
	slowdown              float64
	paid, cost            policies.Sum
	used, free, fragments float64 // GPU-seconds
	last                  engine.Sample
}

// class is a pod's by the GPUs it asks for: none, a share of one, one, several.
func class(gpu float64) int {
	switch {
	case gpu == 0:
		return 0
	case gpu < 1:
		return 1
	case gpu == 1:
		return 2
	}
	return 3
}

// Record implements engine.Sink.
func (w *watch) Record(o *engine.Outcome) error {
	if o.Job.Submit >= warm {
		k := class(o.Job.GPU)
		w.pods[k]++
		w.wait[k] += o.Wait().Seconds()
		w.slowdown += o.BoundedSlowdown()
		w.paid.Add(o.Payment)
		w.cost.Add(o.WeightedFlow())
	}
	return nil
}

// Sample implements engine.SampleSink.
func (w *watch) Sample(s *engine.Sample) error {
	if t := (min(s.Time, end) - max(w.last.Time, warm)).Seconds(); t > 0 {
		w.used += float64(t * w.last.Use.GPU)
		w.free += float64(t * (w.gpu - w.last.Use.GPU))
		w.fragments += float64(t * w.last.Fragments)
	}
	w.last = *s
	return nil
}

// figures is what comes of it.
func (w *watch) figures(stopped float64) measured {
	of := func(k int) float64 { return w.wait[k] / max(w.pods[k], 1) }
	pods, wait, all := max(stats.Total(w.pods[:]), 1), stats.Total(w.wait[:]), max(w.used+w.free, 1)
	return measured{meanWait: wait / pods, slowdown: w.slowdown / pods, waitShare: of(1), waitOne: of(2),
		waitSeveral: of(3) / 3600,
		inUse:       100 * w.used / all, ofAll: 100 * w.fragments / all, ofFree: 100 * w.fragments / max(w.free, 1),
		partSeveral: 100 * w.wait[3] / max(wait, 1),
		preempted:   stopped, paid: 100 * w.paid.Value() / max(w.cost.Value(), 1)}
}
