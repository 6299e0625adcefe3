package fragmentation

import (
	"context"
	"fmt"
	"time"

	"bourse/engine"
	"bourse/policies/catalog"
	"bourse/policies/gpus"
	"bourse/policies/placed"
	"bourse/reports/experiment"
	"bourse/reports/stats"
	"bourse/traces"
)

// rules are the rules of the closed loop; best and gradient are places there.
var rules = []gpus.Rule{gpus.Worst, gpus.Random, gpus.LeastDot, gpus.Clustering, gpus.Packing, gpus.First, gpus.Best,
	gpus.Gradient}

const best, gradient = 6, 7

// order is one of waiting pods, and what they pay.
type order struct{ policy, payment string }

var fcfs, priority, bids = order{"fcfs", "none"}, order{"priority", "none"}, order{"nphb", "kth"}

// loads are GPU time asked for over what there is; others than fcfs are run at the last two.
var loads = []float64{.7, .8, .9, 1}

// cell is a setting that every rule is run in, once a seed.
type cell struct {
	workload string
	order    order
	load     float64
	stay     float64 // part of all GPUs that services ask for which never leave
	runs     [][]measured
}

// settings are the cells. Of gpuspec33, pods that must have a T4 ask for 1.09 times the load of
// those, before all others: at .9 there would be no steady state.
func settings() (list []*cell) {
	for _, o := range []order{fcfs, priority, bids} {
		for _, load := range loads {
			if o == fcfs || load >= .9 {
				list = append(list, &cell{workload: "default", order: o, load: load})
			}
		}
	}
	return append(list, &cell{workload: "gpuspec33", order: fcfs, load: .8},
		&cell{workload: "default", order: fcfs, load: .9, stay: .5})
}

// String says what is particular about a cell.
func (c *cell) String() string {
	what := fmt.Sprintf("%s at load %g", c.order.policy, c.load)
	switch {
	case c.stay > 0:
		return what + ", services"
	case c.workload != "default":
		return what + ", " + c.workload
	}
	return what
}

// mean is the mean of a figure under a rule, beside that of its difference to the rule best.
func (c *cell) mean(rule, figure int) stats.Estimate {
	return stats.EstimateOver(len(c.runs[rule]), func(k int) float64 { return c.runs[rule][k][figure] })
}

func (c *cell) excess(rule int) stats.Estimate { return stats.EstimateOf(c.differences(rule)) }

// differences are those in mean wait to the rule best, of the same pods.
func (c *cell) differences(rule int) (d []float64) {
	for k, m := range c.runs[rule] {
		d = append(d, m[meanWait]-c.runs[best][k][meanWait])
	}
	return d
}

// closed is a run of the closed loop.
type closed struct {
	*study
	nodes []gpus.Node
	gpu   float64
	flows map[string]*flow
	cells []*cell
}

// newClosed lays the cells out for which there are pods.
func newClosed(s *study) (*closed, error) {
	c := &closed{study: s, flows: map[string]*flow{}}
	for i := 0; i < len(s.data.nodes); i += max(s.Every, 1) {
		c.nodes = append(c.nodes, s.data.nodes[i])
		c.gpu += float64(len(s.data.nodes[i].Devices))
	}
	for i := range s.data.workloads {
		c.flows[s.data.workloads[i].name] = s.data.workloads[i].flowing(c.nodes)
	}
	for _, x := range settings() {
		if f := c.flows[x.workload]; f != nil && f.each > 0 && (x.stay == 0 || len(f.stay) > 0) {
			c.cells = append(c.cells, x)
		}
	}
	if f := c.flows["default"]; f == nil || f.each == 0 {
		return nil, &traces.Error{File: s.Data, What: "no pods that ran for less than a day and fit a machine",
			Want: "want openb_pod_list_default.csv with scheduled_time and deletion_time, and machines for them"}
	}
	return c, nil
}

// runAll runs all rules in all cells.
func (c *closed) runAll() error {
	type key struct {
		*cell
		rule gpus.Rule
	}
	var keys []key
	for _, x := range c.cells {
		for _, rule := range rules {
			keys = append(keys, key{x, rule})
		}
	}
	begun := time.Now()
	results, err := experiment.Run(c.ctx, c.Workers, keys, c.Seeds, func(k key, seed int) (measured, error) {
		m, err := c.run(c.ctx, k.cell, k.rule, uint64(seed)+1)
		if err != nil {
			err = fmt.Errorf("%v under %v: %w", k.cell, k.rule, err)
		}
		return m, err
	}, c.Progress)
	for _, x := range c.cells {
		for _, rule := range rules {
			x.runs = append(x.runs, results[key{x, rule}])
		}
	}
	c.Aside("%d runs took %.3g s by the clock.", len(keys)*c.Seeds, time.Since(begun).Seconds())
	return err
}

// run replays the pods of a cell under a rule.
func (c *closed) run(ctx context.Context, x *cell, rule gpus.Rule, seed uint64) (m measured, err error) {
	market := catalog.Defaults
	market.Policy, market.Payment, market.Seed = x.order.policy, x.order.payment, seed
	if x.order == fcfs {
		market.Policy = "fcfs(fit=skip)" // as the others, on machines: what does not fit is passed over
	}
	policy, _, bidder, err := market.Build()
	if err != nil {
		return m, err
	}
	if policy, err = placed.OnGPUs(policy, rule, seed); err != nil {
		return m, err
	}
	scheme, err := catalog.Payments.Make(x.order.payment)
	if err != nil {
		return m, err
	}
	pricer, err := scheme(policy) // the one built is that of processors
	if err != nil {
		return m, err
	}
	w := &watch{gpu: c.gpu}
	pods := c.flows[x.workload].offering((x.load-x.stay)*c.gpu, x.stay*c.gpu, seed)
	sum, err := engine.Run(ctx, engine.Config{Machine: c.data.cluster(c.nodes, seed), Policy: policy, Pricer: pricer,
		Bidder: bidder, Samples: w}, pods, w)
	return w.figures(float64(sum.Preemptions)), err
}
