package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// measure is one of the distributions of a page.
type measure struct {
	id, title, x, caption string
	floor                 float64 // values below it are drawn at it
	of                    func(*gathered, int) *stats.Histogram
	at                    int // its place in gathered.most
	unit                  terminal.Unit
}

var measures = []measure{
	{"bsd", "How much are jobs slowed down?", "bounded slowdown",
		"Share of the jobs whose bounded slowdown is at most x.", 1,
		func(g *gathered, b int) *stats.Histogram { return &g.bsd[b] }, 0, terminal.Ratio},
	{"wait", "How long do jobs wait?", "wait",
		"Share of the jobs that waited at most x. Waits under 1 s are drawn at 1 s.", 1,
		func(g *gathered, b int) *stats.Histogram { return &g.wait[b] }, 1, terminal.Seconds},
	{"cost", "What do jobs cost their owners?", "value of the flow time + payment (money)",
		"Share of the jobs whose utility is at least −x: what an owner loses by the time from submission to completion, at " +
			"their value, and pays.", 1,
		func(g *gathered, b int) *stats.Histogram { return &g.cost[b] }, 2, terminal.Ratio},
}

// quantiles that the tables below the charts show.
var quantiles = []float64{.5, .75, .9, .95, .99}

// distribution draws a measure: a line for each run, or for each value band of one run
// where somebody pays; and with several runs of which somebody pays a panel for each band.
func (m *measure) distribution(p *input) *chart {
	if !p.any(func(g *gathered) bool { return g.most[numBands][m.at] > 0 }) {
		return nil
	}
	c := &chart{ID: m.id, Title: m.title, Caption: m.caption +
		" “Tail” shows the share of jobs above x on a logarithmic axis.",
		Data: &data{Names: []string{"run", "band", "x", "share", "above"}}}
	bands := []int{numBands}
	if p.paid() {
		bands = p.bands()
		if len(bands) == 2 {
			bands = bands[:1] // one band is all there is
		}
	}
	shown := p.schedules()
	if m.id == "cost" {
		shown = p.all()
	}
	for _, r := range shown {
		for _, b := range bands {
			m.steps(c.Data, r.label, b, m.of(p.data[r.at], b))
		}
	}
	c.Caption += alike(shown)
	c.Table = m.table(p, bands)
	logAxis := func(title, format string) object {
		return document("axis-log", object{"title": title, "format": format})
	}
	c.Tail = document("tail", object{"axis": logAxis("share of jobs above x", "~%")})
	x := logAxis(m.x, "~s")
	if m.id == "wait" {
		x = waits(m.x)
	}
	c.Spec = document("distribution", object{"height": 320, "title": m.x, "axis": x})
	labels, colours, strokes := p.bandScale(bands)
	if len(p.runs) == 1 {
		c.Spec["height"] = 300
		if len(bands) > 1 {
			c.colour("band", "value band", labels, colours, strokes)
			c.Legend = legend(labels, colours, strokes)
		} else {
			c.Spec["mark"].(object)["color"] = figures.Palette()[0]
		}
		return c
	}
	c.byRun(shown)
	if len(bands) > 1 {
		c.facet("band", labels, 2, 210)
	}
	return c
}

// facet draws the chart once for each value of a field, so high and as many side by side.
func (c *chart) facet(field string, order []string, columns, height int) {
	c.Facets = columns
	c.Spec["height"] = height
	c.Spec = document("facet", object{"field": field, "order": order, "columns": columns, "spec": c.Spec})
}

// steps adds the points of a distribution: exact at the edges of 16 bins an octave.
func (m *measure) steps(d *data, run string, band int, h *stats.Histogram) {
	steps := h.Steps(4)
	if len(steps) == 0 {
		return
	}
	all := float64(steps[len(steps)-1].N)
	below := int64(0)
	for i, s := range steps {
		if s.X <= m.floor {
			below = s.N
			if i+1 < len(steps) && steps[i+1].X <= m.floor {
				continue
			}
			s.X = m.floor
			s.N = below
		}
		d.add(run, bandLabels[band], short(s.X), short(float64(s.N)/all), above(s.N, steps))
	}
	if last := steps[len(steps)-1].X; last <= m.floor { // a line of one point is not seen
		d.add(run, bandLabels[band], short(10*m.floor), 1, nil)
	}
}

// above is the share of the values that are not below; none is not on a log axis.
func above(below int64, steps []stats.Step) any {
	all := steps[len(steps)-1].N
	if below == all {
		return nil
	}
	return short(float64(all-below) / float64(all))
}

// table has the quantiles behind a chart.
func (m *measure) table(p *input, bands []int) *sheet {
	t := &sheet{Caption: m.title + ": quantiles"}
	t.Columns = append(p.head("value band"), table.Col("", "jobs", terminal.Number))
	for _, q := range quantiles {
		t.Columns = append(t.Columns, table.Col("", fmt.Sprintf("p%g", 100*q), m.unit))
	}
	t.Columns = append(t.Columns, table.Col("", "largest", m.unit))
	for i, g := range p.data {
		for _, b := range bands {
			h := m.of(g, b)
			if h.N() == 0 {
				continue
			}
			row := append(p.first(i, bandLabels[b]), h.N())
			for _, q := range quantiles {
				row = append(row, h.Quantile(q))
			}
			t.Add(append(row, g.most[b][m.at])...)
		}
	}
	return t
}

// heat counts jobs by bid and by the share of it that they paid.
type heat struct {
	counts [heatOctaves * heatBids][heatShares]int64
	free   int64 // jobs without bid or work, which have no share
	paid   int64
}

// Bids fall into bins of a 16th of an octave from 2^-20 on; shares into 25ths,
// those of 2 and more into one.
const (
	heatOctaves, heatBids = 64, 16
	heatLeast             = -20
	heatStep              = .04
	heatShares            = 51
)

func (h *heat) add(bid, payment, work float64) {
	if payment > 0 {
		h.paid++
	}
	if !(bid > 0 && work > 0) {
		h.free++
		return
	}
	column := int(math.Floor((math.Log2(bid) - heatLeast) * heatBids))
	// A share that is whole but for rounding belongs to the bin below its edge.
	row := int((payment / work / bid) / heatStep * (1 - 1e-9))
	h.counts[min(max(column, 0), len(h.counts)-1)][min(max(row, 0), heatShares-1)]++
}

// above returns the columns from one on, the first with all that lie below.
func (h *heat) above(lowest int) [][heatShares]int64 {
	out := slices.Clone(h.counts[lowest:])
	for _, shares := range h.counts[:lowest] {
		for row, n := range shares {
			out[0][row] += n
		}
	}
	return out
}

// below counts the jobs that lie below a column.
func (h *heat) below(lowest int) (n int64) {
	for _, shares := range h.counts[:lowest] {
		n += sum(shares[:])
	}
	return n
}

// lowestBid is the column at which the axis of bids begins: at most a 200th of any
// run's jobs lie below, so that a few tiny bids do not take half of a log axis.
func (p *input) lowestBid() int {
	lowest := heatOctaves * heatBids
	for _, g := range p.data {
		all, below := int64(0), int64(0)
		for _, shares := range g.heat.counts {
			all += sum(shares[:])
		}
		for column, shares := range g.heat.counts {
			if below += sum(shares[:]); below*200 > all {
				lowest = min(lowest, column)
				break
			}
		}
	}
	return lowest % (heatOctaves * heatBids)
}

func sum(counts []int64) (n int64) {
	for _, x := range counts {
		n += x
	}
	return n
}

// bidAt is the lower edge of a column.
func bidAt(column int) short { return short(math.Exp2(float64(float64(column)/heatBids) + heatLeast)) }

// payments draws what was paid of each bid.
func payments(p *input) *chart {
	if len(p.runs) > 4 || p.pooled() {
		return nil
	}
	c := &chart{ID: "payments", Title: "Do people pay what they bid?", Facets: min(len(p.runs), 3),
		Caption: "Jobs by their bid and by the share of it that they paid: payment / (processors x run time x bid). 1 is " +
			"the whole bid, values above 2 are drawn at 2. The colour counts jobs, on a log scale.",
		Data: &data{Names: []string{"run", "bid", "bid2", "part", "part2", "jobs"}}}
	lowest := p.lowestBid()
	for i, g := range p.data {
		for column, shares := range g.heat.above(lowest) {
			for row, n := range shares {
				if n > 0 {
					c.Data.add(p.runs[i].Label, bidAt(lowest+column), bidAt(lowest+column+1), short(float64(row)*heatStep),
						short(float64(row+1)*heatStep), n)
				}
			}
		}
	}
	if !p.any(func(g *gathered) bool { return g.heat.paid > 0 }) || len(c.Data.Rows) == 0 {
		return nil
	}
	if p.any(func(g *gathered) bool { return g.heat.below(lowest) > 0 }) {
		c.Caption += fmt.Sprintf(" Bids below %s are drawn at the left edge.",
			strconv.FormatFloat(float64(bidAt(lowest)), 'g', 2, 64))
	}
	if p.any(func(g *gathered) bool { return g.heat.free > 0 }) {
		c.Caption += " Jobs without a bid or with nothing to run are left out."
	}
	c.Spec = document("payments", nil)
	if len(p.runs) > 1 {
		c.facet("run", p.labels(), c.Facets, 200)
	}
	return c
}
