package model

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"sort"

	"bourse/traces/rng"
)

// users is the number of users; the real trace has some 930 in its month. The one
// of rank r (from 0) has jobs in proportion to (r + userOffset)^-userExponent,
// which comes near the shares of the first 20 in the parts (TopUsers).
const (
	users        = 930
	userOffset   = 12
	userExponent = 2.45
)

// userShares sums up the users' shares by rank.
func userShares() []float64 {
	sums := make([]float64, users)
	sum := 0.0
	for i := range sums {
		sum += rng.Exp(-userExponent * rng.Log(float64(i+userOffset)))
		sums[i] = sum
	}
	for i := range sums {
		sums[i] = math.Round(sums[i]/sum*1e12) / 1e12
	}
	return sums
}

func drawUser(sums []float64, r *rng.Rand) int {
	return min(sort.SearchFloat64s(sums, r.Float64()), len(sums)-1)
}

// word is a name as the trace has them: a hash in base64. Names do not depend on
// the seed.
func word(kind string, number uint64) string {
	r := rng.Stream(0, "google2011/"+kind, number)
	var hash [32]byte
	for i := 0; i < len(hash); i += 8 {
		binary.LittleEndian.PutUint64(hash[i:], r.Uint64())
	}
	return base64.StdEncoding.EncodeToString(hash[:])
}
