package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"bourse/traces/files"
	"bourse/traces/named"
)

// Fetcher downloads traces into a folder.
type Fetcher struct {
	Dir string
	// URL, if not "", is where to fetch from instead of the trace's own.
	URL string
	// Stall is how long less than 32 KB may come before the connection is given up, Tries how often
	// in a row nothing may have come before the download is, Pause the time between.
	Stall, Pause time.Duration
	Tries        int
	// Most is how many bytes are taken where the catalogue does not know the size.
	Most int64
	// Progress, if not nil, is called with the number of bytes that are there, of total, 0 if unknown.
	Progress func(done, total int64)
}

// New returns a Fetcher into a folder, as patient as a long download needs.
func New(dir string) *Fetcher {
	return &Fetcher{Dir: dir, Stall: 30 * time.Second, Pause: 2 * time.Second, Tries: 5, Most: 10 << 30}
}

// most is how many bytes are taken of a trace, which a mirror may have packed less.
func (f *Fetcher) most(t *named.Trace) int64 {
	if t.Size > 0 {
		return 20*t.Size + 1<<20
	}
	return f.Most
}

// Fetched is what became of a download.
type Fetched struct {
	Path, SHA256 string
	Verdict      Verdict
	// There says that the trace was here before.
	There bool
}

// WrongError says that a file is not the trace.
type WrongError struct {
	Trace      *named.Trace
	From       string // what holds other bytes
	Sum        string
	Page, Here bool // it is a web page; it is on this machine
}

func (e *WrongError) Error() string {
	text := fmt.Sprintf("%s is not %s: its SHA-256 is %s, want %s", e.From, e.Trace.Name, e.Sum,
		cmp.Or(e.Trace.SHA256, e.Trace.Contents))
	if e.Page {
		text = fmt.Sprintf("%s is a web page, not %s", e.From, e.Trace.Name)
	}
	if e.Here {
		return text + "; it is left as it is: move it away to fetch the trace"
	}
	return text + "; nothing is kept of it"
}

// Get fetches a trace unless it is here. What was cut before is gone on with.
func (f *Fetcher) Get(ctx context.Context, t *named.Trace) (Fetched, error) {
	final := filepath.Join(f.Dir, filepath.FromSlash(t.File))
	if path := t.Path(); path != "" {
		final = path
	}
	if _, err := os.Lstat(final); err == nil {
		return f.verifyLocal(ctx, t, final)
	}
	url := cmp.Or(f.URL, t.URL)
	if url == "" {
		return Fetched{}, &named.NoURLError{Trace: t, Dir: f.Dir}
	}
	claim, err := files.Take(filepath.Dir(final))
	if errors.As(err, new(*files.ClaimedError)) {
		return Fetched{}, fmt.Errorf("another process is fetching into %s; try again when it has ended", filepath.Dir(final))
	}
	if err != nil {
		return Fetched{}, err
	}
	defer claim.Abort()
	p := &part{Fetcher: f, trace: t, url: url, most: f.most(t),
		path: filepath.Join(filepath.Dir(final), ".bourse-"+filepath.Base(final)+".part")}
	if err := p.download(ctx); err != nil {
		return Fetched{}, err
	}
	return p.publish(ctx, final)
}

// verifyLocal says whether what is here is the trace.
func (f *Fetcher) verifyLocal(ctx context.Context, t *named.Trace, path string) (Fetched, error) {
	v, sum, err := Verify(t, path, ctx.Err)
	if err == nil && v == Other {
		err = &WrongError{Trace: t, From: path, Sum: sum, Page: isPage(path), Here: true}
	}
	return Fetched{Path: path, SHA256: sum, Verdict: v, There: true}, err
}

// publish gives what has come its name, if it is the trace.
func (p *part) publish(ctx context.Context, final string) (Fetched, error) {
	v, sum, err := Verify(p.trace, p.path, ctx.Err)
	if err != nil {
		return Fetched{}, err
	}
	if page := isPage(p.path); v == Other || page {
		return Fetched{}, errors.Join(&WrongError{Trace: p.trace, From: p.url, Sum: sum, Page: page}, os.Remove(p.path))
	}
	if err := give(p.path, final); err != nil {
		return Fetched{}, err
	}
	return Fetched{Path: final, SHA256: sum, Verdict: v}, nil
}

// link is os.Link but in tests, which have disks without links.
var link = os.Link

// give gives a file its name, which no other has.
func give(path, final string) error {
	err := link(path, final)
	switch {
	case err == nil:
		err = os.Remove(path)
	case !errors.Is(err, fs.ErrExist): // a disk without links
		if _, err = os.Lstat(final); errors.Is(err, fs.ErrNotExist) {
			err = os.Rename(path, final)
		} else if err == nil {
			err = fs.ErrExist
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s has appeared while it was fetched; it is left as it is", final)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", final, files.Cause(err))
	}
	return nil
}
