package truth

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/policies/catalog"
	"bourse/traces/suggest"
)

// Payment is a way to pay: a scheme that the replay bills, or one worked out from copies.
type Payment struct {
	Name string
	kind kind
	from float64 // critical: z0
}

type kind uint8

const (
	billed kind = iota
	critical
	clarke
)

// Own lists the payments that are worked out from copies of a replay.
var Own = []string{"critical", "clarke"}

var criticalParams = []policies.Param{{Name: "from", Default: "0", Doc: "bid from which on time saved is charged"}}

// reserve is the reservation price where nothing else is said.
const reserve = 1

// ParsePayments reads names; critical without a least bid is both of 0 and the reservation
// price, as the choice decides what it takes.
func ParsePayments(names []string) (list []Payment, err error) {
	for _, name := range names {
		some, err := parsePayment(name)
		if err != nil {
			return nil, err
		}
		for _, p := range some {
			if slices.ContainsFunc(list, func(q Payment) bool { return q.Name == p.Name }) {
				return nil, fmt.Errorf("%s is given twice", p.Name)
			}
			list = append(list, p)
		}
	}
	return list, nil
}

func parsePayment(name string) ([]Payment, error) {
	spec, err := policies.ParseSpec(name)
	if err != nil {
		return nil, err
	}
	known := append(catalog.Payments.Names(), Own...)
	first, _, _ := strings.Cut(spec.Name, "+") // of several together
	switch {
	case !slices.Contains(known, first):
		return nil, fmt.Errorf("%q is unknown%s", spec.Name, suggest.Among(spec.Name, known))
	case spec.Name == "clarke":
		_, err := policies.Bind(spec, nil)
		return []Payment{{Name: "clarke", kind: clarke}}, err
	case spec.Name == "critical":
		return parseCritical(spec)
	}
	_, err = catalog.Payments.Make(name)
	if made := (*catalog.Error)(nil); errors.As(err, &made) {
		err = made.Err
	}
	return []Payment{{Name: name}}, err
}

func parseCritical(spec policies.Spec) ([]Payment, error) {
	a, err := policies.Bind(spec, criticalParams)
	if err != nil {
		return nil, err
	}
	from := []float64{0, reserve}
	if len(spec.Args) > 0 {
		from = []float64{a.Float("from", 0, policies.MostMoney)}
	}
	var list []Payment
	for _, z := range from {
		list = append(list, Payment{Name: fmt.Sprintf("critical:%g", z), kind: critical, from: z})
	}
	return list, a.Err()
}

// Billed are schemes that a replay bills.
func Billed(names []string) (list []Payment) {
	for _, name := range names {
		list = append(list, Payment{Name: name})
	}
	return list
}

// schemes are the names of those that a replay bills.
func schemes(list []Payment) (names []string) {
	for _, p := range list {
		if p.kind == billed {
			names = append(names, p.Name)
		}
	}
	return names
}

// defined refuses payments that have no meaning in a scenario.
func defined(list []Payment, s *scenario.Scenario, p policies.Policy, b policies.Bidder) error {
	if table, ok := b.(*bidding.Table); ok && ownNames(list) != "" && table.Changes() {
		return fmt.Errorf("payment %s is for one bid a job, and the table of bids has later ones", ownNames(list))
	}
	if _, spends := policies.As[policies.Spender](p); spends && ownNames(list) != "" {
		return fmt.Errorf("payment %s is for policies under which jobs bid; under %s users spend a budget", ownNames(list),
			s.Policy)
	}
	if s.Feedback && slices.ContainsFunc(list, func(p Payment) bool { return p.kind == clarke }) {
		return errors.New("payment clarke compares the same jobs with and without one of them, and with feedback others " +
			"come because of it")
	}
	return nil
}

// paymentsOf goes over the payments of a kind, by their places.
func (c *Config) paymentsOf(k kind) iter.Seq2[int, Payment] {
	return func(yield func(int, Payment) bool) {
		for i, p := range c.Payments {
			if p.kind == k && !yield(i, p) {
				return
			}
		}
	}
}

func ownNames(list []Payment) string {
	var names []string
	for _, p := range list {
		if p.kind != billed {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}
