// Package rng provides named streams of random numbers.
//
// Every consumer of randomness draws from a stream of its own, identified by a
// name and, where each job has its draw, by the job's number as a key. Adding
// a consumer, or one more draw in one of them, then never shifts another.
//
// What a stream yields depends on nothing but seed, name, key and the calls
// made: not on the machine either, because Norm, Gamma, Exp and Log round after
// every operation instead of leaving a fused multiply-add to the compiler.
package rng

import "math/rand/v2"

// Rand is a stream. Its Rand methods that draw whole numbers and Float64 are
// exact on every machine; for others use the methods of this package.
type Rand struct {
	*rand.Rand
	pcg   *rand.PCG
	base  uint64 // seed and name, mixed
	spare float64
	full  bool // spare holds a normal deviate
}

// New returns the stream called name under seed, at key 0.
func New(seed uint64, name string) *Rand { return Stream(seed, name, 0) }

// Stream returns the stream called name under seed, at key.
func Stream(seed uint64, name string, key uint64) *Rand {
	// FNV-1a over the name separates names; mixing spreads their difference,
	// and the seed's, over all bits.
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	pcg := rand.NewPCG(0, 0)
	r := &Rand{Rand: rand.New(pcg), pcg: pcg, base: SplitMix64(SplitMix64(seed, 1)^h, 1)}
	r.Key(key)
	return r
}

// Key sets the stream to its beginning for key. It does not allocate.
func (r *Rand) Key(key uint64) {
	lo := SplitMix64(r.base, key+1)
	r.pcg.Seed(lo, SplitMix64(lo^r.base, 1))
	r.full = false
}

// SplitMix64 is the n-th number, from 1, of the generator of that name with this seed.
// Every bit of its input touches every bit of its output (Steele, Lea and Flood, OOPSLA
// 2014).
func SplitMix64(seed, n uint64) uint64 {
	z := seed + n*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
