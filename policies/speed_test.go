package policies_test

import (
	"math"
	"testing"

	"bourse/policies"
)

// TestLaws: the laws at points worked out by hand, continuous where their parts meet.
func TestLaws(t *testing.T) {
	low, high := policies.Downey{A: 10, Sigma: .5}, policies.Downey{A: 10, Sigma: 2}
	for _, c := range []struct {
		law     policies.Law
		n, want float64
	}{
		{policies.Linear(4), 3, 3}, {policies.Linear(4), 9, 4}, {policies.Linear(0), 9, 9},
		{policies.Amdahl(.5), 1, 1}, {policies.Amdahl(.5), 3, 1.5}, {policies.Amdahl(1), 50, 1}, {policies.Amdahl(.2), .5, .5},
		{low, 1, 1}, {low, 10, 100 / 12.25}, {low, 19, 10}, {low, 100, 10}, {policies.Downey{A: 10}, 7, 7},
		{high, 1, 1}, {high, 4, 120. / 36}, {high, 28, 10}, {high, 100, 10}, {high, .5, .5},
		{policies.Table{1, 1.5, 1.2}, 2, 1.5}, {policies.Table{1, 1.5, 1.2}, 2.5, 1.35}, {policies.Table{1, 1.5}, 9, 1.5},
	} {
		if got := c.law.At(c.n); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%#v on %g is %g, want %g", c.law, c.n, got, c.want)
		}
	}
	for _, d := range []policies.Downey{low, high, {A: 5, Sigma: 1}} {
		for _, at := range []float64{1, d.A, 2*d.A - 1, d.A + d.A*d.Sigma - d.Sigma} {
			if gap := d.At(at+1e-9) - d.At(at-1e-9); math.Abs(gap) > 1e-7 {
				t.Errorf("%#v jumps by %g at %g", d, gap, at)
			}
		}
	}
}

// TestSpeedOfAJob: speed is relative to what the job asked for, whatever the unit of its table.
func TestSpeedOfAJob(t *testing.T) {
	j := policies.Job{Procs: 2, Speed: policies.NewSpeed(policies.Table{30, 50, 60}, 2, 1, 8)}
	if least, most := j.Range(); least != 1 || most != 3 || j.On(3) != 1.2 || j.On(2) != 1 || j.On(1) != .6 {
		t.Errorf("from %d to %d, at %g, %g, %g", least, most, j.On(1), j.On(2), j.On(3))
	}
	if rigid := (&policies.Job{Procs: 4}); rigid.On(2) != .5 || rigid.Speed.MostRate() != 1 {
		t.Error("a job without a speed is as fast as its share")
	}
}
