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
	return To(path, stdout, overwrite, func(w io.Writer, at, format string) error {
		return record.WriteValues(w, at, format, version, columns)
	})
}

// To opens a destination as Write does, for a write that fills it bit by bit; at
// stands for the destination in messages.
func To(path string, stdout io.Writer, overwrite bool, write func(w io.Writer, at, format string) error) error {
	if toStdout(path) {
		return write(stdout, "standard output", "csv")
	}
	if err := CheckNew(path, overwrite); err != nil {
		return err
	}
	return files.Write(path, func(w io.Writer) error { return write(w, path, formatOf(path)) })
}

// Add is Write for a file that appears together with others of a set; nil if it is
// standard output.
func Add(set *files.Set, path string, stdout io.Writer, overwrite bool, version string,
	columns []record.Values) (*files.File, error) {
	if toStdout(path) {
		return nil, Write(path, stdout, overwrite, version, columns)
	}
	if err := CheckNew(path, overwrite); err != nil {
		return nil, err
	}
	f, err := set.Create(path)
	if err != nil {
		return nil, err
	}
	return f, f.Fill(func(w io.Writer) error { return record.WriteValues(w, path, formatOf(path), version, columns) })
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
