package model

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"sort"
	"strconv"

	"bourse/events"
	"bourse/traces/google"
	"bourse/traces/rng"
)

// The rows are written with the columns that google/schema.go lists, in their order.

// taskRow is a row of task_events. tail is what the rows of its job share, from
// the user on.
type taskRow struct {
	at      events.Time
	job     int64
	tail    string
	index   int32
	machine int32 // -1 for none
	kind    google.Kind
	missing bool // put in by the trace's makers
}

// jobRow is a row of job_events.
type jobRow struct {
	at    events.Time
	job   int64
	user  int32
	kind  google.Kind
	class int8
}

func (r *taskRow) append(b []byte) []byte {
	b = strconv.AppendInt(b, int64(r.at), 10)
	b = append(b, ',')
	if r.missing {
		b = append(b, '2')
	}
	b = append(b, ',')
	b = strconv.AppendInt(b, r.job, 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(r.index), 10)
	b = append(b, ',')
	if r.machine >= 0 {
		b = strconv.AppendInt(b, machineNumber(r.machine), 10)
	}
	b = append(b, ',', '0'+byte(r.kind))
	return append(b, r.tail...)
}

func (r *jobRow) append(b []byte, user string) []byte {
	b = strconv.AppendInt(b, int64(r.at), 10)
	b = append(b, ',', ',')
	b = strconv.AppendInt(b, r.job, 10)
	b = append(b, ',', '0'+byte(r.kind), ',')
	b = append(b, user...)
	b = append(b, ',', '0'+byte(r.class), ',')
	b = append(b, word("job", uint64(r.job))...)
	b = append(b, ',')
	b = append(b, word("logical", uint64(r.user)*8+uint64(r.job)%8)...)
	return append(b, '\n')
}

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
