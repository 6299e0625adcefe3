package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// both starts two commands, at nearly the same instant, each the first process of a space
// of its own if alone is set, and returns what became of them.
func (h *harness) both(dir string, alone bool, a, b []string) (failed [2]error, said [2]string) {
	var running [2]*exec.Cmd
	var talk [2]strings.Builder
	for i, args := range [][]string{a, b} {
		c := h.command(dir, args...)
		if alone {
			c = exec.Command("unshare", append([]string{"-pf", h.program}, args...)...)
			c.Dir = dir
		}
		c.Stderr = &talk[i]
		if err := c.Start(); err != nil {
			failed[i] = err
			continue
		}
		running[i] = c
		time.Sleep(time.Duration(h.random.Int64N(int64(20 * time.Millisecond))))
	}
	for i, c := range running {
		if c != nil {
			failed[i] = c.Wait()
		}
		said[i] = talk[i].String()
	}
	return failed, said
}

// pair wants one of two runs into one directory to be there, whole, and the other to say
// that it is not.
func (h *harness) pair(alone bool) error {
	dir := h.folder()
	defer os.RemoveAll(dir)
	args := func(policy string) []string {
		return []string{"replay", h.log, "--policy", policy, "--payment", "none", "--out", "out", "-q"}
	}
	failed, said := h.both(dir, alone, args("easy"), args("fcfs"))
	if (failed[0] == nil) == (failed[1] == nil) {
		return fmt.Errorf("both ended alike: %v, %v: %s %s", failed[0], failed[1], said[0], said[1])
	}
	won := "easy"
	if failed[0] != nil {
		won = "fcfs"
	}
	if out, err := h.command(dir, "compare", "out", "out").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out", "manifest.json"))
	if err == nil && !strings.Contains(string(text), `"policy": "`+won+`"`) {
		err = fmt.Errorf("%s ended well and the other one's files are there", won)
	}
	now, hashed := hashes(dir)
	return errors.Join(err, hashed, clean(now))
}

// shards wants two halves of a sweep to be the whole.
func (h *harness) shards(alone bool) error {
	dir := h.folder()
	defer os.RemoveAll(dir)
	half := func(i int) []string {
		return []string{"sweep", h.log, "--policy", "fcfs,sjf,easy,saf", "--payment", "none", "--out", "sw", "-q",
			"--shard", fmt.Sprintf("%d/2", i)}
	}
	failed, said := h.both(dir, alone, half(0), half(1))
	for i := range failed {
		if failed[i] != nil {
			return fmt.Errorf("shard %d: %w: %s", i, failed[i], said[i])
		}
	}
	if out, err := h.command(dir, "merge", "sw").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	now, err := hashes(dir)
	return errors.Join(err, clean(now))
}

// fullDevice writes where nothing can be written.
func (h *harness) fullDevice() error {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		return nil // not on this system
	}
	defer full.Close()
	for _, args := range [][]string{{"list"}, {"-h"}, {"replay", h.log, "--policy", "fcfs"},
		{"replay", h.log, "--out", "-", "--format", "csv"}, {"trace", "inspect", h.log}, {"trace", "demand", h.log}} {
		c := h.command(h.base, args...)
		c.Stdout = full
		if c.Run() == nil {
			return fmt.Errorf("%v: exit 0", args)
		}
	}
	return nil
}

// mounts reports whether disks can be made here.
func (h *harness) mounts() bool {
	dir := h.folder()
	return os.Getuid() == 0 && mount(dir, "size=1m") == nil && exec.Command("umount", dir).Run() == nil
}

func mount(dir, options string) error {
	return exec.Command("mount", "-t", "tmpfs", "-o", options, "none", dir).Run()
}
