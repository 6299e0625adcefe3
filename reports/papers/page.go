package papers

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bourse/traces/files"
)

// The files of a reproduction that its page is made of, and the page.
const (
	claimsFile = "claims.csv"
	reportFile = "report.txt"
	PageFile   = "report.html"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("study").Parse(pageText))

// Page is what a study's page says beside what its directory holds.
type Page struct {
	Title, Paper, Command, Version string
}

// WritePage makes the page of a finished reproduction from the claims, figures and the
// report in its directory.
func WritePage(dir string, p Page) error {
	report, err := os.ReadFile(filepath.Join(dir, reportFile))
	if err != nil {
		return err
	}
	claims, err := readClaims(filepath.Join(dir, claimsFile))
	if err != nil {
		return err
	}
	figures, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil {
		return err
	}
	slices.Sort(figures)
	for i, f := range figures {
		figures[i] = strings.TrimSuffix(filepath.Base(f), ".svg")
	}
	lines := strings.Split(strings.TrimSpace(string(report)), "\n")
	return files.Write(filepath.Join(dir, PageFile), func(w io.Writer) error {
		return pageTemplate.Execute(w, struct {
			Page
			Tally, Report string
			Claims        []pageClaim
			Own           bool
			Figures       []string
		}{p, lines[len(lines)-1], string(report), claims, !slices.ContainsFunc(claims, ofPaper), figures})
	})
}

// pageClaim is a row of claims.csv.
type pageClaim struct{ Where, Paper, Reading, Settings, Found, Verdict string }

// Class is the verdict as a class of the page's style.
func (c pageClaim) Class() string { return strings.ReplaceAll(c.Verdict, " ", "-") }

func ofPaper(c pageClaim) bool { return c.Verdict != string(Finding) }

func readClaims(path string) (claims []pageClaim, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	rows, err := csv.NewReader(f).ReadAll()
	for _, r := range rows[min(1, len(rows)):] {
		claims = append(claims, pageClaim{r[0], r[1], r[2], r[3], r[4], r[5]})
	}
	return claims, err
}
