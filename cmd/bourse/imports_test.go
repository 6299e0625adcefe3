package main

import (
	"os/exec"
	"strings"
	"testing"
)

// mayImport is the one way through the house. A package may import its own
// room, and the rooms listed here; a name ending in /... means the room and all
// below it.
var mayImport = []struct{ room, rooms string }{
	{"events", ""},
	{"traces", "events"},
	{"traces/suggest", ""},
	{"traces/rng", ""},
	{"traces/input", "events traces traces/suggest"},
	{"traces/table", "traces traces/suggest"},
	{"traces/formats", "traces/... events"},
	{"traces/google/model", "events traces traces/input traces/google traces/rng"},
	{"traces/tracetest", "events traces"},
	{"traces/demand", "events traces"},
	{"traces/fields", "events traces traces/suggest"},
	{"traces/transform", "events traces traces/input traces/fields traces/suggest traces/rng"},
	{"traces/accounting", "events traces traces/input traces/table traces/tabular traces/suggest"},
	{"traces/...", "events traces traces/input traces/table traces/tabular traces/suggest traces/rng"}, // the formats
	{"policies/catalog", "events traces/... policies policies/sched policies/payment policies/bidding policies/share policies/fair policies/market"},
	{"policies/fair", "events traces/... policies policies/share policies/market"},
	{"policies", "events traces/..."},
	{"policies/...", "events traces/... policies"},
	{"engine/policytest", "events traces policies policies/payment engine"}, // a kit for tests
	{"engine/scenario", "events traces/... policies/... engine"},            // what a replay is
	{"engine", "events traces policies"},
	{"reports/record", "events traces traces/table engine reports/stats"},
	{"reports/record/recordtest", "events traces engine"},
	{"reports/terminal", "events"},
	{"reports/inspect", "events traces/... reports/terminal"},
	{"reports/stats", "events policies engine"},
	{"reports/run", "events traces traces/swf traces/table policies engine reports/record reports/stats reports/terminal"},
	{"reports/figures", "reports/run"},
	{"reports/explain", "events traces policies engine reports/stats reports/terminal"},
	{"reports/page", "events traces traces/table reports/run reports/record reports/stats reports/figures reports/terminal"},
	{"reports/studies/parallel", ""},
	{"reports/studies/...", "events traces/... policies/... engine/... reports/..."},
	{"reports", ""},
	{"scripts/...", "events traces/... policies/... engine/... reports/..."},
	{"cmd/...", "events traces/... policies/... engine/... reports/..."},
}

func inRoom(pkg, room string) bool {
	if deep, ok := strings.CutSuffix(room, "/..."); ok {
		return pkg == deep || strings.HasPrefix(pkg, deep+"/")
	}
	return pkg == room
}

func TestImportRule(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, "bourse/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, imports, _ := strings.Cut(line, ": ")
		pkg := strings.TrimPrefix(path, "bourse/")
		allowed, found := "", false
		for _, rule := range mayImport {
			if inRoom(pkg, rule.room) {
				allowed, found = rule.rooms, true
				break
			}
		}
		if !found {
			t.Errorf("package %s stands in no room of the house", pkg)
		}
		for _, imported := range strings.Fields(imports) {
			name, ours := strings.CutPrefix(imported, "bourse/")
			if !ours {
				continue
			}
			fine := false
			for _, room := range strings.Fields(allowed) {
				fine = fine || inRoom(name, room)
			}
			if !fine {
				t.Errorf("package %s imports %s, which the import rule forbids", pkg, name)
			}
		}
	}
}
