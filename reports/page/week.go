package page

import (
	"fmt"

	"bourse/reports/terminal"
)

// heatOfWeek is a mean for each hour of each day of the week, from Monday.
type heatOfWeek [7][24]struct{ sum, n float64 }

// days are the names of its rows.
var days = [7]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}

// add takes the means of fine bins of a time.
func (h *heatOfWeek) add(g grid, zero float64, means []float64, scale float64) {
	width := (g.last - g.first) / float64(len(means))
	for i, x := range means {
		at := int64(zero + g.first + float64((float64(i)+.5)*width))
		c := &h[(at/86400+3)%7][at/3600%24] // 1970 began on a Thursday
		c.sum, c.n = c.sum+float64(x*scale), c.n+1
	}
}

// week draws use and queue by hour and day of the week, where there are dates and at least a week of them: a panel for
// each run.
func (p *input) week(id, title, unit, caption string, of func(*gathered, *Run, *heatOfWeek)) *chart {
	const mostPanels = 4
	shown := p.schedules()
	if !p.clock.dates || p.grid.last-p.grid.first < week || len(shown) > mostPanels {
		return nil
	}
	c := &chart{ID: id, Title: title, Data: &data{Names: []string{"run", "day", "hour", "value"}}}
	most, when := 0.0, ""
	for _, s := range shown {
		h := &heatOfWeek{}
		of(p.data[s.at], p.runs[s.at], h)
		for d := range h {
			for hour := range h[d] {
				x := h[d][hour].sum / max(1, h[d][hour].n)
				c.Data.add(s.label, days[d], hour, short(x))
				if x > most {
					most, when = x, fmt.Sprintf("%s %d:00, %s%s", days[d], hour, terminal.Significant(3).Text(x), unit)
				}
			}
		}
	}
	if most == 0 {
		return nil
	}
	c.Caption = caption + " Hours are in UTC. Most: " + when + "." + alike(shown)
	c.Spec = document("week", object{"height": 7 * 18, "days": days[:], "title": title})
	if len(shown) > 1 {
		c.facet("run", labelsOf(shown), 2, 7*18)
		c.Spec["resolve"] = object{"scale": object{"color": "independent"}}
	}
	return c
}

// weeks are the charts of use and queue by hour.
func (p *input) weeks() []*chart {
	if p.pooled() {
		return nil
	}
	return []*chart{
		p.week("week-use", "At which hours is the machine busy?", " %", "Mean use of the machine by hour and day of the week (%).",
			func(g *gathered, r *Run, h *heatOfWeek) {
				for _, band := range g.busy {
					h.add(p.grid, p.clock.zero, band.means(), 100/float64(r.Summary.Machine.Procs))
				}
				for d := range h { // each band has counted its hours
					for hour := range h[d] {
						h[d][hour].n /= float64(len(g.busy))
					}
				}
			}),
		p.week("week-queue", "At which hours do jobs wait?", " jobs", "Mean number of waiting jobs by hour and day of the week.",
			func(g *gathered, _ *Run, h *heatOfWeek) {
				queue := g.inSystem.means()
				for i, x := range g.running.means() {
					queue[i] = max(0, queue[i]-x)
				}
				h.add(p.grid, p.clock.zero, queue, 1)
			}),
	}
}

// busiest is the week of the first run in which most jobs wait; all of a time of less than eight days.
func (p *input) busiest() (w Window, found bool) {
	x := p.data[0].tracks.queue.mean
	n := int(week / p.grid.width())
	if p.grid.last-p.grid.first < 8*86400 || n < 1 || n >= len(x) {
		return w, false
	}
	sum, best, at := 0.0, 0.0, 0
	for i := range x {
		if sum += x[i]; i >= n {
			sum -= x[i-n]
		}
		if i >= n-1 && sum > best {
			best, at = sum, i-n+1
		}
	}
	from := p.grid.first + float64(float64(at)*p.grid.width())
	return Window{from, from + week}, true
}
