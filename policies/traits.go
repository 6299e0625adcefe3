package policies

import "fmt"

// Traits are the properties of a policy. A policy without a method Traits has none of them.
type Traits struct {
	// SingleEvents asks for a round after every single event instead of one for all
	// that happens at an instant. Within the instant arrivals then are first, in
	// trace order, and the rest follows in the order of event classes. It exists for
	// comparison with simulators that work so; between two events of one instant such
	// a policy decides on what it cannot yet know to be out of date.
	SingleEvents bool
	// Packs means that the policy plans with Job.Need and Round.Spare, and so works
	// on pools of several resources as well as on processors.
	Packs bool
	// Places means that it places jobs on the machines of a cluster (Round.StartOn).
	Places bool
	// RanksByBid means that it is a Market which starts waiting jobs in order of
	// bid / Scale. Under other Markets waiting jobs still bid against each other for
	// prices, but which one is next is decided otherwise.
	RanksByBid bool
	// ByScale means that bids matter to the schedule, if at all, only by which of two jobs
	// has the greater bid / Scale: it changes where a bid passes another one, and nowhere
	// between.
	ByScale bool
	// Strict means that waiting jobs start in the policy's order up to the first that does
	// not fit, which keeps those behind it waiting.
	Strict bool
	// Leaves means that a job which is submitted again may leave: it is not for replays in
	// which jobs are.
	Leaves bool
	// Fixed means that it divides a machine whose size never changes.
	Fixed bool
	// Serial means that it is for jobs of one processor.
	Serial bool
	// Resources is how many resources the machine must have, if more than one. On one it would
	// be the policy Single, "" if it is none by name.
	Resources int
	Single    string
	// MostResources is how many it may have at the most, 0 if any number.
	MostResources int
}

// Needs are the facts about jobs that a policy has to know. A policy without a method Needs decides
// without any of it.
type Needs struct {
	// RunTimes are the true ones: only a clairvoyant policy finds them in Job.Run and
	// Job.Left.
	RunTimes bool
	// RecordedWaits are those of the log: Job.Recorded is known to no other policy.
	RecordedWaits bool
	// Estimates means that every job must have one. The engine refuses to give such a
	// policy a job that has none.
	Estimates bool
}

// NeedsOf returns the needs of p, or of the policy it wraps.
func NeedsOf(p Policy) Needs {
	if n, ok := As[interface{ Needs() Needs }](p); ok {
		return n.Needs()
	}
	return Needs{}
}

// TraitsOf returns the traits of p, or of the policy it wraps.
func TraitsOf(p Policy) Traits {
	if t, ok := As[interface{ Traits() Traits }](p); ok {
		return t.Traits()
	}
	return Traits{}
}

// As finds an optional behaviour (Market, Sharer, ...) in p or in what p wraps. A
// policy that wraps another one has a method Unwrap that returns it.
func As[T any](p Policy) (T, bool) {
	for p != nil {
		if t, ok := p.(T); ok {
			return t, true
		}
		w, ok := p.(interface{ Unwrap() Policy })
		if !ok {
			break
		}
		p = w.Unwrap()
	}
	var none T
	return none, false
}

// The kinds of machines.
const (
	OnProcessors = "processors"
	OnPool       = "a pool"
	OnCluster    = "a cluster"
)

// MismatchError says that a policy is not made for a kind of machine.
type MismatchError struct {
	Machine string // OnProcessors, OnPool or OnCluster
	// Resources is how many the policy needs or can do with, There how many a pool has, and
	// Single what the policy would be on processors.
	Resources, There int
	Single           string
}

func (e *MismatchError) Error() string {
	switch e.Machine {
	case OnProcessors:
		text := fmt.Sprintf("the policy is for %d resources, processors are one", e.Resources)
		if e.Single != "" {
			text += ", on which it is equal to " + e.Single
		}
		return text
	case OnPool:
		if e.There > 0 {
			return fmt.Sprintf("the policy is for %d resources, the pool has %d", e.Resources, e.There)
		}
		return "the policy plans with processors, not with a pool of several resources"
	}
	return "the policy does not place jobs on machines"
}
