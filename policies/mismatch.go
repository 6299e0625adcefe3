package policies

import "fmt"

// The kinds of machines.
const (
	OnProcessors = "processors"
	OnPool       = "a pool"
	OnCluster    = "a cluster"
)

// MismatchError says that a policy is not made for a kind of machine.
type MismatchError struct {
	Machine string // OnProcessors, OnPool or OnCluster
	// Resources is how many the policy needs, on processors.
	Resources int
}

func (e *MismatchError) Error() string {
	switch e.Machine {
	case OnProcessors:
		return fmt.Sprintf("the policy is for %d resources, processors are one", e.Resources)
	case OnPool:
		return "the policy plans with processors, not with a pool of several resources"
	}
	return "the policy does not place jobs on machines"
}
