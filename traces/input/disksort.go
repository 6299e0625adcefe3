package input

import (
	"bufio"
	"io"
	"slices"
	"unsafe"

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
	Limit int // items in memory; 0 means as many as sortedInMemory bytes hold
	// The items are large, as jobs are: they stay where they are put, in chunks, and their places are sorted.
	chunks [][]T
	places []int32
	at     int
	runs   []*sortedRun[T, P]
	heap   []*sortedRun[T, P]
}

// sortedInMemory is the number of bytes sorted at a time, chunk the number of items in a chunk.
const (
	sortedInMemory = 90 << 20
	chunk          = 1 << 10
)

// sortedRun is a sorted piece on disk.
type sortedRun[T any, P storable[T]] struct {
	file *files.ScratchFile
	z    io.ReadCloser
	in   *bufio.Reader
	head T
	buf  []byte
}

func (s *DiskSorter[T, P]) Add(x *T) error {
	i := len(s.places)
	if i/chunk == len(s.chunks) {
		s.chunks = append(s.chunks, make([]T, chunk))
	}
	*s.item(int32(i)) = *x
	s.places = append(s.places, int32(i))
	limit := s.Limit
	if limit == 0 {
		limit = sortedInMemory / int(unsafe.Sizeof(*x))
	}
	if len(s.places) < limit {
		return nil
	}
	return s.spill()
}

func (s *DiskSorter[T, P]) item(place int32) P { return P(&s.chunks[place/chunk][place%chunk]) }

// order sorts the places. Among equal items the order is any, but the same each time.
func (s *DiskSorter[T, P]) order() {
	slices.SortFunc(s.places, func(a, b int32) int { return s.item(a).Compare(s.item(b)) })
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
	for _, place := range s.places {
		s.item(place).Encode(r.buf)
		if _, err := z.Write(r.buf); err != nil {
			return err
		}
	}
	s.places = s.places[:0]
	return z.Close()
}

// Sort ends the adding.
func (s *DiskSorter[T, P]) Sort() error {
	if len(s.runs) == 0 {
		s.order()
		return nil
	}
	if len(s.places) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.chunks, s.places = nil, nil
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
		if s.at == len(s.places) {
			return io.EOF
		}
		*x = *s.item(s.places[s.at])
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
	s.chunks, s.places, s.runs, s.heap = nil, nil, nil, nil
	return nil
}
