package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{`<p id="a">x <a href="#a">a</a> <a href="https://example.org/">out</a> <img src="data:image/png;base64,AA"></p>`, ""},
		{`<a href="other.html">x</a>`, "not there"},
		{`<a class="x" href="index.html#b">x</a>`, "no such anchor"},
		{`<a href="#">x</a><img alt="x" src="https://example.org/x.png">`, "<img> loads"},
		{`<a href="#">x</a><script src="//example.org/x.js"></script>`, "<script> loads"},
		{`<a href="#">x</a><style>p { background: url(http://example.org/x) }</style>`, "loads http"},
		{`<p>x</p>`, "no links"},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "index.html"), []byte(c.page), 0o666); err != nil {
			t.Fatal(err)
		}
		err := check(folder)
		if got := errText(err); (c.want == "") != (err == nil) || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.page, got, c.want)
		}
	}
}

func TestRender(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		guideFolder + "cookbook.md": "# Q\n\n**Which one?** This, see [b](b.md#deep), [run](../../../run.sh).\n\n![p](p.svg)\n",
		guideFolder + "b.md":        "# B\n\n## Deep\n\n| a | b |\n| :-- | --: |\n| 1 | 2 |\n",
		guideFolder + "p.svg":       "<svg/>", "run.sh": "echo\n",
		"README.md": "# R\n\n<img src=\"cmd/cli/guide/p.svg\">\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := build(root, out, "true", ""); err == nil || !strings.Contains(err.Error(), "gallery") {
		t.Fatalf("%v; the program true draws no figures", err)
	}
	s := newSite(root, out, "true")
	s.makeMenu(nil, false)
	if err := s.guides(); err != nil {
		t.Fatal(err)
	}
	page, _ := os.ReadFile(filepath.Join(out, "cookbook.html"))
	for _, want := range []string{`id="which-one"`, `href="b.html#deep"`, `href="files/run.sh.txt"`, `src="files/cmd/cli/guide/p.svg"`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if n := len(s.index); n != 5 || s.index[2].Head != "Which one?" {
		t.Errorf("%d sections: %+v", n, s.index)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
