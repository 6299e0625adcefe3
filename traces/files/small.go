package files

import (
	"fmt"
	"io"
	"os"
)

// SizeError says that a file is longer than what it is read as can be.
type SizeError struct {
	Path string
	Most int64 // bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%s has more than %d KB; that is no file of this kind", e.Path, e.Most>>10)
}

// ReadSmall reads a file whole, and no more of it than a limit in bytes: a file of another
// person's may be a device without an end.
func ReadSmall(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0) // a pipe may have nobody at its other end
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, &SizeError{path, most}
	}
	return text, err
}
