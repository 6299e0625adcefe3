package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"bourse/engine"
	"bourse/events"
	"bourse/reports/terminal"
	"bourse/traces"
)

// progress draws one line on a terminal, about four times a second. The engine
// has no clock; this is where wall time comes in.
type progress struct {
	w       io.Writer
	read    traces.Progress // how much of the input has been read, nil if unknown
	epoch   int64           // Unix time of the trace's zero
	began   time.Time
	drawn   time.Time
	written bool
}

// newProgress returns nil, which draws nothing, unless w is a terminal.
func newProgress(w io.Writer, quiet bool, src traces.Source) *progress {
	if quiet || !isTerminal(w) {
		return nil
	}
	read, _ := traces.As[traces.Progress](src)
	return &progress{w: w, read: read, epoch: src.Header().Start, began: time.Now()}
}

// hook is the engine's Progress function.
func (p *progress) hook() func(engine.Progress) {
	if p == nil {
		return nil
	}
	return p.draw
}

func (p *progress) draw(e engine.Progress) {
	now := time.Now()
	if now.Sub(p.drawn) < 250*time.Millisecond {
		return
	}
	p.drawn, p.written = now, true
	elapsed := now.Sub(p.began)
	fmt.Fprintf(p.w, "\r\x1b[K%s jobs  %s  %s live  %s events/s%s", terminal.Thousands(e.Jobs), p.date(e.Now),
		terminal.Thousands(int64(e.Live)), terminal.Thousands(int64(float64(e.Events)/elapsed.Seconds())), p.left(elapsed))
}

// date is the simulated date, or the simulated time where the trace has no date.
func (p *progress) date(now events.Time) string {
	if p.epoch == 0 {
		return "at " + now.Short()
	}
	return time.Unix(p.epoch+int64(now/events.Second), 0).UTC().Format("2006-01-02 15:04")
}

// left estimates the time to go from the share of the input read.
func (p *progress) left(elapsed time.Duration) string {
	if p.read == nil {
		return ""
	}
	share := p.read.Fraction()
	if share <= 0 || share > 1 {
		return ""
	}
	eta := time.Duration(float64(elapsed) * (1 - share) / share)
	return fmt.Sprintf("  %2.0f%%  %s left", 100*share, eta.Round(time.Second))
}

// end wipes the line.
func (p *progress) end() {
	if p != nil && p.written {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// isTerminal reports whether w is one.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
