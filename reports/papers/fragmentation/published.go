package fragmentation

import (
	"errors"
	"math"
	"os"
	"strconv"

	"bourse/traces/table"
)

// measures are what is noted by percent: their names, in the published tables and ours.
var measures = [...]struct{ name, table, axis string }{
	{"allocated", "published_allo.csv", "GPUs allocated (%)"},
	{"fragments", "published_frag.csv", "fragments (% of all GPUs)"},
	{"ratio", "published_frag_ratio.csv", "fragments (% of free GPUs)"},
}

// measure returns a measure by percent.
func (r *Result) measure(measure int) *[columns]float64 {
	return [...]*[columns]float64{&r.Allocated, &r.Fragments, &r.Ratio}[measure]
}

// run names a run in the published tables.
type run struct {
	workload, policy string
	seed             int
}

// published are the study's results by run and measure; nil if they are not at hand.
type published map[run]*[len(measures)][]float64

func readPublished(dir string) (published, error) {
	all := published{}
	for k, m := range measures {
		names := []string{"workload", "sc_policy", "seed"}
		for c := range columns {
			names = append(names, strconv.Itoa(c))
		}
		r, err := table.OpenRows(find(dir, m.table), nil, names...)
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		err = r.Each(func() error {
			seed, err := r.Int(2)
			if err != nil {
				return err
			}
			key := run{r.Text(0), r.Text(1), int(seed)}
			if all[key] == nil {
				all[key] = &[len(measures)][]float64{}
			}
			for c := range columns {
				x, err := r.Float(3 + c)
				if err != nil {
					return err
				}
				all[key][k] = append(all[key][k], x)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// find returns the published results of a run, nil if there are none.
func (p published) find(workload string, policy int, seed int) *[len(measures)][]float64 {
	return p[run{podList + workload, compared[policy].table, seed}]
}

// same is how far numbers may be apart that are equal as printed: the ratio is printed with
// all its digits, whose last ones depend on the order of a sum.
const same = 1e-9

// equal counts the values of a measure that are equal, and finds the greatest difference.
func equal(ours *[columns]float64, theirs []float64) (n int, most float64) {
	for c, x := range ours {
		d := math.Abs(x - theirs[c])
		if d <= same {
			n++
		}
		most = max(most, d)
	}
	return n, most
}
