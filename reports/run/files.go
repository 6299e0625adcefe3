package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
)

// handle is what a result is written to; *os.File is one.
type handle interface {
	io.Writer
	Sync() error
	Close() error
}

func createFile(path string) (handle, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
}

// temporaryName is where a result grows until it is complete. The process
// number distinguishes runs, and a run that was killed from a living one.
func temporaryName(name string) string {
	return fmt.Sprintf(".bourse-%d-%s.tmp", os.Getpid(), name)
}

var temporaryPattern = regexp.MustCompile(`^\.bourse-(\d+)-[a-z]+\.[a-z]+\.tmp$`)

// IsTemporary reports whether a file's name is that of a result still growing.
func IsTemporary(name string) bool { return temporaryPattern.MatchString(name) }

// clearTemporaries removes what killed runs left in dir. A temporary of a
// living process belongs to another run: it is an error, unless overwrite is set.
func clearTemporaries(dir string, overwrite bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		m := temporaryPattern.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if pid, _ := strconv.Atoi(m[1]); !overwrite && pid != os.Getpid() && alive(pid) {
			return &InTheWayError{fmt.Sprintf("%s: process %d seems to be writing results here", path, pid)}
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// alive reports whether a process with this number exists on this machine.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, syscall.EPERM)
}

// part is one file of a run on its way from temporary to final name.
type part struct {
	dir, name string
	file      handle
	renamed   bool
}

func (p *part) temporary() string { return filepath.Join(p.dir, temporaryName(p.name)) }
func (p *part) final() string     { return filepath.Join(p.dir, p.name) }

// complete syncs and closes the file. The name stays temporary.
func (p *part) complete() error {
	err := p.file.Sync()
	if cerr := p.file.Close(); err == nil {
		err = cerr
	}
	p.file = nil
	if err != nil {
		return fmt.Errorf("writing %s: %w", p.final(), err)
	}
	return nil
}

func (p *part) rename() error {
	if err := os.Rename(p.temporary(), p.final()); err != nil {
		return fmt.Errorf("writing %s: %w", p.final(), err)
	}
	p.renamed = true
	return nil
}

// discard removes the part under whichever name it has.
func (p *part) discard() error {
	if p.file != nil {
		p.file.Close()
		p.file = nil
	}
	path := p.temporary()
	if p.renamed {
		path = p.final()
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// writeWhole writes a small file under its temporary name, complete.
func writeWhole(create func(string) (handle, error), p *part, text []byte) error {
	var err error
	if p.file, err = create(p.temporary()); err != nil {
		return fmt.Errorf("creating %s: %w", p.final(), err)
	}
	if _, err = p.file.Write(text); err != nil {
		return fmt.Errorf("writing %s: %w", p.final(), err)
	}
	return p.complete()
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

// CheckNew refuses a path at which a file cannot be written, or exists and may not
// be overwritten, so that a command can say so before it computes anything.
func CheckNew(path string, overwrite bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if dir, err := os.Stat(filepath.Dir(path)); err != nil || !dir.IsDir() {
			return fmt.Errorf("%s: there is no directory %s", path, filepath.Dir(path))
		}
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", path, cause(err))
	case info.IsDir():
		return fmt.Errorf("%s is a directory; want the name of a file", path)
	case !overwrite:
		return &InTheWayError{path + " exists already"}
	}
	return nil
}

// InTheWayError says that something would have to be replaced, which was not asked for.
type InTheWayError struct{ What string }

func (e *InTheWayError) Error() string { return e.What }
