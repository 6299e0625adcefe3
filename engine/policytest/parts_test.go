package policytest_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"bourse/engine/policytest"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/policies/catalog"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
	"bourse/traces/formats"
)

// faults collects what a kit finds.
type faults struct{ list []string }

func (*faults) Helper() {}
func (f *faults) Errorf(text string, args ...any) {
	f.list = append(f.list, fmt.Sprintf(text, args...))
}

// requireFault wants a kit to find something, or with want "" nothing.
func requireFault(t *testing.T, what, want string, run func(policytest.TB)) {
	t.Helper()
	var f faults
	run(&f)
	if found := strings.Join(f.list, "; "); !strings.Contains(found, want) || want == "" && found != "" {
		t.Errorf("%s: the kit finds %q, want %q", what, found, want)
	}
}

// late bills what it does not say: nothing, though its price is 1.
type late struct{ policies.Pricer }

func (late) Close(policies.Ref, *policies.Job) float64  { return 0 }
func (l late) Clone(of policies.Policy) policies.Pricer { return late{l.Pricer.Clone(of)} }

// shared keeps its sums when it is copied.
type shared struct{ policies.Pricer }

func (s shared) Clone(policies.Policy) policies.Pricer { return s }

func TestRunPrice(t *testing.T) {
	bids := func() policies.Policy { return &sched.HighestBid{} }
	for what, x := range map[string]struct {
		want  string
		price func(policies.Policy) policies.Pricer
	}{
		"first":  {"", func(policies.Policy) policies.Pricer { return payment.NewFirst(1) }},
		"kth":    {"", func(p policies.Policy) policies.Pricer { return payment.NewKth(p.(policies.Market), 1) }},
		"late":   {"its prices add up to", func(policies.Policy) policies.Pricer { return late{payment.NewPosted(1)} }},
		"shared": {policytest.Copies, func(policies.Policy) policies.Pricer { return shared{payment.NewFirst(1)} }},
	} {
		requireFault(t, what, x.want, func(tb policytest.TB) { policytest.RunPrice(tb, bids, x.price) })
	}
}

// counting bids what depends on how many have been asked for before.
type counting struct{ n float64 }

func (c *counting) Bid(*traces.Job) (policies.Offer, error) {
	c.n++
	return policies.Offer{Value: 1, Bid: c.n}, nil
}

func TestRunBidder(t *testing.T) {
	values, err := catalog.Values.Make("bimodal")
	if err != nil {
		t.Fatal(err)
	}
	for what, x := range map[string]struct {
		want  string
		fresh func() policies.Bidder
	}{
		"bimodal":  {"", func() policies.Bidder { return bidding.NewModel(values, nil, 3) }},
		"nothing":  {"", func() policies.Bidder { return bidding.NewModel(nil, nil, 3) }},
		"counting": {"draws must depend on the job alone", func() policies.Bidder { return &counting{} }},
		"below":    {"want 0 to", func() policies.Bidder { return &counting{-9} }},
	} {
		requireFault(t, what, x.want, func(tb policytest.TB) { policytest.RunBidder(tb, x.fresh) })
	}
}

// few is a source of three jobs with one of several faults.
type few struct {
	fault string
	n     int64
	h     traces.Header
}

func (f *few) Header() *traces.Header { return &f.h }

func (f *few) Next(j *traces.Job) error {
	if f.n == 3 {
		return io.EOF
	}
	if f.n++; f.fault != "unset" {
		*j = traces.UnknownJob
	}
	if f.fault != "uncounted" {
		f.h.Ledger.Read++
	}
	j.ID, j.Procs, j.Run, j.Submit = f.n, 1, events.Second, events.Time(f.n)*events.Second
	if f.fault == "unsorted" {
		j.Submit = -j.Submit
	}
	return nil
}

func TestRunSource(t *testing.T) {
	for fault, want := range map[string]string{"": "", "unset": "with every field set", "uncounted": "its ledger has 0 records",
		"unsorted": "job 2 was submitted at -2s, before the one that it follows"} {
		open := func() (traces.Source, error) {
			return &few{fault: fault, h: traces.Header{Ledger: &traces.Ledger{}}}, nil
		}
		requireFault(t, fault, want, func(tb policytest.TB) { policytest.RunSource(tb, open) })
	}
	policytest.RunSource(t, func() (traces.Source, error) {
		return formats.Open("synth:lublin?jobs=200&procs=16&seed=1", traces.Options{})
	})
}
