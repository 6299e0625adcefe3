package payment

import (
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Metered charges what an input series says a processor-second costs, as a tariff: its price changes when the series
// does, also between rounds, and a bill is the series' integral over the running time.
type Metered struct {
	name  string
	now   events.Time
	price *events.Steps
	since perRef[events.Time]
}

// NewMetered returns the scheme for the series of a name.
func NewMetered(name string) *Metered { return &Metered{name: name} }

// ReadSeries implements policies.SeriesReader.
func (p *Metered) ReadSeries(all []policies.Series) error {
	s, err := policies.FindSeries(all, p.name, "payment metered:"+p.name)
	if err == nil && s.Price == nil {
		err = &NoPriceError{p.name, s.NoPrice}
	}
	if err == nil {
		p.price = s.Price
	}
	return err
}

// NoPriceError says why a series is no price of a processor-second.
type NoPriceError struct{ Name, Why string }

func (e *NoPriceError) Error() string {
	return "payment metered:" + e.Name + ": the series is no price of a processor-second: " + e.Why
}

// Advance moves the scheme's clock.
func (p *Metered) Advance(now events.Time) { p.now = now }

// Open begins to charge ref.
func (p *Metered) Open(ref policies.Ref, _ *policies.Job) { *p.since.get(ref) = p.now }

// Close returns the integral of the series since Open.
func (p *Metered) Close(ref policies.Ref, _ *policies.Job) float64 {
	return p.price.Integral(*p.since.get(ref), p.now)
}

// Clear does nothing: prices do not depend on the jobs.
func (p *Metered) Clear(*policies.Round) {}

// Price is the series' value now.
func (p *Metered) Price(*policies.Job) float64 { return p.Quote() }

// Quote is the same.
func (p *Metered) Quote() float64 { return p.price.At(p.now) }

// Owed implements policies.Continuous: value by value.
func (p *Metered) Owed(_ *policies.Job, from, to events.Time) (sum float64) {
	for from < to {
		until := min(to, p.price.Until(from))
		sum += float64(p.price.At(from) * (until - from).Seconds())
		from = until
	}
	return sum
}

// Clone returns an independent copy.
func (p *Metered) Clone(policies.Policy) policies.Pricer {
	c := *p
	c.since = slices.Clone(p.since)
	return &c
}

// Joint charges what several schemes do together, as kth+metered:tariff.
type Joint []policies.Pricer

// Advance implements policies.Pricer, as all below.
func (p Joint) Advance(now events.Time) {
	for _, x := range p {
		x.Advance(now)
	}
}

// Open begins to charge ref.
func (p Joint) Open(ref policies.Ref, j *policies.Job) {
	for _, x := range p {
		x.Open(ref, j)
	}
}

// Close returns what is due under all.
func (p Joint) Close(ref policies.Ref, j *policies.Job) (due float64) {
	for _, x := range p {
		due += x.Close(ref, j)
	}
	return due
}

// Clear sets the prices of each.
func (p Joint) Clear(r *policies.Round) {
	for _, x := range p {
		x.Clear(r)
	}
}

// Price is the sum of theirs.
func (p Joint) Price(j *policies.Job) (sum float64) {
	for _, x := range p {
		sum += x.Price(j)
	}
	return sum
}

// Quote is the sum of theirs, not a number if one has none.
func (p Joint) Quote() (sum float64) {
	for _, x := range p {
		sum += x.Quote()
	}
	return sum
}

// Owed implements policies.Continuous: the prices of the others hold all the time.
func (p Joint) Owed(j *policies.Job, from, to events.Time) (sum float64) {
	for _, x := range p {
		if c, ok := x.(policies.Continuous); ok {
			sum += c.Owed(j, from, to)
		} else {
			sum += float64(x.Price(j) * (to - from).Seconds())
		}
	}
	return sum
}

// Clone returns an independent copy.
func (p Joint) Clone(of policies.Policy) policies.Pricer {
	c := make(Joint, len(p))
	for i, x := range p {
		c[i] = x.Clone(of)
	}
	return c
}

// ReadSeries implements policies.SeriesReader.
func (p Joint) ReadSeries(all []policies.Series) error {
	for _, x := range p {
		if r, ok := x.(policies.SeriesReader); ok {
			if err := r.ReadSeries(all); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadCalendar implements policies.CalendarReader.
func (p Joint) ReadCalendar(c *events.Calendar) (needs string) {
	for _, x := range p {
		if r, ok := x.(policies.CalendarReader); ok && needs == "" {
			needs = r.ReadCalendar(c)
		}
	}
	return needs
}

// Failers implements policies.Fallible.
func (p Joint) Failers() (list []policies.Failer) {
	for _, x := range p {
		if f, ok := x.(policies.Fallible); ok {
			list = append(list, f.Failers()...)
		}
	}
	return list
}
