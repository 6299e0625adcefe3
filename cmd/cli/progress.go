package cli

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

// The flag that silences progress is known to every command, and shown by those that
// have any.
const quietFlag = "quiet"

func (a *app) quietFlag(f *flags) {
	f.BoolVarP(&a.quiet, quietFlag, "q", false, "no progress line")
}

// line is one on a terminal that is drawn over and over. The engine has no clock; this is
// where wall time comes in.
type line struct {
	w     io.Writer // nil: nothing is drawn
	began time.Time
	drawn time.Time
}

func (a *app) newLine() line {
	if a.quiet || !isTerminal(a.line) {
		return line{}
	}
	return line{w: a.line, began: time.Now()}
}

func (l *line) draw(format string, args ...any) {
	fmt.Fprintf(l.w, "\r\x1b[K"+format, args...)
	l.drawn = time.Now()
}

// end wipes the line.
func (l *line) end() {
	if !l.drawn.IsZero() {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

// cellLine is the line of work that is done in so many equal parts.
type cellLine struct{ line }

func (a *app) cells() *cellLine { return &cellLine{a.newLine()} }

func (l *cellLine) done(done, of int) {
	if l.w == nil {
		return
	}
	elapsed := time.Since(l.began)
	left := time.Duration(float64(elapsed) / float64(done) * float64(of-done))
	l.draw("%d of %d schedules  %3d%%  %s left", done, of, 100*done/of, left.Round(time.Second))
}

// replayed is done for what may fail, too.
func (l *cellLine) replayed(done, of int, _ error) { l.done(done, of) }

// progress is the line of one replay, drawn about four times a second.
type progress struct {
	line
	read  traces.Progress // how much of the input has been read, nil if unknown
	epoch int64           // Unix time of the trace's zero
}

func (a *app) progress(src traces.Source) *progress {
	read, _ := traces.As[traces.Progress](src)
	return &progress{line: a.newLine(), read: read, epoch: src.Header().Start}
}

// hook is the engine's Progress function, nil where nothing is drawn.
func (p *progress) hook() func(engine.Progress) {
	if p.w == nil {
		return nil
	}
	return p.show
}

func (p *progress) show(e engine.Progress) {
	if time.Since(p.drawn) < 250*time.Millisecond {
		return
	}
	elapsed := time.Since(p.began)
	p.draw("%s jobs  %s  %s live  %s events/s%s", terminal.Thousands(e.Jobs), p.date(e.Now),
		terminal.Thousands(int64(e.Live)), terminal.Thousands(int64(float64(e.Events)/elapsed.Seconds())),
		p.left(elapsed))
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

// isTerminal reports whether w is one.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
