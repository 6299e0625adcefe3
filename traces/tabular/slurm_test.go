package tabular

import (
	"strings"
	"testing"
)

func TestSlurmID(t *testing.T) {
	for text, want := range map[string]int64{"123": 123, "123_4": 12300000004, "123+2": 123, "123_[1-9]": 123,
		"123.batch": 123} {
		if id, step, ok := JobNumber(text); !ok || id != want || step != strings.Contains(text, ".") {
			t.Errorf("%s: %d %v %v", text, id, step, ok)
		}
	}
	for _, bad := range []string{"", "x", "-1", "100000000", "1_x", "1_100000000", "1+x"} {
		if id, _, ok := JobNumber(bad); ok {
			t.Errorf("%q: %d", bad, id)
		}
	}
}
