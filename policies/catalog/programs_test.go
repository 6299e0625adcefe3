package catalog

import (
	"testing"
	"unicode"

	"bourse/policies"
)

// TestPrograms wants no blank that ParseSpec drops to hide that a text starts a program.
func TestPrograms(t *testing.T) {
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if !unicode.IsSpace(c) {
			continue
		}
		for _, text := range []string{"exec" + string(c) + ":x", string(c) + "exec" + string(c) + "(x)"} {
			if spec, err := policies.ParseSpec(text); err != nil || spec.Name != execEntry {
				t.Errorf("%q: %v, %v", text, spec, err)
			}
			if len(Programs(text)) != 1 {
				t.Errorf("%q starts a program", text)
			}
		}
	}
	if found := Programs("fcfs", "script:exec.star", "executor:x"); len(found) != 0 {
		t.Errorf("%v start no programs", found)
	}
}
