package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/traces/rng"
)

// threePeriod is the counter-example to the strategy-proofness of tperiod:3.
const (
	threePeriod     = "round,agent,demand\n1,a,8\n1,b,2\n1,c,0\n2,a,8\n3,b,4\n4,a,8\n5,a,0\n6,a,0\n"
	threeEndowments = "agent,endowment\na,1\nb,1\nc,2\n"
)

func TestLend(t *testing.T) {
	in, endow := file(t, "demands.csv", threePeriod), file(t, "endow.csv", threeEndowments)
	for _, c := range []struct {
		args, out string
		talk      []string
	}{
		{"--mechanism tperiod:3 --strategy-proofness --endowments " + endow,
			"round,agent,demand,allocation\n1,a,8,2\n1,b,2,2\n1,c,0,0\n2,a,8,3\n",
			[]string{"tperiod:3: 3 agents, 6 rounds of 4", "welfare           10.963",
				"a gains 0.037037 by reporting 1 for 8 in the 1st round"}},
		{"--mechanism tperiod:R/2 --endowments " + endow,
			"round,agent,demand,allocation\n1,a,8,2\n1,b,2,2\n1,c,0,0\n2,a,8,3\n", nil},
		{"--mechanism fl --strategy-proofness --endowments " + endow,
			"round,agent,demand,allocation\n1,a,8,2\n1,b,2,2\n",
			[]string{"no report that pays was found for 3 agents"}},
		{"--mechanism fl --liar a --endowments " + endow, "", []string{"was found for 1 agents"}},
		{"--mechanism smm --endowments equal --low .5 --high 2",
			"round,agent,demand,allocation\n1,a,8,1.5\n1,b,2,1.5\n1,c,0,0\n", []string{"H = 2, L = 0.5"}},
		{"--mechanism static", "round,agent,demand,allocation\n1,a,8,4\n1,b,2,1\n2,a,8,4\n",
			[]string{"1 more agents demand nothing", "welfare            14      14           1.0000"}},
		{"--mechanism karma:.5 --endowments equal", "round,agent,demand,allocation\n1,a,8,1.5\n1,b,2,1.5\n1,c,0,0\n",
			nil},
		{"--mechanism dmm --summary", "", []string{"sharing index of 2 agents"}},
	} {
		code, stdout, stderr := bourse(t, append([]string{"lend", in}, strings.Fields(c.args)...)...)
		if code != 0 || !strings.HasPrefix(stdout, c.out) || strings.Contains(c.args, "--summary") != (stdout == "") {
			t.Errorf("%s: exit %d\n%s%s", c.args, code, stdout, stderr)
		}
		for _, want := range c.talk {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s: the summary lacks %q:\n%s", c.args, want, stderr)
			}
		}
	}
}

// TestLendThroughFiles wants CSV, Parquet and a stream to give the same shares.
func TestLendThroughFiles(t *testing.T) {
	dir := t.TempDir()
	out, again, agents := filepath.Join(dir, "out.parquet"), filepath.Join(dir, "again.csv"), filepath.Join(dir,
		"agents.csv")
	endow := file(t, "endow.csv", threeEndowments)
	if code, stdout, stderr := bourseWith(t, threePeriod, "lend", "-", "--rounds", "6", "--endowments", endow, "--out",
		out, "--agents", agents); code != 0 || stdout != "" {
		t.Fatalf("exit %d, %q, %s", code, stdout, stderr)
	}
	if code, _, stderr := bourse(t, "lend", out, "--endowments", endow, "--out", again); code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	x, y := floatsIn(t, out, "allocation"), floatsIn(t, again, "allocation")
	if len(x) != 18 || fmt.Sprint(x) != fmt.Sprint(y) {
		t.Errorf("allocations %v from the stream, %v from its Parquet", x, y)
	}
	if text := read(t, agents); !strings.HasPrefix(text,
		"agent,endowment,demand,allocation,within_demand,utility,static_utility,sharing_index\na,1,24,6,") ||
		!strings.Contains(text, "\nc,2,0,12,0,0,0,\n") {
		t.Errorf("agents:\n%s", text)
	}
	if code, _, stderr := bourse(t, "lend", out, "--out", again); code != 1 ||
		!strings.Contains(stderr, "--overwrite") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if got := filesIn(t, dir); got != "again.csv agents.csv out.parquet" {
		t.Errorf("files %s", got)
	}
}

// TestLendBadInput wants each fault to be told with its place.
func TestLendBadInput(t *testing.T) {
	dir := t.TempDir()
	endow := func(text string) string { return file(t, "e.csv", "agent,endowment\n"+text) }
	for _, c := range []struct {
		code             int
		text, args, want string
	}{
		{1, "1,a,1\n3,a,1\n", "--endowments equal",
			"demands.csv:3: round 3 follows round 1; round 2 is missing; a round without demands needs a row"},
		{1, "1,a,1\n5,a,1\n", "", "rounds 2 to 4 are missing"},
		{1, "2,a,1\n1,a,1\n", "", "demands.csv:3: round 1 comes after round 2; want rows in order of rounds"},
		{1, "1,a,1\n1,b,1\n1,a,1\n", "", "demands.csv:4: agent a has a row in round 1 already"},
		{1, "1.5,a,1\n", "", "demands.csv:2: round is 1.5; want a whole number"},
		{1, "1,a,-1\n", "", "demands.csv:2: demand is -1; want a finite number of 0 or more"},
		{1, "1,a,nan\n", "", `demands.csv:2: demand is "nan"; want a number`},
		{1, "1,a,inf\n", "", "demands.csv:2: demand is +Inf"},
		{1, "1,,1\n", "", "demands.csv:2: agent is empty"},
		{1, "1,a,1e308\n2,a,1e308\n", "", "overflow when summed"},
		{1, "", "", "demands.csv: the table has no rows"},
		{1, "1,a,0\n", "", "no agent demands anything, so mean demands cannot be endowments; give equal endowments, " +
			"or a table of them"},
		{1, "1,a,1\n2,b,1\n", "--mechanism smm --endowments " + endow("a,1\n"),
			"demands.csv:3: agent b has no endowment"},
		{1, "1,a,1\n", "--endowments " + endow("a,0\n"), "e.csv:2: endowment is 0; want a finite number above 0"},
		{1, "1,a,1\n", "--endowments " + endow("a,1\na,2\n"), "e.csv:3: agent a has a row already"},
		{1, "1,a,1\n2,a,1\n", "--rounds 1", "demands.csv:3: round 2 exceeds the 1 rounds given"},
		{1, "1,a,1\n", "--mechanism tperiod:R/2", "tperiod:R/2 needs the number of rounds, 2 or more"},
		{1, "1,a,1\n", "--out " + dir + "/none/x.csv", "there is no directory"},
		{2, "1,a,1\n", "--liar b", "--liar b is none of the agents"},
		{2, "", "--mechanism karm", `mechanism "karm" is unknown; did you mean "karma"?`},
		{2, "", "--mechanism tperiod", "tperiod needs a value for t"},
		{2, "", "--mechanism tperiod:0", "want a whole number of rounds, 1 or more, or R/2"},
		{2, "", "--mechanism karma:2", "should be a number from 0 to 1"},
		{2, "", "--rounds -1", "want a number of rounds"},
		{2, "", "--low 2", "want a number from 0 to --high 1"},
		{2, "", "--high nan", "want a number above 0"},
		{2, "", "--overwrite", "add --out FILE"},
		{2, "", "--summary --out x.csv", "--summary writes no table"},
	} {
		in := file(t, "demands.csv", "round,agent,demand\n"+c.text)
		code, stdout, stderr := bourse(t, append([]string{"lend", in}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%q %s: exit %d, want %d with %q\n%s%s", c.text, c.args, code, c.code, c.want, stdout, stderr)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestLendStream wants what a stream cannot tell to be asked for.
func TestLendStream(t *testing.T) {
	for _, c := range []struct {
		code             int
		text, args, want string
	}{
		{2, "", "--mechanism smm", "a stream is read once, so mean demands are not known"},
		{2, "", "--endowments equal", "fl needs the number of rounds, which is unknown for a stream; give --rounds N"},
		{2, "", "--endowments equal --mechanism tperiod:R/2", "give --rounds N"},
		{2, "", "--endowments equal --mechanism smm --strategy-proofness", "a search for lies reads the series again"},
		{1, "1,a,1\n2,a,1\n2,b,1\n", "--endowments equal --mechanism smm",
			"standard input:4: agent b appears in round 2, when the shares of a stream are fixed; give every agent " +
				"a row in the first round"},
		{1, "1,a,1\n2,b,1\n", "--endowments equal --mechanism smm", "standard input:3: agent b appears in round 2"},
		{0, "1,a,2\n1,b,0\n2,b,2\n", "--endowments equal --mechanism tperiod:1", "tperiod:1: 2 agents, 2 rounds of 2"},
		{0, "1,a,2\n1,b,0\n", "--endowments equal --rounds 2", "the series ended after 1 of 2 rounds"},
		{1, "", "--endowments equal --mechanism smm", "standard input: the table has no rows"},
	} {
		code, stdout, stderr := bourseWith(t, "round,agent,demand\n"+c.text,
			append([]string{"lend", "-"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%q %s: exit %d, want %d with %q\n%s%s", c.text, c.args, code, c.code, c.want, stdout, stderr)
		}
	}
}

// BenchmarkLend streams 1,000 agents through flexible lending; a round is one
// iteration.
func BenchmarkLend(b *testing.B) {
	const agents = 1000
	reader, writer := io.Pipe()
	go func() {
		draw := rng.New(1, "bench")
		text := bufio.NewWriter(writer)
		fmt.Fprintln(text, "round,agent,demand")
		for r := range b.N {
			for i := range agents {
				fmt.Fprintf(text, "%d,u%d,%.2f\n", r, i, 3*draw.Float64()*draw.Float64())
			}
		}
		text.Flush()
		writer.Close()
	}()
	b.ReportAllocs()
	var talk bytes.Buffer
	if code := execute(reader, io.Discard, &talk, []string{"lend", "-", "--rounds", fmt.Sprint(b.N), "--endowments",
		"equal", "--summary"}); code != 0 {
		b.Fatal(talk.String())
	}
}
