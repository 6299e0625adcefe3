package waiting

import (
	"fmt"
	"math"

	"bourse/reports/table"
	"bourse/reports/terminal"
)

// The prices of the study, for a CPU and an hour. Reserved capacity is paid for all the time until the last start, at a
// part of the price on demand.
const (
	onDemandPrice = .0624
	spotPrice     = .01248
	reservedPart  = .4
)

// capacity is what the study's jobs may run on besides capacity on demand: reserved CPUs, and for short ones spot
// capacity. Jobs that wait for carbon start earlier where reserved CPUs are free for them, if that is asked for; short
// ones not where they may be on spot capacity.
type capacity struct {
	reserved    int
	first, spot bool
}

// bill is what the jobs come to.
type bill struct{ carbon, dollars, wait float64 }

// run runs the jobs under Carbon-Time on a capacity, tick by tick as the study does: in each tick it walks over all
// that wait in order of submission, and takes what has ended back afterwards.
func (s *study) run(c capacity) (b bill) {
	var queue, rest places
	free, next, last, back := c.reserved, 0, 0, make(map[int]int)
	for t := 0; next < len(s.jobs) || len(queue) > 0; t++ {
		for ; next < len(s.jobs) && s.jobs[next].submit <= t; next++ {
			queue.push(place{next, s.jobs[next].submit})
		}
		for rest = rest[:0]; len(queue) > 0; {
			p := queue.pop()
			j := &s.jobs[p.job]
			spot, fits := c.spot && j.spot, free >= j.cpus
			if ticks(t) < s.saving.start[p.job] && !(c.first && fits && !spot) {
				rest.push(p)
				continue
			}
			price := onDemandPrice
			if last = t; spot {
				price = spotPrice
			} else if fits {
				price, free, back[t+j.length] = 0, free-j.cpus, back[t+j.length]+j.cpus
			}
			b.carbon += float64(float64(j.cpus) / hour * s.carbon.over(t, t+j.length))
			b.dollars += float64(price * float64(j.cpus*j.length) / hour)
			b.wait += float64(t-j.submit) / hour / float64(len(s.jobs))
		}
		queue, rest = rest, queue
		free += back[t]
	}
	b.dollars += float64(reservedPart * onDemandPrice * float64(c.reserved*last) / hour)
	return b
}

// places is a heap in order of submission. Jobs of one tick are in the order in which Python's heapq leaves them, on
// which the printed digits depend.
type places []place

type place struct{ job, submit int }

func (q *places) push(p place) {
	*q = append(*q, p)
	q.up(0, len(*q)-1)
}

func (q *places) pop() place {
	h, n := *q, len(*q)-1
	last := h[n]
	if *q = h[:n]; n == 0 {
		return last
	}
	first, at := h[0], 0
	for child := 1; child < n; child = 2*at + 1 {
		if child+1 < n && h[child].submit >= h[child+1].submit {
			child++
		}
		h[at], at = h[child], child
	}
	h[at] = last
	q.up(0, at)
	return first
}

func (q *places) up(root, at int) {
	h := *q
	p := h[at]
	for at > root && p.submit < h[(at-1)/2].submit {
		h[at], at = h[(at-1)/2], (at-1)/2
	}
	h[at] = p
}

// figure11 and figure12 are the printed numbers. Those of Figure 12 are parts of the largest of its rows.
var (
	figure11 = []struct {
		reserved              int
		carbon, dollars, wait float64
	}{{0, 407.511325, 199.175860, 4.729000}, {3, 436.434616, 178.261269, 4.107833}, {6, 458.996838, 159.717792, 3.282667},
		{9, 480.322255, 142.148535, 2.643676}, {12, 499.898230, 124.225123, 2.068963}, {15, 521.492397, 108.940347, 1.440201},
		{18, 540.444626, 106.546111, .983043}, {21, 550.879753, 109.023581, .637687}, {24, 556.380473, 110.262065, .485908}}
	figure12 = []struct {
		name string
		capacity
		printed bill
	}{
		{"Carbon-Time", capacity{}, bill{.841222, 1, .604682}},
		{"spot first", capacity{spot: true}, bill{.841222, .858983, .604682}},
		{"spot first, Ecovisor", capacity{spot: true}, bill{.741672, .858983, 1}},
		{"spot and 9 reserved", capacity{9, true, true}, bill{1, .589779, .365387}},
		{"spot and 6 reserved", capacity{6, true, true}, bill{.942510, .666424, .442636}},
	}
)

// capacities sets what capacity costs against carbon: Figures 11 and 12.
func (s *study) capacities() error {
	six := terminal.Fixed(6)
	columns := func(key string) *table.Table {
		return table.New(table.KeyCol(key, key), table.Col("carbon", "carbon", six),
			table.Col("carbon_printed", "printed", six), table.Col("dollars", "cost", six),
			table.Col("dollars_printed", "printed", six), table.Col("wait", "wait", six),
			table.Col("wait_printed", "printed", six))
	}
	equal := 0
	add := func(t *table.Table, name string, b, printed bill) {
		t.Add(name, b.carbon, printed.carbon, b.dollars, printed.dollars, b.wait, printed.wait)
		for _, x := range [][2]float64{{b.carbon, printed.carbon}, {b.dollars, printed.dollars}, {b.wait, printed.wait}} {
			if math.Abs(x[0]-x[1]) < 1e-6 {
				equal++
			}
		}
	}
	s.Heading("Figure 11: Carbon-Time that starts jobs early where reserved CPUs are free, by how many there are")
	t := columns("reserved")
	for _, p := range figure11 {
		add(t, fmt.Sprint(p.reserved), s.run(capacity{reserved: p.reserved, first: true}), bill{p.carbon, p.dollars, p.wait})
	}
	s.Show(t)
	s.Hold("Figure 11", "27 numbers", equal == 27, "%d of 27 to the last printed digit", equal)
	if err := s.Keep("figure11", t); err != nil {
		return err
	}
	s.Printf("\ncost: dollars, %g a CPU and hour on demand; reserved CPUs are paid for all the time at %g of that. "+
		"wait: mean, in hours.\n", onDemandPrice, reservedPart)
	s.Heading("Figure 12: the same with spot capacity for jobs of at most two hours, as parts of the most")
	bills, most := make([]bill, len(figure12)), bill{}
	for i, p := range figure12 {
		if bills[i] = s.run(p.capacity); i == 2 { // of which jobs start when they start does not depend on the capacity
			bills[i].carbon, bills[i].wait = s.low*s.now, s.lowWait
		}
		most = bill{max(most.carbon, bills[i].carbon), max(most.dollars, bills[i].dollars), max(most.wait, bills[i].wait)}
	}
	t, equal = columns("capacity"), 0
	for i, p := range figure12 {
		b := bills[i]
		add(t, p.name, bill{b.carbon / most.carbon, b.dollars / most.dollars, b.wait / most.wait}, p.printed)
	}
	s.Show(t)
	s.Hold("Figure 12", "15 numbers", equal == 15, "%d of 15 to the last printed digit", equal)
	nine := s.run(capacity{reserved: 9, first: true})
	saved := func(b bill) (cost, carbon float64) {
		return 100 * (1 - b.dollars/bills[0].dollars), 100 * (s.now - b.carbon) / (s.now - bills[0].carbon)
	}
	cost, carbon := saved(nine)
	both, kept := saved(bills[3])
	s.Found("Figures 11 and 12", "what saves money costs carbon", "9 reserved CPUs save %.0f %% of the cost and keep %.0f "+
		"%% of the carbon saved; with spot capacity for short jobs %.0f and %.0f %%", cost, carbon, both, kept)
	return s.Keep("figure12", t)
}
