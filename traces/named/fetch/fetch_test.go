package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bourse/traces/named"
)

// server serves some bytes as badly as each test wants.
type server struct {
	*httptest.Server
	data   []byte
	asked  atomic.Int32
	ranges []string
}

func serve(t *testing.T, data []byte, answer func(s *server, n int, w http.ResponseWriter, r *http.Request)) *server {
	s := &server{data: data}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ranges = append(s.ranges, r.Header.Get("Range"))
		answer(s, int(s.asked.Add(1)), w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// whole answers as a good server does, ranges included.
func whole(s *server, _ int, w http.ResponseWriter, r *http.Request) {
	http.ServeContent(w, r, "log", time.Unix(1, 0), bytes.NewReader(s.data))
}

// cut sends n bytes of the range asked for and closes the connection.
func cut(n int) func(*server, int, http.ResponseWriter, *http.Request) {
	return func(s *server, _ int, w http.ResponseWriter, r *http.Request) {
		from := 0
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(s.data)-1, len(s.data)))
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(s.data)-from))
		if from > 0 {
			w.WriteHeader(http.StatusPartialContent)
		}
		w.Write(s.data[from:min(from+n, len(s.data))])
		if from+n < len(s.data) {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}
}

func random(n int) []byte {
	data, r := make([]byte, n), rand.New(rand.NewPCG(1, 2))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

func entry(url string, data []byte) *named.Trace {
	return &named.Trace{Name: "small", File: "small.swf.gz", URL: url + "/small.swf.gz", SHA256: sum(data),
		Contents: strings.Repeat("0", 64), Size: int64(len(data))}
}

// fetcher is one that has no patience, into an empty folder.
func fetcher(t *testing.T) *Fetcher {
	t.Setenv(named.Variable, t.TempDir())
	f := New(filepath.Join(t.TempDir(), "traces"))
	f.Stall, f.Pause, f.Tries = 200*time.Millisecond, time.Millisecond, 3
	return f
}

// left wants the folder to hold these files and no others, locks aside.
func left(t *testing.T, f *Fetcher, want ...string) {
	t.Helper()
	entries, _ := os.ReadDir(f.Dir)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

const partial = ".bourse-small.swf.gz.part"

// TestGet fetches through what goes wrong on the way and comes right.
func TestGet(t *testing.T) {
	data := random(300_000)
	failing := func(status, times int) func(*server, int, http.ResponseWriter, *http.Request) {
		return func(s *server, n int, w http.ResponseWriter, r *http.Request) {
			if n <= times {
				w.WriteHeader(status)
				return
			}
			whole(s, n, w, r)
		}
	}
	for name, answer := range map[string]func(*server, int, http.ResponseWriter, *http.Request){
		"good":    whole,
		"cut":     cut(70_000),
		"cut dry": cut(1),
		"redirected": func(s *server, n int, w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/elsewhere" {
				http.Redirect(w, r, "/elsewhere", http.StatusFound)
				return
			}
			whole(s, n, w, r)
		},
		"busy at first": failing(http.StatusServiceUnavailable, 2),
		"slow at first": func(s *server, n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				w.Header().Set("Content-Length", fmt.Sprint(len(s.data)))
				w.Write(s.data[:1000])
				w.(http.Flusher).Flush()
				<-r.Context().Done()
				return
			}
			whole(s, n, w, r)
		},
		"knows no ranges": func(s *server, n int, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(s.data)))
			if n == 1 {
				w.Write(s.data[:1000])
				panic(http.ErrAbortHandler)
			}
			w.Write(s.data)
		},
		"sends another part": func(s *server, n int, w http.ResponseWriter, r *http.Request) {
			switch n {
			case 1:
				cut(1000)(s, n, w, r)
			case 2:
				w.Header().Set("Content-Range", fmt.Sprintf("bytes 5-9/%d", len(s.data)))
				w.WriteHeader(http.StatusPartialContent)
				w.Write(s.data[5:10])
			default:
				whole(s, n, w, r)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "cut dry" {
				data = data[:20]
				defer func() { data = random(300_000) }()
			}
			s, f := serve(t, data, answer), fetcher(t)
			var last, total int64
			f.Progress = func(done, of int64) { last, total = done, of }
			got, err := f.Get(context.Background(), entry(s.URL, data))
			if err != nil || got.Verdict != Same || got.There || got.SHA256 != sum(data) {
				t.Fatalf("%+v, %v", got, err)
			}
			if here, _ := os.ReadFile(got.Path); !bytes.Equal(here, data) {
				t.Error("other bytes")
			}
			if last != int64(len(data)) || total != last {
				t.Errorf("progress ended at %d of %d", last, total)
			}
			left(t, f, "small.swf.gz")
			asked := s.asked.Load()
			if again, err := f.Get(context.Background(), entry(s.URL, data)); err != nil || !again.There ||
				s.asked.Load() != asked {
				t.Errorf("again: %+v, %v", again, err)
			}
		})
	}
}

// TestResume wants a download that was given up to be gone on with by the next program.
func TestResume(t *testing.T) {
	data := random(200_000)
	s := serve(t, data, func(s *server, n int, w http.ResponseWriter, r *http.Request) {
		switch {
		case n == 1:
			cut(50_000)(s, n, w, r)
		case n <= 4:
			panic(http.ErrAbortHandler)
		default:
			whole(s, n, w, r)
		}
	})
	f := fetcher(t)
	var short *CutError
	if _, err := f.Get(context.Background(), entry(s.URL, data)); !errors.As(err, &short) || short.Have != 50_000 ||
		short.Total != 200_000 {
		t.Fatalf("a cut download: %v", err)
	}
	left(t, f, partial)
	if got, err := f.Get(context.Background(), entry(s.URL, data)); err != nil || got.Verdict != Same ||
		s.ranges[4] != "bytes=50000-" {
		t.Errorf("%+v, %v, asked for %q", got, err, s.ranges)
	}
	left(t, f, "small.swf.gz")
	// What is all here, but was not given its name.
	os.Rename(filepath.Join(f.Dir, "small.swf.gz"), filepath.Join(f.Dir, partial))
	if got, err := f.Get(context.Background(), entry(s.URL, data)); err != nil || got.Verdict != Same {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRefused wants what cannot be had to leave nothing under the trace's name.
func TestRefused(t *testing.T) {
	data := random(1000)
	page := []byte("\n <!DOCTYPE html><html>moved</html>")
	for name, c := range map[string]struct {
		sent   []byte
		status int
		want   string
	}{
		"not found": {nil, http.StatusNotFound, "the server answers 404 Not Found"},
		"forbidden": {nil, http.StatusForbidden, "403 Forbidden"},
		"wrong bytes": {random(1001), http.StatusOK, "is not small: its SHA-256 is " + sum(random(1001)) + ", want " +
			sum(data) + "; nothing is kept of it"},
		"web page": {page, http.StatusOK, "is a web page, not small; nothing is kept of it"},
		"gone wrong": {nil, http.StatusInternalServerError,
			"the server answers 500 Internal Server Error; nothing is kept"},
	} {
		s := serve(t, c.sent, func(s *server, n int, w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(c.status)
			w.Write(s.data)
		})
		f := fetcher(t)
		if _, err := f.Get(context.Background(), entry(s.URL, data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
		if c.status != http.StatusInternalServerError {
			left(t, f)
		}
	}
	// A file of another kind under the name of a trace without a hash.
	s, f := serve(t, page, whole), fetcher(t)
	e := entry(s.URL, data)
	e.SHA256, e.Contents, e.Size = "", "", 0
	if _, err := f.Get(context.Background(), e); err == nil || !strings.Contains(err.Error(), "is a web page") {
		t.Errorf("a web page: %v", err)
	}
	if _, err := f.Get(context.Background(),
		&named.Trace{Name: "asked", File: "asked.csv", Ask: "the owners"}); err == nil ||
		!strings.Contains(err.Error(), "see the owners, and put it at "+filepath.Join(f.Dir, "asked.csv")) {
		t.Errorf("no URL: %v", err)
	}
}

// TestHostile wants an end with servers that have none, and nothing done for them that was not asked for.
func TestHostile(t *testing.T) {
	data := random(100_000)
	endless := func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) {
		for block := random(1 << 16); ; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	to := func(url string) func(*server, int, http.ResponseWriter, *http.Request) {
		return func(_ *server, _ int, w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, url, http.StatusFound)
		}
	}
	for name, c := range map[string]struct {
		answer func(*server, int, http.ResponseWriter, *http.Request)
		want   string
	}{
		"endless": {endless, "the server sends far more than the trace has"},
		"says so": {func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000000000")
			w.Write(data)
		}, "the server sends far more than the trace has"},
		"a trickle": {func(_ *server, _ int, w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				w.Write([]byte("x"))
				w.(http.Flusher).Flush()
				time.Sleep(time.Millisecond)
			}
		}, "hardly anything came for"},
		"the same part": {func(s *server, n int, w http.ResponseWriter, r *http.Request) {
			if n%2 == 0 {
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) // so that it begins again
				return
			}
			cut(10)(s, n, w, r)
		}, "fetching "},
		"a file":   {to("file:///etc/passwd"), "sends us to file:///etc/passwd, which is not of the web"},
		"a circle": {to("/small.swf.gz"), "the tenth place in a row"},
	} {
		s, f := serve(t, data, c.answer), fetcher(t)
		begin := time.Now()
		if _, err := f.Get(context.Background(), entry(s.URL, data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
		if took := time.Since(begin); took > 10*time.Second || s.asked.Load() > 50 {
			t.Errorf("%s: %v, %d requests", name, took, s.asked.Load())
		}
	}
	for _, c := range []struct{ from, to string }{
		{"https://a.org/x", "http://a.org/x"}, {"http://a.org/x", "http://localhost/x"},
		{"http://a.org/x", "http://127.0.0.1:8/x"}, {"http://a.org/x", "http://[::1]/x"},
		{"http://a.org/x", "http://10.0.0.1/x"},
	} {
		from, _ := http.NewRequest(http.MethodGet, c.from, nil)
		to, _ := http.NewRequest(http.MethodGet, c.to, nil)
		if checkRedirect(to, []*http.Request{from}) == nil {
			t.Errorf("%s may lead to %s", c.from, c.to)
		}
	}
}

// TestPlantedLink wants a link under the name of a part to stay, and what it leads to.
func TestPlantedLink(t *testing.T) {
	data := random(1000)
	s, f := serve(t, data, whole), fetcher(t)
	thesis := filepath.Join(t.TempDir(), "thesis")
	os.WriteFile(thesis, []byte("mine"), 0o666)
	os.MkdirAll(f.Dir, 0o777)
	if err := os.Symlink(thesis, filepath.Join(f.Dir, partial)); err != nil {
		t.Skip(err)
	}
	if _, err := f.Get(context.Background(), entry(s.URL, data)); err == nil ||
		!strings.Contains(err.Error(), "is a link or no file; remove it") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(thesis); string(text) != "mine" {
		t.Errorf("it holds %q", text)
	}
}

// TestNeverOver wants a file that is there to stay, whatever it holds.
func TestNeverOver(t *testing.T) {
	data := random(1000)
	s, f := serve(t, data, whole), fetcher(t)
	os.MkdirAll(f.Dir, 0o777)
	path := filepath.Join(f.Dir, "small.swf.gz")
	os.WriteFile(path, []byte("mine"), 0o666)
	if _, err := f.Get(context.Background(), entry(s.URL, data)); err == nil ||
		!strings.Contains(err.Error(), "it is left as it is: move it away") {
		t.Errorf("another file: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" || s.asked.Load() != 0 {
		t.Errorf("it holds %q, %d requests", text, s.asked.Load())
	}
	// One that comes while another program fetches.
	os.Remove(path)
	f.Progress = func(int64, int64) { os.WriteFile(path, []byte("mine"), 0o666) }
	if _, err := f.Get(context.Background(), entry(s.URL, data)); err == nil ||
		!strings.Contains(err.Error(), "has appeared") {
		t.Errorf("a file that appeared: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Errorf("it holds %q", text)
	}
}

// TestGive gives a file its name on disks with links and without.
func TestGive(t *testing.T) {
	defer func() { link = os.Link }()
	for name, l := range map[string]func(string, string) error{"links": os.Link,
		"no links": func(string, string) error { return errors.ErrUnsupported }} {
		link = l
		dir := t.TempDir()
		from, to := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		os.WriteFile(from, []byte("new"), 0o666)
		if err := give(from, to); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		os.WriteFile(from, []byte("newer"), 0o666)
		if err := give(from, to); err == nil || !strings.Contains(err.Error(), "has appeared") {
			t.Errorf("%s, over a file: %v", name, err)
		}
		if text, _ := os.ReadFile(to); string(text) != "new" {
			t.Errorf("%s: %q", name, text)
		}
		if err := give(from, filepath.Join(dir, "none", "b")); err == nil || !strings.Contains(err.Error(), "writing ") {
			t.Errorf("%s, into no folder: %v", name, err)
		}
	}
}

// TestInterrupted wants what has come to be kept, and nothing to have the trace's name.
func TestInterrupted(t *testing.T) {
	data := random(300_000)
	ctx, cancel := context.WithCancel(context.Background())
	s := serve(t, data, cut(100_000))
	f := fetcher(t)
	f.Progress = func(done, _ int64) {
		if done > 50_000 {
			cancel()
		}
	}
	if _, err := f.Get(ctx, entry(s.URL, data)); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	left(t, f, partial)
}

// TestFullDisk writes to a disk that is full.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	data := random(1000)
	s, f := serve(t, data, whole), fetcher(t)
	os.MkdirAll(f.Dir, 0o777)
	out, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p := &part{Fetcher: f, trace: entry(s.URL, data), url: s.URL, out: out, have: 1, total: 1000,
		most: 2000}
	var disk *diskError
	if _, err := p.once(context.Background()); !errors.As(err, &disk) || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a full disk: %v", err)
	}
}

// TestVerify knows a trace by what is in it, however it is packed.
func TestVerify(t *testing.T) {
	text := []byte("1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n")
	pack := func(level int) []byte {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, level)
		z.Write(text)
		z.Close()
		return b.Bytes()
	}
	best, none := pack(gzip.BestCompression), pack(gzip.NoCompression)
	e := &named.Trace{Name: "small", File: "small.swf.gz", SHA256: sum(best), Contents: sum(text)}
	for name, c := range map[string]struct {
		data []byte
		want Verdict
	}{
		"as published": {best, Same}, "packed otherwise": {none, Repacked}, "unpacked": {text, Repacked},
		"cut": {best[:len(best)-3], Other}, "another": {text[1:], Other}, "xz": {[]byte("\xfd7zXZ\x00...."), Other},
	} {
		path := filepath.Join(t.TempDir(), "small.swf.gz")
		os.WriteFile(path, c.data, 0o666)
		if got, s, err := Verify(e, path, func() error { return nil }); err != nil || got != c.want || s != sum(c.data) {
			t.Errorf("%s: %s, %s, %v; want %s", name, got, s, err, c.want)
		}
	}
}

// zeros is a gzip of that many MB of zeros, which is a thousandth as long.
func zeros(mb int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(make([]byte, 1<<20))
	z.Close()
	return bytes.Repeat(b.Bytes(), mb)
}

// TestHostileAnswers wants an end and a sentence whatever a server answers, and nothing under the
// trace's name.
func TestHostileAnswers(t *testing.T) {
	data, wrong, bomb := random(100_000), random(100_001)[1:], zeros(2000)
	type answer = func(s *server, n int, w http.ResponseWriter, r *http.Request)
	// raw answers with bytes that need not be HTTP, again and again after pauses if there are any.
	raw := func(first, again string, pause time.Duration) answer {
		return func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			for text := first; ; text = again {
				if _, err := io.WriteString(c, text); err != nil || again == "" {
					return
				}
				time.Sleep(pause)
			}
		}
	}
	to := func(where string) answer {
		return func(_ *server, n int, w http.ResponseWriter, _ *http.Request) {
			w.Header()["Location"] = []string{strings.ReplaceAll(where, "N", fmt.Sprint(n))}
			w.WriteHeader(http.StatusFound)
		}
	}
	says := func(status int, body []byte, headers ...string) answer {
		return func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(status)
			w.Write(body)
		}
	}
	// then is cut at first and does otherwise with the rest.
	then := func(rest answer) answer {
		return func(s *server, n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				cut(1000)(s, n, w, r)
				return
			}
			rest(s, n, w, r)
		}
	}
	const (
		ok     = "HTTP/1.1 200 OK\r\n"
		chunks = ok + "Transfer-Encoding: chunked\r\n\r\n"
		ranged = "Content-Range"
		stalls = "hardly anything came for"
		much   = "the server sends far more than the trace has"
		part   = "another part than the one asked for"
		other  = "is not small: its SHA-256 is"
		any    = "fetching "
	)
	var all sync.WaitGroup
	defer all.Wait()
	for name, c := range map[string]struct {
		answer answer
		want   string
	}{
		"gopher":                  {to("gopher://127.0.0.1:70/x"), "which is not of the web"},
		"a redirect to data":      {to("data:text/plain,x"), "which is not of the web"},
		"a redirect to no host":   {to("http://"), any},
		"a redirect to no URL":    {to("http://[::1"), any},
		"no place to go":          {says(http.StatusFound, nil), any},
		"always another place":    {to("/N/small.swf.gz"), "the tenth place in a row"},
		"silence":                 {raw("", " ", time.Hour), stalls},
		"closed at once":          {raw("", "", 0), any},
		"garbage":                 {raw("\xff\xfe\x00 no HTTP\r\n\r\n", "", 0), any},
		"garbage without an end":  {raw("x", strings.Repeat("x", 1<<16), 0), any},
		"headers without an end":  {raw(ok, "X: "+strings.Repeat("y", 1<<16)+"\r\n", 0), any},
		"headers that trickle":    {raw(ok, "X: y\r\n", 10*time.Millisecond), stalls},
		"a header of one line":    {raw(ok+"X: ", strings.Repeat("y", 1<<16), 0), any},
		"always to continue":      {raw("", "HTTP/1.1 100 Continue\r\n\r\n", time.Millisecond), stalls},
		"status 999":              {raw("HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n", "", 0), "the server answers 999 X"},
		"a length below 0":        {raw(ok+"Content-Length: -5\r\n\r\n", "", 0), any},
		"two lengths":             {raw(ok+"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", "", 0), any},
		"a length of 2^80":        {raw(ok+"Content-Length: 1208925819614629174706176\r\n\r\n", "", 0), any},
		"a chunk of 2^64":         {raw(chunks+"FFFFFFFFFFFFFFFFF\r\nx", "", 0), any},
		"chunks without an end":   {raw(chunks, "1\r\nx\r\n", time.Millisecond), stalls},
		"short for ever":          {raw(ok+"Content-Length: 100000\r\n\r\nabc", "", 0), any},
		"nothing":                 {says(http.StatusOK, nil), other},
		"no content":              {says(http.StatusNoContent, nil), "the server answers 204"},
		"not modified":            {says(http.StatusNotModified, nil), "the server answers 304"},
		"other bytes as long":     {says(http.StatusOK, wrong), other},
		"a gzip of 2 GB":          {says(http.StatusOK, bomb, "Content-Encoding", "gzip"), other},
		"a part unasked":          {says(206, data[5:], ranged, "bytes 5-99999/100000"), part},
		"a part without a range":  {says(206, data), part},
		"a range of words":        {says(206, data, ranged, "bytes all/of it"), part},
		"a range below 0":         {says(206, data, ranged, "bytes -5-9/10"), part},
		"a part of 2^62":          {says(206, data, ranged, "bytes 0-9/4611686018427387904"), much},
		"no such range":           {says(416, nil, ranged, "bytes */7"), any},
		"all is there, untruly":   {then(says(416, nil, ranged, "bytes */1000")), other},
		"a total below the part":  {then(says(206, data[:9], ranged, "bytes 1000-1008/5")), other},
		"the rest of other bytes": {then(says(206, wrong[1000:], ranged, "bytes 1000-99999/100000")), other},
		"more than the range says": {then(says(206, append(data[1000:len(data):len(data)], wrong...),
			ranged, "bytes 1000-99999/100000")), other},
		"a range without an end": {then(func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(ranged, "bytes 1000-99999/100000")
			w.WriteHeader(http.StatusPartialContent)
			for {
				if _, err := w.Write(wrong); err != nil {
					return
				}
			}
		}), much},
	} {
		s, f := serve(t, data, c.answer), fetcher(t)
		if c.want != stalls {
			f.Stall = 10 * time.Second
		}
		all.Go(func() {
			began := time.Now()
			_, err := f.Get(context.Background(), entry(s.URL, data))
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 2000 {
				t.Errorf("%s: %v; want %q", name, err, c.want)
			}
			if took := time.Since(began); took > 20*time.Second || s.asked.Load() > 50 {
				t.Errorf("%s: %v, %d requests", name, took, s.asked.Load())
			}
			if _, err := os.Lstat(filepath.Join(f.Dir, "small.swf.gz")); err == nil {
				t.Errorf("%s: it has the trace's name", name)
			}
			s.CloseClientConnections()
		})
	}
}

// TestPlanted wants whatever somebody has put where a download writes to stay as it is.
func TestPlanted(t *testing.T) {
	data := random(1000)
	for name, plant := range map[string]func(path, thesis string) error{
		"a link":             func(path, thesis string) error { return os.Symlink(thesis, path) },
		"a link to nothing":  func(path, thesis string) error { return os.Symlink(thesis+".new", path) },
		"a link to a device": func(path, _ string) error { return os.Symlink("/dev/zero", path) },
		"a loop":             func(path, _ string) error { return os.Symlink(path, path) },
		"a folder":           func(path, _ string) error { return os.Mkdir(path, 0o777) },
	} {
		for _, at := range []string{partial, ".bourse-lock"} {
			s, f := serve(t, data, whole), fetcher(t)
			thesis := filepath.Join(t.TempDir(), "thesis")
			os.WriteFile(thesis, []byte("mine"), 0o666)
			os.MkdirAll(f.Dir, 0o777)
			if err := plant(filepath.Join(f.Dir, at), thesis); err != nil {
				t.Skip(err)
			}
			if _, err := f.Get(context.Background(), entry(s.URL, data)); err == nil {
				t.Errorf("%s as %s is no fault", name, at)
			}
			if text, _ := os.ReadFile(thesis); string(text) != "mine" || s.asked.Load() > 0 {
				t.Errorf("%s as %s: it holds %q, %d requests", name, at, text, s.asked.Load())
			}
			if _, err := os.Lstat(thesis + ".new"); err == nil {
				t.Errorf("%s as %s: a file was made where it leads", name, at)
			}
		}
	}
}

// TestTwoAtOnce wants one of two downloads into a folder to be told of the other.
func TestTwoAtOnce(t *testing.T) {
	data := random(1000)
	var second error
	f := fetcher(t)
	s := serve(t, data, func(s *server, n int, w http.ResponseWriter, r *http.Request) {
		g := *f
		_, second = g.Get(context.Background(), entry(s.URL, data))
		whole(s, n, w, r)
	})
	if got, err := f.Get(context.Background(), entry(s.URL, data)); err != nil || got.Verdict != Same {
		t.Errorf("%+v, %v", got, err)
	}
	if second == nil || !strings.Contains(second.Error(), "another process is fetching into") {
		t.Error(second)
	}
	left(t, f, "small.swf.gz")
}
