package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"bourse/traces/files"
	"bourse/traces/named"
)

// part is a download on its way.
type part struct {
	*Fetcher
	trace *named.Trace
	url   string
	path  string
	out   *os.File
	have  int64  // bytes in out
	total int64  // bytes there are, 0 if unknown
	etag  string // of what is being fetched
}

// CutError says that a download has ended early. What has come is kept.
type CutError struct {
	URL         string
	Have, Total int64
	Why         error
}

func (e *CutError) Error() string {
	of := ""
	if e.Total > 0 {
		of = fmt.Sprintf(" of %d", e.Total)
	}
	return fmt.Sprintf("fetching %s: %v; %d%s bytes are kept, and the next attempt goes on from there", e.URL, e.Why,
		e.Have, of)
}

// Unwrap returns the cause.
func (e *CutError) Unwrap() error { return e.Why }

// refusal is what a server says that trying again does not change.
type refusal struct{ status string }

func (e *refusal) Error() string { return "the server answers " + e.status }

// download fetches until all is there, as often as anything comes. What an earlier program
// left is taken up where a hash will tell whether it was of the same file.
func (p *part) download(ctx context.Context) (err error) {
	if p.out, err = os.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.out.Close()) }()
	if p.trace.SHA256 != "" || p.trace.Contents != "" {
		p.have, err = p.out.Seek(0, io.SeekEnd)
	} else {
		err = p.restart()
	}
	if err != nil {
		return err
	}
	for failed := 0; ; {
		before := p.have
		done, err := p.once(ctx)
		switch refused := (*refusal)(nil); {
		case done:
			return p.out.Sync()
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refused) && p.have == 0:
			return errors.Join(fmt.Errorf("fetching %s: %w", p.url, err), os.Remove(p.path))
		case errors.As(err, &refused), errors.As(err, new(*diskError)):
			return &CutError{p.url, p.have, p.total, err}
		}
		if failed++; p.have > before {
			failed = 0
		}
		if failed >= p.Tries {
			return &CutError{p.url, p.have, p.total, err}
		}
		select {
		case <-ctx.Done():
		case <-time.After(p.Pause):
		}
	}
}

// restart forgets what has come.
func (p *part) restart() error {
	p.have, p.etag = 0, ""
	if err := p.out.Truncate(0); err != nil {
		return &diskError{files.Cause(err)}
	}
	_, err := p.out.Seek(0, io.SeekStart)
	return err
}

// once asks for the rest and takes what comes.
func (p *part) once(ctx context.Context) (done bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(p.Stall, func() { cancel(fmt.Errorf("nothing came for %v", p.Stall)) })
	defer timer.Stop()
	why := func(err error) error { // a server that stalls ends the context
		if cause := context.Cause(ctx); cause != nil && err != nil {
			return cause
		}
		return err
	}
	r, err := p.ask(ctx)
	if err != nil {
		return false, why(err)
	}
	defer r.Body.Close()
	if done, err := p.begin(r); done || err != nil {
		return done, err
	}
	buffer := make([]byte, 1<<16)
	for {
		n, err := r.Body.Read(buffer)
		timer.Reset(p.Stall)
		if n > 0 {
			k, err := p.out.Write(buffer[:n])
			if p.have += int64(k); err != nil {
				return false, &diskError{files.Cause(err)}
			}
			if p.Progress != nil {
				p.Progress(p.have, p.total)
			}
		}
		switch {
		case err == io.EOF && p.total > 0 && p.have < p.total:
			return false, io.ErrUnexpectedEOF
		case err == io.EOF:
			return true, nil
		case err != nil:
			return false, why(err)
		}
	}
}

// diskError is a fault of the disk, not of the net.
type diskError struct{ error }

func (e *diskError) Unwrap() error { return e.error }

// ask sends the request for what is still to come.
func (p *part) ask(ctx context.Context) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
	if err != nil {
		return nil, &refusal{err.Error()}
	}
	q.Header.Set("User-Agent", "bourse")
	q.Header.Set("Accept-Encoding", "identity") // the file as it is
	if p.have > 0 {
		q.Header.Set("Range", fmt.Sprintf("bytes=%d-", p.have))
		if p.etag != "" {
			q.Header.Set("If-Range", p.etag)
		}
	}
	return p.client.Do(q)
}

// begin looks at the answer's head: from where it goes on, and how much there is.
func (p *part) begin(r *http.Response) (done bool, err error) {
	if tag := r.Header.Get("ETag"); !strings.HasPrefix(tag, "W/") {
		p.etag = tag
	}
	switch r.StatusCode {
	case http.StatusOK:
		tag := p.etag
		if err := p.restart(); err != nil {
			return false, err
		}
		p.etag, p.total = tag, max(r.ContentLength, 0)
		return false, nil
	case http.StatusPartialContent:
		from, total := rangeOf(r.Header.Get("Content-Range"))
		if from != p.have {
			return false, errors.Join(errors.New("the server sends another part than the one asked for"), p.restart())
		}
		p.total = total
		return false, nil
	case http.StatusRequestedRangeNotSatisfiable: // all is here, or it is of another file
		if _, total := rangeOf(r.Header.Get("Content-Range")); total == p.have {
			return true, nil
		}
		return false, errors.Join(errors.New("the file has changed"), p.restart())
	}
	if r.StatusCode >= 500 || r.StatusCode == http.StatusTooManyRequests || r.StatusCode == http.StatusRequestTimeout {
		return false, fmt.Errorf("the server answers %s", r.Status)
	}
	return false, &refusal{r.Status}
}

// rangeOf reads "bytes 5-9/10" or "bytes */10"; -1 and 0 represent what it does not say.
func rangeOf(text string) (from, total int64) {
	span, all, _ := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	first, _, _ := strings.Cut(span, "-")
	from, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		from = -1
	}
	total, _ = strconv.ParseInt(all, 10, 64)
	return from, max(total, 0)
}
