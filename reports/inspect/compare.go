package inspect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/google"
)

// metric is a row of a comparison, with the divisor and the unit of its values.
type metric struct {
	name  string
	scale float64
	unit  terminal.Unit
}

var metrics = [numDistributions]metric{
	distGap: {"between jobs", 1e6, terminal.Seconds}, distSize: {"tasks a job", 1, digits},
	distRun: {"run time", 1e6, terminal.Seconds}, distWait: {"recorded wait", 1e6, terminal.Seconds},
	distEstimate: {"requested", 1e6, terminal.Seconds}, distProcs: {"processors", 1, digits},
	distCPU: {"CPU", 1 / fine, digits}, distMemory: {"memory", 1 / fine, digits},
	distAttempts: {"attempts", 1, digits}, distWasted: {"time wasted", 1e6, terminal.Seconds},
}

var digits = terminal.Significant(4)

// comparedQuantiles are the columns.
var comparedQuantiles = []struct {
	name, heading string
	q             float64
}{{"p1", "1 %", 0.01}, {"p25", "25 %", 0.25}, {"median", "median", 0.5}, {"p75", "75 %", 0.75}, {"p99", "99 %", 0.99}}

// Compare is p and other side by side: quantiles and means of what both have, with their
// ratio, and shares, with their difference.
func (p *Profile) Compare(other *Profile) *table.Report {
	started := func(p *Profile) string {
		return fmt.Sprintf("%s (%s), %s started", p.Header.Name, p.Header.Format, terminal.Thousands(p.Jobs))
	}
	both := table.New(table.Headed(terminal.Words, "A", started(p))...)
	both.Columns[1].Key, both.Columns[1].Sentence = true, true
	both.Add("B", started(other))
	laws := p.compareLaws(other)
	r := &table.Report{Data: laws, Tables: []*table.Table{both, laws, p.compareShares(other)}}
	if p.Rows != nil && other.Rows != nil {
		r.Tables = append(r.Tables, p.compareRows(other))
	}
	return r
}

// compareLaws has three rows a metric: A, B, and B/A with the distance of the two.
func (p *Profile) compareLaws(other *Profile) *table.Table {
	t := table.New(table.Col("metric", "", terminal.Words), table.Col("of", "", terminal.Words),
		table.Col("", " ", terminal.Words), table.Col("count", "count", terminal.Number))
	t.Name = "distributions"
	for _, q := range comparedQuantiles {
		t.Columns = append(t.Columns, table.Col(q.name, q.heading, terminal.Number))
	}
	t.Columns = append(t.Columns, table.Col("mean", "mean", terminal.Number),
		table.Col("distance", "distance", terminal.Fixed(3)))
	for l := range numDistributions {
		a, b := &p.distributions[l], &other.distributions[l]
		if a.count == 0 && b.count == 0 || a.max == 1 && b.max == 1 {
			continue
		}
		m, blank := metrics[l], strings.Repeat(" ", len(metrics[l].name))
		t.Add(append([]any{m.name, "A", m.name + " A"}, cells(a.values(), m.cell)...)...)
		t.Add(append([]any{m.name, "B", blank + " B"}, cells(b.values(), m.cell)...)...)
		if a.count > 0 && b.count > 0 {
			x, y := a.values(), b.values()
			row := cells(x, func(i int, _ float64) table.Cell { return ratio(y[i], x[i]) })
			row[len(row)-1] = a.distance(b)
			t.Add(append([]any{m.name, "B/A", blank + " B/A"}, row...)...)
		}
	}
	return t
}

// values are the count, the compared quantiles and the mean.
func (h *histogram) values() []float64 {
	list := []float64{float64(h.count)}
	for _, q := range comparedQuantiles {
		list = append(list, float64(h.quantile(q.q)))
	}
	return append(list, h.mean())
}

// cell is that of the i-th value of a histogram.
func (m metric) cell(i int, x float64) table.Cell {
	if i == 0 {
		return table.Count(int64(x))
	}
	return figure(m.unit, x/m.scale)
}

// cells are those of values, and an empty one for the distance; of no values there is the count.
func cells(values []float64, cell func(int, float64) table.Cell) (row []any) {
	for i, x := range values {
		if row = append(row, table.Missing.As(" ")); i == 0 || values[0] > 0 {
			row[i] = cell(i, x)
		}
	}
	return append(row, table.Missing.As(" "))
}

// ratio is the cell of b/a.
func ratio(b, a float64) table.Cell {
	switch {
	case a == 0 && b == 0:
		return figure(terminal.Significant(3), 1)
	case a == 0:
		return table.Missing.As("-")
	}
	return figure(terminal.Significant(3), b/a)
}

// compareShares has a row for each value that either trace has.
func (p *Profile) compareShares(other *Profile) *table.Table {
	t := table.New(table.Col("of", "share of records", terminal.Words), table.Col("a", "A", terminal.Number),
		table.Col("b", "B", terminal.Number), table.Col("difference", "B - A", terminal.Number))
	t.Name = "shares"
	row := func(name string, a, ofA, b, ofB int64) {
		if a == 0 && b == 0 {
			return
		}
		x, y := part(float64(a), float64(ofA)), part(float64(b), float64(ofB))
		difference := table.Missing
		if ofA > 0 && ofB > 0 {
			d := y.Value().Mean - x.Value().Mean
			difference = table.Number(d).As(fmt.Sprintf("%+.1f", 100*d))
		}
		t.Add(name, x, y, difference)
	}
	byNumber := func(name string, a, b map[int32]int64) {
		either := maps.Clone(a)
		maps.Copy(either, b)
		for _, k := range slices.Sorted(maps.Keys(either)) {
			row(fmt.Sprintf("%s %d", name, k), a[k], total(values(a)), b[k], total(values(b)))
		}
	}
	byNumber("priority", p.priorities, other.priorities)
	byNumber("class", p.classes, other.classes)
	for i, name := range statusNames {
		row("status "+name, p.statuses[i], total(p.statuses[:]), other.statuses[i], total(other.statuses[:]))
	}
	for _, n := range []int{1, 10, 100} {
		row(fmt.Sprintf("users, the %d with most", n), top(p.users, n), total(values(p.users)), top(other.users, n),
			total(values(other.users)))
	}
	return t
}

// compareRows is how many rows of each kind a task of a Google trace has.
func (p *Profile) compareRows(other *Profile) *table.Table {
	t := table.New(table.Col("kind", "rows a task", terminal.Words), table.Col("a", "A", digits), table.Col("b", "B", digits),
		table.Col("ratio", "B/A", terminal.Number))
	t.Name = "rows_a_task"
	row := func(name string, a, b int64) {
		x, y := float64(a)/float64(max(1, p.Rows.Tasks)), float64(b)/float64(max(1, other.Rows.Tasks))
		if a > 0 || b > 0 {
			t.Add(name, x, y, ratio(y, x))
		}
	}
	row("all", total(p.Rows.Rows[:]), total(other.Rows.Rows[:]))
	for k, name := range google.EventKinds {
		row(name, p.Rows.Rows[k], other.Rows.Rows[k])
	}
	row("still running at the end", p.Rows.Censored, other.Rows.Censored)
	return t
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
