package files

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	prefix  = ".bourse-"
	ending  = ".tmp"
	aside   = ".earlier" // what is replaced, until the set is published
	journal = prefix + "publish.json"
	claimed = prefix + "lock"

	elsewhere = prefix + "publish-" // a journal's part in another folder
)

// IsTemporary reports whether a file's name is one of those that this package uses while
// results are written.
func IsTemporary(name string) bool { return strings.HasPrefix(name, prefix) }

// create makes a file with a name of its own in dir and locks it.
func create(dir string) (*os.File, error) {
	for {
		path := temporaryName(dir)
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if owned(f, path) {
			return f, nil
		}
		f.Close() // taken for abandoned before it was locked
	}
}

// temporaryName is a name in dir that no other process has.
func temporaryName(dir string) string {
	return filepath.Join(dir, prefix+host()+"-"+rand.Text()[:16]+ending)
}

// host is the machine's name as a part of a file's name.
func host() string {
	name, _ := os.Hostname()
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), 24)]
}

// errHeld says that another process has locked a file.
var errHeld = errors.New("locked by another process")

// lock is flock but in tests, which take the locks away.
var lock = flock

// owned locks what this process has just made or opened at path, and reports whether it
// is this process's now. On a disk without locks it is.
func owned(f *os.File, path string) bool { return !errors.Is(lock(f), errHeld) && isSameFile(f, path) }

// isSameFile reports whether path still names the open file.
func isSameFile(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(open, named)
}

// clear removes the temporary files and folders in dir whose writers are gone, and what
// stepped aside for sets that are complete if that is asked for. What cannot be locked or
// removed is left: it is in use, or another user's.
func clear(dir string, replaced bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if replaced && IsTemporary(e.Name()) && strings.HasSuffix(e.Name(), aside) {
			_ = os.Remove(path)
		}
		if !IsTemporary(e.Name()) || !strings.HasSuffix(e.Name(), ending) || !e.IsDir() && !e.Type().IsRegular() {
			continue
		}
		how := os.O_RDWR
		if e.IsDir() {
			how = os.O_RDONLY
		}
		f, err := os.OpenFile(path, how, 0)
		if err != nil {
			continue
		}
		if lock(f) == nil && isSameFile(f, path) {
			_ = os.RemoveAll(path)
		}
		f.Close()
	}
	return nil
}
