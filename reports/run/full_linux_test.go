package run

import (
	"errors"
	"os"
	"syscall"
	"testing"

	"bourse/reports/record"
)

// The real thing, where the test may mount: a file system of 256 KB.
func TestFullFileSystem(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("cannot mount a small file system:", err)
	}
	defer syscall.Unmount(dir, 0)
	for _, f := range record.Formats() {
		r, err := Create(dir, Options{Format: f, Segments: true})
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(fill(r, 40_000), r.Commit(summaryOf(t, 10), &Manifest{}), r.Abort())
		fails(t, err, dir, "no space left on device")
		holds(t, dir)
	}
}

func TestStreamToFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	r, err := Stream(full, Options{Format: "arrow"})
	if err != nil {
		t.Fatal(err)
	}
	fails(t, errors.Join(fill(r, 10), r.Commit(nil, nil)), "standard output", "no space left on device")
}
