package fragmentation

import (
	"io"
	"math/bits"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies/gpus"
	"bourse/traces"
	"bourse/traces/rng"
)

// Pods arrive until the end; those before warm are not counted. Pods that ran for less than
// longest leave, so that at warm nothing is left of the machines having been empty.
const (
	hour    = 3600 * events.Second
	longest = 24 * hour
	warm    = longest
	end     = 3 * longest
)

// flow is a workload in the closed loop: pods that leave and services that stay, and in a
// copy of it a stream of them.
type flow struct {
	header           *traces.Header
	leave, stay      []traces.Job
	tooLarge         int     // pods that no machine can hold, left out
	part             float64 // of the GPU time of all, what the pods that leave took
	each             float64 // GPU-seconds of a pod that leaves, on average
	gaps, draws      *rng.Rand
	mean, at, remain float64 // seconds from pod to pod and so far; GPUs that services have yet to ask for
	id               int64
}

// flowing makes jobs of the pods of a workload that have ended.
func (w *workload) flowing(machines []gpus.Node) *flow {
	f := &flow{header: &traces.Header{Name: w.name}}
	f.header.Names.Models = &traces.Words{}
	var all, leaving float64
	for i := range w.pods {
		p := &w.pods[i]
		run, _ := events.FromSeconds(p.run)
		if run <= 0 {
			continue
		}
		if !slices.ContainsFunc(machines, func(n gpus.Node) bool { return n.Fits(&p.ask) }) {
			f.tooLarge++
			continue
		}
		j := traces.UnknownJob
		j.Procs, j.CPU, j.Memory, j.GPU, j.Run = 1, p.ask.CPU, p.ask.Memory, float64(p.ask.GPU())/gpus.Whole, run
		j.Model, j.Priority = f.header.Names.Models.Label([]byte(p.models)), 1
		if p.qos == "BE" { // best effort, in the terms of Kubernetes
			j.Priority = 0
		}
		work := float64(j.GPU * p.run)
		if all += work; run < longest {
			leaving += work
			f.leave = append(f.leave, j)
		} else {
			j.Run = end + longest
			f.stay = append(f.stay, j)
		}
	}
	f.part, f.each = leaving/max(all, 1), leaving/float64(max(len(f.leave), 1))
	return f
}

// offering is a stream of services that ask for stay GPUs at the beginning, and of pods that
// ask for so many GPUs on average all the time.
func (f *flow) offering(gpu, stay float64, seed uint64) *flow {
	c, header := *f, *f.header
	header.Ledger = &traces.Ledger{}
	c.header, c.mean, c.remain = &header, f.each/gpu, stay
	c.gaps, c.draws = rng.New(seed, "arrivals of pods"), rng.New(seed, "pods")
	return &c
}

// Header implements traces.Source.
func (f *flow) Header() *traces.Header { return f.header }

// Next implements traces.Source: pods are drawn with replacement, at times of a Poisson process.
func (f *flow) Next(j *traces.Job) error {
	from := f.stay
	if f.remain <= 0 {
		from = f.leave
		f.at -= float64(f.mean * rng.Log(f.gaps.Open()))
	}
	at, _ := events.FromSeconds(f.at)
	if at >= end {
		return io.EOF
	}
	*j = from[f.draws.IntN(len(from))]
	f.remain -= j.GPU
	f.id++
	j.ID, j.Submit = f.id, at
	f.header.Ledger.Read++
	return nil
}

// cluster is machines in the order that breaks ties, which is drawn.
func (d *data) cluster(nodes []gpus.Node, seed uint64) (c engine.Cluster) {
	for i, k := range rng.New(seed, "order of machines").Perm(len(nodes)) {
		n := &nodes[k]
		e := traces.MachineEvent{Machine: int64(i), CPU: n.CPU, Memory: n.Memory, GPU: float64(len(n.Devices))}
		if n.Model != 0 {
			e.Model = d.models[bits.TrailingZeros64(n.Model)]
		}
		c = append(c, e)
	}
	return c
}
