package compare

import (
	"fmt"
	"math"
	"slices"

	"bourse/reports/table"
	"bourse/reports/terminal"
)

// siteChange is what a policy changes against the first one named, with the site's model and without, in percent.
type siteChange struct {
	Policy  string  `json:"policy"`
	Than    string  `json:"than"`
	With    float64 `json:"with_site_percent"`
	Without float64 `json:"without_site_percent"`
	// Turns means that one says more and the other less.
	Turns bool `json:"turns"`
	value [2]float64
}

// small is a change in percent of which no sign is taken.
const small = 1

// siteChanges are those of all policies but the first of the comparison without the site, which are in the order of
// names.
func (t *Ranking) siteChanges() (list []siteChange) {
	first := t.Without.Entries[0]
	of := func(r *Ranking, name string) float64 {
		i := slices.IndexFunc(r.Entries, func(e *Entry) bool { return e.Name == name })
		return r.Entries[i].Value(t.Metric)
	}
	for _, e := range t.Without.Entries {
		c := siteChange{Policy: e.Name, Than: first.Name, value: [2]float64{of(t, e.Name), e.Value(t.Metric)}}
		c.With = 100 * (c.value[0]/of(t, first.Name) - 1)
		c.Without = 100 * (c.value[1]/first.Value(t.Metric) - 1)
		c.Turns = math.Abs(c.With) >= small && math.Abs(c.Without) >= small && c.With*c.Without < 0
		list = append(list, c)
	}
	return list
}

// siteTable has the metric with the site's model and without.
func (t *Ranking) siteTable() *table.Table {
	out := table.New(table.Column{Heading: "policy", Unit: terminal.Words, Key: true},
		table.Column{Heading: t.Metric.Head().Heading + ", site", Unit: t.Metric.Unit},
		table.Column{Heading: "change %", Unit: terminal.Percent},
		table.Column{Heading: "without the site", Unit: t.Metric.Unit}, table.Column{Heading: "change %", Unit: terminal.Percent})
	out.Title = "With the site's model and without:"
	changes := t.siteChanges()
	for i, c := range changes {
		cells := []any{c.Policy, c.value[0], table.Word(""), c.value[1], table.Word("")}
		if i > 0 {
			cells[2], cells[4] = table.Number(c.With).As(fmt.Sprintf("%+.0f", c.With)), table.Number(c.Without).As(fmt.Sprintf("%+.0f", c.Without))
		}
		out.Add(cells...)
	}
	out.Notes = []string{"change: from " + changes[0].Policy}
	return out
}

// turns says where the site's model makes another answer.
func (t *Ranking) turns() (lines []string) {
	for _, c := range t.siteChanges()[1:] {
		what := fmt.Sprintf("%s under %s: %+.0f %% from %s with the site's model, %+.0f %% "+
			"without", t.Metric.Words(), c.Policy, c.With,
			c.Than, c.Without)
		switch {
		case c.Turns:
			lines = append(lines, "the answer turns: "+what)
		case math.Abs(c.Without) >= small && math.Abs(c.With) < math.Abs(c.Without)/4:
			lines = append(lines, "hardly anything is left: "+what)
		}
	}
	if len(lines) == 0 {
		lines = []string{"the site's model changes the sign of no difference from " + t.Without.Entries[0].Name}
	}
	return lines
}
