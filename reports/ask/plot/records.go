package plot

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/reports/terminal"
	traces "bourse/traces/table"
)

// points is how many points a distribution is drawn with.
const points = 400

// Records draws how a column of jobs is distributed in finished runs: the share of jobs with
// at most x. names are those of the lines.
func Records(runs []*run.Finished, names []string, column string) (*Figure, error) {
	c, err := columnOf(column)
	if err != nil {
		return nil, err
	}
	name := strings.ReplaceAll(strings.TrimSuffix(column, "_s"), "_", " ")
	label := name
	if c.Unit == "s" {
		label += " (s)"
	}
	p := &figures.Panel{X: label, Y: "share of jobs", YMax: 1, Unit: true}
	f := &Figure{Panels: []*figures.Panel{p}, data: table.New(table.Named("run", column, "share")...)}
	least, most, total := math.Inf(1), 0.0, int64(0)
	for i, r := range runs {
		values, err := valuesOf(r, column)
		if err != nil {
			return nil, err
		}
		total = max(total, int64(len(values)))
		slices.Sort(values)
		l := figures.Line{Name: names[i], Bare: true}
		for k := range points {
			x := values[k*(len(values)-1)/(points-1)]
			if n := len(l.X); n > 0 && l.X[n-1] == x {
				continue
			}
			below, _ := slices.BinarySearch(values, math.Nextafter(x, math.Inf(1)))
			share := float64(below) / float64(len(values))
			l.X, l.Y = append(l.X, x), append(l.Y, share)
			least, most = min(least, x), max(most, x)
			f.data.Add(names[i], x, share)
		}
		p.Lines = append(p.Lines, l)
	}
	if most > 1000 && least >= 0 { // a log axis, from 1 on
		p.LogX = true
		for i := range p.Lines {
			l := &p.Lines[i]
			for len(l.X) > 1 && l.X[1] <= 1 { // drawn at 1
				l.X, l.Y = l.X[1:], l.Y[1:]
			}
			l.X[0] = max(1, l.X[0])
		}
	}
	if len(runs) > 1 {
		p.Legend = "br"
	}
	f.Caption = fmt.Sprintf("Share of the jobs whose %s is at most x (%s jobs).", name, terminal.Thousands(total))
	return f, nil
}

// columnOf finds a column of numbers of jobs.
func columnOf(name string) (record.Column, error) {
	var names []string
	for _, c := range record.ColumnsOf(record.JobColumns) {
		if c.Kind == record.Text || c.Kind == record.Bool {
			continue
		}
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return record.Column{}, fmt.Errorf("jobs have no column %q of numbers; want %s", name, strings.Join(names, ", "))
}

// valuesOf reads the known values of a column.
func valuesOf(r *run.Finished, column string) (values []float64, err error) {
	d := r.Dataset("jobs")
	if d == nil {
		return nil, fmt.Errorf("%s has no records of jobs", r.Dir)
	}
	in, err := traces.OpenRows(filepath.Join(r.Dir, d.File), nil, column)
	if err != nil {
		return nil, err
	}
	err = in.Each(func() error {
		x, known, err := in.Known(0)
		if known {
			values = append(values, x)
		}
		return err
	})
	if err == nil && len(values) == 0 {
		err = fmt.Errorf("%s: no job has a %s", r.Dir, column)
	}
	return values, err
}
