// Command site builds the project's web site from its guides, its README and what the program says
// of itself: static pages, a gallery whose commands it runs, and an index for search. It is a module
// of its own, as only it needs a library for Markdown.
package main

import (
	"embed"
	"flag"
	"fmt"
	"html/template"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed page.html site.css site.js
var embedded embed.FS

// site is what is being built: from the repository at root into out, by the program bourse.
type site struct {
	root, out, bourse string
	page              *template.Template
	menu              []group
	titles            map[string]string // of pages, by the path of their Markdown
	queue             []string          // Markdown to be made into pages
	copied            map[string]bool
	index             []entry
}

// group is a part of the menu.
type group struct {
	Name  string
	Items []link
}

type link struct{ URL, Text string }

// guides are the pages of the menu in its order, by file; a guide that is not here is added at the end.
var guides = []struct{ group, file, text string }{
	{"Start", "README.md", "Bourse"},
	{"Start", "cookbook.md", "Questions and their commands"},
	{"Start", "first-ten-minutes.md", "First ten minutes"},
	{"How to", "your-own-log.md", "Your own log"},
	{"How to", "own-policy.md", "Your own policy"},
	{"How to", "markets.md", "Markets"},
	{"How to", "reading-results.md", "Reading results"},
	{"How to", "beyond-one-machine.md", "Beyond one machine"},
	{"Background", "methods.md", "Methods"},
	{"Background", "glossary.md", "Glossary"},
	{"Reference", "manual.md", "Manual"},
	{"Reference", "columns.md", "Columns"},
	{"Reference", "extending.md", "Extending"},
}

const guideFolder = "cmd/cli/guide/"

func main() {
	root := flag.String("root", "../..", "the repository")
	out := flag.String("out", "site-out", "the folder to write")
	bourse := flag.String("bourse", "bin/bourse", "the program")
	playground := flag.String("playground", "", "the folder of a playground to include, if it is there")
	only := flag.Bool("check", false, "check the links of the pages in -out, and build nothing")
	flag.Parse()
	var err error
	if !*only {
		err = build(*root, *out, *bourse, *playground)
	}
	if err == nil {
		err = check(*out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func newSite(root, out, bourse string) *site {
	page := template.Must(template.ParseFS(embedded, "page.html")) // it is part of this program
	return &site{root: root, out: out, bourse: bourse, page: page, titles: map[string]string{}, copied: map[string]bool{}}
}

func build(root, out, bourse, playground string) error {
	s := newSite(root, out, bourse)
	if there, _ := os.ReadDir(out); len(there) > 0 && !isFile(filepath.Join(out, "site.css")) {
		return fmt.Errorf("%s holds something else than a site; use another folder", out)
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if playground != "" && isFile(filepath.Join(playground, "index.html")) {
		if err := os.CopyFS(filepath.Join(out, "playground"), os.DirFS(playground)); err != nil {
			return err
		}
	} else {
		playground = ""
	}
	kinds := s.kinds()
	s.makeMenu(kinds, playground != "")
	for _, name := range []string{"site.css", "site.js"} {
		text, _ := embedded.ReadFile(name) // it is part of this program
		if err := s.write(name, text); err != nil {
			return err
		}
	}
	for _, step := range []func() error{s.gallery, s.commands, func() error { return s.lists(kinds) }, s.guides, s.writeIndex} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// makeMenu lists the pages in the menu, and what each is called.
func (s *site) makeMenu(kinds []string, playground bool) {
	add := func(name string, l link) {
		if n := len(s.menu); n == 0 || s.menu[n-1].Name != name {
			s.menu = append(s.menu, group{Name: name})
		}
		last := &s.menu[len(s.menu)-1]
		last.Items = append(last.Items, l)
	}
	known := map[string]bool{}
	var names []struct{ group, file, text string }
	names = append(names, guides...)
	for _, g := range guides {
		known[g.file] = true
	}
	files, _ := filepath.Glob(filepath.Join(s.root, guideFolder, "*.md"))
	for _, f := range files {
		if name := filepath.Base(f); !known[name] {
			names = append(names, struct{ group, file, text string }{"Reference", name, strings.TrimSuffix(name, ".md")})
		}
	}
	for _, g := range names {
		path := g.file
		if path != "README.md" {
			path = guideFolder + path
		}
		if !isFile(filepath.Join(s.root, path)) {
			continue
		}
		s.titles[path] = g.text
		s.queue = append(s.queue, path)
		if add(g.group, link{pageName(path), g.text}); g.file == "first-ten-minutes.md" {
			add("Start", link{"gallery.html", "Gallery"})
			if playground {
				add("Start", link{"playground/index.html", "Playground"})
			}
		}
	}
	add("Reference", link{"commands.html", "Commands"})
	for _, k := range kinds {
		if k != "columns" { // the guide of that name has them
			add("Reference", link{"list-" + k + ".html", strings.ToUpper(k[:1]) + k[1:]})
		}
	}
}

// run returns what the program prints.
func (s *site) run(args ...string) (string, error) {
	text, err := exec.Command(s.bourse, args...).Output()
	if err != nil {
		err = fmt.Errorf("bourse %s: %w", strings.Join(args, " "), err)
	}
	return string(text), err
}

func (s *site) write(name string, text []byte) error {
	path := filepath.Join(s.out, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
