package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/run"
	"bourse/reports/terminal"
)

//go:embed page.html page.css page.js
var files embed.FS

// scripts and styles are in this order.
var (
	scripts = []string{"assets/vega.min.js", "assets/vega-lite.min.js", "assets/vega-embed.min.js",
		"assets/uPlot.iife.min.js", "page.js"}
	styles = []string{"assets/uPlot.min.css", "page.css"}
)

// generator marks a file as a page made here, which may be replaced.
const generator = `<meta name="generator" content="bourse report">`

// Replaceable refuses a path at which there is something else than an earlier page.
func Replaceable(path string) error {
	inTheWay := &run.InTheWayError{What: path + " exists already and is not a page of bourse"}
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		return inTheWay
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Contains(head[:n], []byte(generator)) {
		return inTheWay
	}
	return nil
}

// view is what the template shows.
type view struct {
	Title, Trace, Version, Policy string
	Generator                     template.HTML
	Styles                        []template.CSS
	Scripts                       []template.JS
	Data                          template.JS
	Warnings                      []string
	Notes                         []note
	Runs                          []*Run
	Jobs                          string
	Overview, Set, Rest, Records  *sheet
	Summaries                     []*sheet
	Sections                      []section
	Missing                       []string
	Controls                      []control // of a sweep's chart
	Answers                       []string
	Libraries, Licences           string
}

// note are the remarks on one run.
type note struct {
	Run   string
	Lines []string
}

// section is a heading with charts below it.
type section struct {
	ID, Title string
	Charts    []*chart
}

// Window is a time of the trace in seconds; the zero Window is all of it.
type Window struct{ From, Until float64 }

// Write makes the page of the runs, with a Gantt chart of the window. answer is what it
// opens with, nil if there is nothing to compare. The same folders give the same bytes.
func Write(w io.Writer, runs []*Run, answer *Answer, window Window, version string) error {
	p, err := gather(runs)
	if err != nil {
		return err
	}
	v, err := p.view(answer, window, version)
	if err != nil {
		return err
	}
	return v.write(w)
}

// sections are the charts that the data have something for.
func (p *input) sections(answer *Answer, window Window) (all []section, missing []string, err error) {
	add := func(id, title string, charts ...*chart) {
		charts = slices.DeleteFunc(charts, func(c *chart) bool { return c == nil })
		if len(charts) > 0 {
			all = append(all, section{id, title, charts})
		}
	}
	if answer != nil {
		add("best", "Comparison", p.rankings(answer)...)
	}
	var found []*chart
	for i := range measures {
		if measures[i].id == "cost" {
			continue
		}
		if c := measures[i].distribution(p); c != nil {
			found = append(found, c)
		} else {
			missing = append(missing, measures[i].title+" Nothing but zeros.")
		}
	}
	found = append(found, causes(p))
	if found[len(found)-1] == nil {
		missing = append(missing, "What jobs wait for: no run kept the causes of waits")
	}
	add("distributions", "Waits", append(found, whoWaits(p)...)...)
	time := overTime(p)
	if !p.any(func(g *gathered) bool { return g.tracks.use.known() }) {
		missing = append(missing, "Utilisation: records do not show what a job takes of a pool; a series does")
	}
	add("over-time", "Load", append(p.weeks(), time...)...)
	if p.paid() {
		if !slices.ContainsFunc(time, func(c *chart) bool { return c.ID == "price" }) {
			missing = append(missing, "Price: no run has series of a common price above 0 (it takes a series, and a price "+
				"scheme with one price for all)")
		}
		add("payments-section", "Payments", payments(p), measures[len(measures)-1].distribution(p), shares(p))
	}
	c, why, err := p.gantt(window)
	add("jobs-section", "Schedule", c)
	if why != "" {
		missing = append(missing, why)
	}
	return all, missing, err
}

// sentences are lines with capitals and full stops.
func sentences(lines []string) (out []string) {
	for _, line := range lines {
		out = append(out, strings.ToUpper(line[:1])+line[1:]+".")
	}
	return out
}

func (p *input) view(answer *Answer, window Window, version string) (_ *view, err error) {
	v := &view{
		Trace: p.runs[0].traceName(), Version: version, Generator: generator,
		Runs: p.runs, Warnings: Warnings(p.runs, version), Jobs: p.jobs(),
		Summaries: summaries(p), Records: records(p),
	}
	v.Title = p.title()
	if len(p.runs) > 1 {
		v.Overview = overview(p)
		if !p.market() {
			v.Summaries = v.Summaries[1:] // the overview has the same rows
		}
	}
	if answer == nil {
		v.Answers = sentences([]string{p.headline()})
	} else {
		v.Answers = sentences(answer.Lines)
		for i := range answer.Rankings { // its sentence is the line of the same place
			if r := &answer.Rankings[i]; i < len(v.Answers) && len(r.Places) > 1 {
				v.Answers[i] += " " + p.measured(r) + "."
			}
		}
	}
	v.Set, v.Rest = configuration(p)
	if v.Sections, v.Missing, err = p.sections(answer, window); err != nil {
		return nil, err
	}
	for i, r := range p.runs {
		if lines := r.notes(p.data[i]); len(lines) > 0 {
			v.Notes = append(v.Notes, note{r.Label, lines})
		}
	}
	return v, v.contain(len(p.runs), nil)
}

// contain puts the charts of all sections, in the colours of so many runs, and what a sweep
// has where the page's script looks for them.
func (v *view) contain(runs int, sweep *sweepData) error {
	content := struct {
		Palette palette    `json:"palette"`
		Charts  []*chart   `json:"charts"`
		Sweep   *sweepData `json:"sweep,omitempty"`
	}{Palette: palette{runs, figures.Palette(), dashes}, Sweep: sweep}
	for _, s := range v.Sections {
		content.Charts = append(content.Charts, s.Charts...)
	}
	// json.Marshal escapes <, > and &: no trace's name can end the script.
	text, err := json.Marshal(content)
	v.Data = template.JS(inherited.ReplaceAll(text, []byte("\"\u200b$1\"")))
	return err
}

// inherited matches the names, as of users, that every object of JavaScript has a value for:
// Vega looks names up in objects. A mark without a width in front of them makes them others.
var inherited = regexp.MustCompile(`"(constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|` +
	`toString|valueOf|__proto__|__(?:define|lookup)[GS]etter__)"`)

func (v *view) write(w io.Writer) error {
	for _, name := range styles {
		v.Styles = append(v.Styles, template.CSS(file(name)))
	}
	for _, name := range scripts {
		v.Scripts = append(v.Scripts, template.JS(file(name)))
	}
	v.Libraries = strings.Join(strings.Split(strings.TrimSpace(file("assets/VERSIONS")), "\n"), ", ")
	v.Licences = file("assets/LICENSES.txt")
	t, err := template.New("page").Funcs(template.FuncMap{"thousands": terminal.Thousands}).Parse(file("page.html"))
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := t.Execute(&page, v); err != nil {
		return err
	}
	_, err = io.WriteString(w, strings.Replace(page.String(), policyMark, v.policy(), 1))
	return err
}

// policyMark is the place of the content security policy in the template, which html/template
// would not let through unescaped.
const policyMark = "{policy}"

// policy allows the page's own scripts and styles, by their hashes, and pictures
// made by them; no network, no eval, no frames, no forms.
func (v *view) policy() string {
	hashes := func(texts []string) string {
		out := ""
		for _, text := range texts {
			sum := sha256.Sum256([]byte(text))
			out += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		}
		return out
	}
	var js, css []string
	for _, s := range v.Scripts {
		js = append(js, string(s))
	}
	for _, s := range v.Styles {
		css = append(css, string(s))
	}
	return "default-src 'none'; script-src" + hashes(js) + "; style-src" + hashes(css) +
		"; img-src data: blob:; base-uri 'none'; form-action 'none'"
}

// file returns an embedded file, or one of the assets.
func file(name string) string {
	text, err := files.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = asset(name)
	}
	if err != nil {
		panic(err)
	}
	return string(text)
}
