package cli

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"bourse/reports/ask/sweep"
)

// OpenStore opens the store of a name as s3://bucket/prefix.
type OpenStore func(name string) (sweep.Store, error)

// stores are those of the program, by scheme; bourse itself has none, and no network but for trace get.
var stores map[string]OpenStore

// storeOf opens the store that a name is of; nil if it is a path.
func storeOf(name string) (sweep.Store, error) {
	scheme, _, elsewhere := strings.Cut(name, "://")
	if !elsewhere {
		return nil, nil
	}
	open := stores[scheme]
	if open == nil {
		return nil, usagef("%s: this program keeps nothing elsewhere than in folders; scripts/s3 builds one that knows s3://", name)
	}
	return open(name)
}

// place is the folder of a sweep: a path, or one for as long as the command runs of what a store keeps.
func (a *app) place(name string) (dir string, to sweep.Store, err error) {
	if to, err = storeOf(name); to == nil || err != nil {
		return name, nil, err
	}
	if dir, err = a.scratchFor(name); err == nil {
		err = to.Fetch(a.ctx, dir)
	}
	return dir, to, err
}

// scratchFor makes a folder with the last name of a store's.
func (a *app) scratchFor(name string) (string, error) {
	root, err := os.MkdirTemp("", "bourse-store-")
	if err != nil {
		return "", err
	}
	a.scratch = append(a.scratch, root)
	dir := filepath.Join(root, path.Base(name))
	return dir, os.Mkdir(dir, 0o777)
}

// fetched puts folders in place of the stores among the arguments of a command, which it then reads.
func (a *app) fetched(args []string) ([]string, error) {
	args = slices.Clone(args)
	for i, arg := range args {
		scheme, _, elsewhere := strings.Cut(arg, "://")
		if !elsewhere || stores[scheme] == nil || i > 0 && args[i-1] == "--out" {
			continue
		}
		dir, _, err := a.place(arg)
		if err != nil {
			return nil, err
		}
		args[i] = dir
	}
	return args, nil
}

// clear removes the folders.
func (a *app) clear() {
	for _, dir := range a.scratch {
		_ = os.RemoveAll(dir)
	}
}
