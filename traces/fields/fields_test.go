package fields_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/expr-lang/expr"
	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces/fields"
)

// TestRemainder wants % of any two numbers.
func TestRemainder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.IntRange(-100_000, 100_000)
		env := map[string]any{"x": float64(whole.Draw(t, "x")), "y": float64(rapid.IntRange(1, 90_000).Draw(t, "y")),
			"m": whole.Draw(t, "m"), "n": rapid.IntRange(1, 90_000).Draw(t, "n")}
		for text, want := range map[string]int{
			"x % y": int(env["x"].(float64)) % int(env["y"].(float64)), "x % n": int(env["x"].(float64)) % env["n"].(int),
			"m % y": env["m"].(int) % int(env["y"].(float64)), "m % n": env["m"].(int) % env["n"].(int),
			"x % 86400 % 3600": int(env["x"].(float64)) % 86400 % 3600,
			"-x % (2 * n)":     -int(env["x"].(float64)) % (2 * env["n"].(int)),
		} {
			x, err := fields.Compile(text, env, expr.AsFloat64())
			if err != nil {
				t.Fatal(err)
			}
			if got, err := x.Run(); err != nil || got != float64(want) {
				t.Fatalf("%s of %v is %v %v, want %d", text, env, got, err, want)
			}
		}
	})
	for text, want := range map[string]float64{"2.5 % x": .5, "x % 0": math.NaN(), "7 % x": 1} {
		x, err := fields.Compile(text, map[string]any{"x": 2.0}, expr.AsFloat64())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.Run(); err != nil || got != want && !math.IsNaN(want) {
			t.Errorf("%s is %v %v, want %g", text, got, err, want)
		}
	}
	if _, err := fields.Compile(`"a" % 2`, map[string]any{}, expr.AsFloat64()); err == nil {
		t.Error("a text has a remainder")
	}
}

// TestDates wants an expression to know which dates it uses.
func TestDates(t *testing.T) {
	env := map[string]any{"run": 0.0}
	for _, d := range fields.Dates {
		env[d.Name] = 0
	}
	for text, want := range map[string][]string{
		"run": {"", ""}, "week + hour": {"hour week", "hour"}, "date": {"date", "date"},
		"$env.run": {"hour weekday date week", ""},
	} {
		x, err := fields.Compile(text, env, expr.AsFloat64())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []*fields.Expression{x, x.Clone()} {
			used, named := x.Dates()
			var names []string
			for _, d := range used {
				names = append(names, d.Name)
			}
			if !slices.Equal(append([]string{named}, names...), append(want[1:2:2], strings.Fields(want[0])...)) {
				t.Errorf("%s uses %v and names %q, want %q", text, names, named, want)
			}
		}
	}
	calendar, values := events.NewCalendar(856170000, time.UTC), []int{9, 1, 19970217, 8}
	for i := range fields.Dates {
		d := &fields.Dates[i]
		if got := d.At(calendar, 0); got != values[i] || d.At(nil, 0) != -1 {
			t.Errorf("%s is %d, want %d, and %d without dates", d.Name, got, values[i], d.At(nil, 0))
		}
	}
}
