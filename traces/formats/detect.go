package formats

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"bourse/traces"
	"bourse/traces/google"
	"bourse/traces/input"
	"bourse/traces/tabular"
	"bourse/traces/workload"
)

var (
	torqueLine = regexp.MustCompile(`^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;[A-Za-z];`)
	sacctLine  = regexp.MustCompile(`(?i)^([a-z0-9_%]+\|)*JobID(Raw)?\|`)
	dashes     = regexp.MustCompile(`^-+( +-+)* *$`) // below names of columns of fixed width
)

// formatOf guesses by the first bytes, then by the extension, then by the first
// line. Text that says nothing of itself is taken for SWF, whose reader knows
// what it is not. A mapping of columns may follow the path.
func formatOf(spec string) *Format {
	path, query := tabular.SplitMapping(spec)
	if table := google.FormatOf(path); table != "" {
		return known(table)
	}
	if input.KindOf(path) == "parquet" {
		if query != "" {
			return known("parquet")
		}
		if workload.Is(path) {
			return known("workload")
		}
		if p := tabular.PresetOf("", tabular.ColumnsOf(path)); p != nil {
			return known(p.Name)
		}
		return known("parquet")
	}
	line, next := firstLines(path)
	switch {
	case torqueLine.MatchString(line):
		return known("torque")
	case sacctLine.MatchString(line), tabular.FixedWidth(line) && dashes.MatchString(next):
		return known("sacct")
	}
	if p := tabular.PresetOf(line, nil); query == "" && line != "" && p != nil {
		return known(p.Name)
	}
	base := path
	for _, packed := range []string{".gz", ".zst", ".bz2"} {
		base = strings.TrimSuffix(base, packed)
	}
	for i := range All {
		for _, ext := range All[i].Extensions {
			if strings.EqualFold(filepath.Ext(base), ext) {
				return &All[i]
			}
		}
	}
	if namesColumns(line) {
		return known("csv")
	}
	return known("swf")
}

// namesColumns reports whether a line looks like the column names of a table of
// jobs: it has delimiters, and the columns that are needed are known by name.
func namesColumns(line string) bool {
	if line == "" || line[0] == ';' || line[0] == '#' || !strings.ContainsAny(line, ",;\t|") {
		return false
	}
	names := strings.Split(line, string(tabular.DelimiterOf(line)))
	for i := range names {
		names[i] = strings.Trim(names[i], "\" ")
	}
	t := tabular.Rows{}
	return tabular.FindColumns(&traces.Header{}, names, nil, &t) == nil
}

func known(name string) *Format {
	f, err := formatNamed(name)
	if err != nil {
		panic(err) // a name of the table above
	}
	return f
}

// firstLine returns the first line of the first text of a log, or nothing.
func firstLine(path string) string {
	first, _ := firstLines(path)
	return first
}

// firstLines returns the first two lines. Pipes are left alone: what is read from them
// here would be missing later.
func firstLines(path string) (first, second string) {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() && !st.IsDir() {
		return "", ""
	}
	m, err := input.OpenMembers(path, traces.Options{})
	if err != nil {
		return "", ""
	}
	defer m.Close()
	_, text, err := m.Next()
	if err != nil {
		return "", ""
	}
	head, _ := bufio.NewReaderSize(text, 1<<12).Peek(1 << 12)
	first, rest, _ := strings.Cut(string(input.TrimMark(head)), "\n")
	second, _, _ = strings.Cut(rest, "\n")
	return strings.TrimRight(first, "\r"), strings.TrimRight(second, "\r")
}
