package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// hashes lists the files below dir with their contents' hashes.
func hashes(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	return all, err
}

func names(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

// same compares what is not temporary.
func same(a, b map[string]string) bool {
	final := func(files map[string]string) map[string]string {
		c := maps.Clone(files)
		maps.DeleteFunc(c, func(name, _ string) bool { return hidden(name) })
		return c
	}
	return maps.Equal(final(a), final(b))
}

// hidden reports whether a file, or a directory above it, has a temporary name.
func hidden(name string) bool {
	for ; name != "."; name = filepath.Dir(name) {
		if temporary(name) {
			return true
		}
	}
	return false
}

// clean wants no temporary names.
func clean(files map[string]string) error {
	for _, name := range names(files) {
		if hidden(name) {
			return fmt.Errorf("%s is left", name)
		}
	}
	return nil
}
