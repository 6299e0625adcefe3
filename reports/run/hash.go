package run

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"bourse/reports/record"
	"bourse/traces"

	"bourse/traces/named"
)

// folderBound is how many bytes of a folder's files are hashed: a month of Google's
// trace is 40 GB, of which a replay reads a small part.
const folderBound = 1 << 30

// HashFile starts to hash a file or a folder beside other work. The returned function
// waits and gives the SHA-256 in hexadecimal. That of a folder is of the names and sizes
// of all its files, in order of their names, and of the first GiB of their contents;
// names that begin with a dot are left out. What has no path, "", has no hash.
func HashFile(path string) func() (string, error) {
	if path == "" {
		return func() (string, error) { return "", nil }
	}
	var sum string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		sum, err = hashPath(path, folderBound)
	}()
	return func() (string, error) {
		<-done
		return sum, err
	}
}

func hashPath(path string, bound int64) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() && !info.Mode().IsRegular() { // it may have no end
		return "", fmt.Errorf("%s is neither a file nor a folder", path)
	}
	h := hasher{Hash: sha256.New(), left: math.MaxInt64}
	if info.IsDir() {
		h.left = bound
		err = h.folder(path, "")
	} else {
		err = h.file(path)
	}
	if err != nil {
		return "", fmt.Errorf("hashing %s: %w", path, err)
	}
	return record.HexSum(h.Sum(nil)), nil
}

// hasher hashes files as long as any bytes are left.
type hasher struct {
	hash.Hash
	left int64
}

func (h *hasher) file(name string) error {
	if h.left == 0 {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.CopyN(h, f, h.left)
	h.left -= n
	if err == io.EOF {
		return nil
	}
	return err
}

// folder hashes the files of a folder; within is the folder's name below the one asked
// for.
func (h *hasher) folder(dir, within string) error {
	entries, err := os.ReadDir(dir) // in order of names
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		from, name := filepath.Join(dir, e.Name()), path.Join(within, e.Name())
		info, err := os.Stat(from) // parts may be links
		switch {
		case err == nil && info.IsDir():
			err = h.folder(from, name)
		case err == nil && info.Mode().IsRegular():
			fmt.Fprintf(h, "%s\x00%d\x00", name, info.Size())
			err = h.file(from)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// InputPath is the file or folder that a specification of a trace names, there or not;
// empty if it names none, as "synth:lublin" and "-". Names of the catalogue of traces name
// files, too.
func InputPath(spec string) string {
	if spec == "-" || strings.HasPrefix(spec, "synth:") {
		return ""
	}
	name, _, _ := strings.Cut(spec, "?")
	_, rest, forced := strings.Cut(name, ":")
	switch {
	case exists(spec, ""):
		return spec
	case forced && !exists(name, ""):
		return rest
	}
	if path, _, _ := named.Open(spec); path != "" {
		return path
	}
	if spec == named.Demo {
		return ""
	}
	return name
}

// SourcePath is the file or folder a trace is read from, empty if it is a stream.
func SourcePath(src traces.Source) string {
	name := src.Header().Name
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return ""
	}
	return name
}
