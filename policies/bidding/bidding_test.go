package bidding_test

import (
	"math"
	"strings"
	"testing"

	"bourse/policies/bidding"
	"bourse/traces"
)

var bimodal = bidding.Bimodal{Low: 30, High: 150, Deviation: 15, Share: .8, Max: 180}

func offers(t *testing.T, b bidding.Behaviour, seed uint64, n int64) (values, bids []float64, aggressive int) {
	t.Helper()
	m := bidding.NewModel(bimodal, b, seed)
	for id := range n {
		o, err := m.Bid(&traces.Job{ID: id})
		if err != nil {
			t.Fatal(err)
		}
		values, bids = append(values, o.Value), append(bids, o.Bid)
		if o.Aggressive {
			aggressive++
		}
	}
	return values, bids, aggressive
}

// TestBimodal compares shares and means with the truncated mixture: redrawing
// removes the 2.28 % of each mode beyond two deviations, at 0 and at 180.
func TestBimodal(t *testing.T) {
	const n = 200_000
	values, _, _ := offers(t, bidding.Truthful{}, 7, n)
	low, sumLow, sumHigh := 0, 0.0, 0.0
	for _, w := range values {
		if !(w > 0 && w <= 180) {
			t.Fatalf("value %g is outside (0, 180]", w)
		}
		if w < 90 {
			low++
			sumLow += w
		} else {
			sumHigh += w
		}
	}
	shift := 15 * math.Exp(-2) / math.Sqrt(2*math.Pi) / 0.97725 // of a normal's mean when cut at two deviations
	within := func(what string, got, want, tolerance float64) {
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s is %.4f, want %.4f within %g", what, got, want, tolerance)
		}
	}
	within("share of low values", float64(low)/n, .8, .004)
	within("mean of low values", sumLow/float64(low), 30+shift, .15)
	within("mean of high values", sumHigh/float64(n-low), 150-shift, .3)
}

func TestSRG(t *testing.T) {
	const n = 100_000
	values, bids, aggressive := offers(t, bidding.SRG{Share: .1, Beta: .9, Mild: .1}, 3, n)
	if share := float64(aggressive) / n; math.Abs(share-.1) > .004 {
		t.Errorf("share of aggressive jobs %.4f, want .1", share)
	}
	deepest := 0.0
	for i := range bids {
		deepest = max(deepest, 1-bids[i]/values[i])
		if bids[i] > values[i] || bids[i] < values[i]*(1-.9) {
			t.Fatalf("bid %g of value %g", bids[i], values[i])
		}
	}
	if deepest < .89 {
		t.Errorf("the deepest shading is %.3f, want nearly .9", deepest)
	}
}

// TestSRGOverbids wants the share asked for to overbid, by the inverse factors, and nobody
// where none is.
func TestSRGOverbids(t *testing.T) {
	const n = 100_000
	for _, over := range []float64{0, .3, 1} {
		values, bids, aggressive := offers(t, bidding.SRG{Share: .1, Beta: .9, Mild: .1, Over: over}, 3, n)
		above, most := 0, 0.0
		for i := range bids {
			if bids[i] > values[i] {
				above++
			}
			most = max(most, bids[i]/values[i])
			if least := .1 * values[i]; bids[i] < least*(1-1e-12) || bids[i] > values[i]/.1*(1+1e-12) {
				t.Fatalf("bid %g of value %g", bids[i], values[i])
			}
		}
		if share := float64(above) / n; math.Abs(share-over) > .005 || over > 0 && most < 9 ||
			math.Abs(float64(aggressive)/n-.1) > .004 {
			t.Errorf("over=%g: %.4f overbid, by up to %g", over, share, most)
		}
	}
}

// TestDrawsArePaired wants a job's value, group and shading to depend on the
// seed and the job alone.
func TestDrawsArePaired(t *testing.T) {
	const n = 2000
	truth, _, _ := offers(t, bidding.Truthful{}, 5, n)
	values, mild, few := offers(t, bidding.SRG{Share: .1, Beta: .25, Mild: .1}, 5, n)
	_, deep, same := offers(t, bidding.SRG{Share: .1, Beta: .9, Mild: .1}, 5, n)
	if few != same {
		t.Errorf("beta changed who is aggressive: %d and %d jobs", few, same)
	}
	for i := range values {
		if values[i] != truth[i] {
			t.Fatalf("the behaviour changed the value of job %d", i)
		}
		if u, v := (1-mild[i]/values[i])/.25, (1-deep[i]/values[i])/.9; mild[i] != deep[i] && math.Abs(u-v) > 1e-9 {
			t.Fatalf("job %d shades by %g of .25 and by %g of .9", i, u, v)
		}
	}
	m := bidding.NewModel(bimodal, bidding.Truthful{}, 5)
	for id := int64(n - 1); id >= 0; id -= 7 {
		if o, _ := m.Bid(&traces.Job{ID: id}); o.Value != truth[id] {
			t.Fatalf("job %d has another value when others are left out", id)
		}
	}
	if other, _, _ := offers(t, bidding.Truthful{}, 6, 1); other[0] == truth[0] {
		t.Error("another seed gives the same value")
	}
}

// table makes a table of rows, the first being line 2 as in CSV.
func table(rows ...bidding.Row) (*bidding.Table, error) {
	return bidding.NewTable("bids.csv", func(yield func(bidding.Row, error) bool) {
		for i, r := range rows {
			if r.Line = int64(i + 2); !yield(r, nil) {
				return
			}
		}
	})
}

func TestTable(t *testing.T) {
	table, err := table(bidding.Row{Job: 1, Value: 3, Bid: 2, At: bidding.FromStart},
		bidding.Row{Job: 1, Value: 3, Bid: 1, At: 10_500_000},
		bidding.Row{Job: 1, Value: 3, Bid: 4, At: 7_000_000}, bidding.Row{Job: 2, Value: 6, Bid: 5, At: 100_000_000})
	if err != nil {
		t.Fatal(err)
	}
	o, err := table.Bid(&traces.Job{ID: 1})
	if err != nil || o.Value != 3 || o.Bid != 2 {
		t.Errorf("job 1: %v %v", o, err)
	}
	if r := table.Rebids(&traces.Job{ID: 1}); len(r) != 2 || r[0].At != 7_000_000 || r[0].Bid != 4 ||
		r[1].At != 10_500_000 {
		t.Errorf("later bids of job 1: %v", r)
	}
	if o, _ := table.Bid(&traces.Job{ID: 2}); o.Bid != 5 || len(table.Rebids(&traces.Job{ID: 2})) != 0 {
		t.Errorf("job 2: %v", o)
	}
	if _, err := table.Bid(&traces.Job{ID: 9}); err == nil || !strings.Contains(err.Error(), "no bid for job 9") {
		t.Errorf("a job without a bid: %v", err)
	}
	n, err := table.Unmatched(func(id int64) bool { return id == 7 })
	if n != 2 || err == nil || !strings.HasPrefix(err.Error(),
		"bids.csv:2: bid for job 1, which is not in the trace (and 1 more") {
		t.Errorf("unmatched jobs: %d %v", n, err)
	}
}

func TestBadTables(t *testing.T) {
	for want, rows := range map[string][]bidding.Row{
		"bids.csv: the bid table has no rows":          {},
		"bids.csv:2: bid is NaN; want a number from 0": {{Job: 1, Value: 2, Bid: math.NaN()}},
		"bids.csv:2: bid is +Inf":                      {{Job: 1, Value: 2, Bid: math.Inf(1)}},
		"bids.csv:2: value is -2":                      {{Job: 1, Value: -2, Bid: 1}},
		"bids.csv:3: duplicate bid of job 1 for the same time": {{Job: 1, Value: 2, Bid: 1},
			{Job: 1, Value: 2, Bid: 1}},
		"bids.csv:4: duplicate bid of job 1 for the same time; give": {{Job: 1}, {Job: 2}, {Job: 1}},
	} {
		if _, err := table(rows...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v\nwant an error with %q", rows, err, want)
		}
	}
}

// TestTiers wants values around the mean of the tier a job's priority is in, and
// the same one for all pieces of a job.
func TestTiers(t *testing.T) {
	tiers, err := bidding.NewTiers("0:30/2:90/9:150", 15, 180)
	if err != nil {
		t.Fatal(err)
	}
	for priority, mean := range map[int32]float64{-1: 30, 0: 30, 1: 30, 2: 90, 8: 90, 9: 150, 400: 150} {
		const n = 20_000
		m := bidding.NewModel(tiers, bidding.Truthful{}, 7)
		var keys []bidding.Key
		sum := 0.0
		for id := range int64(n) {
			keys = append(keys, bidding.Key{ID: id, Priority: priority})
			o, err := m.Bid(&traces.Job{ID: id, Priority: priority})
			again, _ := m.Bid(&traces.Job{ID: id, Priority: priority})
			if err != nil || o != again || !(o.Value > 0 && o.Value <= 180) {
				t.Fatalf("priority %d: %+v, %+v, %v", priority, o, again, err)
			}
			sum += o.Value
		}
		if got := sum / n; math.Abs(got-mean) > 1.5 {
			t.Errorf("priority %d: a mean of %g, want %g", priority, got, mean)
		}
		// A sweep draws beforehand and gets the same.
		drawn := bidding.Draw(keys, tiers, 7).Bidder(bidding.Truthful{})
		one := bidding.NewModel(tiers, bidding.Truthful{}, 7)
		for _, k := range keys {
			j := traces.Job{ID: k.ID, Priority: k.Priority}
			a, _ := drawn.Bid(&j)
			if b, _ := one.Bid(&j); a != b {
				t.Fatalf("%+v: %+v and %+v", k, a, b)
			}
		}
	}
	for text, want := range map[string]string{"": "a priority, a colon", "0:30/9": "a priority, a colon",
		"5:30/5:60": "each once", "9:30/2:60": "increasing", "0:500": "up to 180", "x:1": "a priority, a colon"} {
		if _, err := bidding.NewTiers(text, 15, 180); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
