package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Set is files that are published together. The zero Set is ready for use, by one
// goroutine; files of it may be written by others.
type Set struct {
	files []*File
	stale []string // to be removed, in addition to what is replaced
	home  string   // of the journal, if the directory is claimed
}

// Handle is what a File is written through: the file itself but in tests of full disks.
type Handle interface {
	io.Writer
	Sync() error
}

// File is a file of a set on its way.
type File struct {
	Handle
	final, temporary string
	file             *os.File
	failed           error // the first failed write, without the temporary's name
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.Handle.Write(p)
	if err != nil && f.failed == nil {
		f.failed = Cause(err)
	}
	if err != nil {
		err = f.failed
	}
	return n, err
}

// Create begins the file path. Until Commit the name, and what may be there, stay as
// they are.
func (s *Set) Create(path string) (*File, error) {
	dir := filepath.Dir(path)
	if err := clear(dir, false); err != nil {
		return nil, fmt.Errorf("creating %s: %w", path, Cause(err))
	}
	living.gate.RLock()
	defer living.gate.RUnlock()
	handle, err := create(dir)
	if err != nil {
		return nil, fmt.Errorf("creating %s: %w", path, Cause(err))
	}
	f := &File{Handle: handle, final: path, temporary: handle.Name(), file: handle}
	living.add(f)
	s.files = append(s.files, f)
	return f, nil
}

// Replace lets Commit remove a file that is none of the set's.
func (s *Set) Replace(path string) { s.stale = append(s.stale, path) }

// Commit publishes the files in the order of their creation, so that the last one, which
// says that the others are there, gets its name last. If that fails, nothing has changed.
func (s *Set) Commit() (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Abort())
		}
	}()
	for _, f := range s.files {
		if err := f.Sync(); err != nil {
			return fmt.Errorf("writing %s: %w", f.final, Cause(err))
		}
		if !renamesOpen {
			f.file.Close()
		}
	}
	defer s.settle()()
	living.gate.RLock()
	defer living.gate.RUnlock()
	if err := s.publish(); err != nil {
		return err
	}
	for _, f := range s.files {
		living.drop(f)
		f.file.Close()
	}
	s.files = nil
	return nil
}

// Abort removes what is not published. After Commit it does nothing.
func (s *Set) Abort() error {
	var errs []error
	for _, f := range slices.Backward(s.files) {
		if living.drop(f) {
			errs = append(errs, f.remove())
		}
	}
	s.files = nil
	return errors.Join(errs...)
}

func (f *File) remove() error {
	f.file.Close()
	if err := os.Remove(f.temporary); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (f *File) abandon() { _ = f.remove() }

// Write lets write fill one file, which appears under its name when it is complete. An
// existing file is replaced, and stays as it was if anything fails.
func Write(path string, write func(io.Writer) error) error {
	return Together(func(s *Set) error { return s.Write(path, write) })
}

// Together publishes the files that write puts into a set, all of them or none.
func Together(write func(*Set) error) error {
	var s Set
	if err := write(&s); err != nil {
		return errors.Join(err, s.Abort())
	}
	return s.Commit()
}

// Write lets write fill a file of the set.
func (s *Set) Write(path string, write func(io.Writer) error) error {
	f, err := s.Create(path)
	if err != nil {
		return err
	}
	return f.Fill(write)
}

// Files are those of the set so far, in the order of their creation.
func (s *Set) Files() []*File { return s.files }

// Fill lets write fill the file, in blocks.
func (f *File) Fill(write func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(f, 1<<16)
	err := write(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	if err != nil && err == f.failed { // other errors have named it already
		return fmt.Errorf("writing %s: %w", f.final, err)
	}
	return err
}

// Final is where the file will be.
func (f *File) Final() string { return f.final }

// Path is where the file is for now.
func (f *File) Path() string { return f.temporary }

// Cause strips the operation and path off a system's error.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// syncDir makes renames in dir durable, where the system can do that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("syncing %s: %w", dir, err)
	}
	return nil
}
