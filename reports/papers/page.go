package papers

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strings"
)

// The files of a reproduction that are not named by its study.
const (
	reportFile = "report.txt"
	PageFile   = "report.html"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("study").Parse(pageText))

// Page is what a study's page says beside the report, the claims and the figures.
type Page struct {
	Title, Paper, Command, Version string
}

// writePage makes the page of the claims, the figures and the report.
func (s *Study) writePage(p Page) error {
	lines := strings.Split(strings.TrimSpace(string(s.text())), "\n")
	claims := make([]pageClaim, 0, len(s.claims))
	for _, c := range s.claims {
		claims = append(claims, pageClaim{c.where, c.says, c.reading, c.tried(), c.found, c.verdict})
	}
	slices.SortFunc(s.drawn, func(a, b string) int { return strings.Compare(a+".svg", b+".svg") }) // as in a directory
	return s.write(PageFile, func(w io.Writer) error {
		return pageTemplate.Execute(w, struct {
			Page
			Tally, Report string
			Claims        []pageClaim
			Own           bool
			Figures       []string
		}{p, lines[len(lines)-1], string(s.text()), claims, s.own(), s.drawn})
	})
}

// pageClaim is a claim as the page shows it.
type pageClaim struct {
	Where, Paper, Reading string
	Settings              int
	Found                 string
	Verdict               Verdict
}

// Class is the verdict as a class of the page's style.
func (c pageClaim) Class() string { return strings.ReplaceAll(string(c.Verdict), " ", "-") }
