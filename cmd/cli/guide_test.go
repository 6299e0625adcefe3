package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bourse/reports/run"
)

// TestFirstTenMinutes runs the commands of the page, in order, in one directory.
func TestFirstTenMinutes(t *testing.T) {
	page := read(t, "guide/first-ten-minutes.md")
	t.Chdir(t.TempDir())
	run := 0
	for _, line := range strings.Split(page, "\n") {
		if command, ok := strings.CutPrefix(line, "    $ "); ok {
			run++
			shell(t, command)
		}
	}
	if _, err := os.Stat("out/report.html"); err != nil || run < 8 {
		t.Errorf("%d commands; %v", run, err)
	}
}

// TestBeyondOneMachine runs the commands of the page.
func TestBeyondOneMachine(t *testing.T) {
	page := read(t, "guide/beyond-one-machine.md")
	t.Chdir(t.TempDir())
	shell(t, "bourse trace convert 'synth:lublin?jobs=8000&procs=64' log.swf")
	run := 0
	for _, line := range strings.Split(page, "\n") {
		if command, ok := strings.CutPrefix(line, "    $ "); ok {
			run++
			shell(t, command)
		}
	}
	if _, err := os.Stat("cells/cells.parquet"); err != nil || run != 2 {
		t.Errorf("%d commands; %v", run, err)
	}
}

// TestOwnLog runs the commands of the page on small logs of these kinds.
func TestOwnLog(t *testing.T) {
	page := read(t, "guide/your-own-log.md")
	dump := read(t, "../../traces/formats/testdata/small.sacct")
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"jobs.sacct": dump, "table.csv": "Asked,Took,Size\n0,60,2\n1000,30,1\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := 0
	for _, line := range strings.Split(page, "\n") {
		if command, ok := strings.CutPrefix(line, "    $ bourse "); ok {
			run++
			shell(t, "bourse "+command)
		}
	}
	if run != 5 {
		t.Errorf("%d commands", run)
	}
}

// TestGuideExamples wants the examples of the guide to be those that are tested, and
// short.
func TestGuideExamples(t *testing.T) {
	page := read(t, "guide/extending.md")
	block := regexp.MustCompile("(?s)<!-- (\\S+) -->\n```go\n(.*?)```")
	found := block.FindAllStringSubmatch(page, -1)
	if len(found) != 7 {
		t.Fatalf("%d examples, want 7", len(found))
	}
	for _, f := range found {
		source := read(t, filepath.Join("../..", f[1]))
		_, code, _ := strings.Cut(source, "\n\n// example: ")
		_, code, _ = strings.Cut(code, "\n\n")
		code, _, ok := strings.Cut(code, "\n// end\n")
		if !ok {
			t.Fatalf("%s: no example between // example and // end", f[1])
		}
		code = strings.TrimRight(code, "\n") + "\n"
		if n := strings.Count(code, "\n"); n > 50 {
			t.Errorf("%s: %d lines are too long for an example", f[1], n)
		}
		page = strings.Replace(page, f[0], fmt.Sprintf("<!-- %s -->\n```go\n%s```", f[1], code), 1)
	}
	golden(t, "guide/extending.md", page)
}

// TestColumnReference wants the page of columns to be what the code says.
func TestColumnReference(t *testing.T) {
	var page strings.Builder
	page.WriteString("# Columns\n\nMade from the table in `reports/record/columns.go` by `make golden`. A type with " +
		"? may be null: unknown values are null (empty in CSV), never -1.\n" +
		"phi is the flow time, tau the run time, p the processors, w the value, b the bid.\n")
	for _, set := range run.Datasets() {
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n| column | type | unit | meaning |\n|---|---|---|---|\n", set.Name,
			set.About)
		for _, c := range set.Columns {
			kind, meaning := c.Kind.String(), c.Meaning
			if c.Nullable {
				kind += "?"
			}
			if c.Source != "" {
				meaning += " [" + c.Source + "]"
			}
			fmt.Fprintf(&page, "| `%s` | %s | %s | %s |\n", c.Name, kind, c.Unit,
				strings.ReplaceAll(meaning, "|", `\|`))
		}
	}
	golden(t, "guide/columns.md", page.String())
}

// golden compares a kept page with what it should be, or keeps it.
func golden(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if read(t, path) != want {
		t.Errorf("%s is not what the code says; make golden writes it anew", path)
	}
}
