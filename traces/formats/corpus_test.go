package formats_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bourse/engine/scenario"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/table"
	"bourse/traces/tracetest"
)

var update = flag.Bool("update", false, "write the messages anew instead of comparing")

// malformed is an input that is not as it should be: a file, or the files of a folder.
type malformed struct {
	kind, fault string
	spec        string // what is opened
	files       map[string]string
	line        int // that the message has to name if there is one; 0 for any or none
}

// opened is what reading an input to its end comes to, in the words of a user.
func (m *malformed) opened(t *testing.T) string {
	t.Chdir(t.TempDir())
	for name, text := range m.files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var said string
	var err error
	switch m.kind {
	case "bids":
		_, err = scenario.ReadBids(m.spec)
		said = "ok"
	case "endowments", "weights":
		said, err = "ok", readAgents(m.spec, m.kind[:len(m.kind)-1])
	default:
		said, err = readJobs(m.spec)
	}
	if err == nil {
		return said
	}
	m.check(t, err.Error())
	return err.Error()
}

func readJobs(spec string) (string, error) {
	src, err := formats.Open(spec, traces.Options{})
	if err != nil {
		return "", err
	}
	defer traces.Close(src)
	jobs, err := tracetest.Rest(src)
	if err != nil {
		return "", err
	}
	l := src.Header().Ledger
	said := fmt.Sprintf("ok: %d jobs of %d records", len(jobs), l.Read)
	for _, n := range l.Notes() {
		said += fmt.Sprintf("; %d times %s", n.Count, n.What)
	}
	return said, nil
}

// readAgents reads a table of numbers by agent, as sharing does.
func readAgents(path, column string) error {
	t, err := table.Read(path, nil)
	if err != nil {
		return err
	}
	if _, err := t.Words("agent"); err != nil {
		return err
	}
	_, err = t.FloatsFor(column, func(x float64) bool { return x > 0 && !math.IsInf(x, 1) }, "want a number above 0")
	return err
}

// internal are words that mean something to those who know the program's language only.
var internal = regexp.MustCompile(`runtime|nil pointer|strconv|goroutine|panic|reflect|interface \{|Go struct|unmarshal|index out of|slice bounds|: EOF|^EOF|unexpected EOF|%!`)

// check looks at a message's form.
func (m *malformed) check(t *testing.T, said string) {
	t.Helper()
	name := regexp.MustCompile(`^[a-z0-9]+:`).ReplaceAllString(m.spec, "")
	name, _, _ = strings.Cut(name, "?")
	switch {
	case !strings.Contains(said, name):
		t.Errorf("%q does not name %s", said, name)
	case m.line > 0 && !strings.Contains(said, fmt.Sprintf(":%d: ", m.line)):
		t.Errorf("%q does not name line %d", said, m.line)
	case strings.TrimSpace(said) != said:
		t.Errorf("%q ends in a blank", said)
	case internal.MatchString(said):
		t.Errorf("%q has the word %q", said, internal.FindString(said))
	case len(said) > 400:
		t.Errorf("%q has %d bytes", said, len(said))
	}
	for _, c := range said {
		if c < ' ' || c == 0x7f || c == 0xfffd {
			t.Errorf("%q holds %q, which a terminal may obey", said, c)
		}
	}
}

// TestMalformed opens several hundred inputs that are not as they should be and compares what is said of them
// with testdata/malformed.txt, which is there to be read.
func TestMalformed(t *testing.T) {
	const golden = "testdata/malformed.txt"
	want, err := os.ReadFile(golden)
	if err != nil && !(*update && errors.Is(err, os.ErrNotExist)) {
		t.Fatal(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	all := corpus(t)
	seen := map[string]bool{}
	for i := range all {
		m := &all[i]
		title := m.kind + ", " + m.fault
		if seen[title] {
			t.Errorf("%s is there twice", title)
		}
		seen[title] = true
		t.Run(title, func(t *testing.T) { fmt.Fprintf(&got, "%s\n\t%s\n", title, m.opened(t)) })
	}
	if len(all) < 200 {
		t.Errorf("%d inputs; want 200", len(all))
	}
	if *update {
		if err := os.WriteFile(filepath.Join(dir, golden), []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("%s differs; go test ./traces/formats -run TestMalformed -update writes it anew\n%s", golden, diff)
	}
}
