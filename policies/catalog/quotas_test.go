package catalog

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const quotaTable = `
[[cohort]]
name = "research"
borrow = 10

[[queue]]
name = 1
cohort = "research"
nominal = 40
lend = 20

[[queue]]
name = "*"
nominal = 60
weight = 2
`

// TestQuotaTables reads tables, says what is wrong with them in a sentence, and wants a run to
// keep their names.
func TestQuotaTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queues.toml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(quotaTable)
	for _, text := range []string{"quota:" + path, "quota(by=group,table=" + path + ")"} {
		if _, err := Policies.Make(text); err != nil {
			t.Error(err)
		}
		if got := Scripts(text); !slices.Equal(got, []string{path}) {
			t.Errorf("%s is made of %v", text, got)
		}
	}
	for _, c := range []struct{ old, new, want string }{
		{"lend", "lent", `queue.lent is unknown; did you mean "lend"?`},
		{`cohort = "research"`, `cohort = "reserch"`, "queue 1 is in cohort reserch, which the table does not have"},
		{"borrow = 10", `cohort = "research"`, "cohorts are in each other: research in research"},
		{"weight = 2", "weight = -2", "queue *: weight -2; want a number from 0 to 1e12"},
		{"nominal = 60", "nominal = sixty", "queues.toml:14"},
	} {
		write(strings.Replace(quotaTable, c.old, c.new, 1))
		if p, err := Policies.Make("quota:" + path); err == nil || p != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want ... %s", err, c.want)
		}
	}
	for text, want := range map[string]string{
		"quota":                          "want either a table or nominal quotas",
		"quota(nominal=0:x)":             "want queues and numbers",
		"quota(nominal=0:1,order=fifo)":  "want besteffort or strict",
		"quota(nominal=0:1,by=partners)": "want queue, group, user, size or time",
		"quota(nominal=wide:1,by=size)":  "want the least processors",
		"quota(nominal=4x:1,by=time)":    "want the least time",
		"quota:" + path + ".none":        "no such file",
	} {
		if p, err := Policies.Make(text); err == nil || p != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want ... %s", text, err, want)
		}
	}
	if got := Scripts("quota(nominal=0:1)"); len(got) > 0 {
		t.Errorf("a list of quotas is made of %v", got)
	}
}
