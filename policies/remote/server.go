package remote

import "time"

// Server is a program that is talked to elsewhere than on its standard output, which is
// thrown away.
type Server struct {
	p    *process
	done chan struct{}
}

// Serve starts a program.
func Serve(words []string) (*Server, error) {
	p, err := startProcess(words, time.Hour)
	if err != nil {
		return nil, err
	}
	s := &Server{p: p, done: make(chan struct{})}
	go func() {
		for range p.lines {
		}
		err := <-p.ended
		p.ended <- err
		close(s.done)
	}()
	return s, nil
}

// Done is closed when the program has ended.
func (s *Server) Done() <-chan struct{} { return s.done }

// Death says how the program ended before its time.
func (s *Server) Death() error { return s.p.death() }

// Close ends the program: by the end of its input, or else by force.
func (s *Server) Close() { s.p.close() }
