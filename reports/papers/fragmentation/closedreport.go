package fragmentation

import (
	"fmt"
	"math"
	"strings"

	"bourse/policies/gpus"
	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// tables says what flows through the machines, and prints a table for each cell.
func (c *closed) tables() error {
	f := c.flows["default"]
	c.Heading("Pods that leave: the rules in a closed loop")
	c.Printf("%d of the %d machines, with %g GPUs. Pods arrive at random times (Poisson), drawn with replacement from "+
		"those of the trace\n"+
		"that ended within %d hours: %.1f %% of the pods that ended, and %.1f %% of their GPU time; the others are "+
		"services that no window\n"+
		"sees leave. A pod runs for as long as in the trace. One that fits nowhere waits, and those behind it may pass it.\n"+
		"Load is the GPU time asked for over what there is; at 1 waits grow with the window. It has %d hours, of which the "+
		"first %d are\n"+
		"not counted. %d runs of each rule, in which the same pods come at the same times; ± is a 95 %% interval.\n\n"+
		"fcfs: first come, first served. priority: pods of best effort give way to all others, and go on later where they "+
		"were.\n"+
		"nphb: the highest bid first, without preemption; who runs pays the k-th price, in %% of the cost of waiting.\n"+
		"gpuspec33: a third of the pods with GPUs name models. services: half of all GPUs are held by pods that ran "+
		"longer, all the time.\n\n",
		len(c.nodes), len(c.data.nodes), c.gpu, longest/hour, 100*float64(len(f.leave))/float64(len(f.leave)+len(f.stay)),
		100*f.part,
		end/hour, warm/hour, c.Seeds)
	for _, w := range c.data.workloads {
		if n := c.flows[w.name].tooLarge; n > 0 {
			c.Printf("Left out of %s: %s that none of these machines can hold.\n\n", w.name, terminal.Count(n, "pod", "pods"))
		}
	}
	names := []string{"workload", "order", "load", "services", "rule", "seed"}
	for _, n := range noted {
		names = append(names, n.column)
	}
	rows := table.New(table.Named(names...)...)
	for _, x := range c.cells {
		c.table(x)
		for r, rule := range rules {
			for k, m := range x.runs[r] {
				row := []any{x.workload, x.order.policy, x.load, x.stay, rule, k + 1}
				for _, value := range m {
					row = append(row, value)
				}
				rows.Add(row...)
			}
		}
	}
	return c.Keep("closed-loop", rows)
}

// table has a row for each rule: the mean wait first, with its difference.
func (c *closed) table(x *cell) {
	t := table.New(table.Col("", x.String(), terminal.Words))
	for range rules {
		t.Rows = append(t.Rows, table.Row{})
	}
	add := func(heading string, unit terminal.Unit, cell func(rule int) table.Cell) {
		t.Columns = append(t.Columns, table.Col("", heading, unit))
		for r := range rules {
			t.Rows[r].Cells = append(t.Rows[r].Cells, cell(r))
		}
	}
	for r, rule := range rules {
		t.Rows[r].Cells = []table.Cell{table.Word(rule.String())}
	}
	for i, n := range noted {
		if n.head == "" || i >= preempted && x.mean(best, i).Mean == 0 {
			continue
		}
		add(n.head, n.unit, func(rule int) table.Cell { return table.Estimate(x.mean(rule, i)) })
		if i == 0 {
			add("less best's", n.unit, func(rule int) table.Cell {
				if rule == best {
					return table.Word("")
				}
				return table.Change(x.excess(rule))
			})
		}
	}
	c.Show(t)
	c.Printf("\n")
}

// draw shows who waits, and fragments, by load under fcfs, a line for each rule.
func (c *closed) draw() error {
	var names []string
	for _, rule := range rules {
		names = append(names, rule.String())
	}
	return c.DrawNamed("closed-loop", names, []figures.Drawing{c.panel("mean wait, pods of several GPUs (h)", waitSeveral),
		c.panel("mean wait, pods of one GPU (s)", waitOne), c.panel("fragments (% of all GPUs)", ofAll)})
}

func (c *closed) panel(axis string, figure int) *figures.Panel {
	p := &figures.Panel{X: "load (GPU time asked for / there)", Y: axis, XMin: loads[0], XMax: loads[len(loads)-1]}
	for r, rule := range rules {
		l := figures.Line{Name: rule.String()}
		for _, load := range loads {
			e := c.cellOf(fcfs, load).mean(r, figure)
			l.X, l.Y, l.Low, l.High = append(l.X, load), append(l.Y, e.Mean), append(l.Low, max(0, e.Low())),
				append(l.High, e.High())
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}

// cellOf returns the cell of an order and a load, of the default workload without services.
func (c *closed) cellOf(o order, load float64) *cell {
	for _, x := range c.cells {
		if x.workload == "default" && x.order == o && x.load == load && x.stay == 0 {
			return x
		}
	}
	return nil
}

// findings answers in words whether the rule still decides.
func (c *closed) findings() error {
	for _, x := range c.cells {
		if x.order == fcfs && x.load >= .8 {
			c.decides(x)
		}
	}
	c.follows()
	c.ranking()
	for _, load := range loads[2:] {
		var hours, seconds []string
		for _, o := range []order{fcfs, priority, bids} {
			x := c.cellOf(o, load)
			hours = append(hours, fmt.Sprintf("%s h (%s)", x.mean(best, waitSeveral).Text("%.1f"), o.policy))
			seconds = append(seconds, fmt.Sprintf("%s s (%s)", x.mean(best, waitShare).Text("%.0f"), o.policy))
		}
		low, high := math.Inf(1), 0.0
		for r := range rules {
			if mean := c.cellOf(fcfs, load).mean(r, waitSeveral).Mean; rules[r] != gpus.Worst && rules[r] != gpus.Random {
				low, high = min(low, mean), max(high, mean)
			}
		}
		c.Found(fmt.Sprintf("load %g", load), "does the order matter more than the rule",
			"under best, pods of several GPUs wait %s, shares %s; by rule pods of several %.1f to %.1f h under fcfs, worst "+
				"and random apart",
			strings.Join(hours, ", "), strings.Join(seconds, ", "), low, high)
	}
	return nil
}

// decides says under which rules pods wait longer.
func (c *closed) decides(x *cell) {
	ps := make([]float64, len(rules))
	for r := range rules {
		if ps[r] = math.NaN(); r != best {
			ps[r] = stats.PValue(x.differences(r))
		}
	}
	var apart []string
	for r, p := range stats.Holm(ps) {
		if p < .05 {
			apart = append(apart, fmt.Sprintf("%v %s", rules[r], x.excess(r).Text("%+.0f")))
		}
	}
	if apart == nil {
		apart = []string{"none"}
	}
	c.Found(x.String(), "does the rule decide how long pods wait",
		"mean wait %s s under best, %.0f %% of it by pods of several GPUs; apart from that beyond chance: %s",
		x.mean(best, meanWait).Text("%.0f"), x.mean(best, partSeveral).Mean, strings.Join(apart, ", ")).
		Read("differences in mean wait from the same pods under best, run by run, corrected for the %d rules (Holm, 5 %%)",
			len(rules)-1)
}

// follows says whether rules that leave more fragments make pods wait longer.
func (c *closed) follows() {
	correlation := func(figure int) string {
		var parts []string
		for _, load := range loads {
			x := c.cellOf(fcfs, load)
			parts = append(parts, fmt.Sprintf("%s at %g", stats.EstimateOver(c.Seeds, func(k int) float64 {
				var fragments, waits []float64
				for r := range rules {
					fragments, waits = append(fragments, x.runs[r][k][ofAll]), append(waits, x.runs[r][k][figure])
				}
				return rankCorrelation(fragments, waits)
			}).Text("%.2f"), load))
		}
		return strings.Join(parts, ", ")
	}
	most := int32(0)
	for _, t := range c.data.workloads[0].mix {
		most = max(most, t.Devices)
	}
	c.Found("fcfs", "do rules that leave more fragments make pods wait longer", "pods of several GPUs: %s; of one: %s",
		correlation(waitSeveral), correlation(waitOne)).
		Read("rank correlation: 1 is the same order of rules, 0 no connection or nobody waits, -1 the opposite order")
	c.Found("all", "whose needs make a free GPU a fragment",
		"those of typical pods, 95 %% of all, which ask for %s at most", terminal.Count(int(most), "GPU", "GPUs"))
}

// ranking says in how many runs gradient descent is first.
func (c *closed) ranking() {
	first := func(figure int, cells ...*cell) string {
		n := 0
		for _, x := range cells {
			for k := range c.Seeds {
				least := 1
				for r := range rules {
					if x.runs[r][k][figure] < x.runs[gradient][k][figure] {
						least = 0
					}
				}
				n += least
			}
		}
		return fmt.Sprintf("%d of %d", n, len(cells)*c.Seeds)
	}
	busy, full := c.cellOf(fcfs, .9), c.cellOf(fcfs, 1)
	c.Found("all", "is fgd first as in the study",
		"least fragments in %s runs; under fcfs at load .9 and 1 the shortest wait of pods of several GPUs in %s and %s, "+
			"of all in %s and %s, of one GPU in %s and %s",
		first(ofAll, c.cells...), first(waitSeveral, busy), first(waitSeveral, full), first(meanWait, busy),
		first(meanWait, full), first(waitOne, busy), first(waitOne, full))
}

// rankCorrelation is Spearman's, 0 where one of the two is all the same.
func rankCorrelation(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	var xy, xx, yy float64
	for i := range x {
		xy, xx, yy = xy+float64(x[i]*y[i]), xx+float64(x[i]*x[i]), yy+float64(y[i]*y[i])
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(float64(xx*yy))
}

// ranks are the places in ascending order, from their mean: of each, how many are below it
// less how many above.
func ranks(a []float64) []float64 {
	r := make([]float64, len(a))
	for i, x := range a {
		for _, y := range a {
			if y < x {
				r[i]++
			} else if y > x {
				r[i]--
			}
		}
	}
	return r
}
