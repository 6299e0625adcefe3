package priceanticipating

import (
	"fmt"
	"strconv"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/studies"
	"bourse/reports/terminal"
)

const usersLabel = "users"

// curve is one quantity of one model against the number of users.
type curve struct {
	name  string
	model int
	of    quantity
}

// line makes a curve's line; points beyond `most` users are left out, 0 none.
func (s *study) line(c curve, most int) figures.Line {
	l := figures.Line{Name: c.name}
	for _, p := range s.found[c.model] {
		if most > 0 && p.users > most {
			continue
		}
		e := p.of(c.of)
		l.X, l.Y = append(l.X, float64(p.users)), append(l.Y, e.Mean)
		l.Low, l.High = append(l.Low, e.Low()), append(l.High, e.High())
	}
	return l
}

// lines are those of several curves.
func (s *study) lines(curves ...curve) []figures.Line {
	var out []figures.Line
	for _, c := range curves {
		out = append(out, s.line(c, 0))
	}
	return out
}

// tabulate prints curves of one model against users, with half the widest
// interval of each below.
func (s *study) tabulate(digits int, curves ...curve) {
	head := []string{"users"}
	for _, c := range curves {
		head = append(head, c.name)
	}
	t := terminal.NewTable(head...)
	wide := make([]float64, len(curves))
	for i := range userCounts {
		cells := []string{strconv.Itoa(userCounts[i])}
		for k, c := range curves {
			e := s.found[c.model][i].of(c.of)
			wide[k] = max(wide[k], e.Half)
			cells = append(cells, fmt.Sprintf("%.*f", digits, e.Mean))
		}
		t.Row(cells...)
	}
	cells := []string{"95 % within"}
	for _, v := range wide {
		cells = append(cells, fmt.Sprintf("%.*f", digits, v))
	}
	t.Row(cells...)
	s.Table(t)
}

// keep writes curves as CSV, one row per point.
func (s *study) keep(name string, curves []curve) error {
	rows := studies.Columns("preferences", "curve", "users", "mean", "low", "high")
	for _, c := range curves {
		for _, p := range s.found[c.model] {
			e := p.of(c.of)
			rows.Add(models[c.model], c.name, p.users, e.Mean, e.Low(), e.High())
		}
	}
	return s.Keep(name, rows)
}

// where lists the numbers of users for which something holds.
func (s *study) where(model int, holds func(*point) bool) []int {
	var out []int
	for _, p := range s.found[model] {
		if holds(p) {
			out = append(out, p.users)
		}
	}
	return out
}

// spread returns the least and largest mean of a quantity over the points with
// `from` users and more.
func (s *study) spread(model int, q quantity, from int) (low, high float64) {
	low, high = 1e300, -1e300
	for _, p := range s.found[model] {
		if p.users >= from {
			mean := p.of(q).Mean
			low, high = min(low, mean), max(high, mean)
		}
	}
	return low, high
}

// listed spells numbers of users, "none" if there are none.
func listed(users []int) string {
	if len(users) == 0 {
		return "none"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(users), " ", ", "), "[]")
}
