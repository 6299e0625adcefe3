// Command faults treats the program badly and wants its results to be whole or absent: it
// is killed and signalled at random instants, meets full disks and other runs in its
// directory, and is then run again. It prints a table of trials and failures by their kind.
//
//	faults [-trials N] [-seed N] PROGRAM
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	trials := flag.Int("trials", 1000, "number of trials, shared out among the checks; 60 take some ten seconds")
	seed := flag.Uint64("seed", 1, "of the instants")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: faults [-trials N] [-seed N] PROGRAM")
		os.Exit(2)
	}
	program, err := filepath.Abs(flag.Arg(0))
	if err == nil {
		err = run(program, *trials, *seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

// harness is what the checks share.
type harness struct {
	program string
	log     string // of some thousand jobs
	small   string // of some hundred, with waits
	demands string // of agents by round
	base    string // a directory that is removed at the end
	random  *rand.Rand
	disks   bool // small ones can be made
	n       int
}

// check is a line of the table: one trial at a time.
type check struct {
	name  string
	short int // trials of the first 60
	share int // of the others, in relation to the shares of all
	trial func(*harness) error

	trials int
	bad    chan [5]int // of each kind
}

// The kinds of failures, and the columns of the table; another failure is an error of no kind.
var (
	errIncomplete = errors.New("incomplete")
	errPartial    = errors.New("some files")
	errRefused    = errors.New("refused")
	errLeft       = errors.New("left over")
	kinds         = []error{errIncomplete, errPartial, errRefused, errLeft}
)

func run(program string, trials int, seed uint64) error {
	base, err := os.MkdirTemp("", "faults-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)
	h := &harness{program: program, base: base, log: filepath.Join(base, "log.swf"),
		small: filepath.Join(base, "small.swf"), demands: filepath.Join(base, "demands.csv")}
	h.disks = h.mounts()
	if err := h.inputs(); err != nil {
		return err
	}
	all, shares, failures := h.checks(), 0, 0
	for _, c := range all {
		shares += c.share
	}
	const row = "%-40s %8v %10v %10v %10v %10v %10v\n"
	fmt.Printf(row, "check", "trials", kinds[0], kinds[1], kinds[2], kinds[3], "other")
	two := make(chan struct{}, 2) // checks at a time: most of a trial is waiting
	for i, c := range all {
		c.trials = (min(trials, 60)*c.short+30)/60 + (max(trials-60, 0)*c.share+shares/2)/shares
		own := *h
		own.base, own.random = filepath.Join(base, fmt.Sprint("check", i)), rand.New(rand.NewPCG(seed, uint64(i)))
		c.bad = make(chan [5]int, 1)
		go func() {
			two <- struct{}{}
			c.bad <- c.run(&own)
			<-two
		}()
	}
	for _, c := range all {
		bad := <-c.bad
		fmt.Printf(row, c.name, c.trials, bad[0], bad[1], bad[2], bad[3], bad[4])
		for _, n := range bad {
			failures += n
		}
	}
	if failures > 0 {
		return fmt.Errorf("%d failures", failures)
	}
	return nil
}

// inputs writes the logs and the demands.
func (h *harness) inputs() error {
	text := "round,agent,demand\n"
	for round := range 5000 {
		text += fmt.Sprintf("%[1]d,a,3\n%[1]d,b,1\n%[1]d,c,2\n", round+1)
	}
	if err := os.WriteFile(h.demands, []byte(text), 0o666); err != nil {
		return err
	}
	return cmp.Or(h.finish(h.base, []string{"trace", "synth", "lublin?jobs=6000&procs=64&seed=3", h.log}),
		h.finish(h.base, []string{"replay", "synth:lublin?jobs=300&procs=64&seed=3&load=.9", "--estimates", "exact",
			"--policy", "fcfs", "--payment", "none", "--swf", h.small}))
}

// run counts failures by their kind, and prints the first.
func (c *check) run(h *harness) (bad [5]int) {
	_ = os.Mkdir(h.base, 0o777)
	printed := 0
	for range c.trials {
		err := c.trial(h)
		if err == nil {
			continue
		}
		kind := len(kinds)
		for i, k := range kinds {
			if errors.Is(err, k) {
				kind = i
			}
		}
		bad[kind]++
		if printed++; printed <= 3 {
			fmt.Fprintf(os.Stderr, "%s: %v\n", c.name, err)
		}
	}
	return bad
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

func (h *harness) checks() (all []*check) {
	add := func(name string, short, share int, trial func(*harness) error) {
		all = append(all, &check{name: name, short: short, share: share, trial: trial})
	}
	for _, s := range h.subjects() {
		add(s.name, s.short, s.share, s.trial)
	}
	add("two runs into one directory", 8, 6, func(h *harness) error { return h.pair(false) })
	add("two shards of a sweep", 3, 3, func(h *harness) error { return h.shards(false) })
	add("a full device as output", 1, 1, (*harness).fullDevice)
	if os.Getuid() == 0 && exec.Command("unshare", "-pf", "true").Run() == nil {
		add("two runs of one process number", 8, 6, func(h *harness) error { return h.pair(true) })
		add("two shards of one process number", 3, 3, func(h *harness) error { return h.shards(true) })
	}
	return all
}
