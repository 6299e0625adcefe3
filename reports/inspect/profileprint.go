package inspect

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"bourse/events"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/google"
)

// metricNames are the rows of a comparison, each with the spelling of its values.
var metricNames = [numDistributions]struct {
	name string
	text func(float64) string
}{
	distGap: {"between jobs", shortTime}, distSize: {"tasks a job", terminal.Significant(4).Text}, distRun: {"run time", shortTime},
	distWait:     {"recorded wait", shortTime},
	distEstimate: {"requested", shortTime}, distProcs: {"processors", terminal.Significant(4).Text}, distCPU: {"CPU", fraction},
	distMemory:   {"memory", fraction},
	distAttempts: {"attempts", terminal.Significant(4).Text}, distWasted: {"time wasted", shortTime},
}

func shortTime(v float64) string { return events.Time(math.Round(v)).Short() }
func fraction(v float64) string  { return terminal.Significant(4).Text(v * fine) }

// comparedQuantiles are the columns.
var comparedQuantiles = []struct {
	name string
	q    float64
}{{"1 %", 0.01}, {"25 %", 0.25}, {"median", 0.5}, {"75 %", 0.75}, {"99 %", 0.99}}

// Compare writes p and other side by side: quantiles and means of what both tell,
// with their ratio, and shares, with their difference.
func (p *Profile) Compare(w io.Writer, other *Profile) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "A  %s (%s), %s started\nB  %s (%s), %s started\n", p.Header.Name, p.Header.Format,
		terminal.Thousands(p.Jobs), other.Header.Name, other.Header.Format, terminal.Thousands(other.Jobs))
	fmt.Fprintf(out, "\n%-15s %13s", "", "count")
	for _, q := range comparedQuantiles {
		fmt.Fprintf(out, " %9s", q.name)
	}
	fmt.Fprintf(out, " %9s %9s\n", "mean", "distance")
	for l := range numDistributions {
		p.compareLaw(out, other, l)
	}
	fmt.Fprintf(out, "\n%-31s %9s %9s %9s\n", "share of records", "A", "B", "B - A")
	compareShares(out, "priority", p.priorities, other.priorities)
	compareShares(out, "class", p.classes, other.classes)
	a, b := total(p.statuses[:]), total(other.statuses[:])
	for i, name := range statusNames {
		shareRow(out, "status "+name, p.statuses[i], a, other.statuses[i], b)
	}
	for _, n := range []int{1, 10, 100} {
		shareRow(out, fmt.Sprintf("users, the %d with most", n), top(p.users, n), total(values(p.users)), top(other.users, n),
			total(values(other.users)))
	}
	p.compareRows(out, other)
	return out.Flush()
}

// compareLaw writes three lines: A, B, and B/A with the distance of the two.
func (p *Profile) compareLaw(out io.Writer, other *Profile, l metric) {
	a, b := &p.distributions[l], &other.distributions[l]
	if a.count == 0 && b.count == 0 || a.max == 1 && b.max == 1 {
		return
	}
	name := metricNames[l]
	for _, x := range []struct {
		label string
		h     *histogram
	}{{name.name + " A", a}, {fmt.Sprintf("%*s B", len(name.name), ""), b}} {
		fmt.Fprintf(out, "%-15s %13s", x.label, terminal.Thousands(x.h.count))
		if x.h.count > 0 {
			for _, q := range comparedQuantiles {
				fmt.Fprintf(out, " %9s", name.text(float64(x.h.quantile(q.q))))
			}
			fmt.Fprintf(out, " %9s", name.text(x.h.mean()))
		}
		fmt.Fprintln(out)
	}
	if a.count == 0 || b.count == 0 {
		return
	}
	fmt.Fprintf(out, "%*s %13s", -15, fmt.Sprintf("%*s B/A", len(name.name), ""),
		ratio(float64(b.count), float64(a.count)))
	for _, q := range comparedQuantiles {
		fmt.Fprintf(out, " %9s", ratio(float64(b.quantile(q.q)), float64(a.quantile(q.q))))
	}
	fmt.Fprintf(out, " %9s %9.3f\n", ratio(b.mean(), a.mean()), a.distance(b))
}

// ratio writes b/a.
func ratio(b, a float64) string {
	if a == 0 {
		if b == 0 {
			return "1"
		}
		return "-"
	}
	return strconv.FormatFloat(b/a, 'g', 3, 64)
}

// compareShares writes a line for each value that either has.
func compareShares(out io.Writer, name string, a, b map[int32]int64) {
	either := maps.Clone(a)
	maps.Copy(either, b)
	all, other := total(values(a)), total(values(b))
	for _, k := range slices.Sorted(maps.Keys(either)) {
		shareRow(out, fmt.Sprintf("%s %d", name, k), a[k], all, b[k], other)
	}
}

func shareRow(out io.Writer, name string, a, ofA, b, ofB int64) {
	if a == 0 && b == 0 {
		return
	}
	difference := "-"
	if ofA > 0 && ofB > 0 {
		difference = fmt.Sprintf("%+.1f", 100*(float64(b)/float64(ofB)-float64(a)/float64(ofA)))
	}
	fmt.Fprintf(out, "%-31s %9s %9s %9s\n", name, terminal.PercentOf(float64(a), float64(ofA)),
		terminal.PercentOf(float64(b), float64(ofB)), difference)
}

// compareRows writes how many rows of each kind a task has.
func (p *Profile) compareRows(out io.Writer, other *Profile) {
	if p.Rows == nil || other.Rows == nil {
		return
	}
	fmt.Fprintf(out, "\n%-31s %9s %9s %9s\n", "rows a task", "A", "B", "B/A")
	line := func(name string, a, b int64) {
		x, y := float64(a)/float64(max(1, p.Rows.Tasks)), float64(b)/float64(max(1, other.Rows.Tasks))
		if a > 0 || b > 0 {
			fmt.Fprintf(out, "%-31s %9s %9s %9s\n", name, terminal.Significant(4).Text(x), terminal.Significant(4).Text(y), ratio(y, x))
		}
	}
	line("all", total(p.Rows.Rows[:]), total(other.Rows.Rows[:]))
	for k, name := range google.EventKinds {
		line(name, p.Rows.Rows[k], other.Rows.Rows[k])
	}
	line("still running at the end", p.Rows.Censored, other.Rows.Censored)
}

func values[K comparable](m map[K]int64) []int64 { return slices.Collect(maps.Values(m)) }

func total(list []int64) (sum int64) {
	for _, n := range list {
		sum += n
	}
	return sum
}

// top sums up the n largest.
func top(m map[traces.Label]int64, n int) int64 {
	list := values(m)
	slices.Sort(list)
	return total(list[max(0, len(list)-n):])
}
