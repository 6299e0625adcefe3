package policies

const (
	pageBits = 8
	pageLen  = 1 << pageBits // small replays and forks take a page at least
)

// Pages is a table indexed by Ref that grows by pages and so is never moved: a table
// of millions of live jobs that grew by copying would be there twice whenever it
// does. The zero Pages is empty.
type Pages[T any] struct {
	pages []*[pageLen]T
	n     int
}

// At returns the entry of ref, which must be in the table. The pointer stays good.
func (p *Pages[T]) At(ref Ref) *T { return &p.pages[uint32(ref)>>pageBits][ref&(pageLen-1)] }

// Len returns the number of entries.
func (p *Pages[T]) Len() int { return p.n }

// Add appends a zero entry and returns its place.
func (p *Pages[T]) Add() Ref {
	if p.n == len(p.pages)*pageLen {
		p.pages = append(p.pages, new([pageLen]T))
	}
	ref := Ref(p.n)
	p.n++
	*p.At(ref) = *new(T) // a copy's page has been used before
	return ref
}

// CopyTo makes to an independent copy, in its own pages and more if it has too few.
func (p *Pages[T]) CopyTo(to *Pages[T]) {
	for len(to.pages) < len(p.pages) {
		to.pages = append(to.pages, new([pageLen]T))
	}
	to.n = p.n
	for i, page := range p.pages {
		*to.pages[i] = *page
	}
}
