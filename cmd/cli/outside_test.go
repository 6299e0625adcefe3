package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bourse/traces/tracetest"
)

// outside is a program elsewhere that replays a workload with the engine and a policy of its own.
const outside = `package main

import (
	"context"
	"fmt"

	"bourse/engine"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/formats"
)

type count struct{ jobs int }

func (c *count) Record(*engine.Outcome) error { c.jobs++; return nil }

func main() {
	src, err := formats.Open("synth:lublin?jobs=50&procs=16&seed=1", traces.Options{})
	if err != nil {
		panic(err)
	}
	market := catalog.Market{Policy: "fcfs", Payment: "none", Values: "bimodal", Behaviour: "truthful", Seed: 1}
	policy, pricer, owners, err := market.Build()
	if err != nil {
		panic(err)
	}
	var sink count
	config := engine.Config{Machine: engine.Processors(16), Policy: policy, Pricer: pricer, Bidder: owners}
	s, err := engine.Run(context.Background(), config, src, &sink)
	fmt.Println(sink.jobs, s.Events, err)
}
`

// goTool runs go in a directory, without a network.
func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// module makes a module elsewhere that imports the one of a path, which is in root, with a program.
func module(t *testing.T, path, root, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	needs := regexp.MustCompile(`(?s)require \(.*?\n\)`).FindAllString(read(t, filepath.Join(root, "go.mod")), -1)
	mod := "module outside\n\ngo 1.26\n\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + root + "\n\n" +
		strings.Join(needs, "\n")
	must(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "go.sum"), []byte(read(t, filepath.Join(root, "go.sum"))), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(strings.ReplaceAll(text, `"bourse/`, `"`+path+"/")), 0o666))
	return dir
}

// TestLongOwn builds a program of another module with a policy, a price and a format of its own: it has all commands, and
// what it adds is in them.
func TestLongOwn(t *testing.T) {
	tracetest.Long(t)
	root, err := filepath.Abs(filepath.Join(here, "../.."))
	must(t, err)
	text := read(t, filepath.Join(here, "testdata/own/main.go"))
	dir := module(t, "bourse", root, text)
	goTool(t, dir, "build", "-o", "own", ".")
	for _, x := range []struct{ command, want string }{
		{"list policies", "narrow +the narrowest waiting jobs that fit"},
		{"list formats", "daily +daily:N: N jobs a day for a month"},
		{"replay daily:40 --policy narrow --payment part(of=.25) --check", "1,200 records read, 1,200 replayed"},
		{"compare daily:40 --policy narrow,easy,fcfs --metric wait", "narrow"},
		{"regret daily:20 --policy hb --payment part --jobs 20", "part"},
		{"regret daily:20 --policy narrow --payment part --jobs 20", "part"},
		{"policy check narrow --workloads 5", "narrow conforms"},
		{"replay daily:none", "want a number of jobs a day"},
		{"replay daily:40 --policy narow", `did you mean "narrow"`},
	} {
		out, err := exec.Command(filepath.Join(dir, "own"), strings.Fields(x.command)...).CombinedOutput()
		if fails := strings.Contains(x.command, "none") || strings.Contains(x.command, "narow"); fails != (err != nil) ||
			!regexp.MustCompile(x.want).Match(out) {
			t.Errorf("%s: %v\n%s", x.command, err, out)
		}
	}
	twice := module(t, "bourse", root, strings.Replace(text, `Name: "narrow"`, `Name: "easy"`, 1))
	c := exec.Command("go", "run", ".")
	c.Dir = twice
	c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), `policy "easy" is there already`) {
		t.Errorf("a policy twice: %v\n%s", err, out)
	}
}

// imported builds and runs the program against the module of a path, which is in root.
func imported(t *testing.T, path, root string) {
	t.Helper()
	if out := goTool(t, module(t, path, root, outside), "run", "."); out != "50 100 <nil>\n" {
		t.Errorf("a program that imports %s says %q", path, out)
	}
}

// TestLongOutside wants programs elsewhere to be able to use the engine, under the module's path
// and under that of a fork, whose tests of imports still hold.
func TestLongOutside(t *testing.T) {
	tracetest.Long(t)
	root, err := filepath.Abs(filepath.Join(here, "../.."))
	must(t, err)
	imported(t, "bourse", root)
	list, err := exec.Command("git", "-C", root, "ls-files").Output()
	if err != nil {
		t.Skip("there is no git, or this is no checkout")
	}
	fork := t.TempDir()
	for _, name := range strings.Fields(string(list)) {
		if strings.HasPrefix(name, "reports/notebooks/") {
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(fork, name)), 0o777))
		must(t, os.WriteFile(filepath.Join(fork, name), []byte(read(t, filepath.Join(root, name))), 0o666))
	}
	for _, args := range [][]string{{"git", "init", "-q"}, {"git", "add", "-A"},
		{"sh", "scripts/module-path.sh", "example.com/you/bourse"}} {
		c := exec.Command(args[0], args[1:]...)
		c.Dir = fork
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	imported(t, "example.com/you/bourse", fork)
	goTool(t, fork, "vet", "./cmd/...")
	goTool(t, fork, "test", "-count=1", "-run", "TestImportRule", "./cmd/cli")
	c := exec.Command("sh", filepath.Join(fork, "scripts/module-path.sh"), "not a path")
	if out, err := c.CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "not a path is no path of a module; want one as in") {
		t.Errorf("%v: %s", err, out)
	}
}
