package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"bourse/policies"
	"bourse/reports/run"
)

// Axis is one dimension of a grid.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Setting is a cell's place on one axis.
type Setting struct{ Name, Value string }

// Cell is one combination of settings, in the order of the axes.
type Cell []Setting

// Get returns the cell's value on an axis, empty if there is no such axis.
func (c Cell) Get(name string) string {
	for _, s := range c {
		if s.Name == name {
			return s.Value
		}
	}
	return ""
}

// keys are the names of settings in directories where they are not those of axes: readers make
// columns of them in addition to those of job files and segments, which have a payment and nodes of
// their own.
var keys = map[string]string{Payment: "payment_scheme", Nodes: "machine_nodes", Load: "load_factor"}

// Path names the cell's directory in the hive style, "policy=hb/seed=1", with
// bytes other than letters, digits and "._-" as %XX.
func (c Cell) Path() string {
	parts := make([]string, len(c))
	for i, s := range c {
		parts[i] = s.directory()
	}
	return path.Join(parts...)
}

// Folder is the cell's directory below that of the sweep.
func (c Cell) Folder() string {
	return filepath.Join(run.SweepFolder, filepath.FromSlash(c.Path()))
}

// longestName is how many bytes a file system takes for a name.
const longestName = 255

func (s Setting) directory() string {
	return escape(cmp.Or(keys[s.Name], s.Name)) + "=" + escape(s.Value)
}

// String writes the cell for messages: "policy=hb seed=1".
func (c Cell) String() string {
	parts := make([]string, len(c))
	for i, s := range c {
		parts[i] = s.Name + "=" + s.Value
	}
	return strings.Join(parts, " ")
}

func escape(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._-", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// Cells returns every combination, the last axis varying fastest.
func Cells(axes []Axis) []Cell { return slices.Collect(each(axes)) }

// each walks over the combinations, which may be far more than there are cells of on the disk.
func each(axes []Axis) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		var walk func(c Cell, rest []Axis) bool
		walk = func(c Cell, rest []Axis) bool {
			if len(rest) == 0 {
				return yield(slices.Clone(c))
			}
			for _, v := range rest[0].Values {
				if !walk(append(c, Setting{rest[0].Name, v}), rest[1:]) {
					return false
				}
			}
			return true
		}
		walk(make(Cell, 0, len(axes)), axes)
	}
}

// Expand reads the values of one axis: a list separated by commas, in which
// braces stand for their alternatives, so that "srg(beta={.1,.5}),truthful" is
// srg(beta=.1), srg(beta=.5) and truthful. A value that comes twice is an error.
func Expand(text string) ([]string, error) {
	parts, err := policies.SplitList(text)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	var values []string
	seen := map[string]bool{}
	for _, part := range parts {
		err := braces(part, func(v string) error {
			switch {
			case v == "":
				return errors.New("a value is empty")
			case seen[v]:
				return fmt.Errorf("%s is given twice", v)
			case len(values) == mostValues:
				return fmt.Errorf("more than %d values", mostValues)
			}
			seen[v] = true
			values = append(values, v)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%.60q: %w", text, err)
		}
	}
	return values, nil
}

// MostCells is the number of cells that a sweep may have: each is a directory.
const MostCells = 1_000_000

// mostValues is the number of values that a list may have.
const mostValues = 100_000

// braces expands the first pair of braces and then the rest, and hands over each text.
func braces(text string, take func(string) error) error {
	open := strings.IndexByte(text, '{')
	if open < 0 {
		return take(text)
	}
	depth, end := 0, -1
	for i := open; i < len(text) && end < 0; i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				end = i
			}
		}
	}
	if end < 0 {
		return errors.New("a brace is not closed")
	}
	inside, err := policies.SplitList(text[open+1 : end])
	if err != nil {
		return err
	}
	if len(inside) == 0 {
		return errors.New("there is nothing between the braces")
	}
	for _, alternative := range inside {
		if err := braces(text[:open]+alternative+text[end+1:], take); err != nil {
			return err
		}
	}
	return nil
}
