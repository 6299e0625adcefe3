package explain

import (
	"math"
	"slices"
)

// Line is a line of a receipt: one piece, or several next to each other.
type Line struct {
	From float64 `json:"from_s" head:"from" unit:"since"` // since the submission
	To   float64 `json:"to_s" head:"to" unit:"since"`
	// Held is the time the job ran between them, Share the mean part of its request that it
	// held then, and use is size x share x seconds.
	Held  float64 `json:"held_s" head:"seconds" unit:"exact"`
	Share float64 `json:"share" head:"share" unit:"parts"`
	use   float64
	// Price, Low and High are the mean, the least and the greatest price.
	Price float64 `json:"price" head:"price" unit:"rate"`
	Low   float64 `json:"lowest_price" head:"lowest" unit:"rate"`
	High  float64 `json:"highest_price" head:"highest" unit:"rate"`
	// Charge is the money due, in whole cents. The lines' charges add up to the payment: each is
	// what the bill grew by in whole cents, so it may be a cent off its own product.
	Charge float64 `json:"charge" head:"charge" unit:"money"`
	cents  float64
	// Prices is how many the line covers.
	Prices int `json:"prices"`
}

// Receipt is a bill in at most limit lines, no limit if that is 0. It lists every
// price. Where those are too many, neighbouring ones of a segment are joined; where the
// segments, each from a start to a stop, a new bid or a new share, are too many,
// neighbouring segments are.
func (s *History) Receipt(limit int) []Line {
	lines := s.everyPrice()
	if limit <= 0 || len(lines) <= limit {
		return lines
	}
	if s.Segments > limit/2 {
		lines = s.joined(lines, len(lines)) // a line a segment
		if len(lines) > limit {
			lines = s.grouped(lines, (len(lines)+limit-1)/limit)
		}
		return lines
	}
	room := limit - s.Segments // each segment may end with a group that is not full
	return s.joined(lines, (len(lines)+room-1)/room)
}

// everyPrice makes a line of each piece.
func (s *History) everyPrice() []Line {
	lines := make([]Line, 0, len(s.Pieces))
	billed := 0.0 // the bill at the start of the segment,
	within := 0.0 // what the segment has charged,
	paid := 0.0   // and the lines so far, in cents
	for i := range s.Pieces {
		p := &s.Pieces[i]
		within += p.Charge
		due := cents(billed + within)
		if p.Last {
			due = cents(p.Billed)
			billed, within = p.Billed, 0
		}
		held := (p.To - p.From).Seconds()
		lines = append(lines, s.line(Line{From: s.since(p.From), To: s.since(p.To), Held: held,
			use: s.Size * p.Share * held, Price: p.Price, Low: p.Price, High: p.Price, Prices: 1, cents: due - paid}))
		paid = due
	}
	return lines
}

// line returns a line with what follows from its sums.
func (s *History) line(l Line) Line {
	l.Share, l.Charge = 1, l.cents/100
	if l.Held > 0 { // else it is a fee
		l.Share = l.use / (s.Size * l.Held)
	}
	return l
}

// joined groups the lines of each segment by so many.
func (s *History) joined(lines []Line, each int) []Line {
	var out []Line
	from := 0
	for i := range s.Pieces {
		if s.Pieces[i].Last {
			out = append(out, s.grouped(lines[from:i+1], each)...)
			from = i + 1
		}
	}
	return out
}

// grouped makes a line of so many.
func (s *History) grouped(lines []Line, each int) []Line {
	var out []Line
	for some := range slices.Chunk(lines, each) {
		out = append(out, s.join(some))
	}
	return out
}

// join makes one line of several.
func (s *History) join(lines []Line) Line {
	sum := lines[0]
	money := lines[0].Price * lines[0].use
	for _, l := range lines[1:] {
		sum.To = l.To
		sum.Held += l.Held
		sum.use += l.use
		money += float64(l.Price * l.use)
		sum.Low, sum.High = min(sum.Low, l.Low), max(sum.High, l.High)
		sum.Prices += l.Prices
		sum.cents += l.cents
	}
	if sum.use > 0 {
		sum.Price = money / sum.use
	}
	return s.line(sum)
}

// cents rounds money.
func cents(x float64) float64 { return math.Round(x * 100) }
