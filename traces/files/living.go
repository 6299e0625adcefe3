package files

import "sync"

// living are the claims and unfinished files of this process, for Abandon.
var living registry

type registry struct {
	mu   sync.Mutex
	all  map[abandoner]struct{}
	gate sync.RWMutex // read-locked while a set is published
}

type abandoner interface{ abandon() }

func (r *registry) add(x abandoner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[abandoner]struct{}{}
	}
	r.all[x] = struct{}{}
}

// drop reports whether x was there.
func (r *registry) drop(x abandoner) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.all[x]
	delete(r.all, x)
	return ok
}

// Abandon removes what this process has not completed, for a program that ends without
// waiting for its parts. A set that is being published is waited for; after that nothing
// can be created or published any more.
func Abandon() {
	living.gate.Lock()
	living.mu.Lock()
	for _, directories := range []bool{false, true} { // which go when they are empty
		for x := range living.all {
			if _, ok := x.(*Claim); ok == directories {
				x.abandon()
			}
		}
	}
}
