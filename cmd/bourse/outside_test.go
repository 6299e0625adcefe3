package main

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

// imported builds and runs the program against the module of a path, which is in root.
func imported(t *testing.T, path, root string) {
	t.Helper()
	dir := t.TempDir()
	needs := regexp.MustCompile(`(?s)require \(.*?\n\)`).FindAllString(read(t, filepath.Join(root, "go.mod")), -1)
	text := "module outside\n\ngo 1.26\n\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + root + "\n\n" +
		strings.Join(needs, "\n")
	must(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "go.sum"), []byte(read(t, filepath.Join(root, "go.sum"))), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(strings.ReplaceAll(outside, `"bourse/`, `"`+path+"/")),
		0o666))
	if out := goTool(t, dir, "run", "."); out != "50 100 <nil>\n" {
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
	goTool(t, fork, "vet", "./cmd/bourse")
	goTool(t, fork, "test", "-count=1", "-run", "TestImportRule", "./cmd/bourse")
	c := exec.Command("sh", filepath.Join(fork, "scripts/module-path.sh"), "not a path")
	if out, err := c.CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "not a path is no path of a module; want one as in") {
		t.Errorf("%v: %s", err, out)
	}
}
