package late

import (
	"fmt"
	"slices"

	"bourse/policies"
	"bourse/reports/experiment"
	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/rng"
)

// The closed loop has spot capacity of so many processors where it is there, whose price is at least a part of the one
// on demand.
const (
	spotProcs   = 50
	spotReserve = .3
)

// loads are the work of all jobs, as a part of what the spot capacity there could do.
var loads = []float64{.25, .5, .75, 1, 1.25, 1.5, 2}

// contest is what jobs come to that compete.
type contest struct{ cost, price, demand, late float64 }

// draws are bids that are uniform from the reserve to the price on demand.
type draws struct{ *rng.Rand }

// Bid implements policies.Bidder.
func (d draws) Bid(j *traces.Job) (policies.Offer, error) {
	d.Key(uint64(j.ID))
	bid := spotReserve + float64((1-spotReserve)*d.Float64())
	return policies.Offer{Value: bid, Bid: bid}, nil
}

// compete lets jobs of a zone that arrive at random compete for its spot capacity.
func (s *study) compete(name string, line bool, load float64) (x contest, err error) {
	z := s.zones[name]
	there := 0
	for _, c := range z.Data {
		if c == '0' {
			there++
		}
	}
	submits := make([]int, max(1, int(load*spotProcs*float64(there)*tick/work)))
	r := rng.New(s.Seed, "late arrivals "+name)
	for i := range submits {
		submits[i] = r.IntN(max(1, len(z.Data)-deadline/tick))
	}
	slices.Sort(submits)
	sink := newByJob(len(submits))
	if _, err = replay(s.ctx, line, z.Data, spotProcs, spotReserve, submits, draws{rng.New(s.Seed, "late bids")},
		sink); err != nil {
		return x, err
	}
	n, total, onDemand := float64(len(submits)), stats.Total(sink.paid), 0.0
	for _, h := range sink.hours {
		onDemand += h.paid
	}
	x.cost, x.demand, x.late = 100*total/(n*(work+change)*unit/3600), onDemand/n, 100*float64(sink.late)/n
	x.price = (total - onDemand) / max(1e-9, sink.spot)
	return x, nil
}

// closed asks what the rules come to where many jobs follow them, and their demand moves the price.
func (s *study) closed() error {
	type key struct {
		line bool
		load float64
	}
	var keys []key
	for _, load := range loads {
		keys = append(keys, key{false, load}, key{true, load})
	}
	results, err := experiment.Run(s.ctx, s.Workers, keys, len(s.names), func(k key, i int) (contest, error) {
		return s.compete(s.names[i], k.line, k.load)
	}, nil)
	if err != nil {
		return err
	}
	s.Heading("Ours: many such jobs, whose demand moves the price that they pay")
	two := terminal.Fixed(2)
	t := table.New(table.Column{Name: "load", Heading: "load", Unit: two, Key: true}, table.KeyCol("rule", "rule"),
		table.Col("cost", "cost %", two),
		table.Col("price", "spot price", two), table.Col("hours", "hours on demand", two), table.Col("late", "late %", two))
	panels := []*figures.Panel{{X: "work / spot capacity", Y: "cost of a job (% of all on demand)", Legend: "br"},
		{X: "work / spot capacity", Y: "price of spot capacity / on demand", YMin: spotReserve - .01},
		{X: "work / spot capacity", Y: "saved by Uniform Progress (%)"}}
	lines := map[bool]*[2]figures.Line{false: {{Name: "greedy"}, {Name: "greedy"}},
		true: {{Name: "Uniform Progress"}, {Name: "Uniform Progress"}}}
	less := map[float64][]float64{}
	for _, k := range keys {
		var columns [4][]float64
		for i, x := range results[k] {
			for c, v := range []float64{x.cost, x.price, x.demand, x.late} {
				columns[c] = append(columns[c], v)
			}
			if k.line {
				less[k.load] = append(less[k.load], results[key{false, k.load}][i].cost-x.cost)
			}
		}
		cells := []any{k.load, lines[k.line][0].Name}
		for c, samples := range columns {
			e := stats.EstimateOf(samples)
			if cells = append(cells, e); c < 2 {
				l := &lines[k.line][c]
				l.X, l.Y = append(l.X, k.load), append(l.Y, e.Mean)
			}
		}
		t.Add(cells...)
	}
	s.Show(t)
	s.Printf("\nload: work of all jobs, which arrive evenly over the two weeks, as a part of what the %d processors of "+
		"spot capacity could do while they are there. cost: of a job, as a part of what it costs all on demand. spot "+
		"price: what a processor-second of spot capacity costs on average, of 1 on demand; at least %g, else the bid of "+
		"the first job that has none, bids being even from there to 1. Means over the zones with 95 %% intervals.\n", spotProcs,
		spotReserve)
	for _, load := range []float64{loads[0], 1, loads[len(loads)-1]} {
		e := stats.EstimateOf(less[load])
		s.Found("closed loop", fmt.Sprintf("what Uniform Progress saves against greedy at a load of %g", load),
			"%.1f ± %.1f %% of the cost on demand", e.Mean, e.Half)
	}
	saved := figures.Line{Name: "saved"}
	for _, load := range loads {
		e := stats.EstimateOf(less[load])
		saved.X, saved.Y = append(saved.X, load), append(saved.Y, e.Mean)
		saved.Low, saved.High = append(saved.Low, e.Low()), append(saved.High, e.High())
	}
	panels[2].Lines = []figures.Line{saved}
	for _, line := range []bool{false, true} {
		for c := range 2 {
			panels[c].Lines = append(panels[c].Lines, lines[line][c])
		}
	}
	if err := s.Draw("closed", []figures.Drawing{panels[0], panels[1], panels[2]}); err != nil {
		return err
	}
	return s.Keep("closed", t)
}
