package traces

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// members are the texts a log is made of: a file, the files of a folder in order
// of their names, or those of a tar archive, each of them compressed or not.
type members struct {
	name    string // of the log
	paths   []string
	opts    Options
	in      *input
	text    *bufio.Reader
	archive *tar.Reader // over text
	single  bool        // one stream, whose name is that of the log
	records int64       // for messages, set by the reader
}

// tarAt is where a tar archive says that it is one.
const (
	tarAt    = 257
	tarMagic = "ustar"
)

// openMembers lists the files of a folder, or opens the one file.
func openMembers(path string, o Options) (*members, error) {
	m := &members{name: path, opts: o}
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		m.paths, m.single = []string{path}, true
		return m, nil
	}
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !hidden(p) {
			m.paths = append(m.paths, p)
		}
		return err
	})
	if err == nil && len(m.paths) == 0 {
		err = &Error{File: path, What: "a folder without files"}
	}
	return m, err
}

func hidden(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

// next returns the next text and its name; io.EOF after the last.
func (m *members) next() (name string, text io.Reader, err error) {
	for {
		if m.archive != nil {
			switch h, err := m.archive.Next(); {
			case errors.Is(err, io.EOF):
				m.archive = nil
			case err != nil:
				return "", nil, m.broken(err)
			case h.Typeflag == tar.TypeReg && !hidden(h.Name):
				name := m.in.name + "/" + h.Name
				packed, err := openStream(name, m.archive)
				if err != nil {
					return "", nil, err
				}
				return name, packed.text, nil
			}
			continue
		}
		m.Close()
		if len(m.paths) == 0 {
			return "", nil, io.EOF
		}
		path := m.paths[0]
		m.paths = m.paths[1:]
		if m.in, err = openInput(path, m.opts); err != nil {
			return "", nil, err
		}
		m.text = bufio.NewReaderSize(m.in.text, 1<<16)
		head, err := m.text.Peek(tarAt + len(tarMagic))
		if err != nil && !errors.Is(err, io.EOF) {
			return "", nil, m.broken(err)
		}
		if len(head) > tarAt && bytes.Equal(head[tarAt:], []byte(tarMagic)) {
			m.archive = tar.NewReader(m.text)
			continue
		}
		return m.in.name, m.text, nil
	}
}

// broken says why reading stopped.
func (m *members) broken(err error) error { return m.in.broken(err, m.records) }

// Close closes the file that is open.
func (m *members) Close() error {
	if m.in == nil {
		return nil
	}
	in := m.in
	m.in, m.archive = nil, nil
	return in.Close()
}
