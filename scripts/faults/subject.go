package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// subject is a command that writes, and is ended before its time or meets a full disk.
type subject struct {
	name         string
	short, share int
	before       []string // the commands before it
	args         []string
	resumes      bool // it goes on where it was ended, so some files of several are no fault

	dir         string            // what is there before, once it is prepared
	first, last map[string]string // hashes before and after
	took        time.Duration
}

// subjects are all commands that write files; sweep, merge and report one file at a time.
func (h *harness) subjects() []*subject {
	inputs := strings.NewReplacer("LOG", h.log, "SMALL", h.small, "DEMANDS", h.demands)
	const earlier = "replay LOG --policy fcfs --payment none --out out --format csv --users u.csv -q"
	const sweep = "sweep LOG --policy fcfs,sjf,easy --payment none --out sw -q"
	const study = "reproduce together --logs SMALL --replicas 1 --jobs 1 --learn=false --out study -q"
	var all []*subject
	for _, s := range []struct {
		short, share       int
		name, before, args string
	}{
		{6, 8, "replay with tables", "", "replay LOG --policy easy --payment none --out out --segments --users u.csv " +
			"--swf s.swf.gz --perfetto p.json.gz -q"},
		{2, 4, "replay into tables alone", "", "replay LOG --policy easy --payment none --users u.csv --swf s.swf -q"},
		{4, 8, "replay over an earlier one", earlier, "replay LOG --policy easy --payment none --out out --segments " +
			"--users u.csv --swf s.swf.gz -q --overwrite"},
		{3, 6, "sweep", "", sweep},
		{3, 8, "sweep with records", "", sweep + " --records"},
		{1, 2, "merge", sweep + " --shard 0/1", "merge sw"},
		{3, 4, "trace convert", "", "trace convert LOG x.parquet"},
		{1, 2, "trace synth", "", "trace synth lublin?jobs=6000&procs=64&seed=5 x.swf.gz"},
		{2, 3, "trace synth google2011", "", "trace synth google2011?machines=100&days=1&tasks=20000 g"},
		{1, 3, "trace demand", "", "trace demand LOG --out d.csv"},
		{1, 3, "report", earlier, "report out --out page.html"},
		{2, 8, "plot", earlier, "plot out --out f"},
		{0, 4, "plot over an earlier one", earlier + "\nplot out --out f", "plot out --x run_s --out f --overwrite"},
		{1, 6, "learn", "", "learn SMALL --behaviour srg --agents group --epochs 2 --resample=users --payment first --movers 1 --figure f " +
			"--out l.csv -q"},
		{1, 6, "validate", "", "validate SMALL --policy easy --page page --out w.csv --parts p.csv -q"},
		{1, 7, "study", "", study},
		{0, 4, "study over an earlier one", study, study + " --seed 2 --overwrite"},
		{2, 5, "bundle", earlier, "bundle out --out box -q"},
		{1, 2, "rerun", earlier, "rerun out --out again -q"},
		{1, 2, "lend", "", "lend DEMANDS --out r.csv --agents a.csv"},
		{1, 2, "equilibrium", "", "equilibrium --preferences uniform(users=30,machines=40) --out e.csv --iterations i.csv"},
	} {
		all = append(all, &subject{name: s.name, short: s.short, share: s.share, args: strings.Fields(inputs.Replace(s.args)),
			before:  strings.FieldsFunc(inputs.Replace(s.before), func(r rune) bool { return r == '\n' }),
			resumes: strings.HasPrefix(s.args, "sweep")})
	}
	return all
}

// prepare runs the command once, to know its files and how long it takes.
func (s *subject) prepare(h *harness) (err error) {
	s.dir = h.folder()
	for _, line := range s.before {
		if err := h.finish(s.dir, strings.Fields(line)); err != nil {
			return err
		}
	}
	if s.first, err = hashes(s.dir); err != nil {
		return err
	}
	dir, err := s.start(h)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := h.finish(dir, s.args); err != nil {
		return err
	}
	s.took = time.Since(began)
	s.last, err = hashes(dir)
	return err
}

func (h *harness) finish(dir string, args []string) error {
	if out, err := h.command(dir, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w: %s", args, err, out[max(0, len(out)-300):])
	}
	return nil
}

// start makes a folder with what is there before.
func (s *subject) start(h *harness) (dir string, err error) {
	dir = h.folder()
	return dir, os.CopyFS(dir, os.DirFS(s.dir))
}

// trial ends the command at a random instant, or lets it meet a full disk, and runs it again.
func (s *subject) trial(h *harness) error {
	if s.last == nil {
		if err := s.prepare(h); err != nil {
			return err
		}
	}
	if h.disks && h.random.IntN(4) == 0 {
		return s.fullDisk(h)
	}
	how := syscall.SIGKILL
	if h.random.IntN(4) == 0 {
		how = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[h.random.IntN(3)]
	}
	dir, err := s.start(h)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// Half of the instants are at the end, where the files get their names.
	at := time.Duration(h.random.Int64N(int64(s.took) * 6 / 5))
	if h.random.IntN(2) == 0 {
		at = s.took*4/5 + time.Duration(h.random.Int64N(int64(s.took)*2/5))
	}
	if err := s.end(h, dir, at, how); err != nil {
		return fmt.Errorf("%v after %v: %w", how, at, err)
	}
	if err := s.again(h, dir); err != nil {
		return fmt.Errorf("%v after %v, and once more: %w", how, at, err)
	}
	return nil
}

// end ends the command and looks at what it leaves.
func (s *subject) end(h *harness, dir string, at time.Duration, how syscall.Signal) error {
	c := h.command(dir, s.args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		return err
	}
	time.Sleep(at)
	_ = c.Process.Signal(how)
	if how == syscall.SIGKILL { // with its children: a bundle is tried by one, which holds its folder a moment longer
		_ = syscall.Kill(-c.Process.Pid, how)
	}
	_ = c.Wait()
	for range 100 {
		if syscall.Kill(-c.Process.Pid, 0) != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	now, err := hashes(dir)
	if err != nil {
		return err
	}
	if how == syscall.SIGKILL {
		return s.whole(now, true)
	}
	// A program that has just begun does not listen yet and is ended by the signal itself
	// (-1); what it would have left is looked for all the same.
	if code := c.ProcessState.ExitCode(); code != 0 && code != 130 && code != -1 {
		return fmt.Errorf("exit %d", code)
	}
	if err := s.whole(now, false); err != nil {
		return err
	}
	return clean(now)
}

// whole wants every file to be what it was or the result, and all to be the one or the
// other. A program that is killed as it gives them their names leaves a journal, by which
// the next one takes them back.
func (s *subject) whole(now map[string]string, killed bool) error {
	journal := false
	for name, sum := range now {
		if !hidden(name) && sum != s.first[name] && sum != s.last[name] {
			return fmt.Errorf("%s: %w", name, errIncomplete)
		}
		journal = journal || filepath.Base(name) == ".bourse-publish.json"
	}
	if s.resumes || killed && journal || same(now, s.first) || same(now, s.last) {
		return nil
	}
	return fmt.Errorf("%v: %w", names(now), errPartial)
}

// again wants the command to complete what it was kept from, and nothing to be left.
func (s *subject) again(h *harness, dir string) error {
	failed := h.finish(dir, s.args)
	now, err := hashes(dir)
	switch {
	case err != nil:
		return err
	case same(now, s.last): // it may have been complete, and be refused for that
		return clean(now)
	case failed != nil:
		return fmt.Errorf("%w: %w", errRefused, failed)
	}
	return fmt.Errorf("%v: %w", names(now), errIncomplete)
}

// fullDisk wants the command on a disk of any size to be whole or absent, and to work when
// there is room.
func (s *subject) fullDisk(h *harness) (err error) {
	dir := h.folder()
	defer os.RemoveAll(dir)
	size := 4096<<h.random.IntN(9) + pages(s.dir)
	if err := mount(dir, fmt.Sprint("size=", size)); err != nil {
		return err
	}
	defer func() {
		if e := exec.Command("umount", dir).Run(); err == nil {
			err = e
		}
	}()
	if err := os.CopyFS(dir, os.DirFS(s.dir)); err != nil {
		return err
	}
	failed := h.finish(dir, s.args)
	now, err := hashes(dir)
	if err != nil {
		return err
	}
	if err := s.whole(now, false); err != nil {
		return fmt.Errorf("on a disk of %d bytes: %w", size, err)
	}
	if failed == nil && !same(now, s.last) || failed != nil && !strings.Contains(failed.Error(), "no space left") &&
		!strings.Contains(failed.Error(), "no room left") {
		return fmt.Errorf("on a disk of %d bytes, with %v: %w", size, names(now), failed)
	}
	if err := clean(now); err != nil {
		return fmt.Errorf("on a disk of %d bytes: %w", size, err)
	}
	if err := mount(dir, "remount,size=64m"); err != nil {
		return err
	}
	return s.again(h, dir)
}
