package share

import (
	"math"
	"testing"
)

// mechanisms are those that have all four properties, and BAL.
var mechanisms = []struct {
	name      string
	share     Mechanism
	two       bool // for two resources only
	strategic bool // not strategy-proof
}{
	{"drf", DRF, false, false},
	{"unb", UNB, false, false},
	{"bal", BAL, true, true},
	{"bal*", BALStar, true, false},
	{"hybrid-sw", HybridWelfare, true, false},
	{"hybrid-util", HybridUtilisation, true, false},
	{"family:1", Family(Coordinate(1), nil), false, false},
	{"family:2", Family(Coordinate(2), nil), false, false},
	{"family:sum", Family(Sum, nil), false, false},
	{"family:product", Family(Product, nil), false, false},
	{"family:min", Family(Least, nil), false, false},
	{"family:norm(3)", Family(Norm(3), nil), false, false},
}

// share gives the mechanism's shares; the demands are known to be good.
func share(t testing.TB, m Mechanism, d Demands) []float64 {
	t.Helper()
	x, err := m(d)
	if err != nil {
		t.Fatalf("%v for %v", err, d)
	}
	return x
}

func wantShares(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > tolerance || len(got) != len(want) {
			t.Errorf("%s: shares %.13v, want %.13v", name, got, want)
			return
		}
	}
}

// TestExample1 is Example 1 of Bei, Li and Luo and its continuation.
func TestExample1(t *testing.T) {
	d := Demands{{1, .4}, {1, .2}, {.2, 1}}
	for _, c := range []struct {
		name    string
		m       Mechanism
		shares  []float64
		welfare float64
	}{
		{"DRF", DRF, []float64{5. / 11, 5. / 11, 5. / 11}, 15. / 11},
		{"UNB", UNB, []float64{1. / 3, 1. / 3, 4. / 5}, 22. / 15},
		{"BAL", BAL, []float64{1. / 3, 43. / 81, 55. / 81}, 125. / 81},
		{"BAL*", BALStar, []float64{1. / 3, 53. / 99, 65. / 99}, 151. / 99},
	} {
		x := share(t, c.m, d)
		wantShares(t, c.name, x, c.shares, 1e-12)
		if w := Welfare(x); math.Abs(w-c.welfare) > 1e-12 {
			t.Errorf("%s: welfare %.13f, want %.13f", c.name, w, c.welfare)
		}
	}
}

// TestDRFExample is the example of section 2.1: 9 CPUs and 18 GB, tasks of <1,4>
// and <3,1>. DRF runs three of the first and two of the second, both with 2/3 of
// their dominant resource (Ghodsi et al. 2011).
func TestDRFExample(t *testing.T) {
	d, err := Normalise([][]float64{{1. / 9, 4. / 18}, {3. / 9, 1. / 18}})
	if err != nil {
		t.Fatal(err)
	}
	wantShares(t, "drf", share(t, DRF, d), []float64{2. / 3, 2. / 3}, 1e-12)
}

// TestExample2 is the lie that pays under BAL (ibid., Example 2), and does not
// under BAL*.
func TestExample2(t *testing.T) {
	truth, lie := Demands{{1, .5}, {.25, 1}}, Demands{{1, .5}, {.5, 1}}
	wantShares(t, "BAL, truth", share(t, BAL, truth)[1:], []float64{9. / 14}, 1e-12)
	wantShares(t, "BAL, lie", share(t, BAL, lie)[1:], []float64{2. / 3}, 1e-12)
	if a, b := share(t, BALStar, truth)[1], share(t, BALStar, lie)[1]; b > a {
		t.Errorf("under BAL* agent 2 gets %v, and %v if it lies", a, b)
	}
}

// TestSmallCases are instances whose outcome can be told by hand.
func TestSmallCases(t *testing.T) {
	for _, c := range []struct {
		name string
		d    Demands
		want map[string][]float64
	}{
		{"one agent", Demands{{.3, 1}}, map[string][]float64{"drf": {1}, "unb": {1}, "bal": {1}, "bal*": {1},
			"family:sum": {1}, "hybrid-sw": {1}}},
		{"alpha = 0", Demands{{1, .2}, {1, .1}}, map[string][]float64{"drf": {.5, .5}, "unb": {.5, .5}, "bal": {.5, .5},
			"bal*": {.5, .5}, "hybrid-util": {.5, .5}}},
		{"two (1,1) agents", Demands{{1, 1}, {1, 1}},
			map[string][]float64{"drf": {.5, .5}, "unb": {.5, .5}, "bal": {.5, .5}, "bal*": {.5, .5}}},
		{"nobody wants resource 2", Demands{{1, 0}, {1, 0}},
			map[string][]float64{"drf": {.5, .5}, "unb": {.5, .5}, "bal": {.5, .5}, "bal*": {.5, .5}, "family:min": {.5, .5}}},
		// The agents do not compete: each gets all of its resource.
		{"apart", Demands{{1, 0}, {0, 1}}, map[string][]float64{"drf": {1, 1}, "unb": {1, 1}, "bal": {1, 1}, "bal*": {1, 1},
			"family:sum": {1, 1}, "family:product": {1, 1}}},
		// Agent 3 continues when resource 1 is used up; DRF has given it 1/2 till then.
		{"one goes on", Demands{{1, .5}, {1, 0}, {0, 1}},
			map[string][]float64{"drf": {.5, .5, .75}, "family:max": {.5, .5, .75}}},
		// Agents 3 and 4 cost nothing of resource 1 and are raised alone under UNB:
		// resource 2 has 1 - .25 for them.
		{"costs nothing", Demands{{1, .5}, {1, .5}, {0, 1}, {0, 1}}, map[string][]float64{"unb": {.25, .25, .375, .375}}},
		// A tie in the majority goes to resource 1; (1,1) stands with it.
		{"tie", Demands{{1, 1}, {1, .2}, {.2, 1}}, map[string][]float64{"unb": {1. / 3, 1. / 3, .6}}},
	} {
		for _, m := range mechanisms {
			if want := c.want[m.name]; want != nil {
				wantShares(t, c.name+", "+m.name, share(t, m.share, c.d), want, 1e-12)
			}
		}
	}
	wantShares(t, "family:max", share(t, Family(Most, nil), Demands{{1, .5}, {1, 0}, {0, 1}}), []float64{.5, .5, .75},
		1e-12)
}

// TestThirdResourceOutOfTheRace takes BAL with three resources where two are all
// that matters, and wants an error where they are not.
func TestThirdResourceOutOfTheRace(t *testing.T) {
	d := Demands{{.2, .1, 1}, {.1, .1, 1}, {1, .2, .2}}
	for _, m := range []Mechanism{BAL, BALStar, HybridWelfare, HybridUtilisation} {
		three := share(t, m, d)
		wantShares(t, "three resources", three, share(t, m, Demands{{.2, 1}, {.1, 1}, {1, .2}}), 1e-12)
		if _, err := m(Demands{{1, .2, .3}, {.2, 1, .3}, {.1, .2, 1}}); err == nil {
			t.Error("three competing resources should be refused")
		}
	}
}

// TestWeights wants an agent of weight w to get what w agents of its demands
// get together.
func TestWeights(t *testing.T) {
	d, weights := Demands{{1, .4}, {1, .2}, {.2, 1}}, []float64{2, 1, 3}
	var copies Demands
	for i, w := range weights {
		for range int(w) {
			copies = append(copies, d[i])
		}
	}
	general := Sum
	general.Degree = 0
	for _, c := range []struct {
		name            string
		weighted, plain Mechanism
		tolerance       float64
	}{
		{"drf", WeightedDRF(weights), DRF, 1e-12},
		{"unb", WeightedUNB(weights), UNB, 1e-12},
		{"family:sum", Family(Sum, weights), Family(Sum, nil), 1e-12},
		{"family:sum by bisection", Family(general, weights), Family(Sum, nil), 1e-9},
	} {
		each := share(t, c.plain, copies)
		want := []float64{each[0] + each[1], each[2], each[3] + each[4] + each[5]}
		wantShares(t, c.name, share(t, c.weighted, d), want, c.tolerance)
	}
	for _, bad := range [][]float64{{1, 2}, {1, 0, 1}, {1, -1, 1}, {1, math.NaN(), 1}, {1, math.Inf(1), 1}} {
		if _, err := WeightedDRF(bad)(d); err == nil {
			t.Errorf("weights %v should be refused", bad)
		}
	}
}

// TestBadDemands wants each fault to be refused by name.
func TestBadDemands(t *testing.T) {
	nan := math.NaN()
	for _, bad := range [][][]float64{nil, {}, {{}}, {{1, 2}, {1}}, {{1, -2}}, {{1, nan}}, {{math.Inf(1), 1}},
		{{1, .5}, {0, 0}}} {
		if d, err := Normalise(bad); err == nil {
			t.Errorf("Normalise(%v) = %v, want an error", bad, d)
		}
	}
	for _, bad := range []Demands{nil, {{}}, {{1, 2}}, {{.5, .4}}, {{0, 0}}, {{1, nan}}, {{1, .2}, {1}}} {
		for _, m := range mechanisms {
			if x, err := m.share(bad); err == nil {
				t.Errorf("%s(%v) = %v, want an error", m.name, bad, x)
			}
		}
		if _, err := MaxWelfare(bad); err == nil {
			t.Errorf("MaxWelfare(%v) should fail", bad)
		}
	}
	if _, err := CoordinateFamily(3, nil)(Demands{{1, 1}}); err == nil {
		t.Error("family:3 with two resources should fail")
	}
	if _, err := WeightedSum([]float64{0, 0}); err == nil {
		t.Error("weights of 0 only should fail")
	}
}
