package catalog

import (
	"errors"
	"strings"
	"testing"

	"bourse/events"
	"bourse/policies"
)

// TestUnknownNames wants an error to say its kind once, and to be known without it.
func TestUnknownNames(t *testing.T) {
	for text, want := range map[string]string{"hbb": `policy "hbb" is unknown; did you mean "hb"? There are hb, `,
		"zzzz": `policy "zzzz" is unknown; there are hb, `} {
		_, err := Policies.Make(text)
		var made *Error
		if !errors.As(err, &made) || err.Error()[:len(want)] != want || made.Err.Error() != err.Error()[len("policy "):] {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestDurations wants the arguments that are durations to take the syntax of all
// durations, and numbers to be seconds.
func TestDurations(t *testing.T) {
	for _, text := range []string{"lend(fl,every=5m)", "lend(fl,every=5.4e3)", "fairshare(halflife=1d)",
		"easy(order=fairshare(halflife=1w))", "price-anticipating(horizon=1h,ceiling=1d,every=5min)"} {
		if _, err := Policies.Make(text); err != nil {
			t.Error(err)
		}
	}
	param := []policies.Param{{Name: "every"}}
	for text, want := range map[string]events.Time{"300": 300e6, "0.5": 5e5, "5m": 300e6, "1h30m": 5400e6, "1e2": 100e6,
		"01:00:00": 3600e6} {
		a, err := policies.Bind(policies.Spec{Args: []policies.Arg{{Value: text}}}, param)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Duration("every", 0, 1e6); got != want || a.Err() != nil {
			t.Errorf("%s: %v, %v; want %v", text, got, a.Err(), want)
		}
	}
	for _, text := range []string{"lend(fl,every=0s)", "fairshare(halflife=soon)", "lend(fl,every=-5m)",
		"price-anticipating(every=NaN)"} {
		if _, err := Policies.Make(text); err == nil || !strings.Contains(err.Error(), "should be a duration from ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
