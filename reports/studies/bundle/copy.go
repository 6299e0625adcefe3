package bundle

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bourse/reports/run"
	"bourse/traces/files"
)

// Files lists the files of a folder in order of their names, with their hashes.
func Files(dir string) (list []File, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		f := File{}
		if f.SHA256, err = run.HashFile(path)(); err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		f.Path = filepath.ToSlash(name)
		f.Bytes, err = Size(path)
		list = append(list, f)
		return err
	})
	return list, err
}

// Size is that of a file, or of all files in a folder. Names that begin with a dot are left
// out, and links are followed, as by run.HashFile.
func Size(path string) (n int64, err error) {
	err = walk(path, "", func(_, _ string, info fs.FileInfo) error {
		n += info.Size()
		return nil
	})
	return n, err
}

// Copy copies a file, or all of a folder.
func Copy(from, to string) error {
	return walk(from, "", func(path, within string, _ fs.FileInfo) error {
		into := filepath.Join(to, within)
		if err := os.MkdirAll(filepath.Dir(into), 0o777); err != nil {
			return fmt.Errorf("writing %s: %w", into, files.Cause(err))
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		return files.Write(into, func(w io.Writer) error {
			_, err := io.Copy(w, in)
			return err
		})
	})
}

// walk visits the regular files of a folder, or the one file that it is.
func walk(path, within string, visit func(path, within string, info fs.FileInfo) error) error {
	info, err := os.Stat(path) // parts may be links
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular():
		return visit(path, within, info)
	case !info.IsDir():
		return nil
	}
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		if err == nil && !strings.HasPrefix(e.Name(), ".") {
			err = walk(filepath.Join(path, e.Name()), filepath.Join(within, e.Name()), visit)
		}
	}
	return err
}
