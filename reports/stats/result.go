package stats

// Times are how long jobs waited, in seconds, and how much that slowed them down.
// Means of no jobs are 0.
type Times struct {
	Jobs       int64   `json:"jobs"`
	MeanWait   float64 `json:"mean_wait_s"`
	MedianWait float64 `json:"median_wait_s"`
	P95Wait    float64 `json:"p95_wait_s"`
	// OverDay is the percentage of jobs that waited for more than a day.
	MaxWait float64 `json:"max_wait_s"`
	OverDay float64 `json:"over_day_percent"`
	// Bounded slowdown is max(1, phi / max(tau, the scenario's bound)).
	MeanBoundedSlowdown float64 `json:"mean_bounded_slowdown"`
	P95BoundedSlowdown  float64 `json:"p95_bounded_slowdown"`
}

// Aggregate sums up a set of jobs.
type Aggregate struct {
	Times
	MeanFlow float64 `json:"mean_flow_s"`
	// MeanBSD is of phi / max(tau, 60 s).
	MeanBSD float64 `json:"mean_bsd"`
	// SSJ is the percentage of severely slowed jobs, BSD >= 5.
	SSJ float64 `json:"ssj_percent"`
	// Payments and utilities are in units of money.
	MeanPayment float64 `json:"mean_payment"`
	SumPayment  float64 `json:"sum_payment"`
	MeanUtility float64 `json:"mean_utility"`
	SumUtility  float64 `json:"sum_utility"`
	// TWFT is the total weighted flow time, sum w p phi.
	TWFT float64 `json:"twft"`
	// Fairness is Jain's index of the users' mean bounded slowdowns; nil where users were not added up.
	Fairness *float64 `json:"fairness,omitempty"`
	// Efficiency is Bound / TWFT over all jobs, 1 at most; nil for parts of them and where
	// the bound is not known.
	Efficiency *float64 `json:"efficiency,omitempty"`
	// Realised is the worth of all jobs when they ended as a share of w p tau, InTime the share
	// of jobs that were worth as much as at first; nil for jobs without shapes and for parts.
	Realised *float64 `json:"realised,omitempty"`
	InTime   *float64 `json:"in_time,omitempty"`
	// SumEnergy, SumCarbon and SumTariff are of all jobs, in kWh, grams and money; nil for parts and where that is not
	// measured.
	SumEnergy *float64 `json:"energy_kwh,omitempty"`
	SumCarbon *float64 `json:"carbon_g,omitempty"`
	SumTariff *float64 `json:"tariff_cost,omitempty"`
}

// Cell is the aggregate of the jobs of a band, a group and a class; an empty
// name means all.
type Cell struct {
	Band  string `json:"band,omitempty"`
	Group string `json:"group,omitempty"`
	Class string `json:"class,omitempty"`
	Aggregate
}

// Result is what a Collector returns. Sets without jobs are left out, the total
// excepted.
type Result struct {
	// ExactGroups is true if the run-time groups are exact. Beyond 2^20
	// jobs, neighbours by run time share a row and a tercile's cut may divide
	// a row in proportion; p95 of sets that depend on a group is then of
	// rows' means. Totals, bands and classes are not touched.
	ExactGroups bool      `json:"exact_groups"`
	Total       Aggregate `json:"total"`
	// Recorded is what the log says of those of the jobs whose wait it has; nil if that
	// was not asked for or it has none.
	Recorded *Times `json:"-"`
	Bands    []Cell `json:"bands"`
	Groups   []Cell `json:"groups"`
	Classes  []Cell `json:"classes"`
	Cells    []Cell `json:"cells"`
	// DesignerPayoff is sum of payments / TWFT over all jobs, null if TWFT is
	// 0. AggressivePayoff is the mean utility of aggressive jobs in group C,
	// null if there are none.
	DesignerPayoff   *float64 `json:"designer_payoff"`
	AggressivePayoff *float64 `json:"aggressive_payoff"`
}

// Result aggregates what was recorded. It may be called once, after the last
// Record.
func (c *Collector) Result() *Result { return c.ResultOf(0) }

// ResultOf is Result under one of several price schemes that billed the same
// schedule: 0 is the replay's own, i > 0 is Also[i-1] of its outcomes. It needs
// Groups and may be called once for each scheme.
func (c *Collector) ResultOf(scheme int) *Result {
	cells := c.dealt()
	if scheme > 0 {
		cells = cells.billedBy(scheme - 1)
	}
	var total part
	var bands [numBands]part
	var classes [numClasses]part
	var groups [numGroups]part
	r := &Result{ExactGroups: !c.folded, Bands: []Cell{}, Groups: []Cell{}, Classes: []Cell{}, Cells: []Cell{}}
	for b := range numBands {
		for g := range numGroups {
			for k := range numClasses {
				kind := int(b)*numClasses + k
				x := part{cells[g][kind].sums, cells.oneCell(g, kind)}
				total.merge(&x)
				bands[b].merge(&x)
				groups[g].merge(&x)
				classes[k].merge(&x)
				r.Cells = appendCell(r.Cells, Cell{bandNames[b], groupNames[g], classNames[k], c.aggregate(&x, nil)})
			}
		}
		r.Bands = appendCell(r.Bands, Cell{Band: bandNames[b], Aggregate: c.aggregate(&bands[b], &c.bands[b])})
	}
	for g := range numGroups {
		r.Groups = appendCell(r.Groups, Cell{Group: groupNames[g], Aggregate: c.aggregate(&groups[g], nil)})
	}
	for k := range numClasses {
		r.Classes = appendCell(r.Classes, Cell{Class: classNames[k], Aggregate: c.aggregate(&classes[k], &c.class[k])})
	}
	r.Total, r.Recorded = c.aggregate(&total, &c.total), c.recorded.times()
	c.payoffs(r, cells)
	c.shapes.report(&r.Total)
	c.charges.report(&r.Total)
	return r
}

func (c *Collector) payoffs(r *Result, cells *cells) {
	if r.Total.TWFT > 0 {
		x := r.Total.SumPayment / r.Total.TWFT
		r.DesignerPayoff = &x
	}
	if c.Bound != nil && !c.left && r.Total.TWFT > 0 {
		x := c.Bound.Value() / r.Total.TWFT
		if x > 1 && x < 1+1e-9 { // rounding
			x = 1
		}
		r.Total.Efficiency = &x
	}
	var aggressive sums
	for b := range int(numBands) {
		aggressive.merge(&cells[numGroups-1][b*numClasses+1].sums)
	}
	if aggressive.jobs > 0 {
		x := aggressive.utility() / float64(aggressive.jobs)
		r.AggressivePayoff = &x
	}
}

func appendCell(cells []Cell, c Cell) []Cell {
	if c.Jobs == 0 {
		return cells
	}
	return append(cells, c)
}

// utility returns the sum of valuations less payments: -w p phi but for jobs with a shape.
func (s *sums) utility() float64 {
	return s.of[shaped].Value() - s.of[weight].Value() - s.of[paid].Value()
}

// times sums up what the log says, nil if that is nothing.
func (x *recorded) times() *Times {
	if x.jobs == 0 {
		return nil
	}
	n := float64(x.jobs)
	t := x.spread.quantiles().times(x.jobs, x.wait.Value()/n, x.slowdown.Value()/n)
	return &t
}

// part is the jobs of some cells.
type part struct {
	sums
	of set
}

func (p *part) merge(other *part) {
	p.sums.merge(&other.sums)
	p.of |= other.of
}

// aggregate sums a part up; margin is as for quantilesOf.
func (c *Collector) aggregate(p *part, margin *spread) (a Aggregate) {
	if p.jobs == 0 {
		return a
	}
	s, n := &p.sums, float64(p.jobs)
	a.Times = c.quantilesOf(p.of, margin).times(s.jobs, (s.of[flow].Value()-s.of[run].Value())/n, s.of[bounded].Value()/n)
	a.MeanFlow, a.MeanBSD = s.of[flow].Value()/n, s.of[bsd].Value()/n
	a.SSJ = 100 * float64(s.severe) / n
	a.SumPayment, a.SumUtility, a.TWFT = s.of[paid].Value(), s.utility(), s.of[weight].Value()
	a.MeanPayment, a.MeanUtility = a.SumPayment/n, a.SumUtility/n
	return a
}

// billedBy copies the cells with the payments of a further price scheme.
func (c *cells) billedBy(also int) *cells {
	out := *c
	for g := range out {
		for k := range out[g] {
			if x := &out[g][k]; x.jobs > 0 {
				x.of[paid] = x.also[also]
			}
		}
	}
	return &out
}
