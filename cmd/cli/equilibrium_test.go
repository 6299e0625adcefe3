package cli

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/traces/table"
)

// opposite is the opposite-weight game at alpha = .8, with weights that are
// normalised first.
const opposite = "user,machine,weight\na,x,8\na,y,2\nb,x,1\nb,y,4\n"

func TestEquilibrium(t *testing.T) {
	in := file(t, "weights.csv", opposite)
	dir := t.TempDir()
	for _, c := range []struct {
		args string
		bids []float64
		talk []string
	}{
		{"--until bids --tolerance 1e-12", []float64{.8, .2, .2, .8}, []string{"best-response: 2 users, 2 machines",
			"converged after", "efficiency             0.850000             0.850000        1.000000",
			"price of anarchy       1.176471", "no unilateral deviation gains more than"}},
		{"--max-machines 1", []float64{1, 0, 0, 1}, []string{"local-search: ", "efficiency             1.000000",
			"Of 2 responses found by local search 2 were proved"}},
		{"--update greedy --step .0001 --tolerance .01", []float64{.8, .2, .2, .8},
			[]string{"greedy: ", "no user's marginal utilities differ by 0.01"}},
		{"--until bids --tolerance 1e-12 --limit 1", []float64{.8, .2, .2, .8}, []string{"converged after 1 sweep: "}},
	} {
		out := filepath.Join(dir, "out.parquet")
		args := append([]string{"equilibrium", in, "--out", out, "--overwrite"}, strings.Fields(c.args)...)
		code, stdout, stderr := bourse(t, args...)
		if code != 0 || stdout != "" {
			t.Fatalf("%s: exit %d\n%s%s", c.args, code, stdout, stderr)
		}
		table, err := table.Read(out, nil)
		if err != nil {
			t.Fatal(err)
		}
		users, _ := table.Words("user")
		bids, _ := table.Floats("bid")
		shares, _ := table.Floats("share")
		for k, x := range c.bids {
			if math.Abs(bids[k]-x) > 1e-2 || strings.Join(users, "") != "aabb" || shares[k] < 0 || shares[k] > 1 {
				t.Errorf("%s: users %v, bids %v, shares %v", c.args, users, bids, shares)
			}
		}
		for _, want := range c.talk {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s: the summary lacks %q:\n%s", c.args, want, stderr)
			}
		}
	}
}

// TestEquilibriumBudgets: who has three times the money gets three quarters.
func TestEquilibriumBudgets(t *testing.T) {
	in := file(t, "weights.csv", "user,machine,weight\na,x,1\na,y,1\nb,x,5\nb,y,5\nb,z,0\n")
	budgets := file(t, "budgets.csv", "user,budget\na,3\n")
	code, stdout, stderr := bourse(t, "equilibrium", in, "--budgets", budgets)
	want := "user,machine,bid,share\na,x,1.5,0.75\na,y,1.5,0.75\nb,x,0.5,0.25\nb,y,0.5,0.25\nb,z,0,0\n"
	if code != 0 || stdout != want {
		t.Errorf("exit %d, %s, want %s", code, stdout, want)
	}
	for _, want := range []string{"1 machine is wanted by no user", "1 user is not in " + budgets +
		" and has a budget of 1"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("the summary lacks %q:\n%s", want, stderr)
		}
	}
	if code, _, stderr := bourse(t, "equilibrium", in, "--raw-weights"); code != 0 ||
		!strings.Contains(stderr, "welfare                6.000000") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestEquilibriumReserve is the machine that only one user wants.
func TestEquilibriumReserve(t *testing.T) {
	code, stdout, stderr := bourseWith(t, "user,machine,weight\na,x,1\nb,x,1\nb,y,1\n", "equilibrium", "-")
	if code != 0 || !strings.Contains(stdout, "b,y,") ||
		!strings.Contains(stderr, "1 machine is wanted by one user only, who bids against a reserve of 1e-09") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
}

// TestEquilibriumTrace takes weights from a log, and the rows of the iterations.
func TestEquilibriumTrace(t *testing.T) {
	dir := t.TempDir()
	log, sweeps := file(t, "log.swf", smallSWF(100)), filepath.Join(dir, "sweeps.csv")
	code, stdout, stderr := bourse(t, "equilibrium", log, "--preferences", "trace(by=size)", "--iterations", sweeps)
	if code != 0 || !strings.HasPrefix(stdout, "user,machine,bid,share\n") || !strings.Contains(stderr, "converged") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
	if rows := read(t, sweeps); !strings.HasPrefix(rows,
		"sweep,gap,welfare,efficiency,utility_uniformity,envy_freeness\n0,") || strings.Count(rows, "\n") < 3 {
		t.Errorf("iterations:\n%s", rows)
	}
}

// TestEquilibriumNoConvergence is said, with the least metrics, and is no failure.
func TestEquilibriumNoConvergence(t *testing.T) {
	args := []string{"equilibrium", "--preferences", "uniform(users=30)", "--max-machines", "5", "--limit", "30"}
	code, stdout, stderr := bourse(t, args...)
	for _, want := range []string{"did not converge within 30 sweeps", "least seen", "proved optimal"} {
		if code != 0 || !strings.Contains(stderr, want) {
			t.Errorf("exit %d, the summary lacks %q:\n%s", code, want, stderr)
		}
	}
	if _, again, _ := bourse(t, args...); again != stdout {
		t.Error("the same seed gives other bids")
	}
	if _, other, _ := bourse(t, append(args, "--seed", "2")...); other == stdout {
		t.Error("another seed gives the same bids")
	}
}

// TestEquilibriumBadInput wants each fault to be told with its place.
func TestEquilibriumBadInput(t *testing.T) {
	dir := t.TempDir()
	const head = "user,machine,weight\n"
	budgets := func(text string) string { return "--budgets " + file(t, "b.csv", "user,budget\n"+text) }
	for _, c := range []struct {
		code             int
		text, args, want string
	}{
		{1, head + "a,x,1\na,y,-1\n", "", "standard input:3: weight is -1; want a number from 0 to 1e+100"},
		{1, head + "a,x,nan\n", "", `standard input:2: weight is "nan"; want a number`},
		{1, head + "a,x,inf\n", "", "standard input:2: weight is +Inf"},
		{1, head + "a,x,\n", "", "standard input:2: weight is empty"},
		{1, head + "a,x,1\nb,x,0\nb,y,0\n", "",
			"standard input:3: user b wants no machine: all weights are 0; leave the user out"},
		{1, head + "a,x,1\na,x,2\n", "", "standard input:3: user a has a weight for machine x already"},
		{1, head + ",x,1\n", "", "standard input:2: user is empty"},
		{1, head, "", "the table has no rows"},
		{1, "user,machine,wieght\na,x,1\n", "",
			`no column weight; the columns are user, machine, wieght; did you mean "wieght"?`},
		{1, head + "a,x,1\n", budgets("a,0\n"), "b.csv:2: budget is 0; want a number above 0"},
		{1, head + "a,x,1\n", budgets("a,-2\n"), "b.csv:2: budget is -2; want a number above 0"},
		{1, head + "a,x,1\n", budgets("a,nan\n"), `b.csv:2: budget is "nan"`},
		{1, head + "a,x,1\n", budgets("a,1\na,1\n"), "b.csv:3: user a has a budget already"},
		{1, head + "anna,x,1\n", budgets("ana,1\n"),
			`b.csv:2: user ana has a budget and no weights; did you mean "anna"?`},
		{1, head + "a,x,1\n", "--out " + dir + "/none/x.csv", "there is no directory"},
		{2, "", "--max-machines 0", "--max-machines 0: a user needs 1 machine at least"},
		{2, "", "--max-machines -3", "--max-machines -3: a user needs 1 machine at least"},
		{2, "", "--update local-search", "--update and --max-machines: local-search chooses a few machines"},
		{2, "", "--update greedy --max-machines 3", "--max-machines has no meaning under greedy"},
		{2, "", "--update best-respnse", `--update "best-respnse"; did you mean "best-response"?`},
		{2, "", "--until bid", `--until "bid"; did you mean "bids"?`},
		{2, "", "--tolerance nan", "--tolerance NaN: want a number above 0"},
		{2, "", "--tolerance 0", "want a number above 0"},
		{2, "", "--step .1", "it is what greedy moves"},
		{2, "", "--update greedy --step 2", "at most 1"},
		{2, "", "--limit -1", "at least one sweep is needed"},
		{2, "", "--preferences unifrom", `preferences "unifrom" is unknown; did you mean "uniform"?`},
		{2, "", "--preferences uniform(users=0)", "users"},
		{2, "", "--preferences trace(by=szie)", `trace by "szie"; did you mean "size"?`},
		{2, "", "--preferences uniform", "- would not be read"},
		{2, "", "--overwrite", "add --out FILE"},
		{2, "", "--out x.csv --iterations x.csv", "cannot be one file"},
		{1, "1 2 3\n", "--preferences trace(by=size)", "stdin:1: 3 fields"},
	} {
		args := append([]string{"equilibrium", "-"}, strings.Fields(c.args)...)
		code, stdout, stderr := bourseWith(t, c.text, args...)
		if code != c.code || !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("%q %s: exit %d, want %d with %q\n%s%s", c.text, c.args, code, c.code, c.want, stdout, stderr)
		}
	}
	if code, _, stderr := bourse(t, "equilibrium"); code != 2 || !strings.Contains(stderr, "a file is missing") {
		t.Errorf("without a file: exit %d, %s", code, stderr)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if code, stdout, _ := bourse(t, "list", "preferences"); code != 0 ||
		!strings.Contains(stdout, "correlated(users=40,machines=100,") {
		t.Errorf("list preferences: exit %d, %s", code, stdout)
	}
}
