package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// example1 is Example 1 of Bei, Li and Luo as amounts of a machine of 100 cores
// and 1000 GB.
const example1 = "agent,cpu,memory\na,10,40\nb,5,10\nc,2,100\n"

func TestAllocate(t *testing.T) {
	in := file(t, "demands.csv", example1)
	for _, c := range []struct {
		args, out string
		talk      []string
	}{
		{"--totals cpu=100,memory=1000",
			"agent,dominant_share,cpu,memory\na,0.45454545454545453,0.45454545454545453,0.1818",
			[]string{"drf: 3 agents, 2 resources, alpha 0.333", "welfare         1.363636", "sharing incentive holds",
				"envy-freeness holds", "Pareto optimality holds"}},
		{"--totals cpu=100,memory=1000 --mechanism bal --strategy-proofness",
			"agent,dominant_share,cpu,memory\na,0.3333333333333333,0.3333333333333333,0.1333",
			[]string{"1.543210", "used of cpu     1.000000", "strategy-proofness is violated: "}},
		{"--totals cpu=100,memory=1000 --mechanism bal* --strategy-proofness",
			"agent,dominant_share,cpu,memory\na,0.3333333333333333,", []string{"1.525253",
				"no report that pays was found among"}},
		{"--totals cpu=100,memory=1000 --mechanism family:weighted(1,0)", "", []string{"1.466667"}},
		{"--totals cpu=100,memory=1000 --mechanism family:1", "", []string{"1.466667"}},
		{"--totals cpu=100,memory=1000 --mechanism unb", "", []string{"1.466667"}},
		{"--totals cpu=100,memory=1000 --mechanism optimum-sw", "", []string{"  1.000000"}},
	} {
		code, stdout, stderr := bourse(t, append([]string{"allocate", in}, strings.Fields(c.args)...)...)
		if code != 0 || !strings.HasPrefix(stdout, c.out) || strings.Count(stdout, "\n") != 4 {
			t.Errorf("%s: exit %d\n%s", c.args, code, stdout)
		}
		for _, want := range c.talk {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s: the summary lacks %q:\n%s", c.args, want, stderr)
			}
		}
	}
}

// TestAllocateThroughFiles wants CSV from standard input, fractions and Parquet
// to give the same shares.
func TestAllocateThroughFiles(t *testing.T) {
	dir := t.TempDir()
	out, again := filepath.Join(dir, "out.parquet"), filepath.Join(dir, "again.csv")
	if code, stdout, stderr := bourseWith(t, example1, "allocate", "-", "--totals", "memory=1000,cpu=100", "--out",
		out); code != 0 || stdout != "" {
		t.Fatalf("exit %d, %q, %s", code, stdout, stderr)
	}
	// What was allocated is a multiple of the demands, so it gives the same shares.
	if code, _, stderr := bourse(t, "allocate", out, "--weights", "dominant_share", "--out", again); code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	x, y := floatsIn(t, out, "cpu"), floatsIn(t, again, "cpu")
	for i := range x {
		if d := x[i] - y[i]; d > 1e-12 || d < -1e-12 {
			t.Errorf("agent %d has %v of cpu, and %v", i, x[i], y[i])
		}
	}
	if code, _, stderr := bourse(t, "allocate", out, "--out", again); code != 1 ||
		!strings.Contains(stderr, "--overwrite") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if got := filesIn(t, dir); got != "again.csv out.parquet" {
		t.Errorf("files %s", got)
	}
}

func TestAllocateWeights(t *testing.T) {
	in := file(t, "demands.csv", "agent,cpu,memory,owners\na,.1,.04,2\nb,.1,.02,1\nc,.02,.1,3\n")
	code, stdout, stderr := bourse(t, "allocate", in, "--weights", "owners")
	want := "a,0.5,0.5,0.1999"
	if code != 0 || !strings.Contains(stdout, want) || !strings.Contains(stderr, "sharing incentive holds") ||
		!strings.Contains(stderr, "equal weights") {
		t.Errorf("exit %d, want %s\n%s%s", code, want, stdout, stderr)
	}
}

// TestAllocateBadInput wants each fault to be told with its place.
func TestAllocateBadInput(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		code             int
		text, args, want string
	}{
		{1, "agent,cpu\na,-1\n", "", "standard input:2: cpu is -1; want a finite number of 0 or more"},
		{1, "agent,cpu\na,inf\n", "", "standard input:2: cpu is +Inf"},
		{1, "agent,cpu\na,1\nb,nan\n", "", `standard input:3: cpu is "nan"`},
		{1, "agent,cpu\na,1\nb,0\n", "", "standard input:3: agent b demands nothing; leave it out"},
		{1, "agent,cpu\na,1\na,2\n", "", "standard input:3: agent a has a row already"},
		{1, "agent,cpu\na,1\n,2\n", "", "standard input:3: agent is empty"},
		{1, "agent\na\n", "", "no column but agent"},
		{1, "user,cpu\na,1\n", "", "no column agent; the columns are user, cpu"},
		{1, "agent,cpu\n", "", "the table has no rows"},
		{1, "agent,a,b,c\nx,1,.5,.2\ny,.2,1,.5\nz,.5,.2,1\n", "--mechanism bal",
			"defined for two resources and there are 3"},
		{1, "agent,cpu\na,1\n", "--mechanism bal*", "use drf"},
		{1, "agent,cpu,w\na,1,0\n", "--weights w", "standard input:2: w is 0; want a finite number above 0"},
		{1, "agent,cpu\na,1\n", "--out " + dir + "/none/x.csv", "there is no directory"},
		{2, "agent,cpu\na,1\n", "--totals cpy=3",
			`names "cpy", which is no column; the resources are cpu; did you mean "cpu"?`},
		{2, "agent,cpu\na,1\n", "--totals cpu=0", "want a number above 0"},
		{2, "agent,cpu\na,1\n", "--totals cpu", "want a number above 0"},
		{2, "agent,cpu\na,1\n", "--totals cpu=1,cpu=2", "gives cpu twice"},
		{2, "agent,cpu,gpu\na,1,1\n", "--totals cpu=1", "--totals has nothing for gpu"},
		{2, "", "--mechanism bla", `mechanism "bla" is unknown; did you mean "bal"?`},
		{2, "", "--mechanism family", "family needs a value for g"},
		{2, "", "--mechanism family:smu", `family has no function "smu"; did you mean "sum"?`},
		{2, "", "--mechanism family:norm(.5)", "want one number from 1 to 1e6"},
		{2, "", "--mechanism family:norm(1e300)", "want one number from 1 to 1e6"},
		{2, "", "--mechanism family:0", "numbered from 1"},
		{2, "", "--mechanism family:weighted(0,0)", "all coefficients are 0"},
		{2, "", "--mechanism bal --weights w", "--weights has no meaning under bal"},
		{2, "", "--overwrite", "add --out FILE"},
		{1, "agent,cpu\na,1\n", "--mechanism family:2", "resources are numbered from 1 to 1"},
	} {
		args := append([]string{"allocate", "-"}, strings.Fields(c.args)...)
		code, stdout, stderr := bourseWith(t, c.text, args...)
		if code != c.code || !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("%q %s: exit %d, want %d with %q\n%s%s", c.text, c.args, code, c.code, c.want, stdout, stderr)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if code, stdout, _ := bourse(t, "list", "mechanisms"); code != 0 || !strings.Contains(stdout, "bal*") {
		t.Errorf("list mechanisms: exit %d, %s", code, stdout)
	}
}
