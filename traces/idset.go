package traces

// IDSet remembers which job numbers were seen: a sparse bitmap, one bit a
// number in pages of 512. Logs number their jobs almost without gaps, so it
// costs about a bit and a half a job (10^8 jobs: 20 MB); scattered 64-bit
// numbers cost about a page, 80 bytes, each.
type IDSet struct {
	pages map[int64]*idPage
	last  *idPage // the page used last: neighbours are asked for together
	at    int64
	slab  []idPage // pages yet unused, made in bulk
}

type idPage [8]uint64

// Add puts id into the set and reports whether it is new.
func (s *IDSet) Add(id int64) bool {
	page, bit := id>>9, uint(id)&511
	if s.last == nil || s.at != page {
		s.openPage(page)
	}
	word := &s.last[bit>>6]
	mask := uint64(1) << (bit & 63)
	fresh := *word&mask == 0
	*word |= mask
	return fresh
}

// Has reports whether id is in the set.
func (s *IDSet) Has(id int64) bool {
	p := s.pages[id>>9]
	return p != nil && p[uint(id)&511>>6]&(1<<(uint(id)&63)) != 0
}

func (s *IDSet) openPage(page int64) {
	s.at, s.last = page, s.pages[page]
	if s.last != nil {
		return
	}
	if s.pages == nil {
		s.pages = map[int64]*idPage{}
	}
	if len(s.slab) == 0 {
		s.slab = make([]idPage, 64)
	}
	s.last, s.slab = &s.slab[0], s.slab[1:]
	s.pages[page] = s.last
}
