package main

import (
	"bytes"
	"encoding/json"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// table sets no styles, which the pages do not allow.
var table = extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))

// markdown reads our own files only, which may hold HTML.
var markdown = goldmark.New(goldmark.WithExtensions(table), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()))

// entry is a section in the index for search.
type entry struct {
	Page string `json:"p"`
	Head string `json:"h"`
	URL  string `json:"u"`
	Text string `json:"t"`
}

// content is what page.html shows.
type content struct {
	Title, URL string
	Menu       []group
	Contents   []link
	Body       template.HTML
}

// pageName is the file of the page of a Markdown file of the repository.
func pageName(file string) string {
	if file == "README.md" {
		return "index.html"
	}
	name := strings.TrimSuffix(strings.TrimPrefix(file, guideFolder), ".md")
	return strings.ToLower(strings.ReplaceAll(name, "/", "-")) + ".html"
}

// guides makes a page of each Markdown file in the queue, and of those that they link to.
func (s *site) guides() error {
	for len(s.queue) > 0 {
		file := s.queue[0]
		s.queue = s.queue[1:]
		source, err := os.ReadFile(filepath.Join(s.root, file))
		if err != nil {
			return err
		}
		if err := s.render(file, pageName(file), s.titles[file], source); err != nil {
			return err
		}
	}
	return nil
}

var sourceOf = regexp.MustCompile(`src="([^":]+)"`)

// render writes a page of Markdown, which is the repository's file if it is one, and adds its sections to the index.
func (s *site) render(file, url, title string, source []byte) error {
	var failed error
	to := func(address string) string {
		moved, err := s.follow(file, address)
		if err != nil {
			failed = err
		}
		return moved
	}
	source = sourceOf.ReplaceAllFunc(source, func(m []byte) []byte {
		return []byte(`src="` + to(string(sourceOf.FindSubmatch(m)[1])) + `"`)
	})
	doc := markdown.Parser().Parse(text.NewReader(source))
	c := content{Title: title, URL: url, Menu: s.menu}
	at := -1
	section := func(head, id string) {
		s.index = append(s.index, entry{Page: title, Head: head, URL: strings.TrimSuffix(url+"#"+id, "#")})
		at = len(s.index) - 1
	}
	section(title, "")
	_ = ast.Walk(doc, func(n ast.Node, enter bool) (ast.WalkStatus, error) { // the function below returns no errors
		if !enter {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(to(string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(to(string(n.Destination)))
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok && n.Level > 1 {
				if file != guideFolder+"cookbook.md" { // its questions say more
					c.Contents = append(c.Contents, link{"#" + string(id.([]byte)), textOf(n, source)})
				}
				section(textOf(n, source), string(id.([]byte)))
			}
		case *ast.Paragraph: // a question of the cookbook
			if strong, ok := n.FirstChild().(*ast.Emphasis); ok && strong.Level == 2 && file == guideFolder+"cookbook.md" {
				question := textOf(strong, source)
				id := strings.Join(strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return r < 'a' || r > 'z' }), "-")
				n.SetAttributeString("id", []byte(id))
				n.SetAttributeString("class", []byte("question"))
				c.Contents = append(c.Contents, link{"#" + id, question})
				section(question, id)
			}
		}
		if lines := ownText(n, source); lines != "" {
			s.index[at].Text += lines + " "
		}
		return ast.WalkContinue, nil
	})
	if failed != nil {
		return failed
	}
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, source, doc); err != nil {
		return err
	}
	tables := strings.NewReplacer("<table>", `<div class="scroll"><table>`, "</table>", "</table></div>")
	c.Body = template.HTML(tables.Replace(body.String()))
	return s.writePage(c)
}

func (s *site) writePage(c content) error {
	var page bytes.Buffer
	if err := s.page.Execute(&page, c); err != nil {
		return err
	}
	return s.write(c.URL, page.Bytes())
}

// ownText is the text that a node holds itself.
func ownText(n ast.Node, source []byte) string {
	switch n := n.(type) {
	case *ast.Text:
		return string(n.Segment.Value(source))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return string(n.Lines().Value(source))
	}
	return ""
}

func textOf(n ast.Node, source []byte) string {
	var all strings.Builder
	_ = ast.Walk(n, func(n ast.Node, enter bool) (ast.WalkStatus, error) { // returns no errors
		if enter {
			all.WriteString(ownText(n, source))
		}
		return ast.WalkContinue, nil
	})
	return all.String()
}

// follow says where an address in a file of the repository leads on the site: Markdown becomes a page, any other file
// is copied.
func (s *site) follow(file, address string) (string, error) {
	if strings.Contains(address, ":") || strings.HasPrefix(address, "#") || file == "" {
		return address, nil
	}
	name, anchor, _ := strings.Cut(address, "#")
	name = path.Join(path.Dir(file), name)
	if anchor != "" {
		anchor = "#" + anchor
	}
	if strings.HasSuffix(name, ".md") {
		if s.titles[name] == "" {
			s.titles[name] = strings.TrimSuffix(name, ".md")
			s.queue = append(s.queue, name)
		}
		return pageName(name) + anchor, nil
	}
	from := filepath.Join(s.root, name)
	info, err := os.Stat(from)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return s.folder(name)
	}
	// A browser shows what ends in .txt, and saves many others.
	to := "files/" + name
	if !strings.HasSuffix(name, ".svg") && !strings.HasSuffix(name, ".png") {
		to += ".txt"
	}
	if s.copied[to] {
		return to, nil
	}
	s.copied[to] = true
	text, err := os.ReadFile(from)
	if err == nil {
		err = s.write(to, text)
	}
	return to, err
}

// folder makes a page that lists the files of a folder.
func (s *site) folder(name string) (string, error) {
	url := pageName(name + ".md")
	if s.copied[url] {
		return url, nil
	}
	s.copied[url] = true
	files, err := fs.ReadDir(os.DirFS(s.root), name)
	list := "# " + name + "\n\n"
	for _, f := range files {
		if !f.IsDir() {
			list += "- [" + f.Name() + "](" + f.Name() + ")\n"
		}
	}
	if err == nil {
		err = s.render(name+"/", url, name, []byte(list))
	}
	return url, err
}

// writeIndex writes the index as a script: a page that is opened from a disk may not fetch JSON.
func (s *site) writeIndex() error {
	text, err := json.Marshal(s.index)
	if err != nil {
		return err
	}
	return s.write("index.js", append([]byte("window.siteIndex = "), text...))
}
