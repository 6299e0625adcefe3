// Command bombs gives the program inputs that are small on disk and endless when unpacked,
// and arguments that ask for everything at once, and prints the largest amount of memory
// that each took. It fails if one takes more than the limit, or does not end in time.
//
//	bombs [-limit MB] [-size MB] [-only NAME] PROGRAM
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	limit := flag.Int("limit", 300, "memory a bomb may take, in MB")
	size := flag.Int("size", 2000, "size of an unpacked bomb, in MB")
	only := flag.String("only", "", "only the bombs whose names begin so, as in script")
	base := flag.String("make", "", "only write the bombs to this directory, and list them")
	flag.Parse()
	if *base != "" {
		bombs, err := (&maker{base: *base, size: *size}).all()
		if err == nil {
			err = json.NewEncoder(os.Stdout).Encode(bombs)
		}
		exit(err)
	}
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: bombs [-limit MB] [-size MB] [-only NAME] PROGRAM")
		os.Exit(2)
	}
	exit(run(flag.Arg(0), *only, *limit, *size))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bombs:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// bomb is a line of the table.
type bomb struct {
	Name string
	Args []string
}

func run(program, only string, limit, size int) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	base, err := os.MkdirTemp("", "bombs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)
	bombs, err := made(base, size)
	if err != nil {
		return err
	}
	bombs = slices.DeleteFunc(bombs, func(b bomb) bool { return !strings.HasPrefix(b.Name, only) })
	bad := 0
	fmt.Printf("%-38s %6s %8s %5s  %s\n", "bomb", "MB", "seconds", "exit", "what the program says")
	for _, b := range bombs {
		mb, seconds, code, said := explode(program, base, b)
		fmt.Printf("%-38s %6d %8.1f %5d  %s\n", b.Name, mb, seconds, code, said)
		if mb > int64(limit) || code < 0 {
			bad++
		}
	}
	fmt.Printf("%d bombs, %d above %d MB or without an end\n", len(bombs), bad, limit)
	if bad > 0 {
		return fmt.Errorf("%d of %d bombs", bad, len(bombs))
	}
	return nil
}

// made writes the bombs in a separate process: on Linux a process begins with the peak of
// memory of the one that starts it, so this one has to stay small.
func made(base string, size int) (bombs []bomb, err error) {
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(own, "-size", fmt.Sprint(size), "-make", base)
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	return bombs, json.Unmarshal(list, &bombs)
}

// explode runs the program on one bomb and reports its peak memory, its time, its exit code
// (-1: it had to be ended) and the first line it wrote to standard error.
func explode(program, dir string, b bomb) (mb int64, seconds float64, code int, said string) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, b.Args...)
	var stderr strings.Builder
	cmd.Dir, cmd.Stderr = dir, &stderr
	begin := time.Now()
	_ = cmd.Run()
	if cmd.ProcessState == nil {
		return 0, 0, -1, "not started"
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		mb = u.Maxrss >> 10
	}
	said, _, _ = strings.Cut(strings.ReplaceAll(stderr.String(), dir+"/", ""), "\n")
	return mb, time.Since(begin).Seconds(), cmd.ProcessState.ExitCode(), short(said)
}

func short(s string) string {
	if len(s) > 110 {
		return s[:107] + "..."
	}
	return s
}
