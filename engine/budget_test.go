package engine_test

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
)

// spending keeps the segments in order of their bills.
type spending struct {
	history
	segments []engine.Segment
	users    []traces.Label
}

func (s *spending) Segment(g *engine.Segment) error {
	s.segments, s.users = append(s.segments, *g), append(s.users, g.Job.User)
	return nil
}

// drawSpenders draws a workload of three users.
func drawSpenders(t *rapid.T, policy, pay string) *naive {
	n := drawWorkload(t)
	n.under(policy)
	n.payment = pay
	n.migration, n.restart = 0, false // with which jobs of two users could stop each other for ever
	for _, j := range n.jobs {
		j.job.User = traces.Label(rapid.IntRange(0, 2).Draw(t, "user"))
	}
	n.resubmit = rapid.Bool().Draw(t, "resubmit")
	return n
}

// spend replays a workload under budgets.
func spend(t *rapid.T, n *naive, budgets *engine.Budgets) (*spending, engine.Summary) {
	offers := asBidder{}
	for _, j := range n.jobs {
		offers[j.job.ID] = j
	}
	p, s := newPolicy(n.name()), &spending{}
	cfg := n.config(p, newPricer(n.payment, p), offers)
	cfg.Budgets, cfg.Check, cfg.Segments = budgets, true, s
	sum, err := engine.Run(context.Background(), cfg, &asSource{n: n}, s)
	if err != nil {
		t.Fatal(err)
	}
	return s, sum
}

// TestBudgetsAreKept wants no user's bills of a period to be above the budget by more than what the
// jobs cost that were running when it was used up; and what starts afterwards to pay the
// reservation price at the most, which a bid of 0 pays while there is room for all.
func TestBudgetsAreKept(t *testing.T) {
	used := int64(0)
	for _, policy := range []string{"hb", "hb(fit=skip)", "nphb", "nphb(fit=skip)", "wspt"} {
		for _, pay := range []string{"first", "kth"} {
			t.Run(policy+"/"+pay, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					n := drawSpenders(t, policy, pay)
					// Nothing but renewals happens at the ends of periods: all else is in tenths of a second.
					budget := engine.Budget{Money: float64(rapid.IntRange(1, 30).Draw(t, "money")) / 4,
						Period: events.Time(rapid.IntRange(0, 4).Draw(t, "period")) * 730_001}
					s, sum := spend(t, n, &engine.Budgets{All: &budget})
					used += sum.BudgetsUsed
					for user := range traces.Label(3) {
						wantKept(t, n, s, user, budget)
					}
				})
			})
		}
	}
	if used == 0 {
		t.Error("no budget was used up")
	}
}

func wantKept(t *rapid.T, n *naive, s *spending, user traces.Label, budget engine.Budget) {
	period, spent, open, since := int64(0), 0.0, 0.0, events.Never
	for i, g := range s.segments {
		if s.users[i] != user {
			continue
		}
		if budget.Period > 0 && int64((g.End-1)/budget.Period) != period {
			period, spent, open, since = int64((g.End-1)/budget.Period), 0, 0, events.Never
		}
		spent += g.Charge
		switch most := n.reserve * g.Size * (g.End - g.Start).Seconds(); {
		case g.End > since: // also that of a job which bids 0 anyhow and runs on
			if open += most; g.Charge > most*(1+1e-9) {
				t.Fatalf("job %d of user %d pays %g from %v to %v, without money since %v", g.Job.ID, user, g.Charge, g.Start,
					g.End, since)
			}
		case since != events.Never:
			open += g.Charge
		case spent >= budget.Money:
			since, open = g.End, g.Charge
		}
		if spent > (budget.Money+open)*(1+1e-9) {
			t.Fatalf("user %d has spent %g in period %d, of %g and %g that was running", user, spent, period, budget.Money, open)
		}
	}
}

// TestLargeBudgets wants a budget that nobody reaches to change nothing at all.
func TestLargeBudgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawSpenders(t, rapid.SampledFrom([]string{"hb", "hb(fit=skip)", "nphb", "wspt"}).Draw(t, "policy"),
			rapid.SampledFrom([]string{"first", "kth"}).Draw(t, "payment"))
		without, _ := spend(t, n, nil)
		with, sum := spend(t, n, &engine.Budgets{All: &engine.Budget{Money: 1e9, Period: 700_000}})
		wantSame(t, with.outcomes, without.outcomes)
		if sum.BudgetsUsed != 0 || len(with.segments) != len(without.segments) {
			t.Errorf("%d budgets were used up; %d segments instead of %d", sum.BudgetsUsed, len(with.segments),
				len(without.segments))
		}
	})
}

// TestBudgetsFork wants a copy of a replay to keep its own accounts.
func TestBudgetsFork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawSpenders(t, "hb", "first")
		offers := asBidder{}
		for _, j := range n.jobs {
			offers[j.job.ID] = j
		}
		p := newPolicy("hb")
		cfg := n.config(p, newPricer("first", p), offers)
		cfg.Budgets = &engine.Budgets{Listed: map[string]engine.Budget{"1": {Money: 2, Period: 1_500_000}}}
		n.jobs[0].job.User = 1 // a listed user has to be there
		var got, other history
		r, err := engine.New(cfg, &asSource{n: n}, &got)
		if err != nil {
			t.Fatal(err)
		}
		for k := rapid.IntRange(0, 20).Draw(t, "steps"); k > 0 && r.More(); k-- {
			if err := r.Step(); err != nil {
				t.Fatal(err)
			}
		}
		other.outcomes = append(other.outcomes, got.outcomes...)
		fork, err := r.Fork(offers, &other)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []*engine.Replay{r, fork} {
			for x.More() {
				if err := x.Step(); err != nil {
					t.Fatal(err)
				}
			}
		}
		wantSame(t, other.outcomes, got.outcomes)
	})
}

// TestBudgetsForEver wants an error where two jobs stop each other period by period and begin again:
// the second one's better bid stops the first, whose bill takes the money for it away.
func TestBudgetsForEver(t *testing.T) {
	n := &naive{procs: 1, policy: "hb", payment: "posted", restart: true}
	offers := asBidder{}
	for i := range int64(2) {
		j := &naiveJob{bid: float64(i), value: 1, job: traces.Job{ID: i, Submit: events.Time(i) * events.Second,
			Run: 40 * events.Second, Procs: 1, Pieces: 1}}
		n.jobs, offers[i] = append(n.jobs, j), j
	}
	p := newPolicy("hb")
	cfg := n.config(p, newPricer(n.payment, p), offers)
	cfg.Budgets = &engine.Budgets{All: &engine.Budget{Money: .25, Period: 10 * events.Second}}
	_, err := engine.Run(context.Background(), cfg, &asSource{n: n}, nil)
	if err == nil || !strings.Contains(err.Error(), "no job ended meanwhile") {
		t.Errorf("jobs that stop each other: %v", err)
	}
}
