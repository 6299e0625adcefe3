package sweep

import "testing"

// TestGroups wants payments to share a replay unless the schedule depends on what is paid, or on who comes.
func TestGroups(t *testing.T) {
	axes := []Axis{{Name: Trace, Values: []string{"log"}}, {Name: Policy, Values: []string{"hb", "nphb"}},
		{Name: Payment, Values: []string{"first", "kth"}}}
	for _, c := range []struct {
		set  func(*Settings)
		want int
	}{
		{func(*Settings) {}, 2},
		{func(s *Settings) { s.Base.Feedback = true }, 4},
		{func(s *Settings) { s.Base.Budget = "5000/1w" }, 4},
	} {
		var s Settings
		c.set(&s)
		if got, err := s.groups(Cells(axes), []Input{{Label: "log"}}); err != nil || len(got) != c.want {
			t.Errorf("budget %q, feedback %v: %d replays, %v; want %d", s.Base.Budget, s.Base.Feedback, len(got), err, c.want)
		}
	}
}
