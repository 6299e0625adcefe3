package late

import (
	"context"
	"io"
	"math"
	"strings"
	"testing"

	"bourse/reports/papers"
	"bourse/reports/papers/claimtest"
	"bourse/reports/table"
	"bourse/traces/rng"
	"bourse/traces/tracetest"
)

// TestRules follows jobs where spot capacity is always there, never, and at first only.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name  string
		there func(int) bool
		rule  func(*moment) place
		want  hours
	}{
		{"always", func(int) bool { return true }, greedy, hours{}},
		{"always", func(int) bool { return true }, uniform, hours{}},
		{"never", func(int) bool { return false }, greedy, hours{48.2, 48}},
		{"never", func(int) bool { return false }, uniform, hours{48.2, 48}},
		// 24 h of spot, 12 minutes of which are a change; what is left is done on demand.
		{"a day", func(t int) bool { return t < 144 }, greedy, hours{24.4, 24.2}},
		{"a day", func(t int) bool { return t < 144 }, uniform, hours{24.4, 24.2}},
	} {
		if got := run(c.rule, c.there); math.Abs(got.paid-c.want.paid) > 1e-9 || math.Abs(got.worked-c.want.worked) > 1e-9 {
			t.Errorf("%s there: %+v, want %+v", c.name, got, c.want)
		}
		if best := omniscient(c.there, true); math.Abs(best-c.want.paid) > 1e-9 {
			t.Errorf("%s there: the bound is %g, want %g", c.name, best, c.want.paid)
		}
	}
}

// TestBound wants no rule to be below the bound, nor any of many that decide at random.
func TestBound(t *testing.T) {
	r := rng.New(1, "late")
	for range 20 {
		there := make([]bool, deadline/tick)
		for i := range there {
			there[i] = r.IntN(20) == 0
			if i > 0 && r.IntN(20) > 0 {
				there[i] = there[i-1]
			}
		}
		is := func(t int) bool { return t < len(there) && there[t] }
		best := omniscient(is, true)
		for range 50 {
			flip := 1 + r.IntN(30)
			rule := func(m *moment) place {
				if m.late() {
					return m.net()
				}
				if r.IntN(flip) > 0 {
					return m.at
				}
				return place(r.IntN(3))
			}
			if got := run(func(m *moment) place {
				to := rule(m)
				if to == spot && !m.there {
					return idle
				}
				return to
			}, is); got.paid < best-1e-9 {
				t.Fatalf("%g h, the bound is %g", got.paid, best)
			}
		}
		for _, rule := range []func(*moment) place{greedy, uniform} {
			if got := run(rule, is); got.paid < best-1e-9 {
				t.Fatalf("%g h, the bound is %g", got.paid, best)
			}
		}
	}
}

// TestTable3 makes the study on the first windows, and again with capacity turned around, which its claims notice.
func TestTable3(t *testing.T) {
	o := Options{Data: tracetest.Shared(t, "data/world/spot/aws-2022-10-two-weeks.json.gz"), Windows: 20, Workers: 2}
	var text strings.Builder
	made := func(out io.Writer, turn bool) *papers.Study {
		s := &study{Options: o, ctx: context.Background()}
		s.Study, _ = papers.NewStudy(table.Output{W: out}, "")
		if err := s.read(); err != nil {
			t.Fatal(err)
		}
		for _, z := range s.zones {
			if turn { // never there, so that all rules are alike
				z.Data = strings.Repeat("1", len(z.Data))
			}
		}
		if err := s.table3(); err != nil {
			t.Fatal(err)
		}
		return s.Study
	}
	report := made(&text, false)
	for _, want := range []string{"greedy", "Uniform Progress", "omniscient", "30.8", "25.1", "20.7"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %s in\n%s", want, text.String())
		}
	}
	claimtest.Run(t, report, map[claimtest.Claim]string{
		{Where: "Table 3", Says: "hours on demand"}: "it differs, and why is open", {Where: "the bound",
			Says: "no rule is below it in any window"}: "TestBound"},
		[]claimtest.Mutation{{What: "spot capacity that is never there",
			Broken: func() *papers.Study { return made(io.Discard, true) }, Notice: []claimtest.Claim{
				{Where: "Table 3", Says: "omniscient below Uniform Progress below greedy"},
				{Where: "Table 3", Says: "Uniform Progress closes more than half of the gap from greedy to omniscient"}}}})
}

// TestReplays wants the policies in a replay to do with every job of the study what the rules do, tick by tick.
func TestReplays(t *testing.T) {
	s := &study{Options: Options{Data: tracetest.Shared(t, "data/world/spot/aws-2022-10-two-weeks.json.gz")}}
	if err := s.read(); err != nil {
		t.Fatal(err)
	}
	for _, name := range s.names {
		z := s.zones[name]
		order, submits := z.windows(len(z.Starts))
		for line, rule := range map[bool]func(*moment) place{false: greedy, true: uniform} {
			sink := newByJob(len(order))
			if _, err := replay(context.Background(), line, z.Data, len(order), 0, submits, nil, sink); err != nil {
				t.Fatal(err)
			}
			for i, window := range order {
				data := z.Data[z.Starts[window]-z.FirstTick:]
				want := run(rule, func(t int) bool { return data[t] == '0' })
				if got := sink.hours[i]; math.Abs(got.paid-want.paid) > 1e-9 || math.Abs(got.worked-want.worked) > 1e-9 {
					t.Fatalf("%s, window %d, line %t: %+v in a replay, %+v by the rule", name, window, line, got, want)
				}
				if math.Abs(sink.paid[i]-want.paid) > 1e-9 {
					t.Fatalf("%s, window %d: billed %g, on demand %g", name, window, sink.paid[i], want.paid)
				}
			}
		}
	}
}

// TestClosed wants the price of spot capacity to rise with the load under both rules, from the least one, and Uniform
// Progress to be cheaper where there is room for all.
func TestClosed(t *testing.T) {
	s := &study{Options: Options{Data: tracetest.Shared(t, "data/world/spot/aws-2022-10-two-weeks.json.gz"), Seed: 1},
		ctx: context.Background()}
	if err := s.read(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"us-west-2a_v100_1", "us-west-2b_k80_8"} {
		var at [2][2]contest
		for i, load := range []float64{.25, 2} {
			for k, line := range []bool{false, true} {
				x, err := s.compete(name, line, load)
				if err != nil {
					t.Fatal(err)
				}
				at[i][k] = x
			}
		}
		for k := range at[0] {
			if math.Abs(at[0][k].price-spotReserve) > 1e-9 || at[1][k].price < 1.05*spotReserve || at[1][k].cost < at[0][k].cost {
				t.Errorf("%s: %+v with room for all, %+v at a load of 2", name, at[0][k], at[1][k])
			}
		}
		if at[0][1].cost > at[0][0].cost {
			t.Errorf("%s: Uniform Progress costs %g, greedy %g", name, at[0][1].cost, at[0][0].cost)
		}
	}
}
