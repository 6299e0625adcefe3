package run

import (
	"io"

	"bourse/reports/record"
	"bourse/traces/files"
	"bourse/traces/table"
)

// Write writes columns: to the file at path, Parquet if its name ends in
// .parquet and CSV otherwise, or as CSV to stdout if path is empty or "-". A file
// appears under its name only when complete. version is the program's, for the
// file's metadata.
func Write(path string, stdout io.Writer, overwrite bool, version string, columns []record.Values) error {
	return files.Together(func(set *files.Set) error {
		_, err := Add(set, path, stdout, overwrite, version, columns)
		return err
	})
}

// Add is Write for a file that appears together with others of a set; nil if it is
// standard output.
func Add(set *files.Set, path string, stdout io.Writer, overwrite bool, version string,
	columns []record.Values) (*files.File, error) {
	err := To(set, path, stdout, overwrite, func(w io.Writer, at, format string) error {
		return record.WriteValues(w, at, format, version, columns)
	})
	if err != nil || toStdout(path) {
		return nil, err
	}
	all := set.Files()
	return all[len(all)-1], nil
}

// To opens a destination as Add does, for a write that fills it bit by bit; at
// stands for the destination in messages.
func To(set *files.Set, path string, stdout io.Writer, overwrite bool,
	write func(w io.Writer, at, format string) error) error {
	if toStdout(path) {
		return write(stdout, "standard output", "csv")
	}
	if err := CheckNew(path, overwrite); err != nil {
		return err
	}
	return set.Write(path, func(w io.Writer) error { return write(w, path, formatOf(path)) })
}

func formatOf(path string) string {
	if table.IsParquet(path) {
		return "parquet"
	}
	return "csv"
}

// CheckOut refuses a path that Write would refuse.
func CheckOut(path string, overwrite bool) error {
	if toStdout(path) {
		return nil
	}
	return CheckNew(path, overwrite)
}

func toStdout(path string) bool { return path == "" || path == "-" }
