package dynamicsharing

import "bourse/reports/terminal"

// lowWorth is what a unit beyond the demand is worth where the impossibility is tried, in parts of one
// within it.
var lowWorth = .5

// sharing is a mechanism for two agents and one round: how many of the units the first one gets, by what
// both report; the second gets the others.
type sharing struct {
	units int
	first [][]int
}

// efficient yields every way to hand out all units such that none goes to an agent beyond its demand
// while the other could use it.
func efficient(units int, yield func(*sharing)) {
	x := &sharing{units: units, first: make([][]int, units+1)}
	for d := range x.first {
		x.first[d] = make([]int, units+1)
	}
	var fill func(cell int)
	fill = func(cell int) {
		a, b := cell/(units+1), cell%(units+1)
		if a > units {
			yield(x)
			return
		}
		least, most := units-b, a // both want what there is, or more
		if a+b < units {
			least, most = a, units-b
		}
		for x.first[a][b] = least; x.first[a][b] <= most; x.first[a][b]++ {
			fill(cell + 1)
		}
	}
	fill(0)
}

// utility is that of so many units for an agent of a demand.
func utility(units, demand int) float64 {
	return float64(min(units, demand)) + float64(lowWorth*float64(max(0, units-demand)))
}

// willing reports whether both agents always get what so many units of the first one's own, and the
// others of the second one's, are worth to them.
func (x *sharing) willing(own int) bool {
	for a, row := range x.first {
		for b, got := range row {
			if utility(got, a) < utility(own, a) || utility(x.units-got, b) < utility(x.units-own, b) {
				return false
			}
		}
	}
	return true
}

// honest reports whether no agent ever gains by another report.
func (x *sharing) honest() bool {
	for a, row := range x.first {
		for b, got := range row {
			for lie := range x.first {
				if utility(x.first[lie][b], a) > utility(got, a) || utility(x.units-row[lie], b) > utility(x.units-got, b) {
					return false
				}
			}
		}
	}
	return true
}

// impossible tries every efficient mechanism that hands out whole units.
func (s *study) impossible() {
	all, willing, honest := int64(0), int64(0), int64(0)
	for _, units := range []int{2, 3} {
		efficient(units, func(x *sharing) {
			all++
			for own := 1; own < units; own++ {
				if x.willing(own) {
					willing++
				}
			}
			if x.honest() {
				honest++
			}
		})
	}
	const reading = "every way to hand out 2 or 3 whole units to two agents in one round, by demands from 0 to all units, a unit " +
		"beyond the demand being worth %g of one within it; a mechanism for many rounds is one for one round, too. "
	s.Hold("Section 2", "no mechanism is efficient and has sharing incentives", willing == 0,
		"of %s efficient mechanisms %s have them", terminal.Thousands(all), terminal.Thousands(willing)).
		Read(reading+"Where the demands add up to what there is efficiency leaves no choice, and who demands less than it "+
			"owns gets less", lowWorth)
	s.Hold("Section 2", "no mechanism is efficient and strategy-proof", honest == 0,
		"of %s efficient mechanisms %s are strategy-proof", terminal.Thousands(all), terminal.Thousands(honest)).
		Read(reading+"Where both report all units somebody gets some, which is more than the truth brings if its demand is 0",
			lowWorth)
}
