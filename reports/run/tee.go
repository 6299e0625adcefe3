package run

import "bourse/engine"

// tee passes records on to several sinks.
type tee struct {
	sinks    []engine.Sink
	segments []engine.SegmentSink
	samples  []engine.SampleSink
}

// Tee returns a sink that passes everything on to each of sinks in turn, up
// to the first error. Segments and samples go to those that take them; the
// returned sink implements engine.SegmentSink and engine.SampleSink only if
// one of them does, so that an engine makes no records that nobody wants. A
// Run counts as taking what its Options ask for.
func Tee(sinks ...engine.Sink) engine.Sink {
	t := &tee{sinks: sinks}
	for _, s := range sinks {
		takesSegments, takesSamples := true, true
		if run, ok := s.(*Writer); ok {
			takesSegments, takesSamples = run.segments != nil, run.series != nil
		}
		if x, ok := s.(engine.SegmentSink); ok && takesSegments {
			t.segments = append(t.segments, x)
		}
		if x, ok := s.(engine.SampleSink); ok && takesSamples {
			t.samples = append(t.samples, x)
		}
	}
	return t.narrow()
}

// narrow hides the methods that lead nowhere.
func (t *tee) narrow() engine.Sink {
	switch {
	case t.segments != nil && t.samples != nil:
		return t
	case t.segments != nil:
		return struct {
			engine.Sink
			engine.SegmentSink
		}{t, t}
	case t.samples != nil:
		return struct {
			engine.Sink
			engine.SampleSink
		}{t, t}
	}
	return struct{ engine.Sink }{t}
}

func (t *tee) Record(o *engine.Outcome) error {
	for _, s := range t.sinks {
		if err := s.Record(o); err != nil {
			return err
		}
	}
	return nil
}

func (t *tee) Segment(x *engine.Segment) error {
	for _, s := range t.segments {
		if err := s.Segment(x); err != nil {
			return err
		}
	}
	return nil
}

func (t *tee) Sample(x *engine.Sample) error {
	for _, s := range t.samples {
		if err := s.Sample(x); err != nil {
			return err
		}
	}
	return nil
}
