package traces

import (
	"io"
	"os"
)

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func openInput(path string, o Options) (*input, error) {
	if path == "-" {
		return openStream("stdin", o.Stdin)
	}
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return nil, folder(path)
	}
	return openFile(path)
}

// headOf returns the kind of file that path's first bytes show. Pipes are left
// alone: what is read from them here would be missing later.
func headOf(path string) string {
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

// folder says why a folder is not a trace.
func folder(path string) error {
	return &Error{File: path, What: "a folder, not a trace", Want: "give one of the files in it; of folders those with accounting files of Torque or PBS are read"}
}
