package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManual runs every example of the manual, in order, in one directory.
func TestManual(t *testing.T) {
	manual := read(t, "doc.go")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"log.swf":     smallSWF(100),
		"run.toml":    "policy = \"nphb\"\nload-factor = 1.5\nserial = true\n",
		"table.csv":   "Asked,Took,Size\n1709280000000,60,4\n1709280001500,30,2\n",
		"dump.sacct":  read(t, "../../traces/formats/testdata/small.sacct"),
		"demands.csv": "agent,cpu,memory\na,10,40\nb,5,10\nc,2,100\n",
		"rounds.csv":  threePeriod,
		"owners.csv":  threeEndowments,
		"weights.csv": "user,machine,weight\na,x,8\na,y,2\nb,x,1\nb,y,4\n",
		"budgets.csv": "user,budget\na,2\n",
		"bids.csv":    "job_id,value,bid,time_s\n" + bidsFor(100) + "7,30,90,75\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	examples := 0
	for _, line := range strings.Split(manual, "\n") {
		command, ok := strings.CutPrefix(line, "\t$ bourse ")
		if !ok {
			continue
		}
		examples++
		if code, _, stderr := bourse(t, words(command)...); code != 0 {
			t.Errorf("bourse %s: exit %d: %s", command, code, stderr)
		}
	}
	if examples < 15 {
		t.Errorf("the manual has only %d examples", examples)
	}
}

// words splits a command at blanks outside single quotes.
func words(command string) []string {
	var out []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// bidsFor makes a table of bids, one a job.
func bidsFor(jobs int) string {
	var b strings.Builder
	for i := 1; i <= jobs; i++ {
		fmt.Fprintf(&b, "%d,%d,%d,\n", i, 40+i%50, 20+i*7%60)
	}
	return b.String()
}
