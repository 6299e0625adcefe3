package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"bourse/reports/terminal"
	"bourse/traces"
)

// Repeated holds the files of a repetition, in fresh, against those of the first time, in
// dir, and prints how they differ. files maps their names to hashes, empty where a
// manifest does not tell.
func Repeated(out io.Writer, dir, fresh string, files map[string]string) (same, differing int, err error) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		was, is := filepath.Join(dir, name), filepath.Join(fresh, name)
		sum, err := hashOf(is)
		if err != nil {
			return same, differing, err
		}
		old, err := hashOf(was)
		switch {
		case err != nil:
			return same, differing, err
		case old == "" && files[name] == "", old == "" && sum == "":
			continue // no file, and no hash to tell by
		case sum == old, old == "" && sum == files[name]:
			same++
			continue
		}
		differing++
		if err := printDifference(out, name, was, is, old, files[name], sum); err != nil {
			return same, differing, err
		}
	}
	return same, differing, nil
}

// printDifference says how a file differs from what it was.
func printDifference(out io.Writer, name, was, is, old, recorded, sum string) error {
	switch {
	case old == "":
		_, err := fmt.Fprintf(out, "%s differs: the manifest has SHA-256 %.12s..., the repetition %.12s...; the file is not there to compare\n", name, recorded, sum)
		return err
	case sum == "":
		_, err := fmt.Fprintf(out, "%s: the repetition does not make it\n", name)
		return err
	case recorded != "" && old != recorded && sum == recorded:
		fmt.Fprintf(out, "%s was changed after the run: the repetition gives what the manifest says\n", name)
	default:
		fmt.Fprintf(out, "%s differs\n", name)
	}
	if ext := filepath.Ext(name); ext != ".csv" && ext != ".parquet" {
		return nil
	}
	list, more, err := Differ(was, is)
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
		fmt.Fprintln(out, "  every value is the same; the bytes around them are not")
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
