package formats

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/swf"
	"bourse/traces/tracetest"
	"bourse/traces/transform"
)

// realLogs states what reading each log must find. The record counts and the
// shares of never-started jobs were counted independently, with a script.
var realLogs = []struct {
	file             string
	read             int64
	never, noProcs   int64 // dropped as unusable
	malformed        int64 // dropped with Options.Skip; without it the log is refused
	refused          string
	procs            int
	start            int64
	oddity           string
	odd              int64
	firstSub, lastAt float64
}{
	{file: "LPC-EGEE-2004-1.2-cln.swf.gz", read: 234889, never: 14194, procs: 140, start: 1091615532, firstSub: 3585977,
		lastAt: 24204918},
	{file: "DAS2-fs1-2003-1.swf.gz", read: 40315, never: 959, procs: 64, start: 1041377305, lastAt: 31077267},
	{file: "KTH-SP2-1996-2.1-cln.swf.gz", read: 28476, noProcs: 1, procs: 100, start: 843480031, firstSub: 599850,
		lastAt: 29363618},
	{file: "CTC-SP2-1996-3.1-cln.swf.gz", read: 77222, procs: 338, start: 835823160, lastAt: 29299062},
	{file: "SDSC-BLUE-2000-4.2-cln.swf.gz", read: 243306, never: 10744, procs: 1152, start: 956700003, firstSub: 430593,
		lastAt: 84590739},
	{file: "SDSC-DS-2004-2.1-cln.swf.gz", read: 96069, never: 11024, procs: 1664, start: 1078605840, firstSub: 2137605,
		lastAt: 33792175},
	{file: "CEA-Curie-2011-2.1-cln.swf.gz", read: 312826, noProcs: 19, procs: 93312, start: 1296571124, firstSub: 31656837,
		lastAt: 53580159},
	{file: "LLNL-Thunder-2007-1.1-cln.swf.gz", read: 121039, never: 1190, noProcs: 1058, procs: 4008, start: 1170175078,
		oddity: swf.OddSubmit, odd: 1190, lastAt: 12976987},
	{file: "Sandia-Ross-2001-1.1-cln.swf.gz", read: 57882, noProcs: 15, procs: 1524, start: 1007061086,
		oddity: traces.OddStatus, odd: 1562, lastAt: 98286156},
	{file: "METACENTRUM-2009-2.swf.gz", read: 103656, lastAt: 14896887},
	{file: "OSC-Clust-2000-3.1-cln.swf.gz", read: 36097, procs: 178, start: 946746636, lastAt: 58503302},
	{file: "LCG.swf.gz", read: 188041, procs: 24515, start: 1132444805, lastAt: 950392},
	{file: "NASA-iPSC-1993-3.1-cln.swf.gz", read: 18239, procs: 128, start: 749458803, lastAt: 7948936},
	{file: "NASA-iPSC-1993-3.swf", read: 228, procs: 128, start: 749458803, firstSub: 10000, lastAt: 44469},
	{file: "CERIT-wagap-2013-21fields.swf.gz", read: 17900, malformed: 2,
		refused: ":4186: run time of -1359980917s; want 0 or more, or -1 for unknown", oddity: swf.OddExtra, odd: 17900,
		firstSub: 1356996147, lastAt: 1364682183},
	{file: "mira_walltime.swf.gz", read: 22508, procs: 49152, oddity: swf.OddExtra, odd: 22508, firstSub: 1535348017,
		lastAt: 1546272172},
	{file: "theta_argonne.swf.gz", read: 23387, procs: 4392, oddity: input.OddOrder, odd: 11995, firstSub: 1668693697,
		lastAt: 1690545187},
}

func TestRealLogs(t *testing.T) {
	for _, want := range realLogs {
		t.Run(want.file, func(t *testing.T) {
			path := tracetest.Shared(t, "data/swf/"+want.file)
			if want.refused != "" {
				_, err := tracetest.All(Open, path, traces.Options{})
				if err == nil || err.Error() != path+want.refused {
					t.Errorf("refused with %v, want %s", err, want.refused)
				}
			}
			src, err := Open(path, traces.Options{Skip: true})
			if err != nil {
				t.Fatal(err)
			}
			defer traces.Close(src)
			var never, noProcs int64
			jobs := tracetest.Collect(t, src)
			for i, j := range jobs {
				if i > 0 && !tracetest.InOrder(&jobs[i-1], &j) {
					t.Fatalf("job %d of line %d comes after job %d of line %d", j.ID, j.Line, jobs[i-1].ID, jobs[i-1].Line)
				}
				if !j.Run.Known() {
					never++
				} else if j.Procs <= 0 {
					noProcs++
				}
			}
			h := src.Header()
			if n := int64(len(jobs)); n != want.read-want.malformed || h.Ledger.Read != want.read ||
				h.Ledger.Dropped[traces.Malformed] != want.malformed {
				t.Errorf("%d jobs, ledger %+v; want %d read, %d malformed", n, h.Ledger, want.read, want.malformed)
			}
			if never != want.never || noProcs != want.noProcs {
				t.Errorf("%d never started, %d without processors; want %d, %d", never, noProcs, want.never, want.noProcs)
			}
			if h.Procs != want.procs || h.Start != want.start {
				t.Errorf("procs %d start %d, want %d %d", h.Procs, h.Start, want.procs, want.start)
			}
			first, last := jobs[0].Submit.Seconds(), jobs[len(jobs)-1].Submit.Seconds()
			if first != want.firstSub || last != want.lastAt {
				t.Errorf("submits %v .. %v, want %v .. %v", first, last, want.firstSub, want.lastAt)
			}
			if h.Ledger.Oddities[want.oddity] != want.odd || want.odd == 0 && len(h.Ledger.Oddities) != 0 {
				t.Errorf("oddities %v, want %d times %q", h.Ledger.Oddities, want.odd, want.oddity)
			}
		})
	}
}

// TestRealLogsAddUp: of every log, read = replayed + dropped, whichever side of
// the goroutine that reads ahead the treatment is on.
func TestRealLogsAddUp(t *testing.T) {
	for _, log := range realLogs {
		path := tracetest.Shared(t, "data/swf/"+log.file)
		var ledgers [2]traces.Ledger
		for side := range ledgers {
			src, err := Open(path, traces.Options{Skip: true})
			if err != nil {
				t.Fatal(err)
			}
			if side == 0 {
				src = traces.Ahead(src)
			}
			src, err = transform.Apply(src, transform.Options{Procs: src.Header().Procs / 2, Where: "job % 7 != 0",
				From: events.Instant{Since: 1000 * events.Second}, LoadFactor: 1.1})
			if err != nil {
				t.Fatal(err)
			}
			if side == 1 {
				src = traces.Ahead(src)
			}
			n := int64(tracetest.Drain(t, src))
			l := src.Header().Ledger
			if err := traces.Close(src); err != nil {
				t.Error(err)
			}
			if l.Read != log.read || l.Replayed() != n || n+l.DroppedTotal() != l.Read {
				t.Errorf("%s: %d replayed, ledger %+v", log.file, n, l)
			}
			ledgers[side] = *l
		}
		if diff := cmp.Diff(ledgers[0], ledgers[1]); diff != "" {
			t.Errorf("%s: %s", log.file, diff)
		}
	}
}
