package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bourse/reports/run"
	"bourse/traces/files"
	"bourse/traces/named"
)

// OutsideError says that a manifest names an input outside of the folder in which the work is
// repeated: it may be a file of the user's that another person wants to have.
type OutsideError struct{ Input }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("the manifest names the %s %s, which lies outside of this folder, so it is not put in", e.Role, e.Spec)
}

// isHere reports whether a path leads into the current folder.
func isHere(path string) bool {
	here, err := filepath.Abs(".")
	if err == nil && filepath.IsAbs(path) {
		path, err = filepath.Rel(here, path)
	}
	return err == nil && filepath.IsLocal(path)
}

// gather copies inputs and results of finished work and takes down its command.
func (b *Bundle) gather(f Finished, m Making) error {
	at := m.At
	for _, name := range []string{Inputs, Expected} {
		if err := os.Mkdir(filepath.Join(b.box, name), 0o777); err != nil {
			return err
		}
	}
	for i, in := range f.Inputs() {
		err := error(nil)
		switch {
		case in.Role == TraceInput:
			err = b.addTrace(in, at[i], m.Copied)
		case at[i] == in.Spec && !m.Outside && !isHere(in.Spec):
			err = &OutsideError{in}
		default:
			err = b.addInput(in.Spec, at[i], true)
		}
		if err != nil {
			return err
		}
	}
	if err := b.addResults(f); err != nil {
		return err
	}
	words := f.Command(nil)
	moved := strings.NewReplacer(b.moved...)
	b.Kind, b.Name = f.Kind(), moved.Replace(strings.Join(words[:2], " "))
	b.Command = moved.Replace(commandLine(append(words, "--out", "../again")))
	for i := range b.Traces {
		b.Traces[i].Spec = moved.Replace(b.Traces[i].Spec)
	}
	return nil
}

// addResults copies results, and lists those that are too large or elsewhere.
func (b *Bundle) addResults(f Finished) error {
	list, err := f.Outputs("")
	if err != nil {
		return err
	}
	for _, o := range list {
		var words *strings.Replacer
		if o.As == Page {
			continue
		}
		if o.As == Manifest || o.As == Cell {
			words = strings.NewReplacer(b.moved...)
		}
		from := o.path(f.Dir())
		st, err := os.Lstat(from)
		switch {
		case o.SHA256 != "" && (errors.Is(err, fs.ErrNotExist) || err == nil && st.Size() > Limit):
			b.Left = append(b.Left, run.FileRef{File: o.Name, SHA256: o.SHA256})
			continue
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%s is missing; make %s anew", from, f.Dir())
		}
		if err := copyWithin(o.folder(f.Dir()), o.Name, filepath.Join(b.box, Expected, o.Name), words); err != nil {
			return err
		}
	}
	return nil
}

// addTrace copies a trace, if that is allowed.
func (b *Bundle) addTrace(in Input, found string, copied *bool) error {
	t := Trace{Spec: in.Spec, SHA256: in.SHA256}
	if path, was := run.InputPath(found), run.InputPath(in.Spec); path != "" {
		st, err := os.Stat(path)
		if err != nil {
			return err
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		t.Bytes, t.Known = st.Size(), named.Known(in.Spec, filepath.Base(path), in.SHA256)
		found = strings.Replace(found, path, abs, 1)
		if t.judge(copied, st.IsDir()); t.Named() {
			was = filepath.Base(path) // it is found by its name
		}
		if err := b.addInput(was, path, t.Copied); err != nil {
			return err
		}
	}
	b.Traces, b.at = append(b.Traces, t), append(b.at, found)
	return nil
}

// judge decides whether a trace is copied, and why: copied is what was asked for.
func (t *Trace) judge(copied *bool, folder bool) {
	switch {
	case copied != nil:
		t.Copied, t.Why = *copied, "so the authors want it"
	case t.Known == nil || t.Known.From().Licence == "":
		t.Why = "it is not known that copies may be published"
	case folder || t.Bytes > Limit:
		t.Why = "it is large"
	default:
		t.Copied, t.Why = true, "its licence, "+t.Known.From().Licence+", allows copies"
	}
}

// addInput copies an input and notes where its path, at which it is now or was, is another in
// the bundle: its last part, unless it is within the folder that it is named from.
func (b *Bundle) addInput(path, from string, copied bool) error {
	name := path
	if !filepath.IsLocal(path) {
		name = filepath.Base(path)
		b.moved = append(b.moved, path, name, strings.ReplaceAll(path, `\`, `\\`), name) // also as manifests have it
	}
	if !copied {
		return nil
	}
	to := filepath.Join(b.box, Inputs, name)
	if filepath.IsLocal(from) {
		return copyWithin(".", from, to, nil)
	}
	return copyTo(os.DirFS(filepath.Dir(from)), filepath.Base(from), to, nil)
}

// copyWithin copies what is in a directory, and nothing to which a link leads out of it.
func copyWithin(dir, name, to string, words *strings.Replacer) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := copyTo(root.FS(), filepath.ToSlash(filepath.Clean(name)), to, words); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, name), files.Cause(err))
	}
	return nil
}

// copyTo copies a file, with other words if there are any, or a folder.
func copyTo(from fs.FS, name, to string, words *strings.Replacer) error {
	if st, err := fs.Stat(from, name); err != nil {
		return err
	} else if st.IsDir() {
		folder, err := fs.Sub(from, name)
		if err != nil {
			return err
		}
		return os.CopyFS(to, folder)
	} else if !st.Mode().IsRegular() {
		return errors.New("it is no file")
	}
	in, err := from.Open(name)
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
