package fragmentation

import (
	"math"
	"math/rand"

	"bourse/policies/gpus"
)

// tuned is how much is asked for in all, over all GPUs; columns one for each percent of it.
const (
	tuned   = 1.3
	columns = 131
)

// Result is what was found by percent of the GPUs asked for so far: the part of all GPUs
// that is allocated and that is fragments, and the part of the free ones that is, in percent.
type Result struct{ Allocated, Fragments, Ratio [columns]float64 }

// sequence is the order in which pods arrive, and by which machines break ties: place[i]
// is that of machine i. The draws are those of the study, from the same generator, so that
// the same seed means the same sequence.
func sequence(pods []pod, gpu float64, machines int, seed int64) (list []pod, place []int) {
	r := rand.New(rand.NewSource(seed))
	r.Int()
	list = append(list, pods...)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	sum := 0.0
	for i := range list {
		sum += float64(list[i].ask.GPU())
	}
	target := tuned * gpu
	if sum > target {
		for sum > target {
			i := r.Intn(len(list))
			sum -= float64(list[i].ask.GPU())
			list = append(list[:i], list[i+1:]...)
		}
	} else {
		for {
			p := pods[r.Intn(len(pods))]
			if sum+float64(p.ask.Each) > target {
				break
			}
			sum += float64(p.ask.GPU())
			list = append(list, p)
		}
	}
	for range 10 {
		r.Float64()
	}
	return list, r.Perm(machines)
}

// run places the pods of a sequence one after the other.
func (d *data) run(w *workload, rule gpus.Rule, seed int64) *Result {
	list, place := sequence(w.pods, d.gpu, len(d.nodes), seed)
	f := gpus.NewFinder(rule, uint64(seed))
	parts := make([]float64, len(d.nodes)) // fragments by machine
	for i := range d.nodes {
		f.Set(i, d.nodes[i].Clone(), true)
		parts[i] = w.mix.Fragment(&d.nodes[i])
	}
	f.Measure(d.measured)
	f.Against(w.mix)
	f.Order(place)
	t := &tally{all: d.gpu}
	for i := range list {
		ask := &list[i].ask
		t.arrived += float64(ask.GPU())
		if m, devices := f.Find(ask); m >= 0 {
			f.Put(m, ask, devices)
			parts[m] = w.mix.Fragment(f.Node(m))
			t.allocated += float64(ask.GPU())
		}
		t.note(parts)
	}
	return t.result()
}

// tally sums up what is noted after each arrival, by the percent that has been asked for.
type tally struct {
	all, arrived, allocated float64
	rows                    [columns + 1]int
	sum                     [columns + 1][3][]float64
}

func (t *tally) note(parts []float64) {
	percent := int(math.RoundToEven(t.arrived / (t.all / 100)))
	if percent > columns {
		return
	}
	fragments := 0.0
	for _, x := range parts {
		fragments += x
	}
	idle := t.all - t.allocated
	t.rows[percent]++
	sum := &t.sum[percent]
	sum[0] = append(sum[0], round2(100*t.allocated/t.all))
	sum[1] = append(sum[1], round2(fragments))
	if idle > 0 {
		sum[2] = append(sum[2], round2(100*fragments/idle))
	}
}

func round2(x float64) float64 { return math.RoundToEven(x*100) / 100 }

// result takes the mean over each percent's rows; where there are none, over its neighbours' too.
func (t *tally) result() *Result {
	r := &Result{}
	for c := range columns {
		lo, hi := c, c
		if t.rows[c] == 0 {
			lo, hi = max(c-1, 0), min(c+1, columns)
		}
		n := 0.0
		var sum [3][]float64
		for k := lo; k <= hi; k++ {
			n += float64(t.rows[k])
			for i := range sum {
				sum[i] = append(sum[i], t.sum[k][i]...)
			}
		}
		r.Allocated[c], r.Fragments[c], r.Ratio[c] = round2(pairwise(sum[0])/n), round2(100*(pairwise(sum[1])/n)/t.all),
			pairwise(sum[2])/n
	}
	return r
}

// pairwise sums up in the order in which the published tables were: eight sums side by
// side in up to 128 numbers, and halves of more. Means that lie between two printed
// values are rounded by their last bit.
func pairwise(a []float64) float64 {
	n := len(a)
	if n > 128 {
		half := n / 2
		half -= half % 8
		return pairwise(a[:half]) + pairwise(a[half:])
	}
	var side [8]float64
	whole := n - n%8
	for i, x := range a[:whole] {
		side[i%8] += x
	}
	sum := ((side[0] + side[1]) + (side[2] + side[3])) + ((side[4] + side[5]) + (side[6] + side[7]))
	for _, x := range a[whole:] {
		sum += x
	}
	return sum
}
