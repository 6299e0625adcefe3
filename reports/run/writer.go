package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/record"
	"bourse/traces"
	"bourse/traces/files"
)

// Options set what a Writer writes and how.
type Options struct {
	// Format is one of Formats; empty is the default.
	Format string
	// Names are the texts of labels. The caller may continue to add words while the
	// run is written: they are looked up in Record, on the caller's goroutine.
	Names traces.Names
	// Asks is what jobs ask for beside processors, and Total what the machine has: both
	// add columns.
	Asks  traces.Asks
	Total policies.Amount
	// Placed says that jobs are placed on single machines.
	Placed bool
	// Segments and Series ask for the datasets of these names.
	Segments, Series bool
	// Causes asks for the columns of waits by cause, which the jobs then have.
	Causes bool
	// Charges asks for the columns of charges, by kind.
	Charges [engine.NumCharges]bool
	// Power asks for the columns of energy and power, Outages for those of what is away or capped.
	Power, Outages bool
	// SeriesEvery is the grid of the dataset "series"; 0 is every change.
	SeriesEvery events.Time
	// Overwrite allows the directory to hold an earlier run, which Commit
	// then replaces. Until Commit the earlier run stays as it is.
	Overwrite bool
	// Version is the program's version, written into the files.
	Version string

	// watch sees each file that is created; tests put failures there.
	watch func(path string, f *files.File)
}

// recorder is a dataset without its record type.
type recorder interface {
	End()
	Finish() error
	Stop()
	Describe() record.DatasetRef
}

// Writer writes the records of one replay. It implements engine.Sink,
// engine.SegmentSink and engine.SampleSink; records of datasets that were not
// asked for are ignored (engine.Tee hides their methods from an engine). Methods must
// be called from one goroutine. An error of an earlier record may surface at a later
// one, and does at Commit. A Writer ends with Commit or Abort; Abort after Commit does nothing, so it can be
// deferred.
type Writer struct {
	dir      string
	options  Options
	format   *record.Format
	old      *Manifest    // the run to be replaced
	claim    *files.Claim // of the directory; nil for a stream
	all      []recorder
	jobs     *record.Stream[engine.Outcome]
	segments *record.Stream[engine.Segment]
	series   *record.Stream[engine.Sample]
	grid     grid
	complete bool // no more records come
	ended    bool
}

// Create prepares to write a run into dir, making dir if it is absent. It
// fails, and leaves no file behind, when dir cannot be written, holds a run
// already (unless o.Overwrite), or holds foreign files under the run's names.
func Create(dir string, o Options) (*Writer, error) {
	f, err := record.FormatNamed(o.Format)
	if err != nil {
		return nil, err
	}
	r := &Writer{dir: dir, options: o, format: f, grid: grid{every: o.SeriesEvery}}
	if r.claim, err = files.Take(dir); err != nil {
		if errors.As(err, new(*files.ClaimedError)) {
			return nil, err
		}
		return nil, fmt.Errorf("output directory %s: %w", dir, files.Cause(err))
	}
	err = r.inspect()
	if err == nil {
		err = r.open(func(name string) (io.Writer, string, error) {
			name += "." + f.Name
			file, err := r.create(name)
			return file, filepath.Join(dir, name), err
		})
	}
	if err != nil {
		return nil, errors.Join(err, r.Abort())
	}
	return r, nil
}

func (r *Writer) create(name string) (*files.File, error) {
	path := filepath.Join(r.dir, name)
	f, err := r.claim.Create(path)
	if err == nil && r.options.watch != nil {
		r.options.watch(path, f)
	}
	return f, err
}

// Files is the set that the run is published in, for files beside it.
func (r *Writer) Files() *files.Set { return &r.claim.Set }

// Stream writes the jobs of a replay to w, in a format that can be read from
// a pipe. There are no segments, series, summary or manifest; Commit(nil, nil)
// ends the stream.
func Stream(w io.Writer, o Options) (*Writer, error) {
	f, err := record.FormatNamed(o.Format)
	if err != nil {
		return nil, err
	}
	if !f.Streams {
		return nil, fmt.Errorf("%s cannot be written to standard output, as its index comes last; Arrow and CSV can", f.Name)
	}
	if o.Segments || o.Series {
		return nil, errors.New("only the jobs can be written to standard output; segments and series need a directory")
	}
	r := &Writer{options: o, format: f}
	err = r.open(func(string) (io.Writer, string, error) { return w, "standard output", nil })
	if err != nil {
		return nil, err
	}
	return r, nil
}

// open starts the datasets asked for, on the writers that sink returns.
func (r *Writer) open(sink func(name string) (w io.Writer, at string, err error)) (err error) {
	jobs := slices.Concat(record.JobColumns, record.AskedColumns(r.options.Asks))
	if r.options.Causes {
		jobs = slices.Concat(jobs, record.CauseColumns())
	}
	if r.options.Power {
		jobs = slices.Concat(jobs, record.EnergyColumns)
	}
	for kind, is := range r.options.Charges {
		if is {
			jobs = append(slices.Clip(jobs), record.ChargeColumns[kind])
		}
	}
	if r.jobs, err = start(r, sink, "jobs", jobs); err != nil {
		return err
	}
	if r.options.Segments {
		if r.segments, err = start(r, sink, "segments", record.SegmentColumns); err != nil {
			return err
		}
	}
	if r.options.Series {
		columns := slices.Concat(record.SeriesColumns, record.UseColumns(r.options.Total, r.options.Placed))
		if r.options.Power {
			columns = slices.Concat(columns, record.PowerColumns)
		}
		if r.options.Outages {
			columns = slices.Concat(columns, record.AwayColumns)
		}
		r.series, err = start(r, sink, "series", columns)
	}
	return err
}

func start[R any](r *Writer, sink func(string) (io.Writer, string, error), name string,
	table []record.Field[R]) (*record.Stream[R], error) {
	w, at, err := sink(name)
	if err != nil {
		return nil, err
	}
	notes := record.NotesOf(name, r.options.Version, record.ColumnsOf(table))
	d, err := record.NewStream(w, at, r.format, table, &r.options.Names, notes)
	if err != nil {
		return nil, err
	}
	d.Ref = record.DatasetRef{File: name + "." + r.format.Name, Format: r.format.Name}
	r.all = append(r.all, d)
	return d, nil
}

// Record adds a job.
func (r *Writer) Record(o *engine.Outcome) error { return r.jobs.Add(o) }

// Segment adds a segment, if segments were asked for.
func (r *Writer) Segment(s *engine.Segment) error {
	if r.segments == nil {
		return nil
	}
	return r.segments.Add(s)
}

// Sample adds a sample, if the series was asked for.
func (r *Writer) Sample(s *engine.Sample) error {
	if r.series == nil {
		return nil
	}
	return r.grid.add(s, r.series.Add)
}

// End says that no more records come: what is left is encoded while the caller works out
// the summary. Commit does it where the caller has not.
func (r *Writer) End() error {
	if r.complete {
		return nil
	}
	r.complete = true
	var err error
	if r.series != nil {
		err = r.grid.finish(r.series.Add)
	}
	for _, d := range r.all {
		d.End()
	}
	return err
}

// inspect refuses directories that hold what the run must not replace.
func (r *Writer) inspect() error {
	manifest := filepath.Join(r.dir, ManifestFile)
	old, err := ReadManifest(manifest)
	if errors.As(err, new(*VersionError)) {
		err = nil // an earlier run all the same; what it holds is not known
	}
	switch {
	case err == nil && !r.options.Overwrite:
		return &InTheWayError{r.dir + " holds the results of an earlier run"}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("output directory %s: %w; remove it or use another directory", r.dir, err)
	}
	r.old = old
	if r.options.Overwrite {
		return nil
	}
	for _, name := range r.finalNames() {
		path := filepath.Join(r.dir, name)
		if _, err := os.Lstat(path); err == nil {
			return &InTheWayError{path + " exists already and is not part of a finished run"}
		}
	}
	return nil
}

// finalNames lists the files the run will write, without the manifest.
func (r *Writer) finalNames() []string {
	names := []string{SummaryFile, "jobs." + r.format.Name}
	if r.options.Segments {
		names = append(names, "segments."+r.format.Name)
	}
	if r.options.Series {
		names = append(names, "series."+r.format.Name)
	}
	return names
}
