package model

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// tables are what parts 0 to 13 of the trace, 19.5 hours, and its table of machines
// say. measure_test.go measures it and writes measured.json.
type tables struct {
	Tiers [tiers]tier
	// Hours are the jobs that come in each hour since the window's begin (19:00), in
	// units of the mean; the last 5 lie beyond the parts and have the mean.
	Hours [24]float64
	Gaps  curve   // times between jobs in units of their mean
	Disk  curve   // the disk space that tasks ask for
	Apart float64 // the share of tasks that want machines of their own
	// TopUsers are the shares of jobs of the 20 users with most.
	TopUsers []float64
	Shapes   []shape // the machines by CPU and memory
	// Outages and Restated are how often a machine is removed, and is recorded again as it is,
	// in the 29 days.
	Outages, Restated curve
	Away              curve   // for how long a machine goes, in seconds
	Returning         float64 // the share that comes back
}

//go:embed measured.json
var measuredText []byte

// measured returns the tables, which are read when they are first asked for.
var measured = sync.OnceValue(func() *tables {
	t := &tables{}
	if err := json.Unmarshal(measuredText, t); err != nil {
		panic(err)
	}
	return t
})
