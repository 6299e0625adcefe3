package run_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"bourse/engine"
	"bourse/policies/catalog"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/table"
)

// The records of a run are plain Parquet, whose columns can be read row by row.
// This gives the mean bounded slowdown by band of private value, which the run's
// summary has, too.
func Example() {
	dir, err := os.MkdirTemp("", "run")
	must(err)
	defer os.RemoveAll(dir)
	summary := makeRun(dir)

	rows, err := table.OpenRows(filepath.Join(dir, "jobs.parquet"), nil, "value", "bounded_slowdown")
	must(err)
	defer rows.Close()
	jobs, sums := map[string]int{}, map[string]float64{}
	for {
		if err := rows.Next(); errors.Is(err, io.EOF) {
			break
		} else {
			must(err)
		}
		value, err := rows.Float(0)
		must(err)
		slowdown, err := rows.Float(1)
		must(err)
		band := stats.BandOf(value).String()
		jobs[band]++
		sums[band] += slowdown
	}
	for _, told := range summary.Bands {
		n := jobs[told.Band]
		fmt.Printf("%-6s %3d jobs: mean bounded slowdown %.3f, in the summary %.3f\n", told.Band, n,
			sums[told.Band]/float64(n), told.MeanBoundedSlowdown)
	}
	// Output:
	// low    378 jobs: mean bounded slowdown 1091.771, in the summary 1091.771
	// middle  11 jobs: mean bounded slowdown 1.000, in the summary 1.000
	// high   111 jobs: mean bounded slowdown 1.000, in the summary 1.000
}

// makeRun replays a small workload under hb with kth prices into dir, as
// "bourse replay --out" does, and returns its summary.
func makeRun(dir string) *stats.Result {
	source, err := formats.Open("synth:lublin?jobs=500&procs=32&load=0.7&seed=1", traces.Options{})
	must(err)
	market := catalog.Market{Policy: "hb", Payment: "kth", Values: "bimodal", Behaviour: "truthful", Seed: 1}
	policy, pricer, bidder, err := market.Build()
	must(err)
	out, err := run.Create(dir, run.Options{Names: source.Header().Names})
	must(err)
	defer out.Abort()
	summary := &stats.Collector{}
	config := engine.Config{Machine: engine.Processors(32), Policy: policy, Pricer: pricer, Bidder: bidder}
	_, err = engine.Run(context.Background(), config, source, engine.Tee(out, summary))
	must(err)
	result := summary.Result()
	must(out.Commit(result, nil))
	return result
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
