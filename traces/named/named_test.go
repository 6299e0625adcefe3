package named

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCatalogue wants every entry to be whole, and names to be unmistakable.
func TestCatalogue(t *testing.T) {
	all := All()
	if len(all) < 50 {
		t.Fatalf("%d traces", len(all))
	}
	name, sum := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`), regexp.MustCompile(`^([0-9a-f]{64})?$`)
	seen := map[string]string{}
	for i := range all {
		e := &all[i]
		if !name.MatchString(e.Name) || e.Line == "" || e.Format == "" || e.From() == nil || (e.URL == "") == (e.Ask == "") {
			t.Errorf("%q: its name, line, format, source, or place is not as it should be", e.Name)
		}
		if u, err := url.Parse(e.URL); err != nil || e.URL != "" &&
			(u.Scheme != "https" || !strings.HasSuffix(u.Path, "/"+e.File)) {
			t.Errorf("%s: %s is no place of %s", e.Name, e.URL, e.File)
		}
		if !sum.MatchString(e.SHA256) || !sum.MatchString(e.Contents) || (e.SHA256 != "") != (e.Size > 0) || e.SHA256 != "" &&
			e.Contents == "" {
			t.Errorf("%s: hashes %q and %q, size %d", e.Name, e.SHA256, e.Contents, e.Size)
		}
		for _, key := range append([]string{e.Name, e.File}, e.Also...) {
			if other := seen[key]; other != "" && other != e.Name {
				t.Errorf("%s is of both %s and %s", key, other, e.Name)
			}
			seen[key] = e.Name
		}
		if s := e.From(); s != nil && (s.Terms == "" || s.Cite == "" || s.Home == "" || s.Title == "") {
			t.Errorf("source %s is not whole", s.Name)
		}
	}
}

// TestOpen wants a trace to be found by name in the folder for traces and those below it,
// packed or not, least deep first, and in the cache after that.
func TestOpen(t *testing.T) {
	home, user := t.TempDir(), t.TempDir()
	t.Setenv(Variable, home)
	t.Setenv("XDG_CACHE_HOME", user)
	t.Setenv("HOME", user)
	put := func(dir, path string) string {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := func(name, path, format string) {
		t.Helper()
		if got, f, err := Open(name); (err != nil) != (path == "") || got != path || f != format {
			t.Errorf("%s: %q of format %q, %v; want %q", name, got, f, err, path)
		}
	}
	var absent *AbsentError
	if _, _, err := Open("kth-sp2"); !errors.As(err, &absent) || !errors.Is(err, fs.ErrNotExist) || absent.Home != home {
		t.Errorf("an absent trace: %v", err)
	}
	if path, _, err := Open("kth-sp3"); path != "" || err != nil {
		t.Errorf("a name of no trace: %q, %v", path, err)
	}
	put(home, "a/b/c/d/KTH-SP2-1996-2.1-cln.swf.gz") // too deep
	want("kth-sp2", "", "")
	cached := put(cache(), "KTH-SP2-1996-2.1-cln.swf.gz")
	want("kth-sp2", cached, "swf")
	want("kth-sp2", put(home, "swf/archive/KTH-SP2-1996-2.1-cln.swf.gz"), "swf")
	want("kth-sp2", put(home, "swf/KTH-SP2-1996-2.1-cln.swf"), "swf")
	want("openb", put(home, "gpu/openb_pod_list_default.csv.gz"), "openb")
	want("helios-venus", put(home, "HeliosData/data/Venus/cluster_log.csv"), "helios")
	put(home, "data/Earth/cluster_log.txt")
	want("helios-earth", "", "")
	put(home, "google2011/job_events/part-00000-of-00500.csv.gz")
	want("google-2011", "", "")
	put(home, "google2011/task_events/part-00000-of-00500.csv.gz")
	want("google-2011", filepath.Join(home, "google2011"), "google2011")
}
