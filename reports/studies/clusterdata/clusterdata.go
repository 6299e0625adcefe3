// Package clusterdata reads the raw tables of Google's cluster data of 2011
// (clusterdata-2011-2) line by line, for studies that need more than jobs. It
// gives fields, not meaning.
package clusterdata

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/gzip"

	"bourse/traces"
)

// Columns of task_events and machine_events (the trace's schema.csv), from 0.
const (
	TaskFields    = 13
	TaskTime      = 0
	TaskJob       = 2
	TaskIndex     = 3
	TaskType      = 5
	TaskUser      = 6
	TaskCPU       = 9
	TaskMemory    = 10
	MachineFields = 6
	MachineTime   = 0
	MachineType   = 2
	MachineCPU    = 4
	MachineMemory = 5
)

// Types of task events and, the last, of machine events.
const (
	Submit        byte = '0'
	Schedule      byte = '1'
	Evict         byte = '2'
	Fail          byte = '3'
	Finish        byte = '4'
	Kill          byte = '5'
	Lost          byte = '6'
	UpdatePending byte = '7'
	UpdateRunning byte = '8'
	Added         byte = '0'
)

// Parts lists the files of a table in order.
func Parts(dir, table string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, table, "part-*.csv.gz"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("%s: there is no %s/part-*.csv.gz; the directory should be laid out as clusterdata-2011-2 is", dir, table)
	}
	slices.Sort(paths)
	return paths, nil
}

// EachLine passes the fields of each line of a compressed file on. The slices
// are reused. The format has no quotes.
func EachLine(path string, fields int, each func([][]byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	unzip, err := gzip.NewReader(bufio.NewReaderSize(file, 1<<18))
	if err != nil {
		return &traces.Error{File: path, What: "not gzip", Err: err}
	}
	lines := bufio.NewScanner(unzip)
	lines.Buffer(make([]byte, 1<<16), 1<<20)
	parts := make([][]byte, 0, fields)
	n := int64(0)
	for lines.Scan() {
		n++
		parts = parts[:0]
		for rest, found := lines.Bytes(), true; found; {
			var part []byte
			part, rest, found = bytes.Cut(rest, []byte{','})
			parts = append(parts, part)
		}
		if len(parts) != fields {
			return &traces.Error{File: path, Line: n, What: fmt.Sprintf("%d fields", len(parts)), Want: fmt.Sprintf("%d were expected", fields)}
		}
		if err := each(parts); err != nil {
			return &traces.Error{File: path, Line: n, What: err.Error()}
		}
	}
	if err := lines.Err(); err != nil {
		what := "cannot be read"
		if errors.Is(err, io.ErrUnexpectedEOF) {
			what = "the file ends in the middle"
		}
		return &traces.Error{File: path, Line: n + 1, What: what, Err: err}
	}
	return nil
}
