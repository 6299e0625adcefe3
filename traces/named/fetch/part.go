package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
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
	most  int64  // bytes that are taken
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
	kept := "nothing is kept"
	if e.Have > 0 {
		kept = fmt.Sprintf("%d%s bytes are kept, and the next attempt goes on from there", e.Have, of)
	}
	return fmt.Sprintf("fetching %s: %v; %s", e.URL, e.Why, kept)
}

// Unwrap returns the cause.
func (e *CutError) Unwrap() error { return e.Why }

// refusal is what trying again does not change.
type refusal struct{ why string }

func (e *refusal) Error() string { return e.why }

// download fetches until all is there, as often as anything comes. What an earlier program
// left is taken up where a hash will tell whether it was of the same file.
func (p *part) download(ctx context.Context) (err error) {
	if p.out, err = openPart(p.path); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.out.Close()) }()
	if p.resumes() {
		p.have, err = p.out.Seek(0, io.SeekEnd)
	} else {
		err = p.restart()
	}
	if err != nil {
		return err
	}
	best := p.have // a server that sends the same again and again has an end
	for failed := 0; ; {
		done, err := p.once(ctx)
		switch refused := (*refusal)(nil); {
		case done:
			return p.out.Sync()
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refused) && (p.have == 0 || refused == errTooMuch):
			return errors.Join(fmt.Errorf("fetching %s: %w", p.url, err), os.Remove(p.path))
		case errors.As(err, &refused), errors.As(err, new(*diskError)):
			return p.cut(err)
		}
		if failed++; p.have > best {
			failed, best = 0, p.have
		}
		if failed >= p.Tries {
			return p.cut(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(p.Pause):
		}
	}
}

// resumes reports whether a hash will tell that parts of two attempts are of one file.
func (p *part) resumes() bool { return p.trace.SHA256 != "" || p.trace.Contents != "" }

// cut is the error of a download that has ended early. What cannot be gone on with is removed.
func (p *part) cut(why error) error {
	if p.have > 0 && p.resumes() {
		return &CutError{p.url, p.have, p.total, why}
	}
	return errors.Join(&CutError{p.url, 0, p.total, why}, os.Remove(p.path))
}

// openPart opens a file that is gone on with, or makes it. Its name can be guessed, and a
// folder of traces may be one of several people: a link is not followed.
func openPart(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	if f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return nil, err
	}
	named, err := os.Lstat(path)
	open, err2 := f.Stat()
	if err := errors.Join(err, err2); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if !named.Mode().IsRegular() || !os.SameFile(named, open) {
		return nil, errors.Join(fmt.Errorf("%s is a link or no file; remove it", path), f.Close())
	}
	return f, nil
}

// errTooMuch is a server that sends more than the trace can have.
var errTooMuch = &refusal{"the server sends far more than the trace has"}

// restart forgets what has come.
func (p *part) restart() error {
	p.have, p.etag = 0, ""
	if err := p.out.Truncate(0); err != nil {
		return &diskError{files.Cause(err)}
	}
	_, err := p.out.Seek(0, io.SeekStart)
	return err
}

// least is how many bytes have to come within Fetcher.Stall: a kilobyte a second as it is.
const least = 32 << 10

// once asks for the rest and takes what comes.
func (p *part) once(ctx context.Context) (done bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(p.Stall, func() { cancel(fmt.Errorf("hardly anything came for %v", p.Stall)) })
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
	buffer, came := make([]byte, 1<<16), 0
	for {
		n, err := r.Body.Read(buffer)
		if came += n; came >= least || err != nil {
			timer.Reset(p.Stall)
			came = 0
		}
		if p.have+int64(n) > p.most {
			return false, errTooMuch
		}
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
	client := http.Client{CheckRedirect: checkRedirect}
	return client.Do(q)
}

// checkRedirect refuses where a server must not send its visitors: from an encrypted
// connection to one that is not, and from elsewhere to this machine or its own network.
func checkRedirect(to *http.Request, via []*http.Request) error {
	from := via[0].URL
	refuse := func(what string) error {
		return &refusal{fmt.Sprintf("the server sends us to %s, %s", to.URL.Redacted(), what)}
	}
	switch {
	case to.URL.Scheme != "http" && to.URL.Scheme != "https":
		return refuse("which is not of the web")
	case from.Scheme == "https" && to.URL.Scheme != "https":
		return refuse("which is not encrypted")
	case isNear(to.URL.Hostname()) && !isNear(from.Hostname()):
		return refuse("which is this machine or its network")
	case len(via) >= 10:
		return refuse("the tenth place in a row")
	}
	return nil
}

func isNear(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() ||
		ip.IsUnspecified())
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
		return false, p.tooMuch()
	case http.StatusPartialContent:
		from, total := rangeOf(r.Header.Get("Content-Range"))
		if from != p.have {
			return false, errors.Join(errors.New("the server sends another part than the one asked for"), p.restart())
		}
		p.total = total
		return false, p.tooMuch()
	case http.StatusRequestedRangeNotSatisfiable: // all is here, or it is of another file
		if _, total := rangeOf(r.Header.Get("Content-Range")); total == p.have {
			return true, nil
		}
		return false, errors.Join(errors.New("the file has changed"), p.restart())
	}
	if r.StatusCode >= 500 || r.StatusCode == http.StatusTooManyRequests || r.StatusCode == http.StatusRequestTimeout {
		return false, fmt.Errorf("the server answers %s", r.Status)
	}
	return false, &refusal{"the server answers " + r.Status}
}

func (p *part) tooMuch() error {
	if p.total > p.most {
		return errTooMuch
	}
	return nil
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
