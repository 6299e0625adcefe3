package record

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// encoder writes batches in one format.
type encoder interface {
	// write adds a batch's rows. The encoder must not keep b or its slices.
	write(b *batch) error
	// close writes what belongs at the end, not closing the writer below.
	close() error
}

// note is one pair of a file's key-value metadata.
type note = [2]string

// Format is one of the ways to write a dataset.
type Format struct {
	Name string
	// Streams is true if the format can be read while it is written, so
	// that it can be written to a pipe.
	Streams bool
	about   string
	open    func(w io.Writer, cols []Column, notes []note) (encoder, error)
}

// formats lists the ways to write a dataset, the default first.
var formats = append(binary, Format{"csv", true, "comma-separated text, RFC 4180; empty is null", newCSV})

// Formats returns the names of the record formats, the default first.
func Formats() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].Name
	}
	return names
}

// FormatNamed looks a format up; the empty name is the default.
func FormatNamed(name string) (*Format, error) {
	if name == "" {
		return &formats[0], nil
	}
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown record format %q; there are %s", name, strings.Join(Formats(), ", "))
	}
	return &formats[i], nil
}

// NotesOf returns the metadata written into a dataset's file: who wrote it,
// what it is, and each column's unit and meaning.
func NotesOf(dataset, version string, cols []Column) []note {
	notes := []note{{"bourse.version", version}, {"bourse.dataset", dataset}}
	for _, c := range cols {
		text := c.Meaning
		if c.Unit != "" {
			text = "[" + c.Unit + "] " + text
		}
		notes = append(notes, note{"bourse.column." + c.Name, text})
	}
	return notes
}
