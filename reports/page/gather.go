package page

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces/table"
)

// numBands is the number of value bands; all jobs together are after them.
const numBands = int(stats.High) + 1

// gathered is what the page keeps of a run's records: counts in bins, of a size
// that does not depend on the number of jobs.
type gathered struct {
	jobs            int64
	bsd, wait, cost [numBands + 1]stats.Histogram
	most            [numBands + 1][3]float64 // the largest slowdown, wait and cost
	heat            heat
	busy            [numBands]*integral // processors, or jobs on a pool
	inSystem        *integral           // jobs
	work            *integral           // of the jobs submitted, in processors
	running         *integral           // jobs
	broken          int64               // jobs that did not run in one piece at full rate
	pieced          map[piece]uint8     // their bands, for those whose segments are read
	schedule        uint64              // equal for runs whose jobs ran at the same times
	sizes           [stats.NumSizes]waited
	users           map[string]*waited
	tracks          tracks
}

// maxPieced bounds the jobs whose segments are looked up; others count in
// proportion, as they do where there are no segments.
const maxPieced = 1 << 20

// piece names a job or a piece of it.
type piece struct{ id, task int64 }

// columns of jobs that are read; the constants are their places.
var columns = []string{"job_id", "task", "submit_s", "start_s", "end_s", "run_s", "procs", "size", "wait_s",
	"bounded_slowdown", "value", "bid", "payment", "utility", "lost_s"}

const (
	jobID = iota
	task
	submit
	start
	end
	runTime
	procs
	size
	wait
	slowdown
	value
	bid
	payment
	utility
	lost
	numColumns
)

// rows reads the rows of a dataset while its file is hashed, and wants the
// hash of the manifest.
func (r *Run) rows(name string, columns []string, each func(*table.Rows) error) (err error) {
	return r.rowsWith(name, columns, nil, each)
}

// rowsWith reads further columns that there may be.
func (r *Run) rowsWith(name string, columns, may []string, each func(*table.Rows) error) (err error) {
	d := r.Dataset(name)
	path := filepath.Join(r.Dir, d.File)
	sum := run.HashFile(path)
	in, err := table.OpenSome(path, nil, columns, may)
	if err != nil {
		return err
	}
	n := int64(0)
	err = in.Each(func() error {
		n++
		return each(in)
	})
	if err != nil {
		return err
	}
	hash, err := sum()
	if err == nil && (hash != d.SHA256 || n != d.Rows) {
		err = fmt.Errorf("%s is not the file its manifest describes (%d rows, hash %.12s; want %d rows, hash %.12s)", path, n,
			hash, d.Rows, d.SHA256)
	}
	return err
}

// span finds the first submission and the last completion.
func (r *Run) span() (first, last float64, err error) {
	first, last = math.Inf(1), math.Inf(-1)
	err = r.rows("jobs", []string{"submit_s", "end_s"}, func(in *table.Rows) error {
		from, err := in.Float(0)
		if err != nil {
			return err
		}
		to, stayed, err := in.Known(1)
		if first, last = min(first, from), max(last, from); stayed {
			last = max(last, to)
		}
		return err
	})
	if err == nil && !(first <= last) {
		err = fmt.Errorf("%s: no jobs", r.Dir)
	}
	return first, last, err
}

// gather reads a run's records.
func (r *Run) gather(g grid) (*gathered, error) {
	out := &gathered{inSystem: newIntegral(g), running: newIntegral(g), work: newIntegral(g), users: map[string]*waited{}}
	for b := range out.busy {
		out.busy[b] = newIntegral(g)
	}
	for b := range out.bsd {
		out.bsd[b].Keep()
	}
	if r.Dataset("segments") != nil {
		out.pieced = map[piece]uint8{}
	}
	weigh := r.Summary.Machine.Pool == nil
	var mean float64
	var x [numColumns]float64
	err := r.rows("jobs", append(slices.Clone(columns), "user"), func(in *table.Rows) error {
		if err := jobOf(in, &x); err != nil {
			return err
		}
		user, err := in.Word(numColumns)
		if err != nil {
			user = nil // unknown
		}
		out.add(&x, weigh)
		out.waits(&x, user)
		mean += x[slowdown]
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := out.agrees(r, mean/float64(out.jobs)); err != nil {
		return nil, err
	}
	if len(out.pieced) > 0 {
		if err := r.pieces(out, weigh); err != nil {
			return nil, err
		}
	}
	return out, r.track(g, out)
}

// jobOf reads the columns of a job; start and end of one that left are not numbers.
func jobOf(in *table.Rows, x *[numColumns]float64) (err error) {
	for i := 0; i < numColumns && err == nil; i++ {
		if known := false; i == start || i == end {
			if x[i], known, err = in.Known(i); !known {
				x[i] = math.NaN()
			}
			continue
		}
		x[i], err = in.Float(i)
	}
	return err
}

func (g *gathered) add(x *[numColumns]float64, weigh bool) {
	g.jobs++
	band := int(stats.BandOf(x[value]))
	for _, b := range [2]int{band, numBands} {
		cost := max(0, -x[utility])
		for i, h := range [3]*stats.Histogram{&g.bsd[b], &g.wait[b], &g.cost[b]} {
			y := [3]float64{x[slowdown], max(0, x[wait]), cost}[i]
			h.Add(y, 1)
			g.most[b][i] = max(g.most[b][i], y)
		}
	}
	g.heat.add(x[bid], x[payment], x[size]*x[runTime])
	if math.IsNaN(x[start]) { // it was not on the machine
		return
	}
	g.schedule += mixed(x[jobID], x[task], x[start], x[end], x[lost])
	g.inSystem.add(x[submit], x[end], 1)
	g.work.put(x[submit], x[procs]*x[runTime])
	rate := 1.0
	if held := x[end] - x[start]; held > 0 {
		rate = min(1, (x[runTime]+x[lost])/held)
	}
	if rate < 1-1e-6 {
		g.broken++
		if g.pieced != nil && len(g.pieced) < maxPieced {
			g.pieced[piece{int64(x[jobID]), int64(x[task])}] = uint8(band)
			return
		}
	}
	// A job that was stopped in between or shared its processors counts in
	// proportion all the while.
	weight := rate
	if weigh {
		weight *= x[procs]
	}
	g.running.add(x[start], x[end], rate)
	g.busy[band].add(x[start], x[end], weight)
}

// agrees wants records and summary to be of one replay.
func (g *gathered) agrees(r *Run, mean float64) error {
	total := &r.Summary.Jobs.Total
	if n := total.Jobs + r.Summary.Counts.Uncounted; n != g.jobs {
		return fmt.Errorf("%s: %d records of jobs, and %s counts %d; they are not of one replay", r.Dir, g.jobs,
			run.SummaryFile, n)
	}
	if r.Summary.Counts.Uncounted == 0 && math.Abs(mean-total.MeanBoundedSlowdown) > 1e-6*total.MeanBoundedSlowdown {
		return fmt.Errorf("%s: the records' mean slowdown is %g, and %s says %g; they are not of one replay", r.Dir, mean,
			run.SummaryFile, total.MeanBoundedSlowdown)
	}
	return nil
}
