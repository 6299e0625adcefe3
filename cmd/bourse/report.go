package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bourse/reports/page"
	"bourse/reports/run"
)

// report makes one HTML page of finished runs.
func report(a *app, args []string) error {
	f := a.flags("report DIR...", "bourse report out\nbourse report out/hb out/wspt out/fcfs --out policies.html")
	out := f.String("out", "", "write the page to `FILE` (default report.html in the first folder)")
	anyTrace := f.Bool("any-trace", false, "show runs of different traces beside each other")
	overwrite := f.Bool("overwrite", false, "replace FILE even if it is not a page of bourse")
	if err := parse(f, args, 1, 1000, "report takes the folders of finished runs"); err != nil {
		return err
	}
	path := *out
	if path == "" {
		path = filepath.Join(f.Arg(0), "report.html")
	}
	if err := replaceable(path, *overwrite); err != nil {
		return err
	}
	runs, err := page.Open(f.Args(), *anyTrace)
	if err != nil {
		return err
	}
	for _, w := range page.Warnings(runs, Version) {
		fmt.Fprintln(a.stderr, "bourse: warning:", w)
	}
	if err := run.WriteFile(path, func(w io.Writer) error { return page.Write(w, runs, Version) }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, path)
	return err
}

// replaceable lets a page replace an earlier page and nothing else.
func replaceable(path string, overwrite bool) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	if !overwrite && !bytes.Contains(head[:n], []byte(page.Generator)) {
		return fmt.Errorf("%s exists already and is not a page of bourse; use another name, or --overwrite to replace it", path)
	}
	return nil
}
