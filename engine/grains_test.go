package engine

import (
	"math"
	"testing"

	"bourse/policies"
	"bourse/traces"
)

// TestPoolOfFour: needs, sizes and refusals read every resource that a pool has.
func TestPoolOfFour(t *testing.T) {
	m, err := Pool{CPU: 16, Memory: 64, GPU: 4, Disk: 100, Machines: 16}.open(policies.Traits{Packs: true})
	if err != nil {
		t.Fatal(err)
	}
	job := traces.UnknownJob
	job.Procs, job.CPU, job.Memory, job.GPU, job.Disk = 2, 4, 8, .75, 5
	need := m.need(&job)
	if units := m.units(need); units != (policies.Amount{CPU: 8, Memory: 16, GPU: 1.5, Disk: 10}) {
		t.Errorf("%+v", units)
	}
	if size := m.size(need); size != 8 { // CPU and its share of .5 dominate 1.5 of 4 GPUs
		t.Errorf("size %g", size)
	}
	if job.GPU = 1; m.size(m.need(&job)) != 8 || m.refuse(m.need(&job)) != "" {
		t.Error("two of four GPUs", m.size(m.need(&job)), m.refuse(m.need(&job)))
	}
	if job.GPU = 1.5; m.size(m.need(&job)) != 12 {
		t.Error("three of four GPUs", m.size(m.need(&job)))
	}
	job.GPU = 3
	if got, want := m.refuse(m.need(&job)), "asks for 8 CPU, 16 memory, 6 GPUs and 10 disk, the pool has 16 CPU, 64 "+
		"memory, 4 GPUs and 100 disk"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	job.GPU = math.Inf(1)
	if got := m.refuse(m.need(&job)); got != "asks for an amount that is not finite" {
		t.Error(got)
	}
	plain := traces.UnknownJob
	plain.Procs = 3
	if units := m.units(m.need(&plain)); units != (policies.Amount{CPU: 3}) {
		t.Errorf("what is unknown is asked for: %+v", units)
	}
}

// TestPoolNamesWhatThereIs: without GPUs neither the pool nor a need speaks of them.
func TestPoolNamesWhatThereIs(t *testing.T) {
	for want, c := range map[string]struct {
		pool Pool
		gpu  float64
	}{
		"asks for 8 CPU and 0 memory, the pool has 4 CPU and 2 memory":                {Pool{CPU: 4, Memory: 2}, -1},
		"asks for 8 CPU and 0 GPUs, the pool has 4 CPU and 2 GPUs":                    {Pool{CPU: 4, GPU: 2}, -1},
		"asks for 8 CPU, 0 memory and 16 GPUs, the pool has 4 CPU and 2 memory":       {Pool{CPU: 4, Memory: 2}, 2},
		"asks for 8 CPU, 0 memory and 4 GPUs, the pool has 4 CPU, 2 memory and 1 GPU": {Pool{CPU: 4, Memory: 2, GPU: 1}, .5},
	} {
		c.pool.Machines = 4
		m, err := c.pool.open(policies.Traits{Packs: true})
		if err != nil {
			t.Fatal(err)
		}
		job := traces.UnknownJob
		job.Procs, job.GPU = 8, c.gpu
		if got := m.refuse(m.need(&job)); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
