package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Claim is a directory that one process writes into and no other, and the set of files
// that it is to hold. A program that is killed while it publishes them leaves a journal.
type Claim struct {
	Set
	lock *os.File
	made []string // directories that Take made, the deepest first
}

// ClaimedError says that another process writes into a directory.
type ClaimedError struct{ Dir string }

func (e *ClaimedError) Error() string {
	return fmt.Sprintf("%s: another process is writing results here", e.Dir)
}

// Take claims dir, which it makes if it is absent, clears what killed programs left in it
// and puts back what they were about to replace. Where the disk has no locks no process is
// kept out.
func Take(dir string) (*Claim, error) {
	made := missing(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, claimed)
	for {
		if st, err := os.Lstat(path); err == nil && !st.Mode().IsRegular() { // as in another person's folder
			return nil, fmt.Errorf("%s is a link or no file; remove it", path)
		}
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if errors.Is(lock(f), errHeld) {
			f.Close()
			return nil, &ClaimedError{dir}
		}
		if !isSameFile(f, path) { // its owner has just removed it
			f.Close()
			continue
		}
		c := &Claim{Set: Set{home: dir}, lock: f, made: made}
		living.add(c)
		if err := c.recover(); err != nil {
			return nil, errors.Join(err, c.Abort())
		}
		return c, nil
	}
}

// patience is how long a set waits for a directory that another process has.
const patience = 5 * time.Second

// settle claims the directory of the last file for as long as several are published that
// no claim is for, so that they have a journal, and returns what gives it up. Results are
// not thrown away for want of one: where the directory cannot be had, as that of a long
// replay, they are published without.
func (s *Set) settle() (release func()) {
	if s.home != "" || len(s.files)+len(s.stale) < 2 {
		return func() {}
	}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		c, err := Take(filepath.Dir(s.last().final))
		if err == nil {
			s.home = c.home
			return func() { s.home = ""; _ = c.Abort() }
		}
		if !errors.As(err, new(*ClaimedError)) || time.Since(began) > patience {
			return func() {}
		}
	}
}

// missing lists the directories that have to be made for dir, it first.
func missing(dir string) (made []string) {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			return made
		}
		made = append(made, dir)
	}
}

// Commit publishes the files and gives the directory up.
func (c *Claim) Commit() error { return errors.Join(c.Set.Commit(), c.Abort()) }

// Abort removes what is not published, directories made for it among them, and gives the
// directory up. After Commit it does nothing.
func (c *Claim) Abort() error {
	err := c.Set.Abort()
	if living.drop(c) {
		c.abandon()
	}
	return err
}

func (c *Claim) abandon() {
	_ = os.Remove(c.lock.Name()) // while it is locked: a file without a name has no owner
	c.lock.Close()
	for _, dir := range c.made {
		if os.Remove(dir) != nil {
			return // it holds something
		}
	}
}
