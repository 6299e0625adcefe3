package scenario

import (
	"bourse/events"
	"fmt"
	"strconv"
	"testing"
)

// example: an option

// week is an option over existing fields: one week of the trace. With an
// entry like this in Options it is a flag of every command that replays, a key of
// --config and an axis's name; a new field also needs a line where it is used.
var week = Option{
	Name: "week", Kind: "int", Line: "take only the records submitted in week `N` of the trace, from 1",
	text: func(s *Scenario) string { return strconv.Itoa(int(s.From.Since/events.Week) + 1) },
	set: func(s *Scenario, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("%q: want a whole number of 1 or more", text)
		}
		s.From.Since, s.Until.Since = events.Time(n-1)*events.Week, events.Time(n)*events.Week
		return nil
	},
}

// TestWeek sets it as a flag does and reads it back.
func TestWeek(t *testing.T) {
	s := Default()
	if err := week.Set(&s, "3"); err != nil || week.Text(&s) != "3" || s.Get("from") != "2w" || s.Get("until") != "3w" {
		t.Errorf("%v: from %s until %s", err, s.Get("from"), s.Get("until"))
	}
	if err := week.Set(&s, "0"); err == nil || err.Error() != `week "0": want a whole number of 1 or more` {
		t.Error(err)
	}
}

// end
