package run

import (
	"cmp"
	"slices"

	"bourse/engine"
	"bourse/policies"
	"bourse/reports/record"
	"bourse/reports/table"
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
	wait, slowed, bsd  float64
	work, pay, utility float64
	charged            [engine.NumCharges]float64
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
	r.slowed += o.BoundedSlowdown()
	r.bsd += o.BSD()
	r.work += float64(o.Size * o.Job.Run.Seconds())
	r.pay += o.Payment
	r.utility += o.Utility()
	for kind, x := range o.Charged {
		r.charged[kind] += x
	}
	return nil
}

// users is the table of columns of the dataset "users"; the last are there under
// policies that share among users.
var users = []record.Column{
	{Name: "user", Kind: record.Text, Meaning: "who submitted the jobs; empty if unknown"},
	{Name: "jobs", Kind: record.Int64, Unit: "1", Meaning: "the user's jobs, or pieces of them under --serial, at the " +
		"edges, too"},
	{Name: "preemptions", Kind: record.Int64, Unit: "1", Meaning: "times they were stopped before they were done"},
	{Name: "mean_wait_s", Kind: record.Float64, Unit: "s", Meaning: "mean of phi - tau"},
	{Name: "mean_bounded_slowdown", Kind: record.Float64, Unit: "1", Meaning: "mean of max(1, phi / max(tau, bound))"},
	{Name: "mean_bsd", Kind: record.Float64, Unit: "1", Meaning: "mean of phi / max(tau, 60 s)"},
	{Name: "work", Kind: record.Float64, Unit: "proc s", Meaning: "sum of tau x size"},
	{Name: "payment", Kind: record.Float64, Unit: "money", Meaning: "sum of bills"},
	{Name: "utility", Kind: record.Float64, Unit: "money", Meaning: "sum of -w p phi - payment"},
	{Name: "carbon_g", Kind: record.Float64, Unit: "g", Meaning: "sum of the jobs' carbon, where the input series " +
		"carbon is given"},
	{Name: "tariff_cost", Kind: record.Float64, Unit: "money", Meaning: "sum of what the input series tariff makes of " +
		"the jobs"},
	{Name: "active_s", Kind: record.Float64, Unit: "s",
		Meaning: "time with unfinished jobs (sharing policies only, as all below)"},
	{Name: "held", Kind: record.Float64, Unit: "s", Meaning: "share of the machine held, over time"},
	{Name: "entitled", Kind: record.Float64, Unit: "s",
		Meaning: "an equal share among the users there, as far as the jobs needed it, over time"},
	{Name: "short", Kind: record.Float64, Unit: "s",
		Meaning: "what was held below that: the violation of sharing incentive"},
	{Name: "envies_s", Kind: record.Float64, Unit: "s",
		Meaning: "time in which the user would rather have had another's bundle"},
}

// Table has one row a user, in order of their numbers, and for a policy that
// shares among users what it gave them. Without a market nobody pays, and what owners would
// lose by values that nobody asked for is not said.
func (u *Users) Table(shares []policies.UserShare, market bool) *table.Table {
	by := map[traces.Label]policies.UserShare{}
	for _, s := range shares {
		by[s.User] = s
	}
	t, shown := table.Data(), make([]bool, len(users))
	for i, c := range users {
		kind := i - firstCharge
		switch {
		case kind < 0:
			shown[i] = true
		case kind < engine.NumCharges:
			for _, r := range u.rows {
				shown[i] = shown[i] || r.charged[kind] != 0
			}
		default:
			shown[i] = shares != nil
		}
		if shown[i] {
			t.Columns = append(t.Columns, table.Column{Name: c.Name, Doc: c.Meaning})
		}
	}
	for _, r := range u.sorted() {
		text, _ := u.names.Text(r.user)
		n, s := float64(r.jobs), by[r.user]
		row := []any{text, r.jobs, r.preempted, r.wait / n, r.slowed / n, r.bsd / n, r.work, r.pay, r.utility,
			r.charged[engine.Carbon], r.charged[engine.Tariff],
			s.Active, s.Held, s.Entitled, s.Short, s.Envies}
		if !market {
			row[7], row[8] = nil, nil
		}
		kept := row[:0]
		for i, cell := range row {
			if shown[i] {
				kept = append(kept, cell)
			}
		}
		t.Add(kept...)
	}
	return t
}

// firstCharge is the place of the first charge among the columns.
var firstCharge = slices.IndexFunc(users, func(c record.Column) bool { return c.Name == "carbon_g" })

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
		x := r.slowed / float64(r.jobs)
		sum += x
		squares += float64(x * x)
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(u.rows)) * squares)
}
