package reports

import (
	"cmp"
	"slices"

	"bourse/engine"
	"bourse/policies"
	"bourse/traces"
)

// Users gathers what became of each user's jobs. It is an engine.Sink.
type Users struct {
	names *traces.Words
	rows  map[traces.Label]*userRow
}

type userRow struct {
	user               traces.Label
	jobs, preempted    int64
	wait, bsd, bsld10  float64
	work, pay, utility float64
}

// NewUsers makes a gatherer; names spell the users out.
func NewUsers(names *traces.Words) *Users {
	return &Users{names: names, rows: map[traces.Label]*userRow{}}
}

// Record implements engine.Sink.
func (u *Users) Record(o *engine.Outcome) error {
	r := u.rows[o.Job.User]
	if r == nil {
		r = &userRow{user: o.Job.User}
		u.rows[o.Job.User] = r
	}
	r.jobs++
	r.preempted += int64(o.Preemptions)
	r.wait += o.Wait().Seconds()
	r.bsd += o.BoundedSlowdown()
	r.bsld10 += o.Bsld10()
	r.work += float64(o.Size * o.Job.Run.Seconds())
	r.pay += o.Payment
	r.utility += o.Utility()
	return nil
}

// Table has one row a user, in order of their numbers, and for a policy that
// shares among users what it gave them.
func (u *Users) Table(shares []policies.UserShare) []Values {
	rows := u.sorted()
	user, jobs, preempted := Values{Name: "user"}, Values{Name: "jobs"}, Values{Name: "preemptions"}
	numbers := []Values{{Name: "mean_wait_s"}, {Name: "mean_bounded_slowdown"}, {Name: "mean_bsld10"}, {Name: "work"}, {Name: "payment"}, {Name: "utility"}}
	for _, r := range rows {
		text, _ := u.names.Text(r.user)
		user.Words, jobs.Ints, preempted.Ints = append(user.Words, text), append(jobs.Ints, r.jobs), append(preempted.Ints, r.preempted)
		n := float64(r.jobs)
		for i, x := range []float64{r.wait / n, r.bsd / n, r.bsld10 / n, r.work, r.pay, r.utility} {
			numbers[i].Floats = append(numbers[i].Floats, x)
		}
	}
	table := append([]Values{user, jobs, preempted}, numbers...)
	if shares == nil {
		return table
	}
	by := map[traces.Label]policies.UserShare{}
	for _, s := range shares {
		by[s.User] = s
	}
	given := []Values{{Name: "active_s"}, {Name: "held"}, {Name: "entitled"}, {Name: "short"}, {Name: "envies_s"}}
	for _, r := range rows {
		s := by[r.user]
		for i, x := range []float64{s.Active, s.Held, s.Entitled, s.Short, s.Envies} {
			given[i].Floats = append(given[i].Floats, x)
		}
	}
	return append(table, given...)
}

func (u *Users) sorted() []*userRow {
	rows := make([]*userRow, 0, len(u.rows))
	for _, r := range u.rows {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *userRow) int { return cmp.Compare(a.user, b.user) })
	return rows
}

// Fairness is Jain's index (Jain, Chiu and Hawe 1984) of the users' mean bounded
// slowdowns x, (sum x)^2 / (n sum x^2): 1 if all are alike, 1/n if one bears all.
func (u *Users) Fairness() float64 {
	sum, squares := 0.0, 0.0
	for _, r := range u.sorted() {
		x := r.bsd / float64(r.jobs)
		sum += x
		squares += float64(x * x)
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(u.rows)) * squares)
}
