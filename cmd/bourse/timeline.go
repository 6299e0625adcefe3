package main

import (
	"cmp"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/reports/perfetto"
	"bourse/reports/run"
	"bourse/traces"
	"bourse/traces/files"
)

// timeline is what --perfetto and its kin ask for.
type timeline struct {
	perfetto string
	window   string
	sample   int64

	file  *files.File
	trace *perfetto.Trace
}

// create begins the file; nothing happens where none is asked for.
func (t *timeline) create(set *files.Set, src traces.Source, overwrite bool) error {
	if t.perfetto == "" {
		return nil
	}
	if err := cmp.Or(checkNotTrace(src, t.perfetto), run.CheckNew(t.perfetto, overwrite)); err != nil {
		return err
	}
	from, until, err := windowOf("perfetto-window", t.window)
	if err != nil {
		return err
	}
	if t.file, err = set.Create(t.perfetto); err != nil {
		return err
	}
	t.trace = perfetto.New(t.file, perfetto.Options{From: from, Until: until, Every: t.sample,
		Names: src.Header().Names.Users})
	return nil
}

// attach adds the trace to the sinks of the replay.
func (t *timeline) attach(c *engine.Config, sinks []engine.Sink) []engine.Sink {
	if t.trace == nil {
		return sinks
	}
	c.Segments, c.Samples, c.Rounds = both{c.Segments, nil, t.trace}, both{nil, c.Samples, t.trace}, t.trace
	return append(sinks, t.trace)
}

// pin refers to the finished file; nil if there is none.
func (t *timeline) pin() (*run.TimelineRef, error) {
	if t.trace == nil {
		return nil, nil
	}
	ref, err := run.Pin(t.perfetto, t.file.Path())
	if err != nil {
		return nil, err
	}
	return &run.TimelineRef{FileRef: *ref, Window: t.window, Sample: t.sample}, nil
}

func (t *timeline) finish() error {
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

// windowOf reads a time of the trace, FROM..UNTIL; nothing is all of it.
func windowOf(flag, text string) (from, until events.Time, err error) {
	if text == "" {
		return 0, 0, nil
	}
	a, b, ok := strings.Cut(text, "..")
	from, err = events.ParseDuration(a)
	if err == nil && ok {
		until, err = events.ParseDuration(b)
	}
	if !ok || err != nil || until <= from {
		return 0, 0, usagef("--%s %s: want a time of the trace, as 12d..14d", flag, text)
	}
	return from, until, nil
}
