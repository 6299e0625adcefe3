package files

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// record is what the journal says of a set about to be published: what will get which
// name, and what will be replaced or removed. Names without a directory are in the
// journal's own. Those of other folders are in journals there, which Elsewhere lists: a
// journal may have come with another person's folder, and names nothing outside of it.
type record struct {
	Files     []recorded `json:"files"`
	Stale     []string   `json:"stale,omitempty"`
	Elsewhere []string   `json:"elsewhere,omitempty"`
}

// recorded is a file of a set. Size and time tell whether the file of that name is
// this file: anybody may have written a journal, and it must not remove other files.
type recorded struct {
	Name     string `json:"name"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modified_ns"`
}

// publish gives the files their names, one after the other.
func (s *Set) publish() error {
	if len(s.files) == 0 {
		return nil
	}
	r, err := s.record()
	if err != nil {
		return err
	}
	if s.home != "" {
		if err := r.write(s.home); err != nil {
			_ = r.drop(s.home)
			return fmt.Errorf("writing to %s: %w", s.home, Cause(err))
		}
	}
	err = s.renameAll(r)
	if err == nil && s.home != "" {
		err = Cause(r.drop(s.home)) // the set is there from now on
	}
	if err != nil {
		err = errors.Join(err, r.undo(s.home))
		if s.home != "" {
			err = errors.Join(err, r.drop(s.home))
		}
		return err
	}
	for _, name := range r.replaced() {
		_ = os.Remove(setAside(r.path(s.home, name)))
	}
	return syncDir(filepath.Dir(s.last().final))
}

func (s *Set) last() *File { return s.files[len(s.files)-1] }

func (s *Set) record() (*record, error) {
	r := &record{}
	for _, f := range s.files {
		info, err := os.Stat(f.temporary)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", f.final, Cause(err))
		}
		r.Files = append(r.Files, recorded{s.name(f.final), info.Size(), info.ModTime().UnixNano()})
	}
	for _, path := range s.stale {
		r.Stale = append(r.Stale, s.name(path))
	}
	return r, nil
}

// name is a path as the journal has it.
func (s *Set) name(path string) string {
	if filepath.Dir(path) == filepath.Clean(s.home) {
		return filepath.Base(path)
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// path is where a name of the journal leads.
func (*record) path(home, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(home, filepath.Base(name))
}

// rename is os.Rename but in tests, which end the program there.
var rename = os.Rename

func setAside(path string) string {
	return filepath.Join(filepath.Dir(path), prefix+filepath.Base(path)+aside)
}

func (s *Set) renameAll(r *record) error {
	if len(s.files) > 1 || len(s.stale) > 0 { // one file alone replaces another in one step
		for _, name := range slices.Backward(r.replaced()) { // what says that the others are there goes first
			path := r.path(s.home, name)
			if err := rename(path, setAside(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("replacing %s: %w", path, Cause(err))
			}
		}
	}
	for i, f := range s.files {
		if i > 0 && f == s.last() { // the others are durable before it
			if err := syncDir(filepath.Dir(s.files[i-1].final)); err != nil {
				return err
			}
		}
		if err := rename(f.temporary, f.final); err != nil {
			return fmt.Errorf("writing %s: %w", f.final, Cause(err))
		}
	}
	return nil
}

// replaced lists what steps aside if it is there.
func (r *record) replaced() []string {
	names := slices.Clone(r.Stale)
	for _, f := range r.Files {
		names = append(names, f.Name)
	}
	return names
}

// write writes the journals, that of home first: it names the others.
func (r *record) write(home string) error {
	home = filepath.Clean(home)
	parts := map[string]*record{home: {}}
	in := func(name string) *record {
		dir := filepath.Dir(r.path(home, name))
		if parts[dir] == nil {
			parts[dir] = &record{}
		}
		return parts[dir]
	}
	for _, f := range r.Files {
		part := in(f.Name)
		part.Files = append(part.Files, recorded{filepath.Base(f.Name), f.Size, f.Modified})
	}
	for _, name := range r.Stale {
		part := in(name)
		part.Stale = append(part.Stale, filepath.Base(name))
	}
	for dir := range parts {
		if dir != home {
			name := elsewhere + rand.Text()[:16] + ".json" // which nobody who makes up a journal can know
			r.Elsewhere = append(r.Elsewhere, filepath.Join(dir, name))
		}
	}
	parts[home].Elsewhere = r.Elsewhere
	err := parts[home].save(home, journal)
	for _, path := range r.Elsewhere {
		if err == nil {
			err = parts[filepath.Dir(path)].save(filepath.Dir(path), filepath.Base(path))
		}
	}
	return err
}

// save writes a journal, which is whole as soon as it has its name.
func (r *record) save(home, name string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := create(home)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = f.Write(text); err == nil {
		if !renamesOpen {
			f.Close()
		}
		err = rename(f.Name(), filepath.Join(home, name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// undo puts back what was there before.
func (r *record) undo(home string) error {
	var errs []error
	for _, f := range slices.Backward(r.Files) {
		path := r.path(home, f.Name)
		info, err := os.Lstat(path)
		if err == nil && info.Size() == f.Size && info.ModTime().UnixNano() == f.Modified {
			errs = append(errs, os.Remove(path))
		}
	}
	for _, name := range r.replaced() {
		path := r.path(home, name)
		if err := rename(setAside(path), path); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// drop removes the journals, that of home first: without it the others say nothing.
func (r *record) drop(home string) error {
	if err := os.Remove(filepath.Join(home, journal)); err != nil {
		return err
	}
	for _, path := range r.Elsewhere {
		_ = os.Remove(path)
	}
	return nil
}

// mostJournal is the size of a journal: that of some ten thousand files.
const mostJournal = 4 << 20

// readRecord reads a journal, and of its names those of its own folder.
func readRecord(path string) (*record, error) {
	text, err := ReadSmall(path, mostJournal)
	if err != nil {
		return nil, err
	}
	var r record
	if json.Unmarshal(text, &r) != nil {
		return nil, fmt.Errorf("%s is not a journal of this program; remove it", path)
	}
	away := func(name string) bool { return !filepath.IsLocal(name) || filepath.Base(name) != name || name == "." }
	r.Files = slices.DeleteFunc(r.Files, func(f recorded) bool { return away(f.Name) })
	r.Stale = slices.DeleteFunc(r.Stale, away)
	r.Elsewhere = slices.DeleteFunc(r.Elsewhere, func(path string) bool {
		return !strings.HasPrefix(filepath.Base(path), elsewhere)
	})
	return &r, nil
}

// RecoverAt is Recover for the directories of files that are about to be written.
func RecoverAt(paths ...string) error {
	for _, path := range paths {
		if err := Recover(filepath.Dir(path)); err != nil {
			return err
		}
	}
	return nil
}

// Recover clears what a killed program left in dir, and puts back what was there if it was
// publishing. It does nothing where none was, or where one still is.
func Recover(dir string) error {
	_, publishing := os.Lstat(filepath.Join(dir, journal))
	if _, err := os.Lstat(filepath.Join(dir, claimed)); err != nil && publishing != nil {
		return nil
	}
	c, err := Take(dir)
	if errors.As(err, new(*ClaimedError)) || err != nil && publishing != nil {
		return nil // a lock alone, on a disk that is not to be written, does no harm
	}
	if err != nil {
		return err
	}
	return c.Abort()
}

// recover is Recover for the directory's owner; it also clears what was left.
func (c *Claim) recover() error {
	r, err := readRecord(filepath.Join(c.home, journal))
	if errors.Is(err, fs.ErrNotExist) {
		return clear(c.home, true)
	}
	if err != nil {
		return err
	}
	for _, path := range r.Elsewhere {
		if part, err := readRecord(path); err == nil {
			if err := part.undo(filepath.Dir(path)); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(r.undo(c.home), r.drop(c.home)); err != nil {
		return err
	}
	return clear(c.home, true)
}
