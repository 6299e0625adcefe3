package quota

import (
	"fmt"
	"strings"
)

// Table is a tree whose leaves are queues and whose inner nodes are cohorts; the machine is
// its root.
type Table struct {
	Queues  []Node `toml:"queue"`
	Cohorts []Node `toml:"cohort"`
}

// others is the name of the queue of all jobs without a queue.
const others = "*"

// Name is the name of a node: a label as the log spells it.
type Name string

// UnmarshalTOML takes whole numbers for names, too.
func (n *Name) UnmarshalTOML(value any) error {
	*n = Name(fmt.Sprint(value))
	return nil
}

// Node is a queue or a cohort.
type Node struct {
	Name Name
	// Cohort is that it belongs to; "": the machine itself.
	Cohort Name
	// Nominal is a queue's own part of the machine, in any unit: quotas are taken as parts
	// of their sum. A cohort has what its queues have.
	Nominal *float64
	// Borrow is how much it may use above that, nil: no limit. Lend is how much of it others
	// may use, nil: all.
	Borrow, Lend *float64
	// Weight divides its share value, nil: 1. With 0 it is the first to give what it borrows.
	Weight *float64
}

// links checks the table and returns each node's parent: cohorts count from 1 in their
// order, then the queues; the machine is 0.
func (t *Table) links() (parents []int32, err error) {
	if len(t.Queues) == 0 {
		return nil, fmt.Errorf("a table of quotas without queues")
	}
	cohorts, err := numbers("cohort", t.Cohorts)
	if err != nil {
		return nil, err
	}
	if _, err := numbers("queue", t.Queues); err != nil {
		return nil, err
	}
	parents, sum := []int32{-1}, 0.0
	for i, n := range t.nodes() {
		kind := "cohort"
		if i >= len(t.Cohorts) {
			kind = "queue"
		}
		if err := n.check(kind); err != nil {
			return nil, err
		}
		if n.Nominal != nil {
			sum += *n.Nominal
		}
		parent, known := cohorts[n.Cohort]
		if !known && n.Cohort != "" {
			return nil, fmt.Errorf("%s %s is in cohort %s, which the table does not have", kind, n.Name, n.Cohort)
		}
		parents = append(parents, parent)
	}
	if !(sum > 0) {
		return nil, fmt.Errorf("the nominal quotas add up to 0; want one above 0")
	}
	return parents, t.cycle(parents)
}

// nodes are the cohorts and then the queues.
func (t *Table) nodes() []Node { return append(t.Cohorts[:len(t.Cohorts):len(t.Cohorts)], t.Queues...) }

// numbers finds nodes by name.
func numbers(kind string, nodes []Node) (map[Name]int32, error) {
	found := map[Name]int32{}
	for i, n := range nodes {
		if n.Name == "" {
			return nil, fmt.Errorf("the table has a %s without a name", kind)
		}
		if found[n.Name] != 0 {
			return nil, fmt.Errorf("the table has %s %s twice", kind, n.Name)
		}
		found[n.Name] = int32(i) + 1
	}
	return found, nil
}

func (n *Node) check(kind string) error {
	for _, x := range []struct {
		name  string
		value *float64
	}{{"nominal", n.Nominal}, {"borrow", n.Borrow}, {"lend", n.Lend}, {"weight", n.Weight}} {
		if x.value != nil && !(*x.value >= 0 && *x.value <= 1e12) {
			return fmt.Errorf("%s %s: %s %g; want a number from 0 to 1e12", kind, n.Name, x.name, *x.value)
		}
	}
	switch {
	case kind == "queue" && n.Nominal == nil:
		return fmt.Errorf("queue %s has no nominal quota", n.Name)
	case kind == "cohort" && n.Nominal != nil:
		return fmt.Errorf("cohort %s has a nominal quota; want it with its queues, whose sum it has", n.Name)
	}
	return nil
}

// cycle refuses cohorts that are in each other.
func (t *Table) cycle(parents []int32) error {
	for i := range t.Cohorts {
		names := []string{string(t.Cohorts[i].Name)}
		for x := parents[i+1]; x > 0; x = parents[x] {
			names = append(names, string(t.Cohorts[x-1].Name))
			if len(names) > len(t.Cohorts) {
				return fmt.Errorf("cohorts are in each other: %s", strings.Join(names, " in "))
			}
		}
	}
	return nil
}
