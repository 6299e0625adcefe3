package files

import (
	"fmt"
	"os"
)

// ScratchFile is a file that no other process can open and that ends with the program, also
// where that is killed. Where the system does not let go of names of open files it ends
// with Close or Abandon.
type ScratchFile struct {
	*os.File
	named bool
}

// Scratch makes a file in the directory for temporary files.
func Scratch() (*ScratchFile, error) {
	f, err := create(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("creating a temporary file in %s: %w", os.TempDir(), Cause(err))
	}
	s := &ScratchFile{File: f, named: os.Remove(f.Name()) != nil}
	if s.named {
		living.add(s)
	}
	return s, nil
}

// Close ends the file.
func (s *ScratchFile) Close() error {
	err := s.File.Close()
	if s.named && living.drop(s) {
		return os.Remove(s.Name())
	}
	return err
}

func (s *ScratchFile) abandon() {
	s.File.Close()
	_ = os.Remove(s.Name())
}
