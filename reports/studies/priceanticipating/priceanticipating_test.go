package priceanticipating

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEquilibria wants every root to solve the cubic and the conditions of the
// margins (1) to hold, one root below the threshold and three above, the
// asymmetric ones being mirror images.
func TestEquilibria(t *testing.T) {
	for _, alpha := range []float64{.5, .55, .7, .8, .85, .853, .854, .86, .9, .95, .99, .999} {
		all := equilibria(alpha)
		if want := map[bool]int{false: 1, true: 3}[alpha > threshold]; len(all) != want {
			t.Errorf("alpha %v: %d equilibria, want %d", alpha, len(all), want)
		}
		c := 1/(2*alpha*(1-alpha)) - 1
		for _, e := range all {
			d := e.delta
			if f := d*d*d - c*d*d + c*d - 1; math.Abs(f) > 1e-9*(1+c*d*d) {
				t.Errorf("alpha %v: the cubic is %v at %v", alpha, f, d)
			}
			x, y := e.x, e.y
			s := x + y
			first := alpha*y/(s*s) - (1-alpha)*(1-y)/((2-s)*(2-s))
			second := (1-alpha)*x/(s*s) - alpha*(1-x)/((2-s)*(2-s))
			if math.Abs(first) > 1e-9 || math.Abs(second) > 1e-9 {
				t.Errorf("alpha %v, delta %v: margins differ by %v and %v", alpha, d, first, second)
			}
			if off, err := e.off(); err != nil || off > 1e-9 {
				t.Errorf("alpha %v, delta %v: best responses are off by %v, %v", alpha, d, off, err)
			}
			if u, v := e.utilities(); e.efficiency() < .75 || min(u, v) < .5-1e-12 {
				t.Errorf("alpha %v, delta %v: efficiency %v, utilities %v and %v", alpha, d, e.efficiency(), u, v)
			}
		}
		if math.Abs(all[0].efficiency()-symmetric(alpha)) > 1e-9 {
			t.Errorf("alpha %v: efficiency %v, want %v", alpha, all[0].efficiency(), symmetric(alpha))
		}
		if len(all) == 3 && (math.Abs(all[1].x-(1-all[2].y)) > 1e-9 || math.Abs(all[1].efficiency()-all[2].efficiency()) > 1e-9) {
			t.Errorf("alpha %v: %+v and %+v are no mirror images", alpha, all[1], all[2])
		}
	}
}

// TestStable is about the sweep from which welfare is near to its end.
func TestStable(t *testing.T) {
	for _, c := range []struct {
		welfare []float64
		want    float64
	}{
		{[]float64{1}, 1}, {[]float64{.5, 1}, 2}, {[]float64{1, 1, 1}, 1}, {[]float64{.5, .9, .995, 1}, 3},
		{[]float64{.2, 1.005, .995, 1.005, .995, 1.005, .995, 1.005, .995, 1.005, .995, 1.005}, 2},
	} {
		w := watch{c.welfare}
		if got := w.stable(1); got != c.want {
			t.Errorf("%v is stable from sweep %v, want %v", c.welfare, got, c.want)
		}
	}
}

// TestStudy runs the whole study with few repetitions and few points, twice with
// other numbers of workers, and compares with numbers computed independently.
func TestStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	kept := userCounts
	userCounts = []int{5, 20, 60, 150}
	defer func() { userCounts = kept }()
	var report [2]string
	for k, workers := range []int{1, 3} {
		dir := t.TempDir()
		var out bytes.Buffer
		if err := Run(context.Background(), &out, Options{Repetitions: 3, Seed: 1, Out: dir, Workers: workers}); err != nil {
			t.Fatal(err)
		}
		report[k] = out.String()
		for _, name := range []string{"figure3.csv", "figure4.png", "figure5.svg", "figure6.csv", "figure7.png", "opposite-weights.svg"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
	}
	if report[0] != report[1] {
		t.Error("the report depends on the number of workers")
	}
	for _, want := range []string{"47 claims: ", "two more equilibria above alpha = .854", "points"} {
		if !strings.Contains(report[0], want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

// TestAgainstIndependent compares points with an independent computation of the
// same model, from other draws: efficiency, uniformity, envy-freeness, and
// efficiency of weight-proportional bids.
func TestAgainstIndependent(t *testing.T) {
	kept := userCounts
	userCounts = []int{20, 60, 150}
	defer func() { userCounts = kept }()
	s := &study{Options: Options{Repetitions: 4, Seed: 2}, ctx: context.Background()}
	if err := s.simulate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model, point int
		want         [4]float64
	}{
		{0, 0, [4]float64{.91, .82, 1, .685}}, {0, 1, [4]float64{.91, .77, 1, .649}}, {0, 2, [4]float64{.90, .75, 1, .630}},
		{1, 0, [4]float64{.90, .72, .985, .793}}, {1, 1, [4]float64{.87, .65, .976, .752}}, {1, 2, [4]float64{.86, .64, .97, .731}},
	} {
		p := s.found[c.model][c.point]
		for k, q := range []quantity{efficiency, uniformity, envyFreeness, proportional} {
			if got := p.of(q).Mean; math.Abs(got-c.want[k]) > []float64{.02, .06, .012, .03}[k] {
				t.Errorf("%s, %d users: quantity %d is %.4f, independently %.4f", models[c.model], p.users, q, got, c.want[k])
			}
		}
	}
}
