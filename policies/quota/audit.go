package quota

import (
	"fmt"

	"bourse/policies"
)

// Audit recomputes what queues use from the jobs that run, and looks for what may not be: a
// limit exceeded, a queue that gave although it did not borrow, and, under reclaim, a job
// that waits within its queue's nominal quota.
func (p *Quota) Audit(r *policies.Round) error {
	again := p.idle.clone()
	for ref := range policies.Ref(r.Jobs.Len()) {
		if j := r.Job(ref); j.State == policies.Running {
			again.add(p.jobs[ref].queue, j.Need)
		}
	}
	for x := range again.nodes {
		n := &again.nodes[x]
		if n.used != p.tree.nodes[x].used {
			return fmt.Errorf("%s uses %v, the policy counts %v", p.nodeName(int32(x)), n.used, p.tree.nodes[x].used)
		}
		if !n.used.Fits(n.most) {
			return fmt.Errorf("%s uses %v, more than %v", p.nodeName(int32(x)), n.used, n.most)
		}
	}
	// Before its last job stopped, a queue borrowed; since then it can only have grown.
	largest := make([]policies.Amount, len(again.nodes))
	for _, ref := range r.Preempted {
		x := p.jobs[ref].queue
		largest[x] = largest[x].Max(r.Job(ref).Need)
	}
	for _, ref := range r.Preempted {
		if x := p.jobs[ref].queue; again.isWithin(x, largest[x]) {
			return fmt.Errorf("job %d was stopped, but %s did not borrow", r.Job(ref).ID, p.nodeName(x))
		}
	}
	if p.rules.Reclaim {
		return p.auditReclaim(r)
	}
	return nil
}

func (p *Quota) auditReclaim(r *policies.Round) error {
	for ref := range policies.Ref(r.Jobs.Len()) {
		j := r.Job(ref)
		if j.State != policies.Waiting {
			continue
		}
		x := p.jobs[ref].queue
		held := p.rules.Strict && int32(ref) != p.waiting.First(p.queues[x].root)
		if !held && p.tree.isWithin(x, j.Need) {
			return fmt.Errorf("job %d waits within the nominal quota of %s", j.ID, p.nodeName(x))
		}
	}
	return nil
}

// nodeName names a node in messages.
func (p *Quota) nodeName(x int32) string {
	t := &p.rules.Table
	switch n := int(x) - 1; {
	case n < 0:
		return "the machine"
	case n < len(t.Cohorts):
		return "cohort " + string(t.Cohorts[n].Name)
	default:
		return "queue " + string(t.Queues[n-len(t.Cohorts)].Name)
	}
}
