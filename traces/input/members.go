package input

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

	"bourse/traces"
)

// Members are the texts a log is made of: a file, the files of a folder in order
// of their names, or those of a tar archive, each of them compressed or not.
type Members struct {
	name    string // of the log
	paths   []string
	opts    traces.Options
	in      *File
	member  *File // of the archive
	text    *bufio.Reader
	archive *tar.Reader // over text
	single  bool        // one stream, whose name is that of the log
	Records int64       // for messages, set by the reader
}

// tarAt is where a tar archive says that it is one.
const (
	tarAt    = 257
	tarMagic = "ustar"
)

// OpenMembers lists the files of a folder, or opens the one file.
func OpenMembers(path string, o traces.Options) (*Members, error) {
	m := &Members{name: path, opts: o}
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
		err = &traces.Error{File: path, What: "a folder without files"}
	}
	return m, err
}

func hidden(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

// Next returns the next text and its name; io.EOF after the last.
func (m *Members) Next() (name string, text io.Reader, err error) {
	for {
		if m.archive != nil {
			switch h, err := m.archive.Next(); {
			case errors.Is(err, io.EOF):
				m.archive = nil
			case err != nil:
				return "", nil, m.Broken(err)
			case h.Typeflag == tar.TypeReg && !hidden(h.Name):
				name := m.in.Name + "/" + h.Name
				if m.member, err = openStream(name, m.archive); err != nil {
					return "", nil, err
				}
				return name, m.member.Text, nil
			}
			continue
		}
		m.Close()
		if len(m.paths) == 0 {
			return "", nil, io.EOF
		}
		path := m.paths[0]
		m.paths = m.paths[1:]
		if m.in, err = Open(path, m.opts); err != nil {
			return "", nil, err
		}
		m.text = bufio.NewReaderSize(m.in.Text, 1<<16)
		head, err := m.text.Peek(tarAt + len(tarMagic))
		if err != nil && !errors.Is(err, io.EOF) {
			return "", nil, m.Broken(err)
		}
		if len(head) > tarAt && bytes.Equal(head[tarAt:], []byte(tarMagic)) {
			m.archive = tar.NewReader(m.text)
			if m.in.packed == "" {
				m.in.packed = "tar"
			}
			continue
		}
		return m.in.Name, m.text, nil
	}
}

// Broken says why reading stopped.
func (m *Members) Broken(err error) error {
	if m.archive != nil && m.member != nil && m.member.packed != "" {
		return m.member.Broken(err, m.Records)
	}
	return m.in.Broken(err, m.Records)
}

// Close closes the file that is open.
func (m *Members) Close() error {
	if m.in == nil {
		return nil
	}
	in := m.in
	m.in, m.member, m.archive = nil, nil, nil
	return in.Close()
}
