package priceanticipating

import (
	"fmt"
	"slices"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// series are estimates against numbers of users or sweeps.
type series struct {
	name string
	x    []int
	y    []stats.Estimate
}

// byUsers is one quantity of one model by the number of users.
func (s *study) byUsers(name string, model int, of quantity) series {
	l := series{name: name}
	for _, p := range s.found[model] {
		l.x, l.y = append(l.x, p.users), append(l.y, p.estimate(of))
	}
	return l
}

// panel and strip are a figure's parts; short begins the headings of its table.
type panel struct {
	title, short, legend string
	series               []series
}

type strip struct {
	y         string
	digits    int
	low, high float64
	panels    []panel
}

// figure prints a table for each strip, at some x or (nil) all, with half the widest interval
// below; it keeps all and draws them.
func (s *study) figure(name, x string, at []int, strips ...strip) error {
	rows := table.New(table.Named("quantity", "panel", "curve", x, "mean", "low", "high")...)
	var grid [][]figures.Drawing
	for _, st := range strips {
		var row []figures.Drawing
		t, last := table.New(table.Col("", x, terminal.Words)), []any{"95 % within"}
		var columns []series
		for _, p := range st.panels {
			drawing := &figures.Panel{Title: p.title, X: x, LogX: x == usersLabel, Y: st.y, Legend: p.legend, YMin: st.low,
				YMax: st.high, Unit: st.high < 2}
			for _, l := range p.series {
				t.Columns = append(t.Columns, table.Col("", strings.TrimSpace(p.short+" "+l.name), terminal.Fixed(st.digits)))
				columns = append(columns, l)
				line, wide := figures.Line{Name: l.name}, 0.0
				for i, e := range l.y {
					rows.Add(st.y, p.title, l.name, l.x[i], e.Mean, e.Low(), e.High())
					if wide = max(wide, e.Half); at == nil || l.x[i] <= 5 || l.x[i]%5 == 0 {
						line.X, line.Y = append(line.X, float64(l.x[i])), append(line.Y, e.Mean)
						line.Low, line.High = append(line.Low, e.Low()), append(line.High, e.High())
					}
				}
				drawing.Lines, last = append(drawing.Lines, line), append(last, wide)
			}
			row = append(row, drawing)
		}
		grid = append(grid, row)
		s.Printf("%s%s\n", map[bool]string{true: "\n"}[len(grid) > 1], st.y)
		for i, v := range columns[0].x {
			if at != nil && !slices.Contains(at, v) {
				continue
			}
			cells := []any{fmt.Sprint(v)}
			for _, l := range columns {
				cells = append(cells, l.y[i].Mean)
			}
			t.Add(cells...)
		}
		t.Add(last...)
		s.Show(t)
	}
	s.Keep(name, rows)
	return s.Draw(name, grid...)
}

const usersLabel = "users"

// points are a model's points with so many users.
func (s *study) points(model, from, to int) []*point {
	var out []*point
	for _, p := range s.found[model] {
		if p.users >= from && p.users <= to {
			out = append(out, p)
		}
	}
	return out
}

// where lists the numbers of users, of those the paper draws, for which something holds.
func (s *study) where(model int, holds func(*point) bool) []int {
	var out []int
	for _, p := range s.points(model, 0, drawn) {
		if holds(p) {
			out = append(out, p.users)
		}
	}
	return out
}

// spread returns the least and largest mean of a quantity over points.
func spread(points []*point, q quantity) (low, high float64) {
	low, high = 1e300, -1e300
	for _, p := range points {
		mean := p.estimate(q).Mean
		low, high = min(low, mean), max(high, mean)
	}
	return low, high
}

// ends are the means at the first and the last of points.
func ends(points []*point, q quantity) (first, last float64) {
	return points[0].estimate(q).Mean, points[len(points)-1].estimate(q).Mean
}

// listed spells numbers of users, "none" if there are none.
func listed(users []int) string {
	if len(users) == 0 {
		return "none"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(users), " ", ", "), "[]")
}
