package engine

// Tee returns a sink that passes every record on to each of sinks in turn, up to the
// first error.
func Tee(sinks ...Sink) Sink { return tee(sinks) }

type tee []Sink

// Record implements Sink.
func (t tee) Record(o *Outcome) error {
	for _, s := range t {
		if err := s.Record(o); err != nil {
			return err
		}
	}
	return nil
}
