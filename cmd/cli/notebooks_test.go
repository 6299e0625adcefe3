package cli

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bourse/reports/figures"
)

// notebooks are read without Python: what is kept in the repository must be
// whole and say what the program says.
const notebooks = "../../reports/notebooks"

// notebook is what the tests look at of a Jupyter notebook.
type notebook struct {
	Format int `json:"nbformat"`
	Cells  []struct {
		Type    string   `json:"cell_type"`
		Source  []string `json:"source"`
		Count   *int     `json:"execution_count"`
		Outputs []struct {
			Type string                     `json:"output_type"`
			Name string                     `json:"name"`
			Text []string                   `json:"text"`
			Data map[string]json.RawMessage `json:"data"`
		} `json:"outputs"`
	} `json:"cells"`
}

// readNotebook returns a notebook by its path.
func readNotebook(t *testing.T, path string) notebook {
	t.Helper()
	var n notebook
	if err := json.Unmarshal([]byte(read(t, path)), &n); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return n
}

func allNotebooks(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(notebooks + "/*.ipynb")
	if err != nil || len(paths) != 6 {
		t.Fatalf("notebooks %v (%v), want six", paths, err)
	}
	return paths
}

// machinePaths are places of the machine the notebooks were run on.
var machinePaths = regexp.MustCompile(`/(home|root|tmp|work|host|mnt|Users|usr|var)/[\w.-]+`)

// picture is one in a notebook, in letters that may spell anything.
var picture = regexp.MustCompile(`"image/png": "[^"]*"`)

// hidden are parts of a notebook's code that a reader cannot follow, or that are no
// business of theirs.
var hidden = regexp.MustCompile(`import \*|(?m)^\s*assert |splitlines`)

// TestNotebooks wants each notebook small, run from top to bottom without a
// fault or warning, with pictures and plain code, and nothing in it of the machine it ran
// on.
func TestNotebooks(t *testing.T) {
	for _, path := range allNotebooks(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text := read(t, path)
			if len(text) > 300_000 {
				t.Errorf("%d bytes, want less than 300,000", len(text))
			}
			if place := machinePaths.FindString(picture.ReplaceAllString(text, "")); place != "" {
				t.Errorf("it names %s, a place of one machine", place)
			}
			n := readNotebook(t, path)
			if n.Format != 4 {
				t.Errorf("nbformat %d, want 4", n.Format)
			}
			ran, pictures := 0, 0
			for i, cell := range n.Cells {
				if cell.Type != "code" {
					continue
				}
				if ran++; cell.Count == nil || *cell.Count != ran {
					t.Errorf("cell %d was not run in its turn", i+1)
				}
				if what := hidden.FindString(strings.Join(cell.Source, "")); what != "" {
					t.Errorf("cell %d has %q", i+1, what)
				}
				for _, o := range cell.Outputs {
					if o.Type == "error" || o.Name == "stderr" {
						t.Errorf("cell %d ended with a fault or a warning: %s", i+1, o.Text)
					}
					if _, ok := o.Data["image/png"]; ok {
						pictures++
					}
				}
			}
			if pictures < 2 {
				t.Errorf("%d pictures, want two and more", pictures)
			}
		})
	}
}

// TestFirstNotebook wants a first notebook that needs nothing of the project and can be
// typed off.
func TestFirstNotebook(t *testing.T) {
	lines := 0
	for _, cell := range readNotebook(t, notebooks+"/first.ipynb").Cells {
		if cell.Type != "code" {
			continue
		}
		for _, line := range cell.Source {
			if strings.TrimSpace(line) != "" {
				lines++
			}
			if strings.Contains(line, "common") {
				t.Errorf("it needs common.py: %s", line)
			}
		}
	}
	if lines > 18 {
		t.Errorf("%d lines of code, want about fifteen", lines)
	}
}

// TestNotebookStyle wants the notebooks to have the colours of the figures.
func TestNotebookStyle(t *testing.T) {
	if common := read(t, notebooks+"/common.py"); !strings.Contains(common,
		`"`+strings.Join(figures.Palette(), `", "`)+`"`) {
		t.Error("common.py has other colours than reports/figures")
	}
}

// speed is left out of what notebooks show and golden tables keep.
var speed = regexp.MustCompile(` \([\d,]+/s\)`)

// TestNotebookCommands runs every command of the notebooks and wants it to print
// what they show.
func TestNotebookCommands(t *testing.T) {
	for _, path := range allNotebooks(t) {
		shown := outputs(readNotebook(t, path))
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Chdir(t.TempDir())
			parts := strings.Split("\n"+shown, "\n$ bourse ")[1:]
			if len(parts) < 4 && filepath.Base(path) != "first.ipynb" {
				t.Fatalf("only %d commands", len(parts))
			}
			for _, part := range parts {
				command, printed, _ := strings.Cut(part, "\n")
				runShown(t, command, printed)
			}
		})
	}
}

// runShown runs a command; what it prints has to be the beginning of what is
// shown below it, if that did not go elsewhere.
func runShown(t *testing.T, command, shown string) {
	t.Helper()
	dealUsers(t, command)
	line, quiet := strings.CutSuffix(command, " >/dev/null")
	code, stdout, stderr := bourse(t, words(line)...)
	if code != 0 {
		t.Fatalf("bourse %s: exit %d: %s", line, code, stderr)
	}
	if want := speed.ReplaceAllString(stdout, ""); !quiet && !strings.HasPrefix(shown, want) {
		t.Errorf("bourse %s prints\n%s\nbut the notebook shows\n%s\nmake notebooks OUT=reports/notebooks runs it anew",
			line, want, shown)
	}
}

// outputs joins what a notebook's cells wrote.
func outputs(n notebook) string {
	var b strings.Builder
	for _, cell := range n.Cells {
		for _, o := range cell.Outputs {
			b.WriteString(strings.Join(o.Text, ""))
		}
	}
	return b.String()
}

// dealUsers makes users.swf for the first command that takes it, by the rule of
// sharing.ipynb: sessions of ten jobs, each user with half as many as the one
// before; odd users ask for 1 GB a processor, the others for 4.
func dealUsers(t *testing.T, command string) {
	t.Helper()
	if _, err := os.Stat("users.swf"); err == nil || !strings.Contains(command, "users.swf") {
		return
	}
	packed, err := os.Open("log.swf.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	jobs := 0
	for lines := bufio.NewScanner(in); lines.Scan(); {
		line := lines.Text()
		if !strings.HasPrefix(line, ";") {
			fields := strings.Fields(line)
			user := min(bits.TrailingZeros(uint(jobs/10+1))+1, 6)
			fields[11], fields[9] = fmt.Sprint(user), "4000000"
			if user%2 == 1 {
				fields[9] = "1000000"
			}
			line = strings.Join(fields, " ")
			jobs++
		}
		b.WriteString(line + "\n")
	}
	if err := os.WriteFile("users.swf", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// words splits a command at blanks outside single quotes.
func words(command string) []string {
	var out []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
