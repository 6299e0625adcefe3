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
	"strings"
)

// timed are files of a bundle that say how long its making took, or have the hash of one that
// says it.
var timed = []string{"ARTIFACT.md", "SHA256SUMS", "ro-crate-metadata.json"}

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
		if slices.Contains(timed, filepath.Base(name)) && len(text) > 0 {
			text = []byte("any")
		}
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
			return fmt.Errorf("%s: %w", name, errLeft)
		}
	}
	return nil
}

// temporary reports whether the program gives such names to what is not complete.
func temporary(name string) bool { return strings.HasPrefix(filepath.Base(name), ".bourse-") }

// pages is what the files below dir take of a disk.
func pages(dir string) (size int) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += (int(info.Size())/4096 + 2) * 4096
		}
		return err
	})
	return size
}
