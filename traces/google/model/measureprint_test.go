package model

import (
	"bytes"
	"fmt"
	"go/format"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// print writes tables.go.
func (m *measured) print(t *testing.T) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package model\n\n// Written by go test -run Measured -update from parts 0 to 13 of the real trace.\n\n")
	fmt.Fprintf(&b, "// measuredTiers are the tiers by priority: %d tasks of %d jobs in %.1f hours.\n", len(m.tasks), len(m.jobs), (m.end-600)/3600)
	fmt.Fprintf(&b, "var measuredTiers = [tiers]tier{\n")
	arriving := 0.0
	for i := range m.tiers {
		arriving += float64(len(m.tiers[i].pops[1].jobs))
	}
	for i := range m.tiers {
		x := &m.tiers[i]
		fmt.Fprintf(&b, "{name: %q,\n", tierNames[i])
		fmt.Fprintf(&b, "before: %s,\narriving: %s,\n", x.pops[0].print(1, &x.pops[0]), x.pops[1].print(1/arriving, &x.pops[0]))
		fmt.Fprintf(&b, "wait: curve%s,\n", row(quantiles(x.waits, valueGrid[:])))
		var again [4]float64
		for c := range again {
			again[c] = x.again[c] / max(1, x.ends[c])
		}
		fmt.Fprintf(&b, "again: [4]float64%s, killedWaiting: %s, updates: %s, alike: %s},\n", row(again[:]), digits(x.killedWaiting/x.submits), digits(x.updates/x.alive), digits(x.alike()))
	}
	fmt.Fprintf(&b, "}\n\n")
	m.printArrivals(&b)
	m.machines.print(&b)
	text, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	return text
}

// print writes a population; jobs are counted in units of 1/scale.
func (p *measuredPop) print(scale float64, before *measuredPop) string {
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
	var lives []string
	for b := range lifeEdges {
		var h [4]float64
		for c := range h {
			n, time := p.events[b][c], p.exposure[b]
			if b == lifeBins-1 { // few are seen to grow so old; those there before have
				n, time = n+before.aged[c], time+before.agedTime
			}
			h[c] = n / max(1, time)
		}
		lives = append(lives, row(h[:]))
	}
	var aged [4]float64
	for c := range aged {
		aged[c] = p.aged[c] / max(1, p.agedTime)
	}
	waiting := p.waiting / max(1, p.tasks)
	return fmt.Sprintf("population{jobs: %s, size: curve%s,\nfew: traits{%s},\nmany: traits{%s},\nmemory: curve%s,\nmissing: %s, waiting: %s, aged: [4]float64%s,\nends: [lifeBins][4]float64{\n%s,\n}}",
		digits(float64(len(p.jobs))*scale), row(quantiles(sizes, sizeGrid[:])), traitsOf(prio[0], class[0], cpu[0]), traitsOf(prio[1], class[1], cpu[1]),
		row(quantiles(memory, valueGrid[:])), digits(p.missing/max(1, p.tasks)), digits(waiting), row(aged[:]), strings.Join(lives, ",\n"))
}

func traitsOf(priority, class, cpu map[float64]float64) string {
	return fmt.Sprintf("priority: %s, class: %s,\ncpu: %s", weights(priority, 12), weights(class, 4), weights(cpu, 12))
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

// printArrivals writes when jobs come: gaps in units of their mean, and the hours.
func (m *measured) printArrivals(b *bytes.Buffer) {
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
	fmt.Fprintf(b, "// hours are the jobs that come in each hour since the window's begin (19:00), in\n// units of the mean; the last %d lie beyond the parts and have the mean.\n", 24-whole)
	fmt.Fprintf(b, "var hours = [24]float64%s\n\n", row(hours[:]))
	fmt.Fprintf(b, "// gaps are times between jobs in units of their mean.\nvar gaps = curve%s\n\n", row(quantiles(gaps, valueGrid[:])))
	fmt.Fprintf(b, "// disk is the disk space that tasks ask for; apart the share that wants machines of\n// their own.\nvar disk, apart = curve%s, %s\n\n", row(quantiles(m.disk, valueGrid[:])), digits(m.apart/float64(len(m.order))))
	var users []float64
	for _, n := range m.users {
		users = append(users, float64(n)/float64(len(firsts)))
	}
	slices.Sort(users)
	slices.Reverse(users)
	fmt.Fprintf(b, "// topUsers are the shares of jobs of the 20 users with most.\nvar topUsers = []float64%s\n", row(users[:20]))
}

// quantiles are the values of rank ceil(q n) at each q of the grid.
func quantiles(v, grid []float64) []float64 {
	out := make([]float64, len(grid))
	slices.Sort(v)
	for i, q := range grid {
		if len(v) > 0 {
			out[i] = v[min(len(v)-1, max(0, int(math.Ceil(q*float64(len(v))))-1))]
		}
	}
	return out
}

// weights lists the commonest values with their shares.
func weights(m map[float64]float64, most int) string {
	var keys []float64
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	slices.SortStableFunc(keys, func(a, b float64) int { return int(math.Copysign(min(1, math.Abs(m[b]-m[a])), m[b]-m[a])) })
	keys = keys[:min(most, len(keys))]
	sum := 0.0
	for _, k := range keys {
		sum += m[k]
	}
	var text []string
	for _, k := range keys {
		text = append(text, fmt.Sprintf("{%s, %s}", strconv.FormatFloat(k, 'g', 4, 64), digits(m[k]/sum)))
	}
	return "[]weighted{" + strings.Join(text, ", ") + "}"
}

func row(v []float64) string {
	text := make([]string, len(v))
	for i, x := range v {
		text[i] = digits(x)
	}
	return "{" + strings.Join(text, ", ") + "}"
}

// digits writes three digits.
func digits(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

var tierNames = [tiers]string{"priority 0", "priority 1", "priority 2", "middle", "production"}
