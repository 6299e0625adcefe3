package model

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// print writes measured.json.
func (m *measurement) print(t *testing.T) []byte {
	out := tables{Disk: quantiles(m.disk, valueGrid[:]), Apart: digits(m.apart / float64(len(m.order)))}
	arriving := 0.0
	for i := range m.tiers {
		arriving += float64(len(m.tiers[i].pops[1].jobs))
	}
	for i := range m.tiers {
		x := &m.tiers[i]
		to := &out.Tiers[i]
		*to = tier{
			Name: tierNames[i], Before: x.pops[0].table(1, &x.pops[0]), Arriving: x.pops[1].table(1/arriving, &x.pops[0]),
			Wait:          quantiles(x.waits, valueGrid[:]),
			KilledWaiting: digits(x.killedWaiting / x.submits), Updates: digits(x.updates / x.alive), Alike: digits(x.alike()),
		}
		for c := range to.Again {
			to.Again[c] = digits(x.again[c] / max(1, x.ends[c]))
		}
	}
	m.arrivals(&out)
	m.machines.table(&out)
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	// Lists and objects of numbers stand on a line each.
	text = regexp.MustCompile(`[\[{][^\[\]{}]*[\]}]`).ReplaceAllFunc(text, func(b []byte) []byte {
		return regexp.MustCompile(`\s*\n\s*`).ReplaceAll(b, nil)
	})
	return append(text, '\n')
}

// table makes a population; jobs are counted in units of 1/scale.
func (p *measuredPop) table(scale float64, before *measuredPop) population {
	var sizes, memory []float64
	var prio, class, cpu [2]map[float64]float64
	for i := range 2 {
		prio[i], class[i], cpu[i] = map[float64]float64{}, map[float64]float64{}, map[float64]float64{}
	}
	for _, j := range p.jobs {
		sizes = append(sizes, float64(j.tasks))
		size, n := 0, 1.0
		if j.tasks > fewTasks {
			size, n = 1, float64(j.tasks)
		}
		prio[size][float64(j.priority)] += n
		class[size][float64(j.class)] += n
		if j.cpu < 0 {
			continue
		}
		cpu[size][j.cpu] += n
		for range j.tasks {
			memory = append(memory, j.memory)
		}
	}
	out := population{
		Jobs: digits(float64(len(p.jobs)) * scale), Size: quantiles(sizes, sizeGrid[:]),
		Memory: quantiles(memory, valueGrid[:]),
		Few:    traitsOf(prio[0], class[0], cpu[0]), Many: traitsOf(prio[1], class[1], cpu[1]),
		Missing: digits(p.missing / max(1, p.tasks)), Waiting: digits(p.waiting / max(1, p.tasks)),
	}
	for c := range out.Aged {
		for b := range lifeEdges {
			n, time := p.events[b][c], p.exposure[b]
			if b == lifeBins-1 { // few are seen to grow so old; those there before have
				n, time = n+before.aged[c], time+before.agedTime
			}
			out.Ends[b][c] = digits(n / max(1, time))
		}
		out.Aged[c] = digits(p.aged[c] / max(1, p.agedTime))
	}
	return out
}

func traitsOf(priority, class, cpu map[float64]float64) traits {
	return traits{weights(priority, 12), weights(class, 4), weights(cpu, 12)}
}

// alike is the share of the variance of ln(life) that lies between jobs (the
// intraclass correlation), of first attempts in jobs with 5 that ended.
func (x *measuredTier) alike() float64 {
	var groups [][]float64
	n, sum, square := 0.0, 0.0, 0.0
	for i := range x.pops {
		for _, j := range x.pops[i].jobs {
			if len(j.lives) < 5 {
				continue
			}
			slices.Sort(j.lives)
			groups = append(groups, j.lives)
			for _, v := range j.lives {
				n++
				sum += v
				square += v * v
			}
		}
	}
	within := 0.0
	for _, g := range groups {
		s, q := 0.0, 0.0
		for _, v := range g {
			s += v
			q += v * v
		}
		within += (q - s*s/float64(len(g))) / float64(len(g)-1) * float64(len(g))
	}
	return max(0, 1-within/n/(square/n-sum/n*sum/n))
}

// arrivals says when jobs come: gaps in units of their mean, and the hours.
func (m *measurement) arrivals(out *tables) {
	var firsts []float64
	var hours [24]float64
	for i := range m.tiers {
		for _, j := range m.tiers[i].pops[1].jobs {
			firsts = append(firsts, j.first)
			hours[int(j.first-600)/3600]++
		}
	}
	slices.Sort(firsts)
	whole := int(m.end-600) / 3600
	var gaps []float64
	mean := 0.0
	for h := range whole {
		mean += hours[h] / float64(whole)
	}
	for i := 1; i < len(firsts); i++ {
		gaps = append(gaps, (firsts[i]-firsts[i-1])*float64(len(firsts))/(m.end-600))
	}
	for h := range hours { // the hours not seen count as the mean
		hours[h] /= mean
		if h >= whole {
			hours[h] = 1
		}
	}
	for h, x := range hours {
		out.Hours[h] = digits(x)
	}
	out.Gaps = quantiles(gaps, valueGrid[:])
	var users []float64
	for _, n := range m.users {
		users = append(users, float64(n)/float64(len(firsts)))
	}
	slices.Sort(users)
	slices.Reverse(users)
	for _, share := range users[:20] {
		out.TopUsers = append(out.TopUsers, digits(share))
	}
}

// quantiles are the values of rank ceil(q n) at each q of the grid.
func quantiles(v, grid []float64) curve {
	out := make(curve, len(grid))
	slices.Sort(v)
	for i, q := range grid {
		if len(v) > 0 {
			out[i] = digits(v[min(len(v)-1, max(0, int(math.Ceil(q*float64(len(v))))-1))])
		}
	}
	return out
}

// weights lists the commonest values with their shares.
func weights(m map[float64]float64, most int) []weighted {
	var keys []float64
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	slices.SortStableFunc(keys,
		func(a, b float64) int { return int(math.Copysign(min(1, math.Abs(m[b]-m[a])), m[b]-m[a])) })
	keys = keys[:min(most, len(keys))]
	sum := 0.0
	for _, k := range keys {
		sum += m[k]
	}
	var out []weighted
	for _, k := range keys {
		out = append(out, weighted{rounded(k, 4), digits(m[k] / sum)})
	}
	return out
}

// digits rounds to three digits.
func digits(x float64) float64 { return rounded(x, 3) }

func rounded(x float64, digits int) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	return y
}

var tierNames = [tiers]string{"priority 0", "priority 1", "priority 2", "middle", "production"}
