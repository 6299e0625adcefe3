package payment

import (
	"cmp"
	"fmt"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Shapley divides a fixed cost, as that of the machine, over time by the temporal Shapley value of demand (Fair-CO2,
// ISCA 2025): a job pays for the times at which it ran, which cost more the closer their demand is to the peak that
// the capacity was bought for. All bills add up to the cost. Prices are metered ones, made of the demand first.
type Shapley struct {
	Metered
	Levels []events.Time
	Cost   float64
	// Demand is the input series that is the demand; "" is that of the replay itself.
	Demand string
}

// Needs implements policies.Apportioner.
func (p *Shapley) Needs() bool { return p.Demand == "" }

// Apportion implements policies.Apportioner.
func (p *Shapley) Apportion(demand *events.Steps) error {
	prices, err := Apportion(demand, p.Levels, p.Cost)
	if err != nil {
		return fmt.Errorf("payment shapley: %w", err)
	}
	p.price = Tariff(prices)
	return nil
}

// Divides implements policies.Apportioner.
func (p *Shapley) Divides() (float64, bool) { return p.Cost, p.Needs() }

// ReadSeries implements policies.SeriesReader.
func (p *Shapley) ReadSeries(all []policies.Series) error {
	if p.Needs() {
		return nil
	}
	s, err := policies.FindSeries(all, p.Demand, "payment shapley")
	if err != nil {
		return err
	}
	return p.Apportion(s.Values)
}

// Clone returns an independent copy.
func (p *Shapley) Clone(of policies.Policy) policies.Pricer {
	c := *p
	c.Metered = *p.Metered.Clone(of).(*Metered)
	return &c
}

// Price is what a unit of demand costs per second from one time to another.
type Price struct {
	From, To events.Time
	PerUnit  float64
	Amount   float64 // the part of the cost
}

// Tariff makes a step function of prices that follow each other. At all other times nothing is charged.
func Tariff(prices []Price) *events.Steps {
	var at []events.Time
	var value []float64
	for _, x := range prices {
		at, value = append(at, x.From), append(value, x.PerUnit)
	}
	at, value = append(at, prices[len(prices)-1].To), append(value, 0)
	return events.NewSteps(at, value, events.OnAndOn)
}

// Apportion divides a cost over blocks of time by the temporal Shapley value of a demand. The period of the demand is
// cut into blocks as long as the first level, the last of which takes what is left. Of a game in which a set of blocks
// costs the largest of their peaks P, that of rank k by peak of n blocks has the value (Littlechild and Owen 1973)
//
//	phi(k) = sum over j <= k of (P(j) - P(j-1)) / (n - j + 1), P(0) = 0
//
// and pays C x w / sum of w with w = phi x its use, the integral of its demand. What it pays is divided by the next
// level in the same way. It costs O(n log n) for each level.
func Apportion(demand *events.Steps, levels []events.Time, cost float64) ([]Price, error) {
	pieces := make([]piece, 0, demand.Len())
	for i := range demand.Len() {
		from, to, v := demand.Step(i)
		if !(v >= 0) {
			return nil, fmt.Errorf("the demand is %g from %v on; want 0 or more", v, from)
		}
		if pieces = append(pieces, piece{from, to, v}); to == from && demand.Len() == 1 {
			return nil, fmt.Errorf("the demand is a single row, and for how long it holds is unknown; want two or more")
		}
	}
	from, to := demand.Span()
	whole := blockOf(pieces, from, to)
	if whole.use == 0 {
		return nil, fmt.Errorf("there is no demand at any time, so that the cost cannot be divided by it")
	}
	return whole.divide(nil, levels, cost), nil
}

// piece is a time of one demand.
type piece struct {
	from, to events.Time
	demand   float64
}

// block is a time of which the demand matters as its peak and its integral.
type block struct {
	from, to  events.Time
	pieces    []piece // that overlap it
	peak, use float64
}

func blockOf(pieces []piece, from, to events.Time) block {
	b := block{from: from, to: to, pieces: pieces}
	var use policies.Sum
	for i := range pieces {
		p := &pieces[i]
		if dt := min(to, p.to) - max(from, p.from); dt > 0 {
			b.peak = max(b.peak, p.demand)
			use.Add(float64(p.demand * dt.Seconds()))
		}
	}
	b.use = use.Value()
	return b
}

// divide appends the prices of a block that pays an amount.
func (b *block) divide(to []Price, levels []events.Time, amount float64) []Price {
	if len(levels) == 0 {
		x := Price{From: b.from, To: b.to, Amount: amount}
		if b.use > 0 {
			x.PerUnit = amount / b.use
		}
		return append(to, x)
	}
	parts := b.cut(levels[0])
	var sum policies.Sum
	weights := airport(parts)
	for i := range weights {
		weights[i] = float64(weights[i] * parts[i].use)
		sum.Add(weights[i])
	}
	for i := range parts {
		part := 0.0
		if all := sum.Value(); all > 0 {
			part = float64(amount * (weights[i] / all))
		}
		to = parts[i].divide(to, levels[1:], part)
	}
	return to
}

// cut cuts a block into blocks of a length, the last of which is what is left.
func (b *block) cut(length events.Time) (parts []block) {
	first := 0
	for from := b.from; from < b.to; {
		to := min(b.to, from+length)
		for first < len(b.pieces) && b.pieces[first].to <= from {
			first++
		}
		end := first
		for end < len(b.pieces) && b.pieces[end].from < to {
			end++
		}
		parts = append(parts, blockOf(b.pieces[first:end], from, to))
		from = to
	}
	return parts
}

// airport is the Shapley value of each block in the game of peaks.
func airport(parts []block) []float64 {
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(parts[a].peak, parts[b].peak) })
	phi := make([]float64, len(parts))
	var sum policies.Sum
	last := 0.0
	for k, i := range order {
		sum.Add((parts[i].peak - last) / float64(len(parts)-k))
		phi[i], last = sum.Value(), parts[i].peak
	}
	return phi
}
