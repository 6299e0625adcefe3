package artifact

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"bourse/reports/ask/sweep"
	"bourse/reports/run"
)

// Finder finds inputs where they are now.
type Finder struct {
	Traces []string // where traces may be, known by their bytes or their names
	Bids   string   // where the table of bids is, "" for where it was
	hashes map[string]string
}

// InputError says that an input is absent, or has other bytes than it had.
type InputError struct {
	Input
	Path string
	Got  string // SHA-256, "" if the input is absent
}

func (e *InputError) Error() string {
	switch {
	case e.Path == "-":
		return "the run read its trace from standard input"
	case e.Got == "" && e.Role == ScriptInput:
		return fmt.Sprintf("the file %s does not exist; rerun in the directory it was named from", e.Path)
	case e.Got == "":
		return e.Path + " does not exist"
	case e.Role == ScriptInput:
		return fmt.Sprintf("the file %s has changed since: its SHA-256 was %.12s and is %.12s", e.Path, e.SHA256, e.Got)
	}
	return fmt.Sprintf("%s is not the %s of that run: its SHA-256 is %.12s..., and was %.12s...", e.Path, e.Role, e.Got,
		e.SHA256)
}

// Find finds all inputs: each is there, with the bytes it had.
func (f *Finder) Find(inputs []Input) (at []string, err error) {
	n := 0
	for _, in := range inputs {
		if in.Role == TraceInput {
			n++
		}
	}
	for _, in := range inputs {
		spec := in.Spec
		switch in.Role {
		case TraceInput:
			spec = f.trace(in, n > 1)
		case BidsInput:
			spec = cmp.Or(f.Bids, spec)
		}
		if err := f.check(in, spec); err != nil {
			return nil, err
		}
		at = append(at, spec)
	}
	return at, nil
}

// trace finds a trace among those given, by its bytes or its name, else where it was.
func (f *Finder) trace(in Input, several bool) string {
	for _, given := range f.Traces {
		if got, err := f.hash(given); err == nil && in.SHA256 != "" && got == in.SHA256 {
			return given
		}
	}
	spec := in.Spec
	for _, given := range f.Traces {
		if !several || sweep.Label(given) == sweep.Label(spec) {
			spec = given
		}
	}
	return spec
}

// check wants an input to be at a path, with the bytes it had. Nothing is read of a model.
func (f *Finder) check(in Input, spec string) error {
	path := run.InputPath(spec)
	if spec == "-" {
		return &InputError{in, spec, ""}
	}
	if path == "" {
		return nil
	}
	got, err := f.hash(spec)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &InputError{in, path, ""}
	case err != nil:
		return err
	case in.SHA256 != "" && got != in.SHA256:
		return &InputError{in, path, got}
	}
	return nil
}

// hash is that of the file or folder which a specification names.
func (f *Finder) hash(spec string) (string, error) {
	path := run.InputPath(spec)
	if sum, ok := f.hashes[path]; ok || path == "" {
		return sum, nil
	}
	sum, err := run.HashFile(path)()
	if err == nil {
		if f.hashes == nil {
			f.hashes = map[string]string{}
		}
		f.hashes[path] = sum
	}
	return sum, err
}
