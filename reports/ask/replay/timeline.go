package replay

import (
	"fmt"
	"strings"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/perfetto"
	"bourse/reports/run"
	"bourse/traces"
	"bourse/traces/files"
)

// Timeline is a file for ui.perfetto.dev.
type Timeline struct {
	Perfetto string
	Window   string // FROM..UNTIL; empty is all
	Sample   int64  // one job in so many; 0 is all

	file  *files.File
	trace *perfetto.Trace
}

// create begins the file; nothing happens where none is asked for.
func (t *Timeline) create(set *files.Set, header *traces.Header, outages, overwrite bool) error {
	if t.Perfetto == "" {
		return nil
	}
	if err := run.CheckNew(t.Perfetto, overwrite); err != nil {
		return err
	}
	from, until, err := ParseWindow("perfetto-window", t.Window)
	if err != nil {
		return err
	}
	if t.file, err = set.Create(t.Perfetto); err != nil {
		return err
	}
	t.trace = perfetto.New(t.file, perfetto.Options{From: from, Until: until, Every: t.Sample, Outages: outages,
		Names: header.Names.Users})
	return nil
}

// attach adds the trace to the sinks of the replay.
func (t *Timeline) attach(c *engine.Config, sinks []engine.Sink) []engine.Sink {
	if t.trace == nil {
		return sinks
	}
	c.Segments, c.Samples, c.Rounds = both{c.Segments, nil, t.trace}, both{nil, c.Samples, t.trace}, t.trace
	return append(sinks, t.trace)
}

// pin refers to the finished file; nil if there is none.
func (t *Timeline) pin() (*run.TimelineRef, error) {
	if t.trace == nil {
		return nil, nil
	}
	ref, err := run.Pin(t.Perfetto, t.file.Path())
	if err != nil {
		return nil, err
	}
	return &run.TimelineRef{FileRef: *ref, Window: t.Window, Sample: t.Sample}, nil
}

func (t *Timeline) finish() error {
	if t.trace == nil {
		return nil
	}
	return t.trace.Finish()
}

// both passes segments or samples on to a sink that may be nil, and to the timeline.
type both struct {
	segments engine.SegmentSink
	samples  engine.SampleSink
	trace    *perfetto.Trace
}

// Segment implements engine.SegmentSink.
func (b both) Segment(s *engine.Segment) error {
	if b.segments != nil {
		if err := b.segments.Segment(s); err != nil {
			return err
		}
	}
	return b.trace.Segment(s)
}

// Sample implements engine.SampleSink.
func (b both) Sample(s *engine.Sample) error {
	if b.samples != nil {
		if err := b.samples.Sample(s); err != nil {
			return err
		}
	}
	return b.trace.Sample(s)
}

// ParseWindow reads a time of the trace, FROM..UNTIL, that an option gives; nothing is all of it.
func ParseWindow(option, text string) (from, until events.Time, err error) {
	if text == "" {
		return 0, 0, nil
	}
	a, b, ok := strings.Cut(text, "..")
	from, err = events.ParseDuration(a)
	if err == nil && ok {
		until, err = events.ParseDuration(b)
	}
	if !ok || err != nil || until <= from {
		return 0, 0, &scenario.OptionError{Option: option,
			Err: fmt.Errorf("%s: want a time of the trace, as 12d..14d", text)}
	}
	return from, until, nil
}
