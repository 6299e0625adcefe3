package sweep

import (
	"slices"
	"sync"
)

// kept is the last few values that cells have asked for: cells that share one stand
// together. One worker makes a value while others that want it wait.
type kept[K comparable, V any] struct {
	most int
	mu   sync.Mutex
	last []*keptValue[K, V] // oldest first
}

type keptValue[K comparable, V any] struct {
	key   K
	mu    sync.Mutex
	made  bool
	value V
}

// get returns a key's value, made at the first call.
func (k *kept[K, V]) get(key K, made func() (V, error)) (V, error) {
	x := k.find(key)
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.made {
		value, err := made()
		if err != nil {
			return value, err
		}
		x.value, x.made = value, true
	}
	return x.value, nil
}

func (k *kept[K, V]) find(key K) *keptValue[K, V] {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, x := range k.last {
		if x.key == key {
			return x
		}
	}
	x := &keptValue[K, V]{key: key}
	if k.last = append(k.last, x); len(k.last) > k.most {
		k.last = slices.Delete(k.last, 0, 1)
	}
	return x
}
