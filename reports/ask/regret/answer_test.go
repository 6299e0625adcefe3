package regret

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bourse/reports/ask/truth"
)

// resultOf makes answers of jobs with a utility of -100 for the truth, to which change adds
// something at the bids 0.5 w and 0.9 w.
func resultOf(jobs int, change func(job, bid int) float64) *Result {
	r := &Result{&truth.Result{}}
	r.Payments, r.Factors = truth.Billed([]string{"kth"}), []float64{0.5, 0.9, 1}
	for i := range jobs {
		r.Answers = append(r.Answers, truth.Answer{Utility: [][]float64{{-100 + change(i, 0), -100 + change(i, 1), -100}}})
	}
	return r
}

func TestVerdicts(t *testing.T) {
	for want, r := range map[string]*Result{
		"underbidding pays: at 0.9 w 20 jobs gain and 0 lose, the median job +2.0 %": resultOf(20,
			func(_, bid int) float64 { return float64(bid*3 - 1) }),
		"does not pay: no bid tried below the value raises": resultOf(20,
			func(int, int) float64 { return -5 }),
		"it cannot be said": resultOf(5,
			func(job, bid int) float64 { return float64(2*(1-min(job/3, 1)) - 1) }),
		"no bid of the sampled jobs matters": resultOf(9, func(int, int) float64 { return 0 }),
	} {
		if got := strings.Join(r.Verdicts(), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}

// TestSignTest tosses coins.
func TestSignTest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range [][2]int{{7, 3}, {5, 5}, {12, 2}, {0, 4}, {1, 0}} {
		const draws = 40_000
		many := 0
		for range draws {
			heads := 0
			for range c[0] + c[1] {
				heads += int(r.Uint64() & 1)
			}
			if heads >= c[0] {
				many++
			}
		}
		if p := signTest(c[0], c[1]); p < float64(many)/draws-.01 || p > float64(many)/draws+.01 {
			t.Errorf("%v: p is %g, of %d draws %d", c, p, draws, many)
		}
	}
}
