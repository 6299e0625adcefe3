package explain

import (
	"math"
	"slices"

	"bourse/events"
)

// Line is a line of a receipt: one piece, or several next to each other.
type Line struct {
	From, To events.Time
	// Held is the time the job ran between them.
	Held events.Time
	// Use is size x share x seconds, and Low, High and Price the least, the greatest
	// and the mean price of it.
	Use, Low, High, Price float64
	// Pieces is how many prices the line covers.
	Pieces int
	// Cents is the money due. The lines' cents add up to those of the payment: each
	// is what the bill grew by in whole cents, so it may be a cent off its own charge.
	Cents float64
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
			lines = grouped(lines, (len(lines)+limit-1)/limit)
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
		use := s.Size * p.Share * (p.To - p.From).Seconds()
		lines = append(lines, Line{From: p.From, To: p.To, Held: p.To - p.From, Use: use, Low: p.Price, High: p.Price,
			Price:  p.Price,
			Pieces: 1, Cents: due - paid})
		paid = due
	}
	return lines
}

// joined groups the lines of each segment by so many.
func (s *History) joined(lines []Line, each int) []Line {
	var out []Line
	from := 0
	for i := range s.Pieces {
		if s.Pieces[i].Last {
			out = append(out, grouped(lines[from:i+1], each)...)
			from = i + 1
		}
	}
	return out
}

// grouped makes a line of so many.
func grouped(lines []Line, each int) []Line {
	var out []Line
	for some := range slices.Chunk(lines, each) {
		out = append(out, join(some))
	}
	return out
}

// join makes one line of several.
func join(lines []Line) Line {
	sum := lines[0]
	money := lines[0].Price * lines[0].Use
	for _, l := range lines[1:] {
		sum.To = l.To
		sum.Held += l.Held
		sum.Use += l.Use
		money += float64(l.Price * l.Use)
		sum.Low, sum.High = min(sum.Low, l.Low), max(sum.High, l.High)
		sum.Pieces += l.Pieces
		sum.Cents += l.Cents
	}
	if sum.Use > 0 {
		sum.Price = money / sum.Use
	}
	return sum
}

// cents rounds money.
func cents(x float64) float64 { return math.Round(x * 100) }
