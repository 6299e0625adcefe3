// Command faults treats the program badly and wants its results to be whole or absent: it
// is killed and signalled at random instants, meets full disks and other runs in its
// directory, and is then run again. It prints a table of trials and failures.
//
//	faults [-trials N] [-seed N] PROGRAM
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	trials := flag.Int("trials", 1000, "number of trials, shared out among the checks")
	seed := flag.Uint64("seed", 1, "of the instants")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: faults [-trials N] [-seed N] PROGRAM")
		os.Exit(2)
	}
	program, err := filepath.Abs(flag.Arg(0))
	if err == nil {
		err = run(program, *trials, rand.New(rand.NewPCG(*seed, 1)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

// harness is what the checks share.
type harness struct {
	program string
	log     string
	base    string // a directory that is removed at the end
	random  *rand.Rand
	n       int
}

// check is a line of the table: one trial at a time.
type check struct {
	name  string
	share int // of 100 trials
	trial func() error
}

func run(program string, trials int, random *rand.Rand) error {
	base, err := os.MkdirTemp("", "faults-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)
	h := &harness{program: program, base: base, log: filepath.Join(base, "log.swf"), random: random}
	if out, err := h.command(base, "trace", "synth", "lublin?jobs=6000&procs=64&seed=3",
		h.log).CombinedOutput(); err != nil {
		return fmt.Errorf("the log: %w: %s", err, out)
	}
	all, err := h.checks()
	if err != nil {
		return err
	}
	failures := 0
	fmt.Printf("%-44s %7s %9s\n", "check", "trials", "failures")
	for _, c := range all {
		bad, n := 0, max(1, trials*c.share/100)
		for range n {
			if err := c.trial(); err != nil {
				if bad++; bad <= 3 {
					fmt.Fprintf(os.Stderr, "%s: %v\n", c.name, err)
				}
			}
		}
		failures += bad
		fmt.Printf("%-44s %7d %9d\n", c.name, n, bad)
	}
	if failures > 0 {
		return fmt.Errorf("%d failures", failures)
	}
	return nil
}

func (h *harness) command(dir string, args ...string) *exec.Cmd {
	c := exec.Command(h.program, args...)
	c.Dir = dir
	return c
}

func (h *harness) folder() string {
	h.n++
	dir := filepath.Join(h.base, fmt.Sprint("trial", h.n))
	_ = os.Mkdir(dir, 0o777)
	return dir
}

func (h *harness) checks() ([]check, error) {
	replay := []string{"replay", h.log, "--policy", "easy", "--payment", "none", "--out", "out", "--segments",
		"--users", "u.csv", "--swf", "s.swf.gz", "-q"}
	before := []string{"replay", h.log, "--policy", "fcfs", "--payment", "none", "--out", "out", "--format", "csv",
		"--users", "u.csv", "-q"}
	sweep := []string{"sweep", h.log, "--policy", "fcfs,sjf,easy", "--payment", "none", "--out", "sw", "-q"}
	subjects := []subject{
		{name: "replay with tables beside it", args: replay, share: 14},
		{name: "replay over an earlier one", args: append(replay, "--overwrite"), before: [][]string{before},
			share: 14},
		{name: "sweep", args: sweep, resumes: true, share: 8},
		{name: "sweep with records", args: append(sweep, "--records"), resumes: true, share: 10},
		{name: "conversion", args: []string{"trace", "convert", h.log, "x.parquet"}, share: 6},
		{name: "page", args: []string{"report", "out", "--out", "page.html"}, before: [][]string{before}, share: 5},
		{name: "demand", args: []string{"trace", "demand", h.log, "--out", "d.csv"}, share: 4},
		{name: "synthetic Google trace", args: []string{"trace", "synth", "google2011?machines=100&days=1&tasks=20000",
			"g"}, share: 5},
	}
	var all []check
	for i := range subjects {
		s := &subjects[i]
		if err := s.prepare(h); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all,
			check{"killed: " + s.name, s.share * 3 / 4, func() error { return s.trial(h, syscall.SIGKILL) }},
			check{"signalled: " + s.name, max(1, s.share/4), func() error {
				return s.trial(h, []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[h.random.IntN(3)])
			}})
	}
	all = append(all,
		check{"two runs into one directory", 10, func() error { return h.pair(false) }},
		check{"two shards of a sweep", 6, func() error { return h.shards(false) }},
		check{"a full device as output", 2, h.fullDevice})
	if os.Getuid() == 0 && exec.Command("unshare", "-pf", "true").Run() == nil {
		all = append(all,
			check{"two runs of one process number", 10, func() error { return h.pair(true) }},
			check{"two shards of one process number", 6, func() error { return h.shards(true) }})
	}
	if h.mounts() {
		all = append(all, check{"full disks", 8, h.fullDisk})
	}
	return all, nil
}

// subject is a command that is ended before its time.
type subject struct {
	name    string
	args    []string
	before  [][]string // what is there already
	resumes bool       // the command may be given again
	share   int

	first, last map[string]string // hashes before and after
	took        time.Duration
}

func (s *subject) prepare(h *harness) error {
	dir := h.folder()
	if err := s.start(h, dir); err != nil {
		return err
	}
	var err error
	if s.first, err = hashes(dir); err != nil {
		return err
	}
	began := time.Now()
	if out, err := h.command(dir, s.args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	s.took = time.Since(began)
	s.last, err = hashes(dir)
	return err
}

func (s *subject) start(h *harness, dir string) error {
	for _, args := range s.before {
		if out, err := h.command(dir, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return nil
}

// trial ends the command at a random instant and runs it again.
func (s *subject) trial(h *harness, how syscall.Signal) error {
	dir := h.folder()
	defer os.RemoveAll(dir)
	if err := s.start(h, dir); err != nil {
		return err
	}
	c := h.command(dir, s.args...)
	if err := c.Start(); err != nil {
		return err
	}
	// Half of the instants are at the end, where the files get their names.
	at := time.Duration(h.random.Int64N(int64(s.took) * 6 / 5))
	if h.random.IntN(2) == 0 {
		at = s.took*4/5 + time.Duration(h.random.Int64N(int64(s.took)*2/5))
	}
	time.Sleep(at)
	_ = c.Process.Signal(how)
	_ = c.Wait()
	now, err := hashes(dir)
	if err != nil {
		return err
	}
	for name, sum := range now {
		if !hidden(name) && sum != s.first[name] && sum != s.last[name] {
			return fmt.Errorf("after %v: %s is neither what was there nor the result", at, name)
		}
	}
	if how != syscall.SIGKILL {
		// A program that has just begun does not listen yet and is ended by the signal
		// itself (-1); what it would have left is looked for all the same.
		if code := c.ProcessState.ExitCode(); code != 0 && code != 130 && code != -1 {
			return fmt.Errorf("after %v: exit %d", at, code)
		}
		if err := clean(now); err != nil {
			return fmt.Errorf("after %v: %w", at, err)
		}
		if !s.resumes && !same(now, s.first) && !same(now, s.last) {
			return fmt.Errorf("after %v: %v are mixed", at, names(now))
		}
	}
	out, err := h.command(dir, s.args...).CombinedOutput()
	if now, hashed := hashes(dir); hashed != nil {
		return hashed
	} else if !same(now, s.last) {
		return fmt.Errorf("after %v, and once more (%v: %.300s): %v are not the result", at, err, out, names(now))
	} else {
		return clean(now)
	}
}

func temporary(name string) bool { return strings.HasPrefix(filepath.Base(name), ".bourse-") }
