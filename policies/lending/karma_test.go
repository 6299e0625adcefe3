package lending

import (
	"math"
	"testing"

	"bourse/traces/rng"
)

// slicewise hands out a round of Karma in slices, as Algorithm 1 of the paper does, by
// its rule for weights: all get the same credits and a slice costs them in inverse
// proportion to their endowments.
type slicewise struct {
	endow, wealth []float64 // credits per endowment
	alpha, slice  float64
}

func (k *slicewise) round(demand []float64) []float64 {
	n := len(demand)
	alloc, donated := make([]float64, n), make([]float64, n)
	left, given := 0.0, 0.0 // common and donated
	for i, e := range k.endow {
		alloc[i] = min(demand[i], k.alpha*e)
		donated[i] = k.alpha*e - alloc[i]
		left, given = left+(1-k.alpha)*e, given+donated[i]
		k.wealth[i] += 1 - k.alpha
	}
	for left+given > k.slice/2 {
		to, from := -1, -1
		for i, e := range k.endow {
			price := k.slice / e
			if demand[i]-alloc[i] > k.slice/2 && k.wealth[i] > price/2 && (to < 0 || k.wealth[i] > k.wealth[to]) {
				to = i
			}
			if donated[i] > k.slice/2 && (from < 0 || k.wealth[i] < k.wealth[from]) {
				from = i
			}
		}
		if to < 0 {
			break
		}
		alloc[to] += k.slice
		k.wealth[to] -= k.slice / k.endow[to]
		if from >= 0 {
			donated[from] -= k.slice
			given -= k.slice
			k.wealth[from] += k.slice / k.endow[from]
		} else {
			left -= k.slice
		}
	}
	return alloc
}

// TestKarmaSliceBySlice holds Karma against slices of 1/200, with equal and unequal
// endowments, plenty of credits and few.
func TestKarmaSliceBySlice(t *testing.T) {
	r := rng.New(1, "karma")
	for trial := range 60 {
		r.Key(uint64(trial))
		n, rounds := 2+r.IntN(4), []int{0, 2, 1000}[r.IntN(3)]
		slow := &slicewise{alpha: float64(r.IntN(5)) / 4, slice: 1.0 / 200}
		for range n {
			e := 1.0
			if trial%3 != 0 {
				e = float64(1 + r.IntN(8))
			}
			slow.endow, slow.wealth = append(slow.endow, e), append(slow.wealth, float64(rounds))
		}
		m, err := NewKarma(slow.endow, slow.alpha, rounds)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 6 {
			demand, got := make([]float64, n), make([]float64, n)
			for i := range demand {
				demand[i] = float64(r.IntN(17)) / 8 * slow.endow[i]
			}
			m.Round(demand, got)
			for i, want := range slow.round(demand) {
				if math.Abs(got[i]-want) > float64(2+round)*2*slow.slice {
					t.Fatalf("trial %d, round %d, alpha %g, endowments %v, demands %v: agent %d gets %v, slice by slice %v", trial,
						round, slow.alpha, slow.endow, demand, i, got[i], want)
				}
			}
		}
	}
}

// TestKarmaSmallAgents: who owns little and demands little more than that is served
// like one who owns much.
func TestKarmaSmallAgents(t *testing.T) {
	for _, alpha := range []float64{0, .5} {
		m, err := NewKarma([]float64{10, 1}, alpha, 1000)
		if err != nil {
			t.Fatal(err)
		}
		sum := make([]float64, 2)
		for range 200 {
			alloc := make([]float64, 2)
			m.Round([]float64{10.5, 2}, alloc)
			sum[0], sum[1] = sum[0]+alloc[0], sum[1]+alloc[1]
		}
		if big, small := sum[0]/200, sum[1]/200; math.Abs(big-10) > 1e-9 || math.Abs(small-1) > 1e-9 {
			t.Errorf("karma:%g gives %v and %v a round, want 10 and 1", alpha, big, small)
		}
	}
}

// TestKarmaEqualEndowments: where endowments are equal their size does not show in the
// order, to the last bit.
func TestKarmaEqualEndowments(t *testing.T) {
	r := rng.New(2, "karma")
	for range 50 {
		n, e, alpha := 2+r.IntN(5), 3*r.Float64(), r.Float64()
		m, _ := NewKarma(slicesOf(e, n), alpha, 3)
		credits := slicesOf(3*e, n)
		var fill waterfill
		for range 8 {
			demand, got, want := make([]float64, n), make([]float64, n), make([]float64, n)
			borrow, donate, b, s := make([]ramp, n), make([]ramp, n), make([]float64, n), make([]float64, n)
			common, donated, lent := 0.0, 0.0, 0.0
			for i := range demand {
				demand[i] = 3 * e * r.Float64()
				g := float64(alpha * e)
				credits[i] += float64((1 - alpha) * e)
				common += float64((1 - alpha) * e)
				want[i] = min(demand[i], g)
				borrow[i] = ramp{High: min(max(0, demand[i]-g), credits[i]), Slope: 1, Zero: -credits[i]}
				donate[i] = ramp{High: g - want[i], Slope: 1, Zero: credits[i]}
				donated += g - want[i]
			}
			fill.Fill(common+donated, borrow, b)
			for _, x := range b {
				lent += x
			}
			fill.Fill(min(lent, donated), donate, s)
			for i := range want {
				want[i] += b[i]
				credits[i] += s[i] - b[i]
			}
			m.Round(demand, got)
			for i := range want {
				if got[i] != want[i] || m.credits[i] != credits[i] {
					t.Fatalf("agent %d of %d gets %v and has %v credits, want %v and %v", i, n, got[i], m.credits[i], want[i],
						credits[i])
				}
			}
		}
	}
}

func slicesOf(x float64, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = x
	}
	return all
}
