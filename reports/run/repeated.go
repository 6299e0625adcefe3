package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bourse/reports/terminal"
	"bourse/traces"
)

// Repeated is a file of which there should be two of equal bytes.
type Repeated struct {
	Name    string // for messages
	Was, Is string // where the one of the first time is, and that of the repetition
	SHA256  string // of the first time, empty where no manifest tells
	Away    bool   // the first may be elsewhere by now: then its hash stands for it
	Differs bool   // it only has to be there: it says where inputs are
}

// Repetition counts the files that were held against each other.
type Repetition struct {
	Same, Differing int
	// Near is how many of the same are so by their figures, and have other bytes.
	Near int
	// ByHash says that no file of the first time is there, and only their hashes spoke.
	ByHash bool
}

// Compare holds files against those of a repetition and prints how they differ. Figures of
// tables and JSON that differ by no more than a tolerance, a part of the larger, are the same.
func Compare(out io.Writer, files []Repeated, tolerance float64) (r Repetition, err error) {
	r.ByHash = !slices.ContainsFunc(files, func(f Repeated) bool { return exists(f.Was, "") })
	for _, f := range files {
		sum, err := hashOf(f.Is)
		if err != nil {
			return r, err
		}
		old, err := hashOf(f.Was)
		if err != nil {
			return r, err
		}
		byHash := old == "" && (r.ByHash || f.Away)
		switch {
		case byHash && f.SHA256 == "", f.Differs && old != "":
			continue
		case sum != "" && (sum == old || byHash && sum == f.SHA256):
			r.Same++
			continue
		}
		var text strings.Builder
		if err := f.print(&text, old, sum, byHash, tolerance); err != nil {
			return r, err
		}
		if tolerance > 0 && strings.HasSuffix(text.String(), allSame) {
			r.Same++
			r.Near++
			continue
		}
		r.Differing++
		if _, err := io.WriteString(out, text.String()); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Unlisted lists what stands in a directory beside the files known, folders of which
// no file is known as one. Names that begin with a dot are left out.
func Unlisted(dir string, known []string) (names []string, err error) {
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

// print says how a file differs from what it was; old and sum are the hashes.
func (f *Repeated) print(out io.Writer, old, sum string, byHash bool, tolerance float64) error {
	given := f.SHA256 != "" && sum == f.SHA256
	text := f.Name + " differs\n"
	switch {
	case sum == "":
		text = f.Name + ": the repetition does not make it\n"
	case byHash:
		text = fmt.Sprintf("%s differs: the manifest has SHA-256 %.12s..., the repetition %.12s...; the file is not there to compare\n", f.Name, f.SHA256, sum)
	case old == "" && given:
		text = f.Name + " is missing: the repetition makes it, as the manifest says\n"
	case old == "":
		text = f.Name + " is missing: the repetition makes it\n"
	case given:
		text = f.Name + " was changed after the run: the repetition gives what the manifest says\n"
	}
	if _, err := io.WriteString(out, text); err != nil || old == "" || sum == "" {
		return err
	}
	switch filepath.Ext(f.Name) {
	case ".csv", ".parquet":
		return printTables(out, f.Was, f.Is, tolerance)
	case ".json":
		return printKeys(out, f.Was, f.Is, tolerance)
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
	t := terminal.NewTable("  column", "rows that differ", "first", "was", "is")
	for _, d := range list {
		if d.Rows == 0 {
			t.Row("  "+d.Column, "in one of them only", "", "", "")
			continue
		}
		t.Row("  "+d.Column, terminal.Thousands(d.Rows), terminal.Thousands(d.First), d.Was, d.Is)
	}
	return t.Write(out)
}

// hashOf is a file's hash, empty if there is no such file.
func hashOf(path string) (string, error) {
	sum, err := HashFile(path)()
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return sum, err
}
