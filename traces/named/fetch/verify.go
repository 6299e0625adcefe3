package fetch

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/named"
)

// Verdict is the result of comparing a trace's bytes.
type Verdict string

// The verdicts.
const (
	Same     Verdict = "same bytes"
	Repacked Verdict = "same contents, packed otherwise"
	Unknown  Verdict = "no hash known"
	Other    Verdict = "other bytes"
)

// Verify compares a file with the catalogue, without a network. sum is its SHA-256. Of folders
// nothing is known.
func Verify(t *named.Trace, path string, stop func() error) (v Verdict, sum string, err error) {
	if t.Folder != "" {
		return Unknown, "", nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	if sum, err = hash(f, stop); err != nil {
		return "", "", fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case t.SHA256 == "" && t.Contents == "":
		return Unknown, sum, nil
	case sum == t.SHA256 || sum == t.Contents && t.SHA256 == "":
		return Same, sum, nil
	}
	in, err := input.Open(path, traces.Options{})
	if err != nil {
		return Other, sum, nil // what cannot be unpacked is not the trace
	}
	defer in.Close()
	st, err := f.Stat()
	if err != nil {
		return "", "", err
	}
	contents, err := hash(io.LimitReader(in.Text, mostUnpacked*st.Size()+1<<20), stop)
	if err := stop(); err != nil {
		return "", "", err
	}
	if err == nil && contents == t.Contents {
		return Repacked, sum, nil
	}
	return Other, sum, nil
}

// mostUnpacked is how many times as long a trace gets that is unpacked; what gets longer is
// none, and may have no end in this life.
const mostUnpacked = 100

func hash(r io.Reader, stop func() error) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, stopping{r, stop})
	return hex.EncodeToString(h.Sum(nil)), err
}

// stopping ends a stream when stop says so.
type stopping struct {
	io.Reader
	stop func() error
}

func (s stopping) Read(p []byte) (int, error) {
	if err := s.stop(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

// isPage reports whether a file begins as a web page does.
func isPage(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	r := bufio.NewReader(f)
	for {
		c, err := r.ReadByte()
		if err != nil {
			return false
		}
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c == '<'
		}
	}
}
