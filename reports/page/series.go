package page

import (
	"math"
	"slices"

	"bourse/traces/table"
)

// track makes a run's series over time: from its samples, where it wrote them;
// else from its segments or its records of jobs.
func (r *Run) track(g grid, out *gathered) error {
	if r.Dataset("series") != nil {
		return r.trackSeries(g, &out.tracks)
	}
	queue := out.inSystem.means()
	for i, x := range out.running.means() {
		queue[i] = max(0, queue[i]-x)
	}
	out.tracks.queue, out.tracks.from = reduce(queue, 1), "records"
	if out.exact() {
		out.tracks.from = "segments"
	}
	if r.Summary.Machine.Pool != nil {
		return nil // records do not show what a job takes of a pool
	}
	sum := make([]float64, g.bins*fine)
	for _, band := range out.busy {
		for i, x := range band.means() {
			sum[i] += x
		}
	}
	out.tracks.use = reduce(sum, 100/float64(r.Summary.Machine.Procs))
	return nil
}

// otherResources are those of a pool other than its CPU, by columns of series, and what their
// charts are called.
var otherResources = [...]struct{ column, title, y string }{
	{"utilisation_memory", "How much of the memory is in use?", "memory in use (%)"},
	{"utilisation_gpu", "How busy are the GPUs?", "GPUs in use (%)"},
	{"utilisation_disk", "How much of the disk is in use?", "disk in use (%)"},
	{"gpu_fragments", "How many of the free GPUs are of no use to typical jobs?", "GPUs free but of no use (%)"},
}

func (r *Run) trackSeries(g grid, t *tracks) error {
	queue, use, price := newStates(g), newStates(g), newStates(g)
	var others [len(otherResources)]*states
	var may []string
	for i, o := range otherResources {
		others[i], may = newStates(g), append(may, o.column)
	}
	err := r.rowsWith("series", []string{"time_s", "queued", "utilisation", "price"}, may, func(in *table.Rows) error {
		var x [3]float64
		if err := in.Floats(x[:]); err != nil {
			return err
		}
		p, known, err := in.Known(3)
		if !known {
			p = math.NaN()
		}
		queue.add(x[0], x[1])
		use.add(x[0], 100*x[2])
		price.add(x[0], p)
		for i, o := range others {
			used, known, err := in.Known(4 + i)
			if err != nil {
				return err
			}
			if !known {
				used = math.NaN()
			}
			o.add(x[0], 100*used)
		}
		return err
	})
	for i, o := range others {
		t.others[i] = o.finish()
	}
	t.queue, t.use, t.price, t.from = queue.finish(), use.finish(), price.finish(), "series"
	return err
}

// pieces counts the jobs that did not run in one piece by their segments.
func (r *Run) pieces(out *gathered, weigh bool) error {
	return r.rows("segments", []string{"job_id", "task", "start_s", "end_s", "procs", "share"},
		func(in *table.Rows) error {
			var x [6]float64
			if err := in.Floats(x[:]); err != nil {
				return err
			}
			name := piece{int64(x[0]), int64(x[1])}
			band, ok := out.pieced[name]
			if !ok || x[2] == x[3] || x[5] == 0 {
				return nil
			}
			weight := x[5]
			if weigh {
				weight *= x[4]
			}
			out.running.add(x[2], x[3], 1)
			out.busy[band].add(x[2], x[3], weight)
			return nil
		})
}

// exact reports whether it is known when every job ran.
func (g *gathered) exact() bool { return g.broken == 0 || int64(len(g.pieced)) == g.broken }

// known reports whether a series has any value.
func (t *track) known() bool {
	return slices.ContainsFunc(t.mean, func(x float64) bool { return !math.IsNaN(x) })
}
