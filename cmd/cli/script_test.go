package cli

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs testdata/script: what a user types and what the program answers. Besides the
// commands of testscript there are
//
//	log JOBS FILE               writes a small log
//	ends CODE TEXT ARGS...      runs bourse, which ends with that code and says TEXT
//	change FILE OLD NEW         replaces a text in a file
//	evil DIR FILE OLD NEW       makes evil a copy of DIR, in whose FILE NEW is in place of OLD, or of all
//	nest N TEXT FILE            writes a text N times, one after the other
//	greater FIGURE A B          wants a figure of summary A to be greater than that of B
func TestScripts(t *testing.T) {
	explain, err := filepath.Abs("testdata/explain")
	must(t, err)
	gallery, err := filepath.Abs("../../scripts/policies")
	must(t, err)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXPLAIN", explain)
			e.Setenv("GALLERY", gallery)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"log": func(s *testscript.TestScript, _ bool, args []string) {
				n, err := strconv.Atoi(args[0])
				s.Check(err)
				s.Check(os.WriteFile(s.MkAbs(args[1]), []byte(smallSWF(n)), 0o666))
			},
			"ends": ends,
			"change": func(s *testscript.TestScript, _ bool, args []string) {
				text := s.ReadFile(args[0])
				if !strings.Contains(text, args[1]) {
					s.Fatalf("%s does not hold %q", args[0], args[1])
				}
				s.Check(os.WriteFile(s.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o666))
			},
			"evil": func(s *testscript.TestScript, _ bool, args []string) {
				s.Check(os.RemoveAll(s.MkAbs("evil")))
				s.Check(os.CopyFS(s.MkAbs("evil"), os.DirFS(s.MkAbs(args[0]))))
				path, text := filepath.Join("evil", args[1]), args[3]
				if args[2] != "" {
					was := s.ReadFile(path)
					if !strings.Contains(was, args[2]) {
						s.Fatalf("%s does not hold %q", path, args[2])
					}
					text = strings.Replace(was, args[2], text, 1)
				}
				s.Check(os.WriteFile(s.MkAbs(path), []byte(text), 0o666))
			},
			"nest": func(s *testscript.TestScript, _ bool, args []string) {
				n, err := strconv.Atoi(args[0])
				s.Check(err)
				s.Check(os.WriteFile(s.MkAbs(args[2]), []byte(strings.Repeat(args[1], n)), 0o666))
			},
			"greater": func(s *testscript.TestScript, _ bool, args []string) {
				if a, b := figure(s, args[1], args[0]), figure(s, args[2], args[0]); a <= b {
					s.Fatalf("%s is %g in %s and %g in %s", args[0], a, args[1], b, args[2])
				}
			},
		},
	})
}

// ends runs the program.
func ends(s *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	s.Check(err)
	code := 0
	err = s.Exec("bourse", args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	if out := s.ReadFile("stdout") + s.ReadFile("stderr"); code != want || !strings.Contains(out, args[1]) {
		s.Fatalf("exit %d, want %d with %q", code, want, args[1])
	}
}

// figure is one of summary.json, as in jobs.total.mean_wait_s.
func figure(s *testscript.TestScript, file, name string) float64 {
	var v any
	s.Check(json.Unmarshal([]byte(s.ReadFile(file)), &v))
	for _, key := range strings.Split(name, ".") {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	x, ok := v.(float64)
	if !ok {
		s.Fatalf("%s has no %s", file, name)
	}
	return x
}
