package cli

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// below is what programs over replays rest on.
const below = "events traces/... policies/... engine/... reports/record reports/run reports/stats reports/table " +
	"reports/terminal reports/figures reports/page reports/experiment"

// mayImport is which package may import which; the first line that a package's path
// matches counts. A name ending in /... means the package and all below it.
var mayImport = []struct{ pkg, imports string }{
	{"events", ""},
	{"traces", "events"},
	{"traces/suggest", ""},
	{"traces/rng", ""},
	{"traces/files", ""},
	{"traces/zst", ""},
	{"traces/input", "events traces traces/suggest traces/files traces/zst"},
	{"traces/table", "traces traces/input traces/suggest"},
	{"traces/named", "traces/suggest"},
	{"traces/named/fetch", "traces traces/input traces/files traces/named"},
	{"traces/nodes", "events traces traces/table"},
	{"traces/formats", "traces/... events"},
	{"traces/google/model", "events traces traces/input traces/files traces/google traces/rng"},
	{"traces/tracetest", "events traces"},
	{"traces/demand", "events traces"},
	{"traces/fields", "events traces traces/suggest traces/rng"},
	{"traces/transform", "events traces traces/input traces/fields traces/suggest traces/rng"},
	{"traces/accounting", "events traces traces/input traces/table traces/tabular traces/suggest"},
	{"traces/...", "events traces traces/input traces/table traces/tabular traces/suggest traces/rng"}, // the formats
	{"policies/catalog", "events traces traces/rng traces/suggest policies policies/order policies/sched " +
		"policies/payment policies/bidding policies/lending policies/share policies/fair policies/market policies/quota " +
		"policies/rounds policies/script policies/remote traces/files"},
	{"policies/script", "events traces traces/files traces/rng traces/fields traces/suggest policies policies/order " +
		"policies/sched policies/bidding"},
	{"policies/remote", "events policies traces"},
	{"policies/fair", "events traces traces/rng policies policies/lending policies/share policies/market"},
	{"policies/order", "events traces traces/rng traces/fields policies"},
	{"policies/placed", "events policies policies/order policies/gpus policies/placement"},
	{"policies/sched", "events traces policies policies/order"},
	{"policies", "events traces traces/rng traces/suggest"},
	{"policies/...", "events traces traces/rng policies"},
	{"engine/policytest", "events traces traces/rng policies policies/payment engine"},
	{"engine/causes", "events policies policies/placement engine"},
	{"engine/scenario", "events traces/... policies/... engine"}, // what a replay is
	{"engine", "events traces policies"},
	{"reports/record", "events traces traces/table policies engine reports/stats"},
	{"reports/record/recordtest", "events traces engine"},
	{"reports/terminal", "events"},
	{"reports/table", "reports/record reports/stats reports/terminal"},
	{"reports/inspect", "events traces/... reports/table reports/terminal"},
	{"reports/stats", "events traces/rng policies engine"},
	{"reports/run", "events traces traces/zst traces/named traces/suggest traces/swf traces/table traces/files " +
		"policies engine reports/record reports/stats reports/table reports/terminal"},
	{"reports/catalogue", "traces/... policies policies/... reports/run reports/table reports/terminal"},
	{"reports/figures", "reports/run traces/files"},
	{"reports/perfetto", "events traces policies engine"},
	{"reports/explain", "events traces traces/suggest policies engine engine/causes reports/stats reports/table " +
		"reports/terminal"},
	{"reports/page", "events traces traces/table reports/run reports/record reports/stats reports/figures " +
		"reports/table reports/terminal"},
	{"reports/experiment", "reports/stats"},
	{"reports/artifact", "policies/catalog policies/remote traces traces/files traces/named traces/table " +
		"engine/scenario reports/record reports/run reports/table reports/terminal reports/ask/sweep reports/papers"},
	// what studies share
	{"reports/papers", "traces/files traces/table reports/run reports/record reports/stats reports/table " +
		"reports/figures reports/terminal"},
	{"reports/ask/replay", below + " reports/perfetto"},
	{"reports/ask/...", below + " reports/ask/... reports/papers"},
	{"reports/papers/...", below + " reports/ask/... reports/papers/..."},
	{"reports", ""},
	{"scripts/...", "events traces/... policies/... engine/... reports/..."},
	{"cmd/bourse", "cmd/cli"}, // and nothing else
	{"cmd/...", "events traces/... policies/... engine/... reports/..."},
}

func matches(pkg, pattern string) bool {
	if deep, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == deep || strings.HasPrefix(pkg, deep+"/")
	}
	return pkg == pattern
}

// TestBrowserImports wants the build for a browser to stay small: none of the libraries that
// are each larger than the rest.
func TestBrowserImports(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	list.Env = append(list.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, large := range []string{"github.com/apache/arrow/", "gonum.org/v1/plot", "gonum.org/v1/gonum/lapack",
		"github.com/go-zeromq/", "github.com/klauspost/compress/zstd", "net/http"} {
		if strings.Contains("\n"+string(out), "\n"+large) {
			t.Errorf("the build for a browser has %s", large)
		}
	}
	if !strings.Contains(string(out), "bourse/engine\n") {
		t.Errorf("no engine in\n%s", out)
	}
}

// TestStable wants the packages that the guide says are stable to be there.
func TestStable(t *testing.T) {
	_, list, _ := strings.Cut(read(t, "guide/extending.md"), "Packages whose exported names keep their meaning")
	list, _, _ = strings.Cut(list, ". All others")
	names := regexp.MustCompile("`([a-z/]+)`").FindAllStringSubmatch(list, -1)
	if len(names) != 13 {
		t.Errorf("%d packages", len(names))
	}
	for _, n := range names {
		if out, err := exec.Command("go", "list", "bourse/"+n[1]).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
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
			if matches(pkg, rule.pkg) {
				allowed, found = rule.imports, true
				break
			}
		}
		if !found {
			t.Errorf("package %s has no line in the import rule", pkg)
		}
		for _, imported := range strings.Fields(imports) {
			name, ours := strings.CutPrefix(imported, "bourse/")
			if !ours {
				continue
			}
			fine := false
			for _, pattern := range strings.Fields(allowed) {
				fine = fine || matches(name, pattern)
			}
			if !fine {
				t.Errorf("package %s imports %s, which the import rule forbids", pkg, name)
			}
		}
	}
}
