package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary be the program that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("FILES_TEST_DIR"); dir != "" {
		n, _ := strconv.Atoi(os.Getenv("FILES_TEST_KILL"))
		rename = func(from, to string) error {
			if n--; n < 0 {
				p, _ := os.FindProcess(os.Getpid())
				_ = p.Kill()
				select {}
			}
			return os.Rename(from, to)
		}
		write := writeRun
		if os.Getenv("FILES_TEST_ALONE") != "" {
			write = writeTogether
		}
		if err := write(dir, "new"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writeRun writes a set of three files, one of them elsewhere, in the place of others.
func writeRun(dir, text string) error {
	c, err := Take(filepath.Join(dir, "run"))
	if err != nil {
		return err
	}
	if err := addRun(&c.Set, dir, text); err != nil {
		return err
	}
	return c.Commit()
}

// writeTogether is writeRun without a claim of the directory.
func writeTogether(dir, text string) error {
	return Together(func(s *Set) error { return addRun(s, dir, text) })
}

func addRun(s *Set, dir, text string) error {
	s.Replace(filepath.Join(dir, "run/segments.csv"))
	for _, name := range []string{"users.csv", "run/jobs.csv", "run/manifest.json"} {
		if err := s.Write(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := io.WriteString(w, text+" "+filepath.Base(name))
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

func state(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	for _, name := range []string{"users.csv", "run/jobs.csv", "run/segments.csv", "run/manifest.json"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			text = []byte("- " + filepath.Base(name))
		}
		word, _, _ := strings.Cut(string(text), " ")
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

func leftovers(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, d := range []string{dir, filepath.Join(dir, "run")} {
		entries, err := os.ReadDir(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if IsTemporary(e.Name()) {
				names = append(names, e.Name())
			}
		}
	}
	return names
}

// TestKilled kills a program at each rename of a set, over an earlier set and without one, in
// a directory that is claimed and in others: afterwards the one or the other is there, whole,
// and nothing else.
func TestKilled(t *testing.T) {
	for _, c := range []struct {
		alone   string
		earlier bool
	}{{"", false}, {"", true}, {"alone", false}, {"alone", true}} {
		earlier := c.earlier
		before := "- - - -"
		done := false
		for kill := 0; !done; kill++ {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "run"), 0o777); err != nil {
				t.Fatal(err)
			}
			if earlier {
				before = "old old old old"
				for _, name := range []string{"users.csv", "run/jobs.csv", "run/segments.csv", "run/manifest.json"} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte("old "+name), 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "FILES_TEST_DIR="+dir, "FILES_TEST_ALONE="+c.alone,
				"FILES_TEST_KILL="+strconv.Itoa(kill))
			err := cmd.Run()
			done = err == nil
			if exit := (*exec.ExitError)(nil); !done && (!errors.As(err, &exit) || exit.ExitCode() == 1) {
				t.Fatal(err)
			}
			if err := Recover(filepath.Join(dir, "run")); err != nil {
				t.Fatal(err)
			}
			want := before
			if done {
				want = "new new - new"
			}
			if got := state(t, dir); got != want {
				t.Errorf("killed at rename %d, %v: %s, want %s", kill, c, got, want)
			}
			if err := Write(filepath.Join(dir, "other"), func(io.Writer) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if c, err := Take(filepath.Join(dir, "run")); err != nil {
				t.Fatal(err)
			} else if err := c.Abort(); err != nil {
				t.Fatal(err)
			}
			if left := leftovers(t, dir); len(left) > 0 {
				t.Errorf("killed at rename %d: %v is left", kill, left)
			}
		}
	}
}

// TestFailing lets each rename of a set fail: nothing has changed then.
func TestFailing(t *testing.T) {
	defer func() { rename = os.Rename }()
	for fail := 0; ; fail++ {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "run"), 0o777); err != nil {
			t.Fatal(err)
		}
		rename = os.Rename
		if err := writeRun(dir, "old"); err != nil {
			t.Fatal(err)
		}
		n := fail
		rename = func(from, to string) error {
			if n--; n == -1 {
				return &os.LinkError{Op: "rename", Old: from, New: to, Err: errors.New("no space left")}
			}
			return os.Rename(from, to)
		}
		err := writeRun(dir, "new")
		if n >= 0 {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("rename %d fails: %v", fail, err)
		}
		if got := state(t, dir); got != "old old - old" {
			t.Errorf("rename %d fails: %s", fail, got)
		}
		if left := leftovers(t, dir); len(left) > 0 {
			t.Errorf("rename %d fails: %v is left", fail, left)
		}
	}
}

// fullDisk has no room.
type fullDisk struct{ path string }

func (d fullDisk) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: d.path, Err: syscall.ENOSPC}
}

func (d fullDisk) Sync() error { return nil }

// TestFull wants the final name in the message, once, however the file is written.
func TestFull(t *testing.T) {
	for _, size := range []int{1, 1 << 20} {
		var s Set
		path := filepath.Join(t.TempDir(), "result.csv")
		f, err := s.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		f.Handle = fullDisk{f.temporary}
		for _, named := range []bool{false, true} {
			err = f.Fill(func(w io.Writer) error {
				_, err := w.Write(make([]byte, size))
				if flusher, ok := w.(interface{ Flush() error }); ok && err == nil && named {
					err = flusher.Flush()
				}
				if err != nil && named {
					return fmt.Errorf("writing %s: %w", path, err)
				}
				return err
			})
			if want := "writing " + path + ": no space left on device"; err == nil || err.Error() != want {
				t.Errorf("%d bytes: %v; want %s", size, err, want)
			}
		}
		if err := s.Abort(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTaken: a directory has one writer at a time.
func TestTaken(t *testing.T) {
	dir := t.TempDir()
	c, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Take(dir); !errors.As(err, new(*ClaimedError)) {
		t.Errorf("a second claim: %v", err)
	}
	f, err := c.Create(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if err := clear(dir, true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.temporary); err != nil {
		t.Errorf("a file that is being written was cleared: %v", err)
	}
	if err := c.Abort(); err != nil {
		t.Fatal(err)
	}
	if c, err = Take(dir); err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
	if err := c.Abort(); err != nil {
		t.Fatal(err)
	}
}

// TestAwaited: several files are published once their directory is given up by another.
func TestAwaited(t *testing.T) {
	dir := t.TempDir()
	c, err := Take(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, func() {
		if got := state(t, dir); got != "- - - -" {
			t.Errorf("%s, while another has the directory", got)
		}
		_ = c.Abort()
	})
	if err := os.WriteFile(filepath.Join(dir, "run/mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writeTogether(dir, "new"); err != nil {
		t.Fatal(err)
	}
	if got := state(t, dir); got != "new new - new" {
		t.Error(got)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestWithoutLocks: on a disk that has no locks results are written all the same, and
// nothing is taken for abandoned.
func TestWithoutLocks(t *testing.T) {
	defer func() { lock = flock }()
	lock = func(*os.File) error { return errors.ErrUnsupported }
	dir := t.TempDir()
	if err := writeRun(dir, "new"); err != nil {
		t.Fatal(err)
	}
	if got := state(t, dir); got != "new new - new" {
		t.Error(got)
	}
	folder, err := NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := clear(dir, true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder.Path); err != nil {
		t.Errorf("a folder in use was cleared: %v", err)
	}
	if err := folder.Remove(); err != nil {
		t.Fatal(err)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestForeignJournal: a journal from elsewhere removes no file that it does not describe.
func TestForeignJournal(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "precious")
	if err := os.WriteFile(precious, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"files":[{"name":%q,"size":1,"modified_ns":5},{"name":"../precious","size":1,"modified_ns":5}],"stale":["../../x"]}`,
		precious)
	if err := os.WriteFile(filepath.Join(dir, journal), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Recover(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, journal)); err == nil {
		t.Error("the journal is still there")
	}
}

// TestPlanted: a journal, a lock and what they name may have come with another person's folder.
// Nothing outside of it is touched, and nothing waits.
func TestPlanted(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	precious := filepath.Join(dir, "precious")
	if err := errors.Join(os.WriteFile(precious, []byte("x"), 0o666),
		os.WriteFile(setAside(precious), []byte("y"), 0o666)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(precious)
	if err != nil {
		t.Fatal(err)
	}
	there, err := filepath.Rel(home, precious)
	if err != nil {
		t.Fatal(err)
	}
	r := record{Stale: []string{precious, there, "..", "."}, Elsewhere: []string{precious, "/dev/zero"}}
	for _, name := range []string{precious, there} {
		r.Files = append(r.Files, recorded{name, info.Size(), info.ModTime().UnixNano()})
	}
	if err := r.save(home, journal); err != nil {
		t.Fatal(err)
	}
	if err := Recover(home); err != nil {
		t.Error(err)
	}
	for path, want := range map[string]string{precious: "x", setAside(precious): "y"} {
		if text, _ := os.ReadFile(path); string(text) != want {
			t.Errorf("%s holds %q", path, text)
		}
	}
	absent := filepath.Join(dir, "absent")
	for _, to := range []string{precious, absent} {
		if err := os.Symlink(to, filepath.Join(home, claimed)); err != nil {
			t.Skip(err)
		}
		if _, err := Take(home); err == nil || !strings.Contains(err.Error(), "is a link or no file; remove it") {
			t.Error(err)
		}
		os.Remove(filepath.Join(home, claimed))
	}
	if _, err := os.Lstat(absent); err == nil {
		t.Error("a lock was made where a link leads")
	}
}
