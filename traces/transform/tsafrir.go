package transform

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
)

// Tsafrir, Etsion and Feitelson, "Modeling user runtime estimates", JSSPP 2005:
// users choose few round values. Twenty of them, the head, hold 89 % of the jobs;
// the rest, the tail, is spread over many. A distribution of estimates is made
// first and then assigned to the jobs so that no estimate is below its run time.
// Values fixed by the user are left out. Times are whole seconds.

const (
	headValues = 20
	headShare  = 89.0 // per cent of the jobs
	hour       = 3600
	day        = 24 * hour
)

// mode is one value of the estimate and its share of the jobs in per cent.
type mode struct {
	seconds int64
	share   float64
}

// distinct is the number of values used by n jobs (section 4.1): piecewise
// linear, constant from 250,000 jobs on.
func distinct(n int) int {
	knots := [...][2]float64{{0, 0}, {20, 10}, {200, 20}, {1000, 35}, {10_000, 90}, {70_000, 340}, {250_000, 565}}
	x := float64(n)
	for i := 1; i < len(knots); i++ {
		a, b := knots[i-1], knots[i]
		if x <= b[0] {
			return int(math.Round(a[1] + float64((b[1]-a[1])*(x-a[0]))/(b[0]-a[0])))
		}
	}
	return 565
}

// headTimes returns the popular values for a greatest estimate of m seconds: m
// first, the rest ascending (section 4.2). The last unit, a minute, is ours: the
// paper's run out below a limit of 100 minutes.
func headTimes(m int64) []int64 {
	rest := make([]int64, 0, headValues)
	for _, t := range [...]int64{300, 600, 900, 1200, 1800, hour, 2 * hour, 3 * hour, 4 * hour, 5 * hour, 6 * hour,
		8 * hour, 10 * hour, 12 * hour, 18 * hour} {
		if t < m {
			rest = append(rest, t)
		}
	}
	for _, unit := range [...]int64{200 * hour, 100 * hour, 50 * hour, 10 * hour, 5 * hour, 2 * hour, hour, 1200, 600, 300,
		60} {
		for t := m / unit * unit; t > 0 && len(rest) < headValues-1; t -= unit {
			if t != m && !slices.Contains(rest, t) {
				rest = append(rest, t)
			}
		}
	}
	slices.Sort(rest)
	return append([]int64{m}, rest...)
}

// headSize is the share of the xth most popular value (section 4.3).
func headSize(rank int) float64 {
	if rank > 1 {
		return float64(14.0491*rng.Exp(float64(-0.177531*float64(rank)))) + 0.462513
	}
	left := headShare
	for x := 2; x <= headValues; x++ {
		left -= headSize(x)
	}
	return left
}

// popularity holds, for each place of a head value in order of time, its rank of
// popularity in the paper's four logs (SDSC-106, CTC, KTH4h, Blue).
var popularity = [headValues][4]int{
	{3, 1, 1, 1}, {1, 3, 4, 6}, {4, 4, 10, 5}, {17, 2, 14, 3}, {13, 12, 20, 7}, {7, 9, 2, 2}, {8, 8, 3, 18},
	{18, 18, 7, 19}, {2, 6, 12, 4}, {6, 7, 6, 11}, {16, 11, 19, 20}, {10, 20, 5, 9}, {5, 16, 18, 10}, {15, 5, 16, 14},
	{14, 14, 9, 13}, {19, 13, 17, 16}, {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8}, {20, 19, 11, 12},
}

// headRanks draws which head value has which popularity (section 4.4): slot 0, the
// greatest estimate, is the most popular; the others follow one of the logs, the
// more popular of two, and no rank is left behind the last log that has it.
func headRanks(r *rng.Rand) [headValues]int {
	var last [headValues + 1]int
	for slot, row := range popularity {
		for _, rank := range row {
			last[rank] = slot
		}
	}
	ranks, taken := [headValues]int{1}, [headValues + 1]bool{1: true}
	var pool []int
	for slot := 1; slot < headValues; slot++ {
		for _, rank := range popularity[slot] {
			if !taken[rank] {
				pool = append(pool, rank)
			}
		}
		rank := 0
		for x := headValues; x > 1; x-- {
			if !taken[x] && (last[x] <= slot || len(pool) == 0) {
				rank = x // due
			}
		}
		if rank == 0 {
			rank = min(pool[r.IntN(len(pool))], pool[r.IntN(len(pool))])
		}
		ranks[slot], taken[rank] = rank, true
		pool = slices.DeleteFunc(pool, func(x int) bool { return x == rank })
	}
	return ranks
}

// tail returns the unpopular values for k values in all (section 4.5): times by a
// fractional model, sizes by a power law, matched at random. A time that is taken
// moves by some seconds, and is dropped if that does not help.
func tail(r *rng.Rand, k int, m int64, used map[int64]bool) []mode {
	n := k - headValues
	if n <= 0 {
		return nil
	}
	a := 1 + float64(12.1039*rng.Exp(float64(-0.6026*rng.Log(float64(k)))))
	var modes []mode
	for i := 1; i <= n; i++ {
		x := float64(i) / float64(n)
		minute := 60 * int64(math.Round(float64(m)*(float64((a-1)*x)/(a-x))/60))
		for _, shift := range [...]int64{0, 30, -30, 20, -20, 10, -10} {
			if t := minute + shift; t > 0 && t < m && !used[t] {
				used[t] = true
				modes = append(modes, mode{seconds: t})
				break
			}
		}
	}
	total := 0.0
	for i := range modes {
		modes[i].share = rng.Exp(float64(-2.267 * rng.Log(float64(headValues+1+i))))
		total += modes[i].share
	}
	for i := range modes {
		modes[i].share *= (100 - headShare) / total
	}
	r.Shuffle(len(modes), func(i, j int) { modes[i].share, modes[j].share = modes[j].share, modes[i].share })
	return modes
}

// estimateModes draws the distribution of the estimates of n jobs, at most m seconds.
func estimateModes(r *rng.Rand, n int, m int64) []mode {
	times, ranks := headTimes(m), headRanks(r)
	used := map[int64]bool{}
	var modes []mode
	for slot, t := range times {
		used[t] = true
		modes = append(modes, mode{t, headSize(ranks[slot])})
	}
	return append(modes, tail(r, distinct(n), m, used)...)
}

// fill turns shares into counts that add up to n (section 4.6), the largest modes
// taking up the difference; every value is used at least once if there are enough
// jobs. It returns the estimates in descending order.
func fill(modes []mode, n int) []int64 {
	slices.SortStableFunc(modes, func(a, b mode) int { return cmp.Compare(b.share, a.share) })
	least := 0
	if n >= 2*len(modes) {
		least = 1
	}
	counts, sum := make([]int, len(modes)), 0
	for i, b := range modes {
		counts[i] = max(least, int(math.Round(float64(b.share*float64(n))/100)))
		sum += counts[i]
	}
	for i := 0; sum != n; i = (i + 1) % len(modes) {
		switch {
		case sum < n:
			counts[i]++
			sum++
		case counts[i] > least:
			counts[i]--
			sum--
		}
	}
	estimates := make([]int64, 0, n)
	for i, b := range modes {
		for range counts[i] {
			estimates = append(estimates, b.seconds)
		}
	}
	slices.SortFunc(estimates, func(a, b int64) int { return cmp.Compare(b, a) })
	return estimates
}

// assign gives each job an estimate that is not below its run time (section 4.7):
// jobs by run time, longest first, each draws from the estimates still there that
// are long enough. Run times above m count as m here.
func assign(r *rng.Rand, jobs []traces.Job, estimates []int64, m int64) error {
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(jobs[b].Run, jobs[a].Run)
	})
	enough := 0 // estimates[:enough] are at least the run time
	for j, i := range order {
		run := min(jobs[i].Run, events.Time(m)*events.Second)
		for enough < len(estimates) && events.Time(estimates[enough])*events.Second >= run {
			enough++
		}
		if enough <= j {
			return fmt.Errorf("estimates of at most %d s cannot be assigned: %d jobs run for %v or longer and only %d of the "+
				"estimates drawn are as long; give the model a greater maximum, as in tsafrir:%d",
				m, j+1, run, enough, 2*m)
		}
		k := j + r.IntN(enough-j)
		estimates[j], estimates[k] = estimates[k], estimates[j]
		jobs[i].Estimate = events.Time(estimates[j]) * events.Second
	}
	return nil
}

// queueLimit is the model's maximum where none is named: the longest run
// time, up to a limit such as queues have.
func queueLimit(jobs []traces.Job) int64 {
	longest := int64(0)
	for i := range jobs {
		longest = max(longest, int64((jobs[i].Run+events.Second-1)/events.Second))
	}
	for _, hours := range [...]int64{1, 2, 4, 6, 8, 12, 18, 24, 36, 48, 72, 96, 120, 168, 240, 336, 504, 720} {
		if longest <= hours*hour {
			return hours * hour
		}
	}
	return (longest + 30*day - 1) / (30 * day) * (30 * day)
}
