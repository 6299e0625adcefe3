package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
)

// Comparison says how a repetition is compared with the first time.
type Comparison struct {
	// Tolerance is the part of the larger by which figures of tables and JSON may differ.
	Tolerance float64
	// Absent lets the hashes in the manifest stand for files that are not there.
	Absent bool
}

// ErrDiffers ends a repetition that did not give the same bytes.
var ErrDiffers = errors.New("the repetition differs")

// counts are those of files compared.
type counts struct {
	same, differing int
	near            int  // of the same, those whose figures are and whose bytes are not
	byHash          bool // no file of the first time is there, and only their hashes were compared
}

// Repeat does finished work once more in a directory, with inputs at those paths, and prints
// whether its files are the same, how they differ, and what else is there.
func (c Comparison) Repeat(out io.Writer, f Finished, p *Program, at []string, dir string) error {
	to, err := f.Again(p, at, dir)
	if err != nil {
		return err
	}
	list, err := f.Outputs(to)
	if err != nil {
		return err
	}
	n, err := c.files(out, list, f.Dir(), to)
	if err != nil {
		return err
	}
	if err := printUnlisted(out, f, list); err != nil {
		return err
	}
	switch {
	case n.differing > 0:
		return fmt.Errorf("%d of %d files: %w", n.differing, n.same+n.differing, ErrDiffers)
	case n.same == 0:
		return fmt.Errorf("%s has no files to compare", f.Dir())
	}
	words := ""
	if n.near > 0 {
		words = fmt.Sprintf("; same figures within %g of the larger: %d", c.Tolerance, n.near)
	} else if n.byHash {
		words = ", by the hashes in the manifest; the files themselves are not there"
	}
	_, err = fmt.Fprintf(out, "same bytes: %s%s\n", terminal.Count(n.same-n.near, "file", "files"), words)
	return err
}

// files compares the files of two directories and prints how they differ.
func (c Comparison) files(out io.Writer, list []Output, first, second string) (n counts, err error) {
	list = slices.DeleteFunc(slices.Clone(list), func(o Output) bool { return o.As == Manifest || o.As == Page })
	n.byHash = !slices.ContainsFunc(list, func(o Output) bool { _, err := os.Stat(o.path(first)); return err == nil })
	for _, o := range list {
		f := file{Output: o, was: o.path(first), is: o.path(second)}
		if f.sum, err = hashOf(f.is); err != nil {
			return n, err
		}
		if f.old, err = hashOf(f.was); err != nil {
			return n, err
		}
		f.byHash = f.old == "" && (n.byHash || c.Absent || o.As == Away)
		switch {
		case f.byHash && f.SHA256 == "", o.As == Cell && f.old != "":
			continue
		case f.sum != "" && (f.sum == f.old || f.byHash && f.sum == f.SHA256):
			n.same++
			continue
		}
		var text strings.Builder
		if err := f.print(&text, c.Tolerance); err != nil {
			return n, err
		}
		if c.Tolerance > 0 && strings.HasSuffix(text.String(), allSame) {
			n.same++
			n.near++
			continue
		}
		n.differing++
		if _, err := io.WriteString(out, text.String()); err != nil {
			return n, err
		}
	}
	return n, nil
}

// printUnlisted names what is in a directory and does not belong to its results.
func printUnlisted(out io.Writer, f Finished, list []Output) error {
	var known []string
	for _, o := range list {
		known = append(known, o.Name)
	}
	names, err := unlisted(f.Dir(), known)
	what := strings.Replace(f.Kind(), "replay", "run", 1)
	for _, name := range names {
		fmt.Fprintf(out, "%s is not of this %s\n", name, what)
	}
	return err
}

// unlisted lists what is in a directory in addition to the files known, folders of which
// no file is known as one. Names that begin with a dot are left out.
func unlisted(dir string, known []string) (names []string, err error) {
	inside := map[string]bool{".": true}
	for _, name := range known {
		for ; !inside[name]; name = filepath.Dir(name) {
			inside[name] = true
		}
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || inside[name] {
			return err
		}
		if !strings.HasPrefix(d.Name(), ".") {
			names = append(names, name)
		}
		if d.IsDir() {
			return filepath.SkipDir
		}
		return nil
	})
	return names, err
}

// allSame is said of two files whose values do not differ.
const allSame = "  every value is the same; the bytes around them are not\n"

// near reports whether two texts are numbers that differ by no more than a part of the larger.
func near(x, y string, tolerance float64) bool {
	if tolerance == 0 {
		return false
	}
	a, errA := strconv.ParseFloat(x, 64)
	b, errB := strconv.ParseFloat(y, 64)
	return errA == nil && errB == nil && math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}

// file is one of the first time and of the repetition.
type file struct {
	Output
	was, is  string // paths
	old, sum string // hashes, "" if there is no such file
	byHash   bool   // the hash in the manifest is compared instead of the first
}

// print says how the repetition's file differs.
func (f *file) print(out io.Writer, tolerance float64) error {
	given := f.SHA256 != "" && f.sum == f.SHA256
	text := f.Name + " differs\n"
	switch {
	case f.sum == "":
		text = f.Name + ": the repetition does not make it\n"
	case f.byHash:
		text = fmt.Sprintf("%s differs: the manifest has SHA-256 %.12s..., the repetition %.12s...; the file is not "+
			"there to compare\n",
			f.Name, f.SHA256, f.sum)
	case f.old == "" && given:
		text = f.Name + " is missing: the repetition makes it, as the manifest says\n"
	case f.old == "":
		text = f.Name + " is missing: the repetition makes it\n"
	case given:
		text = f.Name + " was changed after the run: the repetition gives what the manifest says\n"
	}
	if _, err := io.WriteString(out, text); err != nil || f.old == "" || f.sum == "" {
		return err
	}
	switch filepath.Ext(f.Name) {
	case ".csv", ".parquet":
		return printTables(out, f.was, f.is, tolerance)
	case ".json":
		return printKeys(out, f.was, f.is, tolerance)
	}
	return nil
}

// printTables says in which columns and rows two tables differ.
func printTables(out io.Writer, was, is string, tolerance float64) error {
	list, more, err := differ(was, is, tolerance)
	if bad := (*traces.Error)(nil); errors.As(err, &bad) {
		_, err := fmt.Fprintf(out, "  it cannot be read: %v\n", bad)
		return err
	}
	if err != nil {
		return err
	}
	switch {
	case more > 0:
		fmt.Fprintf(out, "  the repetition has %s more\n", terminal.Count(int(more), "row", "rows"))
	case more < 0:
		fmt.Fprintf(out, "  the repetition has %s fewer\n", terminal.Count(int(-more), "row", "rows"))
	case len(list) == 0:
		fmt.Fprint(out, allSame)
	}
	if len(list) == 0 {
		return nil
	}
	t := table.New(table.Headed(terminal.Number, "  column", "rows that differ", "first", "was", "is")...)
	for _, d := range list {
		if d.Rows == 0 {
			t.Add("  "+d.Column, "in one of them only", "", "", "")
			continue
		}
		t.Add("  "+d.Column, d.Rows, d.First, d.Was, d.Is)
	}
	return table.Print(out, &table.Report{Tables: []*table.Table{t}})
}

// hashOf is a file's hash, empty if there is no such file.
func hashOf(path string) (string, error) {
	sum, err := run.HashFile(path)()
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return sum, err
}
