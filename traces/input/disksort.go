package input

import (
	"bufio"
	"io"
	"slices"

	"bourse/traces/files"
	"bourse/traces/zst"
)

// storable is what a DiskSorter needs of *T: an order, and a form of fixed size on
// disk.
type storable[T any] interface {
	*T
	Compare(*T) int
	Size() int
	Encode([]byte)
	Decode([]byte)
}

// DiskSorter puts any number of items in order with bounded memory: what does not fit
// is written to temporary files, sorted piece by piece, and merged while it is
// read.
type DiskSorter[T any, P storable[T]] struct {
	Limit int // items in memory; 0 means sortedInMemory
	items []T
	at    int
	runs  []*sortedRun[T, P]
	heap  []*sortedRun[T, P]
}

// sortedInMemory is the number of items sorted at a time: some 90 MB of jobs.
const sortedInMemory = 1 << 19

// sortedRun is a sorted piece on disk.
type sortedRun[T any, P storable[T]] struct {
	file *files.ScratchFile
	z    io.ReadCloser
	in   *bufio.Reader
	head T
	buf  []byte
}

func (s *DiskSorter[T, P]) Add(x *T) error {
	s.items = append(s.items, *x)
	limit := s.Limit
	if limit == 0 {
		limit = sortedInMemory
	}
	if len(s.items) < limit {
		return nil
	}
	return s.spill()
}

func (s *DiskSorter[T, P]) order() {
	slices.SortFunc(s.items, func(a, b T) int { return P(&a).Compare(&b) })
}

// spill writes the items in memory to a file, in order.
func (s *DiskSorter[T, P]) spill() error {
	f, err := files.Scratch()
	if err != nil {
		return err
	}
	var size P
	r := &sortedRun[T, P]{file: f, buf: make([]byte, size.Size())}
	s.runs = append(s.runs, r)
	s.order()
	z, err := zst.NewScratchWriter(f)
	if err != nil {
		return err
	}
	for i := range s.items {
		P(&s.items[i]).Encode(r.buf)
		if _, err := z.Write(r.buf); err != nil {
			return err
		}
	}
	s.items = s.items[:0]
	return z.Close()
}

// Sort ends the adding.
func (s *DiskSorter[T, P]) Sort() error {
	if len(s.runs) == 0 {
		s.order()
		return nil
	}
	if len(s.items) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.items = nil
	for _, r := range s.runs {
		if _, err := r.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		var err error
		if r.z, err = zst.NewScratchReader(r.file); err != nil {
			return err
		}
		r.in = bufio.NewReader(r.z)
		if err := r.fetch(); err != nil {
			return err
		}
		s.heap = append(s.heap, r)
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.sink(i)
	}
	return nil
}

// Next returns the items in order; io.EOF ends.
func (s *DiskSorter[T, P]) Next(x *T) error {
	if len(s.runs) == 0 {
		if s.at == len(s.items) {
			return io.EOF
		}
		*x = s.items[s.at]
		s.at++
		return nil
	}
	if len(s.heap) == 0 {
		return io.EOF
	}
	*x = s.heap[0].head
	switch err := s.heap[0].fetch(); err {
	case nil:
	case io.EOF:
		last := len(s.heap) - 1
		s.heap[0] = s.heap[last]
		s.heap = s.heap[:last]
	default:
		return err
	}
	s.sink(0)
	return nil
}

// sink restores the heap below i. It is no events.Heap, which orders by a key and a
// number: rows of tables have an order of many fields.
func (s *DiskSorter[T, P]) sink(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(s.heap); c++ {
			if P(&s.heap[c].head).Compare(&s.heap[least].head) < 0 {
				least = c
			}
		}
		if least == i {
			return
		}
		s.heap[i], s.heap[least] = s.heap[least], s.heap[i]
		i = least
	}
}

func (r *sortedRun[T, P]) fetch() error {
	if _, err := io.ReadFull(r.in, r.buf); err != nil {
		return err
	}
	P(&r.head).Decode(r.buf)
	return nil
}

// Close removes the files.
func (s *DiskSorter[T, P]) Close() error {
	for _, r := range s.runs {
		if r.z != nil {
			r.z.Close()
		}
		r.file.Close()
	}
	s.items, s.runs, s.heap = nil, nil, nil
	return nil
}
