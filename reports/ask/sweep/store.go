package sweep

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"bourse/engine/scenario"
	"bourse/policies/catalog"
	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/traces/files"
)

// PlanFile is the file that says what a sweep's directory holds. The manifest
// next to it is written once all cells are there.
const PlanFile = run.PlanFile

// ManifestFile is the sweep's.
const ManifestFile = run.SweepFolder + "/" + run.ManifestFile

// store is the directory of a sweep.
type store struct {
	dir      string
	settings Settings
	common   *common
	// to keeps finished cells elsewhere, too; nil if nothing does. planned is when the plan is kept there.
	to        Store
	planned   sync.Once
	planFault error
}

func (s *store) path(c Cell) string { return filepath.Join(s.dir, c.Folder()) }

// openStore writes the plan into dir, or compares it with the one there: a sweep may
// go on, also with other axes and further traces, but not with other settings or
// with a trace that has changed. Cells of an earlier plan stay; tables are of the last.
func openStore(dir string, axes []Axis, inputs []Input, s Settings) (*store, error) {
	if s.Base.Bids != "" {
		var err error
		if s.bids, err = run.HashFile(s.Base.Bids)(); err != nil {
			return nil, err
		}
	}
	plan := Plan{Bourse: s.Version, Bids: s.bids, Version: run.ManifestVersion, Scenario: s.Base, Records: s.Records,
		Axes: axes}
	texts := s.Base.Files()
	for _, x := range axes {
		texts = append(texts, catalog.Scripts(x.Values...)...)
		for _, v := range x.Values {
			if t := scenario.MachineTable(v); x.Name == Machines && t != "" {
				texts = append(texts, t)
			}
		}
	}
	slices.Sort(texts)
	var err error
	if plan.Scripts, err = run.PinAll(slices.Compact(texts)); err != nil {
		return nil, err
	}
	for _, in := range inputs {
		plan.Traces = append(plan.Traces, in.Ref)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	old, err := ReadPlan(dir)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = nil, refuseForeign(dir)
	}
	if err != nil {
		return nil, err
	}
	if old != nil {
		if err := old.agrees(&plan, dir); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(dir, PlanFile)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	return &store{dir: dir, settings: s, common: newCommon()}, run.WriteFileJSON(path, &plan)
}

// SeveralError says that a sweep has several values of a setting of which a game has one.
type SeveralError struct {
	Axis   string
	Values []string
}

func (e *SeveralError) Error() string {
	return fmt.Sprintf("the sweep has several values of %s (%s) and a game has one", e.Axis, strings.Join(e.Values, ", "))
}

// OtherSweepError says that a directory holds another sweep.
type OtherSweepError struct{ What string }

func (e *OtherSweepError) Error() string { return e.What }

func other(format string, args ...any) error { return &OtherSweepError{fmt.Sprintf(format, args...)} }

// agrees wants the plans to differ in their axes at most.
func (p *Plan) agrees(now *Plan, dir string) error {
	if p.Bourse != now.Bourse {
		return other("%s was begun by bourse %s, this is %s", dir, p.Bourse, now.Bourse)
	}
	for _, t := range now.Traces {
		i := slices.IndexFunc(p.Traces, func(u TraceRef) bool { return u.Name == t.Name })
		if i >= 0 && p.Traces[i].TraceRef != t.TraceRef {
			return other("%s holds a sweep of another %s: the file has changed since", dir, t.Name)
		}
	}
	if p.Bids != "" && now.Bids != "" && p.Bids != now.Bids {
		return other("%s holds a sweep with another table of bids: %s has changed since", dir, now.Scenario.Bids)
	}
	for _, f := range now.Scripts {
		if slices.ContainsFunc(p.Scripts, func(was run.FileRef) bool {
			return was.File == f.File &&
				was.SHA256 != f.SHA256
		}) {
			return other("%s holds a sweep with another %s: the file has changed since", dir, f.File)
		}
	}
	for _, o := range scenario.Options {
		if _, axis := Kind(o.Name); axis {
			continue
		}
		if was, is := o.Text(&p.Scenario), o.Text(&now.Scenario); was != is {
			return other("%s holds a sweep with another %s (%q, now %q)", dir, o.Name, was, is)
		}
	}
	return nil
}

// refuseForeign wants a new sweep's directory to be empty. Other shards of the
// same sweep may be about to write the same plan, or have just done so.
func refuseForeign(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	foreign := ""
	for _, e := range entries {
		switch {
		case e.Name() == run.SweepFolder:
			return nil
		case foreign == "" && !files.IsTemporary(e.Name()):
			foreign = e.Name()
		}
	}
	if foreign != "" {
		return fmt.Errorf("%s holds other files (%s) and no %s; a sweep needs a directory of its own", dir, foreign, PlanFile)
	}
	return nil
}

// finished reports whether all cells of a schedule are there, by the last file of a cell
// to get its name.
func (s *store) finished(g group) bool {
	last := run.SummaryFile
	if s.settings.Records {
		last = run.ManifestFile
	}
	for _, c := range g.cells {
		if files.Recover(s.path(c)) != nil {
			return false // the error is met again when the cell is written
		}
		if _, err := os.Stat(filepath.Join(s.path(c), last)); err != nil {
			return false
		}
	}
	return true
}

// write completes one cell.
func (s *store) write(in *Input, c Cell, summary *run.Summary, out *run.Writer) (err error) {
	if out != nil {
		m, err := s.settings.manifest(in, c)
		if err != nil {
			return err
		}
		return out.Commit(summary, m)
	}
	claim, err := files.Take(s.path(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, claim.Abort()) }()
	f, err := claim.Create(filepath.Join(s.path(c), run.SummaryFile))
	if err != nil {
		return err
	}
	if err := f.Fill(func(w io.Writer) error { return run.WriteJSON(w, summary) }); err != nil {
		return err
	}
	return claim.Commit()
}

// ReadPlan reads a sweep's plan. The error of a directory without one satisfies
// errors.Is(err, fs.ErrNotExist).
func ReadPlan(dir string) (*Plan, error) {
	path := filepath.Join(dir, PlanFile)
	if st, err := os.Lstat(filepath.Dir(path)); err == nil && st.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link, and a sweep's files are written into it; put the folder there",
			filepath.Dir(path))
	}
	text, err := run.ReadText(path)
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	read := struct {
		*Plan
		Scenario json.RawMessage `json:"scenario"`
	}{Plan: p}
	if err := json.Unmarshal(text, &read); err != nil || len(p.Axes) == 0 {
		return nil, fmt.Errorf("%s: not a plan of a sweep; remove it or use another directory", path)
	}
	if p.Version != run.ManifestVersion {
		return nil, &run.VersionError{Path: path, Version: p.Version, Sweep: true}
	}
	if err := run.Strict(path, text, &read); err != nil {
		return nil, err
	}
	if err = checkGrid(p.Axes); err == nil {
		p.Scenario, err = scenario.Parse(read.Scenario)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %v", path, err) // a fault of the file's, not of an option's
	}
	return p, nil
}

// Dataset is a sweep read back: its cells, each with a summary, and how many are missing.
type Dataset struct {
	Dir       string
	Plan      *Plan
	Cells     []Cell
	Summaries []*run.Summary
	Missing   int
	First     Cell // of those that are missing
}

// Read reads a sweep's summaries.
func Read(dir string) (*Dataset, error) {
	plan, err := ReadPlan(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not hold a sweep: there is no %s in it", dir, PlanFile)
	}
	if err != nil {
		return nil, err
	}
	d := &Dataset{Dir: dir, Plan: plan}
	for c := range each(plan.Axes) {
		s, err := run.ReadSummary(filepath.Join(dir, c.Folder(), run.SummaryFile))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if d.Missing++; d.Missing == 1 {
				d.First = c
			}
		case err != nil:
			return nil, err
		default:
			d.Cells, d.Summaries = append(d.Cells, c), append(d.Summaries, s)
		}
	}
	return d, nil
}

// ReadWhole reads a sweep that has all its cells.
func ReadWhole(dir string) (*Dataset, error) {
	d, err := Read(dir)
	if err == nil && d.Missing > 0 {
		err = fmt.Errorf("%s: %d of %d cells are missing, the first is %v; run the sweep to its end", dir, d.Missing,
			len(d.Cells)+d.Missing, d.First)
	}
	return d, err
}

// Merge wants all cells of a sweep to be there and writes their table and the manifest,
// the sign that it is complete.
func Merge(dir string) (*Dataset, error) {
	d, err := Read(dir)
	if err != nil {
		return nil, err
	}
	if n := d.Missing; n > 0 {
		return nil, fmt.Errorf("%s: %d of %d cells are missing, the first is %v; run the shards that hold them again", dir, n,
			len(d.Cells)+n, d.First)
	}
	m := struct {
		*Plan
		Cells []string `json:"cells"`
	}{Plan: d.Plan}
	for _, c := range d.Cells {
		m.Cells = append(m.Cells, c.Path())
	}
	return d, files.Together(func(set *files.Set) error {
		return cmp.Or(set.Write(filepath.Join(dir, run.CellsFile), d.writeCells),
			set.Write(filepath.Join(dir, ManifestFile), func(w io.Writer) error { return run.WriteJSON(w, m) }))
	})
}

// writeCells writes the table of all cells.
func (d *Dataset) writeCells(w io.Writer) error {
	var axes []string
	for _, a := range d.Plan.Axes {
		axes = append(axes, a.Name)
	}
	return record.WriteCells(w, axes, d.Plan.Bourse, func(add func(record.Replay) error) error {
		for i, s := range d.Summaries {
			m := s.Machine
			if err := add(record.Replay{Setting: d.Cells[i].Get, Result: s.Jobs, Nodes: m.Procs, Utilisation: m.Utilisation,
				Makespan: m.MakespanS}); err != nil {
				return err
			}
		}
		return nil
	})
}
