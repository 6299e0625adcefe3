package formats

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"bourse/traces"
	"bourse/traces/accounting"
	"bourse/traces/google"
	"bourse/traces/input"
	"bourse/traces/named"
	"bourse/traces/suggest"
	"bourse/traces/swf"
	"bourse/traces/synth"
	"bourse/traces/tabular"
	"bourse/traces/workload"
	"bourse/traces/zst"
)

// Format is one way a trace may be written.
type Format struct {
	// Name forces the format in "name:path".
	Name string
	// Line says in one line what it is.
	Line string
	// Extensions are the file name endings it is known by, without compression.
	Extensions []string
	// Carries says what its records hold of a job.
	Carries string

	// Open opens what follows the name and its colon, or a file with one of the extensions.
	Open func(name string, o traces.Options) (traces.Source, error)
}

// Add adds formats to All. A name that is there already, or is no word, is an error.
func Add(own ...Format) error {
	for _, f := range own {
		if len(f.Name) < 2 || f.Open == nil || strings.ContainsAny(f.Name, `:/\. `) {
			return fmt.Errorf("format %q: want a name of two letters or more, and what opens it", f.Name)
		}
		if slices.ContainsFunc(All, func(o Format) bool { return o.Name == f.Name }) {
			return fmt.Errorf("format %q is there already", f.Name)
		}
		All = append(All, f)
	}
	return nil
}

// All lists every format.
var All = slices.Concat(logs, presets(), tables)

// presets are the traces that are tables of their own.
func presets() (all []Format) {
	for i := range tabular.Presets {
		p := &tabular.Presets[i]
		f := Format{Name: p.Name, Line: p.Line, Carries: p.Carries, Open: p.Open}
		if p.Documented {
			f.Line += " (from its documentation, not tried on the trace)"
		}
		all = append(all, f)
	}
	return all
}

// logs are the formats of logs.
var logs = []Format{
	{
		Name: "swf", Line: "Standard Workload Format v2.2 of the Parallel Workloads Archive; plain, gzip or zstd",
		Extensions: []string{".swf"},
		Carries: "submit, wait, run, processors, requested time and memory, status, user, group, queue, partition, " +
			"preceding job",
		Open: swf.Open,
	},
	{
		Name: "workload", Line: "the project's own Parquet, one row per job; written by conversion of a trace",
		Extensions: []string{".parquet"},
		Carries:    "everything SWF carries, CPU, GPUs, their models and disk, labels as words or numbers",
		Open:       workload.Open,
	},
	{
		Name: "google2011", Line: "Google's cluster trace of 2011 (v2.1): the folder of task_events, machine_events; a " +
			"task is a job",
		Carries: "submit, wait, run, CPU, memory, priority, class, user, attempts and time wasted; machines",
		Open:    google.Open2011,
	},
	{
		Name: "google2019", Line: "Google's cluster traces of 2019 (v3): a folder of instance_events, collection_events, " +
			"machine_events as JSON lines or Parquet",
		Carries: "what google2011 carries",
		Open:    google.Open2019,
	},
	{
		Name: "torque", Line: "accounting files of Torque and PBS: one, a folder or a tar archive of them; E records are " +
			"jobs",
		Extensions: []string{".tbz", ".tgz", ".tar"},
		Carries:    "submit, wait, run, processors, requested time and memory, status, user, group, queue",
		Open:       accounting.OpenTorque,
	},
	{
		Name: "sacct", Line: "what sacct -P of Slurm prints, JobID|Submit|Start|End|...; steps are left out, components of " +
			"a job joined",
		Extensions: []string{".sacct"},
		Carries: "submit, wait, run, processors, requested time and memory, GPUs and their model (from TRES), status, " +
			"user, account, QOS, partition",
		Open: accounting.OpenSacct,
	},
	{
		Name: "gwf", Line: "Grid Workloads Format of the Grid Workloads Archive, 29 fields",
		Extensions: []string{".gwf"},
		Carries:    "what SWF carries but for the preceding job; labels as words",
		Open:       accounting.OpenGWF,
	},
}

// tables are the formats of tables whose columns are found by name, and models.
var tables = []Format{
	{
		Name: "csv", Line: "any table of jobs, columns by their usual names or csv:log.csv?submit=NAME&run=NAME&procs=NAME",
		Extensions: []string{".csv", ".tsv"},
		Carries:    "what its columns hold",
		Open:       tabular.OpenCSV,
	},
	{
		Name: "parquet", Line: "any Parquet of jobs, with the same parameters as csv",
		Carries: "what its columns hold",
		Open:    tabular.OpenParquet,
	},
	{
		Name: "synth", Line: "jobs of a workload model: synth:lublin?jobs=10000&procs=128&seed=1",
		Carries: "submit, run, processors; requested time on demand; queue (0 interactive, 1 batch)",
		Open:    synth.Open,
	},
}

// Open opens the trace that spec names: a path, "format:path", "-" for stdin,
// "csv:path?role=column&..." or "synth:model?parameter=value&...", or, where there is no such file, the name of one in
// the catalogue of traces or named.Demo. The source is sorted by submit time.
// The caller closes it with Close.
func Open(spec string, o traces.Options) (traces.Source, error) {
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	name, rest, forced := strings.Cut(spec, ":")
	if forced && !strings.ContainsAny(name, `/\.`) && len(name) > 1 && !input.Exists(spec) {
		f, err := formatNamed(name)
		if err != nil {
			return nil, err
		}
		return f.Open(rest, o)
	}
	if spec == "" {
		return nil, fmt.Errorf("no trace given; want a path, format:path, - or demo")
	}
	if spec == named.Demo && isName(spec) {
		return synth.Open(synth.Demo, o)
	}
	if isName(spec) {
		return openNamed(spec, o)
	}
	st, err := os.Stat(spec)
	if err == nil && st.Mode().IsRegular() && st.Size() == 0 {
		return nil, fmt.Errorf("%s is empty", spec)
	}
	if err == nil && st.IsDir() && google.FormatOf(spec) == "" &&
		!torqueLine.MatchString(firstLine(spec)) {
		return nil, input.NotATrace(spec)
	}
	return formatOf(spec).Open(spec, o)
}

// isName reports whether spec could be a name of the catalogue of traces and nothing else.
func isName(spec string) bool {
	return spec != "-" && !strings.ContainsAny(spec, `/\.?*`) && !input.Exists(spec)
}

// openNamed opens a trace of the catalogue.
func openNamed(name string, o traces.Options) (traces.Source, error) {
	path, format, err := named.Open(name)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, fmt.Errorf("%s: no such file, and no name of the catalogue of traces%s", name,
			suggest.DidYouMean(name, named.Names()))
	}
	f, err := formatNamed(format)
	if err != nil {
		return nil, err
	}
	if t, err := named.Find(name); err == nil && t.Query != "" {
		path += "?" + t.Query
	}
	return f.Open(path, o)
}

func formatNamed(name string) (*Format, error) {
	names := make([]string, len(All))
	for i := range All {
		if All[i].Name == name {
			return &All[i], nil
		}
		names[i] = All[i].Name
	}
	return nil, fmt.Errorf("unknown format %q%s", name, suggest.Among(name, names))
}

// Writer chooses how to write a trace by the ending of the file's name.
func Writer(path string) (func(io.Writer, traces.Source) (int64, error), error) {
	switch name := strings.ToLower(path); {
	case strings.HasSuffix(name, ".swf"):
		return swf.Write, nil
	case strings.HasSuffix(name, ".swf.gz"):
		return compressed(func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }), nil
	case strings.HasSuffix(name, ".swf.zst"):
		return compressed(func(w io.Writer) (io.WriteCloser, error) { return zst.NewWriter(w) }), nil
	case strings.HasSuffix(name, ".parquet"):
		return workload.Write, nil
	}
	return nil, fmt.Errorf("%s: the ending says what to write: .swf, .swf.gz or .swf.zst for SWF, .parquet for the "+
		"workload Parquet", path)
}

// IsSWF reports whether a name's ending is one of those for SWF.
func IsSWF(path string) bool {
	name := strings.ToLower(path)
	return strings.HasSuffix(name, ".swf") || strings.HasSuffix(name, ".swf.gz") || strings.HasSuffix(name, ".swf.zst")
}

// compressed writes SWF through a compressor.
func compressed(open func(io.Writer) (io.WriteCloser, error)) func(io.Writer, traces.Source) (int64, error) {
	return func(w io.Writer, src traces.Source) (int64, error) {
		c, err := open(w)
		if err != nil {
			return 0, err
		}
		n, err := swf.Write(c, src)
		if err != nil {
			return n, err
		}
		return n, c.Close()
	}
}
