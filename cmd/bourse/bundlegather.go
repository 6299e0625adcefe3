package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/reports/artifact"
	"bourse/reports/ask/sweep"
	"bourse/reports/papers"
	"bourse/reports/run"
	"bourse/traces/files"
	"bourse/traces/named"
)

// gather reads what DIR holds, and copies inputs and results.
func (b *bundling) gather() error {
	for _, name := range []string{artifact.Inputs, artifact.Expected} {
		if err := os.Mkdir(filepath.Join(b.box, name), 0o777); err != nil {
			return err
		}
	}
	if err := b.open(b.sweepIn, b.studyIn, b.replayIn); err != nil {
		return err
	}
	b.Name, b.Command = strings.Join(b.words[:2], " "), commandLine(append(b.words, "--out", "../again"))
	moved := strings.NewReplacer(b.moved...)
	for _, text := range []*string{&b.Name, &b.Command} {
		*text = moved.Replace(*text)
	}
	for i := range b.Traces {
		b.Traces[i].Spec = moved.Replace(b.Traces[i].Spec)
	}
	return nil
}

func (b *bundling) replayIn(m *run.Manifest) error {
	b.Kind, b.words = "replay", []string{"replay", m.Trace.Name}
	err := b.log(m.Trace.Name, m.Trace.SHA256, false)
	if err == nil {
		err = b.others(m.Setting("bids"), m.Bids, m.Scripts)
	}
	if err != nil {
		return err
	}
	results := b.expected("", m.Datasets, run.SummaryFile, run.ManifestFile)
	b.add(run.Settings(m.Scenario))
	w, perfetto := &m.Written, (*run.FileRef)(nil)
	b.add([]run.Setting{{Key: "format", Value: w.Format}, {Key: "segments", Value: fmt.Sprint(w.Segments)}, {Key: "series", Value: w.Series}, {Key: "causes", Value: fmt.Sprint(w.Causes)}})
	if w.Perfetto != nil {
		perfetto = &w.Perfetto.FileRef
		b.add([]run.Setting{{Key: "perfetto-window", Value: w.Perfetto.Window}})
	}
	for i, f := range []*run.FileRef{w.SWF, w.Users, perfetto} {
		if f != nil {
			_, results = b.beside(f, results)
			b.words = append(b.words, "--"+[]string{"swf", "users", "perfetto"}[i]+"=../"+f.File)
		}
	}
	return b.results(results)
}

func (b *bundling) sweepIn(plan *sweep.Plan) error {
	b.Kind, b.words = "sweep", []string{"sweep"}
	for _, t := range plan.Traces {
		if err := b.log(t.Spec, t.SHA256, len(plan.Traces) > 1); err != nil {
			return err
		}
		b.words = append(b.words, t.Spec)
	}
	if err := b.others(plan.Scenario.Bids, plan.Bids, plan.Scripts); err != nil {
		return err
	}
	text, err := json.Marshal(&plan.Scenario)
	if err != nil {
		return err
	}
	b.add(run.Settings(text))
	for _, x := range plan.Axes {
		if x.Name == sweep.Seed {
			x.Name = "seeds"
		}
		b.add([]run.Setting{{Key: x.Name, Value: strings.Join(x.Values, ",")}})
	}
	b.add([]run.Setting{{Key: "records", Value: fmt.Sprint(plan.Records)}})
	results, err := b.cells(plan, "")
	if err != nil {
		return err
	}
	return b.results(append(results, b.expected("", nil, run.PlanFile)...))
}

func (b *bundling) studyIn(m *papers.Manifest) error {
	b.Kind, b.words = "study", []string{"reproduce", m.Study}
	for _, f := range m.Flags {
		if f.SHA256 != "" {
			if err := b.log(f.Value, f.SHA256, true); err != nil {
				return err
			}
		}
		b.words = append(b.words, "--"+f.Name+"="+f.Value)
	}
	results := b.expected("", nil, run.ManifestFile)
	for _, f := range m.Files {
		results = append(results, run.Repeated{Name: f.File, Was: filepath.Join(b.dir, f.File), SHA256: f.SHA256})
	}
	return b.results(results)
}

// add says settings by flags, those that are not usual.
func (b *bundling) add(list []run.Setting) {
	usual := scenario.Default()
	usual.Market = usual.Settled()
	usual.Policy, usual.Payment = "", "" // always said: each depends on the other
	text, _ := json.Marshal(&usual)      // as manifests have been
	already := run.Settings(text)
	for _, x := range list {
		if x.Key != sweep.Trace && x.Value != "" && x.Value != "false" && !slices.Contains(already, x) {
			b.words = append(b.words, "--"+x.Key+"="+x.Value)
		}
	}
}

// commandLine is one as a shell reads it.
func commandLine(words []string) string {
	text := "bourse"
	for _, w := range words {
		text += " " + quoted(w)
	}
	return text
}

// results copies results of DIR, and notes those that are too large or elsewhere.
func (b *bundling) results(list []run.Repeated) error {
	for _, f := range list {
		st, err := os.Stat(f.Was)
		to := filepath.Join(b.box, artifact.Expected, f.Name)
		switch base := filepath.Base(f.Name); {
		case f.SHA256 != "" && (errors.Is(err, fs.ErrNotExist) || err == nil && st.Size() > artifact.Limit):
			b.Left = append(b.Left, run.FileRef{File: f.Name, SHA256: f.SHA256})
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%s is missing; make %s anew", f.Was, b.dir)
		case base == run.ManifestFile || base == filepath.Base(run.PlanFile):
			err = copyTo(f.Was, to, strings.NewReplacer(b.moved...))
		default:
			err = copyTo(f.Was, to, nil)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// log takes a trace in, if that may be.
func (b *bundling) log(spec, sum string, several bool) error {
	found, err := b.trace(spec, sum, several)
	if err != nil {
		return err
	}
	t := artifact.Trace{Spec: spec, SHA256: sum}
	if path, was := run.InputPath(found), run.InputPath(spec); path != "" {
		st, err := os.Stat(path)
		if err != nil {
			return err
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		t.Bytes, t.Known, found = st.Size(), named.Known(spec, filepath.Base(path), sum), strings.Replace(found, path, abs, 1)
		if b.judge(&t, st.IsDir()); t.Named() {
			was = filepath.Base(path) // it is found by its name
		}
		if err := b.put(was, path, t.Copied); err != nil {
			return err
		}
	}
	b.Traces, b.at = append(b.Traces, t), append(b.at, found)
	return nil
}

// judge says whether a trace is copied, and why.
func (b *bundling) judge(t *artifact.Trace, folder bool) {
	switch {
	case b.asked:
		t.Copied, t.Why = b.copy, "so the authors want it"
	case t.Known == nil || t.Known.From().Licence == "":
		t.Why = "it is not known that copies may be published"
	case folder || t.Bytes > artifact.Limit:
		t.Why = "it is large"
	default:
		t.Copied, t.Why = true, "its licence, "+t.Known.From().Licence+", allows copies"
	}
}

// others takes in the table of bids, scripts and tables of machines.
func (b *bundling) others(bids, sum string, refs []run.FileRef) error {
	table, err := b.table(bids, sum)
	if err == nil {
		err = b.scripts(refs)
	}
	if err == nil && bids != "" {
		err = b.put(bids, table, true)
	}
	for _, f := range refs {
		if err == nil {
			err = b.put(f.File, f.File, true)
		}
	}
	return err
}

// put copies an input and notes where its path, at which it is now or was, is another in the
// bundle: its last part, unless it is within the folder that it is named from.
func (b *bundling) put(path, from string, copied bool) error {
	name := path
	if !filepath.IsLocal(path) {
		name = filepath.Base(path)
		b.moved = append(b.moved, path, name, strings.ReplaceAll(path, `\`, `\\`), name) // also as manifests have it
	}
	if !copied {
		return nil
	}
	return copyTo(from, filepath.Join(b.box, artifact.Inputs, name), nil)
}

// copyTo copies a file, with other words if there are any, or a folder.
func copyTo(from, to string, words *strings.Replacer) error {
	if st, err := os.Stat(from); err != nil {
		return err
	} else if st.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	in, err := os.Open(from)
	if err == nil {
		defer in.Close()
		err = os.MkdirAll(filepath.Dir(to), 0o777)
	}
	if err != nil {
		return err
	}
	return files.Write(to, func(w io.Writer) error {
		if words == nil {
			_, err := io.Copy(w, in)
			return err
		}
		text, err := io.ReadAll(in)
		if err == nil {
			_, err = words.WriteString(w, string(text))
		}
		return err
	})
}
