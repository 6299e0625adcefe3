package main

import (
	"errors"
	"fmt"
	"io/fs"

	"bourse/reports/run"
)

// trace finds a trace whose specification and hash are known: among those of --trace by
// its bytes or its name, else where it was.
func (r *repeat) trace(spec, sum string, several bool) (string, error) {
	for _, given := range r.traces {
		if got, err := r.hash(given); err == nil && sum != "" && got == sum {
			return given, nil
		}
	}
	for _, given := range r.traces {
		if !several || traceLabel(given) == traceLabel(spec) {
			spec = given
		}
	}
	if spec == "-" {
		return "", errors.New("the run read its trace from standard input; --trace PATH says where that is now")
	}
	return spec, r.same(spec, sum, "trace", "--trace PATH")
}

// table finds the table of bids, if there was one.
func (r *repeat) table(path, sum string) (string, error) {
	switch {
	case path == "" && r.bids != "":
		return "", usagef("--bids %s: there was no table of bids", r.bids)
	case path == "":
		return "", nil
	case r.bids != "":
		path = r.bids
	}
	return path, r.same(path, sum, "table of bids", "--bids FILE")
}

// same wants an input to be there, with the bytes it had.
func (r *repeat) same(spec, sum, what, flag string) error {
	path := run.InputPath(spec)
	if path == "" {
		return nil // nothing is read
	}
	got, err := r.hash(spec)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist; %s says where the %s is now", path, flag, what)
	case err != nil:
		return err
	case sum != "" && got != sum:
		return fmt.Errorf("%s is not the %s of that run: its SHA-256 is %.12s..., and was %.12s...; %s names another", path, what, got, sum, flag)
	}
	return nil
}

// hash is that of an input.
func (r *repeat) hash(spec string) (string, error) {
	path := run.InputPath(spec)
	if sum, ok := r.hashes[path]; ok || path == "" {
		return sum, nil
	}
	sum, err := run.HashFile(path)()
	if err == nil {
		r.hashes[path] = sum
	}
	return sum, err
}
