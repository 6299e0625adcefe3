package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bourse/traces/tracetest"
)

// TestLongTenPolicies wants the guide's table of policies of the literature to have the lines that the scripts have, and the
// slowdowns that they give.
func TestLongTenPolicies(t *testing.T) {
	tracetest.Long(t)
	log := tracetest.Shared(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz")
	page := read(t, "guide/own-policy.md")
	t.Chdir("../../scripts/policies")
	row := regexp.MustCompile(`(?m)^\| [^|]+ \| [^|]+ \| (\d+), [\d,]+ \| ([\d.]+) \| ` + "`(--[^`]+)`")
	rows := row.FindAllStringSubmatch(page, -1)
	if len(rows) != 10 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		name := regexp.MustCompile(`\w+\.star`).FindString(r[3])
		if n := linesOf(t, name); strconv.Itoa(n) != r[1] {
			t.Errorf("%s has %d lines, not %s", name, n, r[1])
		}
		code, out, stderr := bourse(t, append([]string{"replay", log, "-q", "--json"}, strings.Fields(r[3])...)...)
		var sum struct {
			Jobs struct {
				Total struct {
					Mean float64 `json:"mean_bounded_slowdown"`
				}
			}
		}
		if code != 0 || json.Unmarshal([]byte(out), &sum) != nil {
			t.Errorf("%s: exit %d, %s", r[3], code, stderr)
			continue
		}
		if x := strconv.FormatFloat(sum.Jobs.Total.Mean, 'f', 2, 64); x != r[2] {
			t.Errorf("%s: %s, not %s", r[3], x, r[2])
		}
	}
}

// linesOf counts the lines of a script without comments.
func linesOf(t *testing.T, name string) (n int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Clean(name))
	must(t, err)
	for _, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			n++
		}
	}
	return n
}
