package traces

// Wrapper is implemented by sources that stand before another one.
type Wrapper interface{ Unwrap() Source }

// As returns the first source in the chain of wrappers from s inwards that is a
// T, an optional interface such as Progress or Seer.
func As[T any](s Source) (T, bool) {
	for s != nil {
		if t, ok := s.(T); ok {
			return t, true
		}
		w, ok := s.(Wrapper)
		if !ok {
			break
		}
		s = w.Unwrap()
	}
	var none T
	return none, false
}

// Seer is implemented by sources that remember the job numbers they have read.
// Seen may be asked once Next has returned io.EOF; before that it tells only of
// what was read so far and must not be called while an Ahead is reading.
type Seer interface{ Seen(id int64) bool }

// wrapped is embedded by wrapping sources: it passes on what they do not change.
type wrapped struct{ src Source }

// Header returns the inner source's header.
func (w *wrapped) Header() *Header { return w.src.Header() }

// Unwrap returns the inner source.
func (w *wrapped) Unwrap() Source { return w.src }

// Close closes the inner source.
func (w *wrapped) Close() error { return Close(w.src) }
