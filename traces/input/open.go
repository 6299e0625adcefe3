package input

import (
	"io"
	"os"

	"bourse/traces"
)

func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func Open(path string, o traces.Options) (*File, error) {
	if path == "-" {
		return openStream("stdin", o.Stdin)
	}
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return nil, NotATrace(path)
	}
	return OpenFile(path)
}

// KindOf returns the kind of file that path's first bytes show. Pipes are left
// alone: what is read from them here would be missing later.
func KindOf(path string) string {
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 8)
	n, _ := io.ReadFull(f, head)
	return sniff(head[:n])
}

// NotATrace says why a folder is not a trace.
func NotATrace(path string) error {
	return &traces.Error{File: path, What: "a folder, not a trace",
		Want: "give one of the files in it; of folders those with accounting files of Torque or PBS are read"}
}
