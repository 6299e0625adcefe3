package multiresource

import (
	"fmt"
	"math"

	"bourse/reports/studies"
	"bourse/reports/terminal"
	"bourse/traces/rng"
)

// googleShares are the CPU-dominant shares measured before on the same parts (0
// to 13) by an independent program, as recorded and divided by the totals.
var googleShares = [4][2]float64{{.71, .68}, {.53, .50}, {.54, .46}, {.63, .59}}

// google is the second row of Figure 3.
func (s *study) google() error {
	s.Heading("Figure 3, second row: instances from the Google trace of 2011")
	if s.Google == "" {
		s.Printf(`Left out, for want of the trace: a directory with task_events/part-*.csv.gz and
machine_events/part-*.csv.gz of clusterdata-2011-2 (CC-BY, bucket of that name
on Google Cloud Storage; see the cluster-data project of Google on GitHub). A few
of the 500 parts will do.
`)
		return nil
	}
	g, err := readGoogle(s.ctx, s.Google)
	if err != nil {
		return err
	}
	s.Printf("%d parts of task events: %d submissions with demands, %d without; machines at time 0 have %.2f CPU and %.2f memory.\n\n",
		g.parts, g.submits, g.without, g.totals[0], g.totals[1])
	pick := 0
	t := terminal.NewTable("pool", "vectors", "CPU-dominant as recorded", "earlier count", "divided by totals", "earlier count")
	for k, name := range Pools {
		if name == s.Pool {
			pick = k
		}
		t.Row(name, fmt.Sprint(len(g.pools[k])), fmt.Sprintf("%.4f", cpuShare(g.pools[k], [2]float64{1, 1})), fmt.Sprintf("%.2f", googleShares[k][0]),
			fmt.Sprintf("%.4f", cpuShare(g.pools[k], g.totals)), fmt.Sprintf("%.2f", googleShares[k][1]))
	}
	s.Table(t)
	totals := g.totals
	if s.Raw {
		totals = [2]float64{1, 1}
	}
	pool, err := demands(g.pools[pick], totals)
	if err != nil {
		return err
	}
	cpu := cpuShare(g.pools[pick], totals)
	s.Printf("\nPool: %s, %d vectors, %.1f %% CPU-dominant (the paper: about 67 %%).\n\n", Pools[pick], len(pool), 100*cpu)
	s.Hold("Figure 3", "about 67 % of the demand vectors are CPU-dominant", math.Abs(cpu-.67) <= .02, "%.1f %% of the pool %s", 100*cpu, Pools[pick])
	r := &row{}
	for n := 10; n <= 100; n += 10 {
		found, err := s.trials(s.Instances, "multi-resource google", uint64(n)<<32, func(stream *rng.Rand) ([]float64, error) {
			return optimumOver(sample(stream, pool, n), compared)
		})
		if err != nil {
			return err
		}
		r.x, r.found = append(r.x, float64(n)), append(r.found, found)
	}
	if err := s.report("figure3-google", "n", "agents n", r); err != nil {
		return err
	}
	s.googleClaims(r)
	return nil
}

func (s *study) googleClaims(r *row) {
	least, apart := math.Inf(1), 0.0
	verdict := studies.Holds
	points := math.Inf(1) // the least difference of the ratios
	later := math.Inf(1)  // the least gain beyond the smallest n
	var at string
	for q, of := range []string{"welfare", "utilisation"} {
		drf, unb, star := r.of(isDRF, q), r.of(isUNB, q), r.of(isStar, q)
		for i := range r.x {
			apart = max(apart, math.Abs(unb[i]/star[i]-1))
			for k, m := range [][]float64{unb, star} {
				gain := drf[i]/m[i] - 1
				points = min(points, drf[i]-m[i])
				if gain <= .1 && verdict != studies.Differs {
					verdict = studies.Unclear
					// What the intervals of both would allow.
					a, b := r.found[i][q*len(compared)+isDRF], r.found[i][q*len(compared)+[]int{isUNB, isStar}[k]]
					if a.High()/b.Low()-1 <= .1 {
						verdict = studies.Differs
					}
				}
				if i > 0 {
					later = min(later, gain)
				}
				if gain < least {
					least, at = gain, fmt.Sprintf("%s, %s, n = %g", []string{"unb", "bal*"}[k], of, r.x[i])
				}
			}
		}
	}
	s.Claim("Figure 3", "on the Google pool unb and bal* beat drf by more than 10 %", verdict, "at least %.1f %% (%s), from n = 20 on %.1f %%; as a difference of the ratios, %.3f or more", 100*least, at, 100*later, points)
	s.Hold("Figure 3", "there unb and bal* are very close", apart < close, "%.1f %% apart at most", 100*apart)
}
