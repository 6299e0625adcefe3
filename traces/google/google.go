package google

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
)

// Google publishes its cluster traces as tables of events: jobs, tasks and
// machines are submitted, scheduled, evicted, end. A job of ours is a task: the
// tables are read once, in order of time (those of 2019 are sorted for it,
// sortevents.go), through a state machine per live task (tasks.go), and the jobs are put in order of
// submission by an external sort (input.JobSorter), so memory follows the live tasks.

// source is the source of a Google trace.
type source struct {
	header   traces.Header
	opts     traces.Options
	parts    []part
	dialect  *dialect
	path     string
	owners   map[int64]traces.Label // by job, where task events do not say
	machine  []traces.MachineEvent
	sorted   *input.JobSorter
	count    Counts
	progress atomic.Int64 // parts read
	err      error
}

// Counts is what a Google trace was found to hold; every row of the table of
// tasks is in there.
type Counts struct {
	// Rows counts the task events by kind, in the order of EventKinds.
	Rows [numKinds]int64
	// Jobs and Tasks count distinct numbers as far as they were alive at once; Runs
	// tasks that had ended and came back.
	Jobs, Tasks, Users int64
	// Attempts counts stretches from a schedule to an end, Ended those by how they
	// ended; Censored are the tasks still running at the end of what was read.
	Attempts int64
	Ended    [numKinds]int64
	Censored int64
	// Left counts rows of alloc sets (2019), which are no tasks.
	Left int64
	// End is the latest time met.
	End events.Time
}

// tables names the formats with the tables by which their folders are known.
var tables = [...]struct{ format, tasks string }{{"google2011", TaskTable}, {"google2019", "instance_events"}}

// dialect is what differs between the traces of 2011 and 2019.
type dialect struct {
	name                 string
	tasks, jobs, machine string // the tables
	parse                func(g *source, p part, out chan<- *eventBatch, stop <-chan struct{})
	machines             func(g *source, p part) error
	prepare              func(g *source, path string) error // before the tasks; may be nil
	unordered            bool                               // rows of the table of tasks are not in order of time
}

// Open2011 opens a trace of 2011 by its folder, one of its files or a glob.
func Open2011(path string, o traces.Options) (traces.Source, error) { return open(path, o, &v2011) }

// Open2019 opens a trace of 2019 by its folder of exports.
func Open2019(path string, o traces.Options) (traces.Source, error) { return open(path, o, &v2019) }

func open(path string, o traces.Options, d *dialect) (traces.Source, error) {
	if path == "-" {
		return nil, fmt.Errorf("a Google trace is several files and cannot be read from stdin; give its folder")
	}
	switch o.Attempts {
	case "":
		o.Attempts = traces.LastAttempt
	case traces.LastAttempt, traces.AllAttempts, traces.MergedAttempts:
	default:
		return nil, fmt.Errorf("attempts %q; want last, all or merge", o.Attempts)
	}
	g := &source{opts: o, dialect: d, path: path}
	g.header = traces.Header{Name: path, Format: d.name, Ledger: &traces.Ledger{},
		Names: traces.Names{Users: &traces.Words{}}}
	var err error
	if g.parts, err = g.findParts(path, d.tasks); err != nil {
		return nil, err
	}
	if err := g.readMachines(path); err != nil {
		return nil, err
	}
	return g, nil
}

// Header implements Source.
func (g *source) Header() *traces.Header { return &g.header }

// Counts returns what the trace was found to hold, once Next has been called.
func (g *source) Counts() *Counts { return &g.count }

// Next implements Source. The first call reads the whole trace.
func (g *source) Next(j *traces.Job) error {
	if g.err == nil && g.sorted == nil {
		g.err = g.read()
	}
	if g.err != nil {
		return g.err
	}
	if g.err = g.sorted.Next(j); g.err == io.EOF && g.header.Ledger.Read == 0 {
		g.err = &traces.Error{File: g.header.Name, What: "the trace holds no tasks"}
	}
	return g.err
}

// Fraction implements Progress.
func (g *source) Fraction() float64 {
	return float64(g.progress.Load()) / float64(max(1, len(g.parts)))
}

// Close removes what the sort has put on disk.
func (g *source) Close() error {
	if g.err == nil {
		g.err = fmt.Errorf("%s: read after Close", g.header.Name)
	}
	if g.sorted == nil {
		return nil
	}
	return g.sorted.Close()
}

// part is one file of a table.
type part struct {
	path      string
	index, of int // part-index-of-of; of is 0 for files that are not numbered
}

// findParts lists a table's files in order. path is the trace's folder, a folder
// of parts, one file, or a pattern.
func (g *source) findParts(path, table string) ([]part, error) {
	var names []string
	switch st, err := os.Stat(path); {
	case err == nil && st.IsDir():
		dir := filepath.Join(path, table)
		if !input.Exists(dir) {
			dir = path
		}
		if names, err = tableFiles(dir, table); err != nil {
			return nil, err
		}
	case err == nil:
		names = []string{path}
	default:
		if names, err = filepath.Glob(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if len(names) == 0 {
		return nil, g.nothing(path, table)
	}
	parts := make([]part, len(names))
	for i, name := range names {
		parts[i] = part{path: name, index: i}
		fmt.Sscanf(filepath.Base(name), "part-%05d-of-%05d", &parts[i].index, &parts[i].of)
	}
	slices.SortFunc(parts, func(a, b part) int { return a.index - b.index })
	return parts, g.gaps(path, parts)
}

// nothing says that a table has no files, and whose tables there are instead.
func (g *source) nothing(path, table string) error {
	e := &traces.Error{File: path, What: "no files of table " + table,
		Want: "want a folder with " + table + "/part-00000-of-00500.csv.gz and so on"}
	if g.dialect.name == tables[1].format {
		e.Want = "want a folder with " + table + "/ or files " + table +
			"-000000000000.json.gz and so on, JSON lines or Parquet"
	}
	if other := FormatOf(path); other != "" && other != g.dialect.name {
		e.Want = "the folder holds the tables of " + other + ": name it " + other + ":" + path
	}
	return e
}

// tableFiles lists the files of a table in a folder: all of them in a folder of
// its own, those named after it in a folder of exports.
func tableFiles(dir, table string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if n := e.Name(); !e.IsDir() && (strings.HasPrefix(n, "part-") && filepath.Base(dir) == table ||
			strings.HasPrefix(n, table) || filepath.Base(dir) == table &&
			(strings.Contains(n, ".json") || strings.HasSuffix(n, ".parquet"))) {
			names = append(names, filepath.Join(dir, n))
		}
	}
	return names, nil
}

// PartsField is the field of the header that says which parts there are, where some
// are not.
const PartsField = "Parts"

// ErrMissingPart is a hole among the numbered parts of a table. Options.Skip reads on.
var ErrMissingPart = errors.New("tasks would begin and never end")

// gaps refuses a hole among numbered parts: tasks would begin and never end. A
// trace that stops early is whole up to there, and says so.
func (g *source) gaps(path string, parts []part) error {
	for i := 1; i < len(parts); i++ {
		if parts[i].of == 0 || parts[i].index == parts[i-1].index+1 {
			continue
		}
		if !g.opts.Skip {
			return &traces.Error{File: path, Err: ErrMissingPart,
				What: fmt.Sprintf("part %05d is missing: %s is followed by %s", parts[i-1].index+1, filepath.Base(parts[i-1].path),
					filepath.Base(parts[i].path))}
		}
		g.header.Ledger.Odd(fmt.Sprintf("parts missing between %05d and %05d", parts[i-1].index, parts[i].index))
	}
	if n := len(parts); n > 0 && parts[0].of > 0 && (n < parts[0].of || parts[0].index > 0) {
		g.header.Fields = append(g.header.Fields,
			traces.Field{Label: PartsField, Text: fmt.Sprintf("%d of %d, from %d to %d", n, parts[0].of, parts[0].index,
				parts[n-1].index)})
	}
	return nil
}

// FormatOf returns the Google format that a folder's tables are of, or "".
func FormatOf(path string) string {
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		return ""
	}
	for _, t := range tables {
		if names, _ := filepath.Glob(filepath.Join(path, t.tasks+"*")); len(names) > 0 || filepath.Base(path) == t.tasks {
			return t.format
		}
	}
	return ""
}

// Counter is implemented by sources that count a Google trace's events.
type Counter interface{ Counts() *Counts }
