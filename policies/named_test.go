package policies_test

import (
	"testing"

	"bourse/policies"
)

// TestColonForm reads parameters behind colons as it reads them in brackets.
func TestColonForm(t *testing.T) {
	params := []policies.Param{{Name: "order", Default: "fcfs"}, {Name: "reservations", Default: "1"}}
	for text, want := range map[string][2]string{
		"easy":                          {"fcfs", "1"},
		"easy:sjf":                      {"sjf", "1"},
		"easy:order=sjf":                {"sjf", "1"},
		"easy:order=sjf:reservations=3": {"sjf", "3"},
		"easy:reservations=3":           {"fcfs", "3"},
		"easy:order=script:mine.star":   {"script:mine.star", "1"},
		"easy:script:a=b.star":          {"script:a=b.star", "1"},
		"easy:queue==3":                 {"queue==3", "1"},
	} {
		s, err := policies.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := policies.Bind(s, params)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := [2]string{a.Text("order"), a.Text("reservations")}; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
