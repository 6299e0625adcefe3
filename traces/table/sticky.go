package table

import "io"

// Sticky is the writer below an encoder: it remembers the first error for ever. The
// Parquet library may swallow a write error until the file is closed or turn it into a
// panic; Err is what counts.
type Sticky struct {
	To  io.Writer
	Err error
}

// Write implements io.Writer.
func (s *Sticky) Write(b []byte) (int, error) {
	if s.Err != nil {
		return 0, s.Err
	}
	n, err := s.To.Write(b)
	s.Err = err
	return n, err
}

// Guard runs f, and returns the first write error whatever f made of it: an error, a
// panic, or nothing. A panic that no write error explains is a defect and goes on.
func (s *Sticky) Guard(f func() error) (err error) {
	defer func() {
		if s.Err == nil {
			return
		}
		_ = recover()
		err = s.Err
	}()
	return f()
}
