package traces

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Format is one way a trace may be written.
type Format struct {
	// Name forces the format in "name:path".
	Name string
	// Line says in one line what it is.
	Line string
	// Extensions are the file name endings it is known by, without compression.
	Extensions []string
	// Carries says what its records tell of a job.
	Carries string

	open    func(name string, o Options) (Source, error)
	dialect *dialect // of a Google trace
}

// Formats lists every format.
var Formats = []Format{
	{
		Name: "swf", Line: "Standard Workload Format v2.2 of the Parallel Workloads Archive; plain, gzip or zstd",
		Extensions: []string{".swf"},
		Carries:    "submit, wait, run, processors, requested time and memory, status, user, group, queue, partition, preceding job",
		open:       openSWFFile,
	},
	{
		Name: "workload", Line: "the project's own Parquet, one row a job; written by trace convert",
		Extensions: []string{".parquet"},
		Carries:    "everything SWF carries, labels as words or numbers",
		open:       openWorkload,
	},
	{
		Name: "google2011", Line: "Google's cluster trace of 2011 (v2.1): the folder of task_events, machine_events; a task is a job",
		Carries: "submit, wait, run, CPU, memory, priority, class, user, attempts and time wasted; machines",
		open:    openGoogle2011,
	},
	{
		Name: "google2019", Line: "Google's cluster traces of 2019 (v3): a folder of instance_events, collection_events, machine_events as JSON lines or Parquet",
		Carries: "what google2011 carries",
		open:    openGoogle2019, dialect: &google2019,
	},
	{
		Name: "torque", Line: "accounting files of Torque and PBS: one, a folder or a tar archive of them; E records are jobs",
		Extensions: []string{".tbz", ".tgz", ".tar"},
		Carries:    "submit, wait, run, processors, requested time and memory, status, user, group, queue",
		open:       openTorque,
	},
	{
		Name: "sacct", Line: "what sacct -P of Slurm prints, JobID|Submit|Start|End|...; steps are left out",
		Extensions: []string{".sacct"},
		Carries:    "submit, wait, run, processors, requested time and memory, status, user, account, QOS, partition",
		open:       openSacct,
	},
	{
		Name: "gwf", Line: "Grid Workloads Format of the Grid Workloads Archive, 29 fields",
		Extensions: []string{".gwf"},
		Carries:    "what SWF carries but for the preceding job; labels as words",
		open:       openGWF,
	},
	{
		Name: "philly", Line: "the Microsoft Philly trace as a CSV: timestamp,duration,num_gpus,gpu_time,cluster",
		Carries: "submit, run, GPUs as processors, virtual cluster as queue",
		open:    openPhilly,
	},
	{
		Name: "csv", Line: "any table of jobs, columns by their usual names or csv:log.csv?submit=NAME&run=NAME&procs=NAME",
		Extensions: []string{".csv", ".tsv"},
		Carries:    "what its columns tell",
		open:       openCSV,
	},
	{
		Name: "parquet", Line: "any Parquet of jobs, with the same parameters as csv",
		Carries: "what its columns tell",
		open:    openPlainParquet,
	},
	{
		Name: "synth", Line: "jobs of a workload model: synth:lublin?jobs=10000&procs=128&seed=1",
		Carries: "submit, run, processors; requested time on demand; queue (0 interactive, 1 batch)",
		open:    openSynth,
	},
}

// Options says how a trace is read. The zero value reads strictly.
type Options struct {
	// Stdin is read for the path "-"; os.Stdin if nil.
	Stdin io.Reader
	// Skip counts malformed records as dropped and reads on; otherwise the
	// first one ends the trace with its error.
	Skip bool
	// OnError is told of each malformed record that is skipped. It is called by
	// whichever goroutine reads.
	OnError func(error)
	// Attempts says which attempts of a Google trace's tasks become jobs; last if
	// empty. Censored keeps those still running when the trace ends, as if they
	// ended there.
	Attempts Attempts
	Censored bool
	// SortWindow is the number of records held back to put those right that
	// are out of order; 0 means DefaultSortWindow, a negative one none.
	SortWindow int
	// Stop is asked now and then while a log is read whole, by Open or the first Next;
	// an error ends it.
	Stop func() error
}

// Open opens the trace that spec names: a path, "format:path", "-" for stdin,
// "csv:path?role=column&..." or "synth:model?parameter=value&...". The source is sorted by submit time.
// The caller closes it with Close.
func Open(spec string, o Options) (Source, error) {
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	name, rest, forced := strings.Cut(spec, ":")
	if forced && !strings.ContainsAny(name, `/\.`) && len(name) > 1 && !exists(spec) {
		f, err := formatNamed(name)
		if err != nil {
			return nil, err
		}
		return f.open(rest, o)
	}
	if spec == "" {
		return nil, fmt.Errorf("no trace given; a path, format:path, - or synth:lublin was expected")
	}
	if st, err := os.Stat(spec); err == nil && st.IsDir() && googleTable(spec) == "" && !torqueLine.MatchString(firstLine(spec)) {
		return nil, folder(spec)
	}
	return formatOf(spec).open(spec, o)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func formatNamed(name string) (*Format, error) {
	names := make([]string, len(Formats))
	for i := range Formats {
		if Formats[i].Name == name {
			return &Formats[i], nil
		}
		names[i] = Formats[i].Name
	}
	return nil, fmt.Errorf("unknown format %q%s; there are %s", name, DidYouMean(name, names), strings.Join(names, ", "))
}

// headOf returns the kind of file that path's first bytes show. Pipes are left
// alone: what is read from them here would be missing later.
func headOf(path string) string {
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 8)
	n, _ := io.ReadFull(f, head)
	return sniff(head[:n])
}

// openSWFFile opens an SWF log from a path or stdin, sorted.
func openSWFFile(path string, o Options) (Source, error) {
	in, err := openInput(path, o)
	if err != nil {
		return nil, err
	}
	src, err := openSWF(in, o)
	if err != nil {
		in.Close()
		return nil, err
	}
	return reorder(src, o), nil
}

func openInput(path string, o Options) (*input, error) {
	if path == "-" {
		return openStream("stdin", o.Stdin)
	}
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return nil, folder(path)
	}
	return openFile(path)
}

// folder says why a folder is not a trace.
func folder(path string) error {
	return &Error{File: path, What: "a folder, not a trace", Want: "give one of the files in it; of folders those with accounting files of Torque or PBS are read"}
}

// googleTable returns the Google format that a folder's tables are of, or "".
func googleTable(path string) string {
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		return ""
	}
	for _, t := range googleTables {
		if names, _ := filepath.Glob(filepath.Join(path, t.tasks+"*")); len(names) > 0 || filepath.Base(path) == t.tasks {
			return t.format
		}
	}
	return ""
}
