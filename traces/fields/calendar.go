package fields

import (
	"bourse/events"
)

// Date is a property of an instant, where the log has dates: of a record's submission in a
// condition, and of the present in an order. It is a whole number.
type Date struct {
	Name string
	Line string // what it is
	of   func(*events.Calendar, events.Time) int
}

// At returns its value at an instant, -1 without dates.
func (d *Date) At(c *events.Calendar, t events.Time) int {
	if c == nil {
		return -1
	}
	return d.of(c, t)
}

// Dates lists all.
var Dates = []Date{
	{"hour", "hour of the day, 0 to 23", (*events.Calendar).Hour},
	{"weekday", "day of the week, 1 (Monday) to 7", (*events.Calendar).Weekday},
	{"date", "date as a number, as in 19970217", (*events.Calendar).Day},
	{"week", "number of the week in ISO 8601, 1 to 53", (*events.Calendar).Week},
}

// Dates returns those that the expression uses, and the first that it names.
func (x *Expression) Dates() (used []*Date, named string) {
	for i := range Dates {
		if x.Uses(Dates[i].Name) {
			used = append(used, &Dates[i])
		}
	}
	if len(used) > 0 && !x.whole {
		named = used[0].Name
	}
	return used, named
}
