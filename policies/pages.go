package policies

import "slices"

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
	p.n++
	return Ref(p.n - 1)
}

// Clone returns an independent copy.
func (p *Pages[T]) Clone() Pages[T] {
	c := Pages[T]{slices.Clone(p.pages), p.n}
	for i, page := range c.pages {
		copied := *page
		c.pages[i] = &copied
	}
	return c
}
