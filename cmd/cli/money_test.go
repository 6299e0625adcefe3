package cli

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestMoneyOnPools wants every amount of money on a declared pool to be what the
// definitions say, from the columns of the records alone, and the same whatever the
// log says of the machine it comes from.
func TestMoneyOnPools(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 2))
	for range 12 {
		cpu, memory := float64(1+rnd.IntN(16))/2, float64(64+rnd.IntN(64))
		rows, mem := "", map[string]float64{}
		for id := 1; id <= 12; id++ {
			procs, m := 1+rnd.IntN(int(cpu)+1), float64(rnd.IntN(20))
			if float64(procs) > cpu {
				procs = 1
			}
			mem[strconv.Itoa(id)] = m
			rows += fmt.Sprintf("%d %d -1 %d %d -1 -1 %d 30 %g 1 %d 1 1 1 1 -1 -1\n", id, rnd.IntN(3)+id,
				1+rnd.IntN(30), procs, procs, m, id%3)
		}
		args := []string{"--machines", fmt.Sprintf("pool(cpu=%g,memory=%g)", cpu, memory), "--segments", "--format",
			"csv"}
		for _, market := range [][]string{{"--policy", "hb", "--payment", "posted:1.5"},
			{"--policy", "hb", "--payment", "kth"}, {"--policy", "drf", "--payment", "posted:1.5"}} {
			var first string
			for _, header := range []string{"", "; MaxProcs: 1\n", "; MaxProcs: 1000\n"} {
				dir := t.TempDir()
				if code, _, stderr := bourse(t, append(append([]string{"replay", file(t, "log.swf", header+rows),
					"--out", dir}, args...), market...)...); code != 0 {
					t.Fatal(stderr)
				}
				jobs, segments := read(t, filepath.Join(dir, "jobs.csv")), read(t, filepath.Join(dir, "segments.csv"))
				if first == "" {
					first = jobs + segments
					checkMoney(t, cpu, memory, mem, jobs, segments, market[3] == "posted:1.5", market[1] == "hb")
				}
				if jobs+segments != first {
					t.Fatalf("pool of %g CPU, %v: other records under the header %q", cpu, market, header)
				}
			}
		}
	}
}

// checkMoney recomputes sizes, bills, valuations, utilities and prices. Jobs that do not
// run whole hold their shares up to a microsecond longer than their run times add up to.
func checkMoney(t *testing.T, cpu, memory float64, mem map[string]float64, jobs, segments string, posted, whole bool) {
	t.Helper()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
			t.Fatalf("pool of %g CPU and %g memory: %s is %v, want %v", cpu, memory, what, got, want)
		}
	}
	charges, size := map[string]float64{}, map[string]float64{}
	table := csvTable(t, jobs)
	for i := range table["job_id"] {
		id := table["job_id"][i]
		at := func(column string) float64 { return number(t, table[column][i]) }
		size[id] = at("size")
		near("size of job "+id, size[id], max(at("procs")/cpu, at("procs")*mem[id]/memory)*cpu)
		near("valuation of job "+id, at("valuation"), -at("value")*size[id]*at("flow_s"))
		near("utility of job "+id, at("utility"), at("valuation")-at("payment"))
		if posted && whole {
			near("payment of job "+id, at("payment"), 1.5*size[id]*at("run_s"))
		}
		charges[id] = at("payment")
	}
	table = csvTable(t, segments)
	for i := range table["job_id"] {
		id := table["job_id"][i]
		at := func(column string) float64 { return number(t, table[column][i]) }
		near("charge of a segment of job "+id, at("charge"),
			at("price")*at("share")*size[id]*(at("end_s")-at("start_s")))
		if posted {
			near("price of a segment of job "+id, at("price"), 1.5)
		}
		charges[id] -= at("charge")
	}
	for id, left := range charges {
		near("what no segment charges of job "+id, 1e3+left, 1e3)
	}
}

// csvTable returns the columns of a CSV without quotes.
func csvTable(t *testing.T, text string) map[string][]string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	columns := map[string][]string{}
	for i, name := range strings.Split(lines[0], ",") {
		for _, line := range lines[1:] {
			columns[name] = append(columns[name], strings.Split(line, ",")[i])
		}
	}
	return columns
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
