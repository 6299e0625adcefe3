package main

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// figure is one of the gallery: what it shows, the commands that make it, and the file that they leave: an SVG, a page, or
// nothing, where the answer is what the last of them prints. Later commands use what earlier ones have left.
type figure struct{ title, what, file, commands string }

var figures = []figure{
	{"Waits under three policies", "Share of the jobs that wait at most so long.", "waits.svg", `
bourse replay demo --policy easy --segments --series --out easy
bourse replay demo --policy easy:order=sjf --segments --series --out sjf
bourse replay demo --policy conservative --segments --series --out conservative
bourse plot easy sjf conservative --x wait_s --out waits`},
	{"A page of one replay", "Headline, the week by hour, users, and a Gantt chart.", "easy/report.html", `
bourse report easy`},
	{"A page of three policies", "Differences with their intervals, and who gains and loses.", "three.html", `
bourse report easy sjf conservative --out three.html`},
	{"Slowdown against load", "Means of five replicas of the log, with 95 % intervals.", "slowdown.svg", `
bourse sweep demo --policy easy,easy:order=sjf,conservative --load-factor .8,.9,1,1.1,1.2 --replicas 5 --resample=blocks=1 --out load
bourse plot load --x load-factor --y bounded_slowdown --out slowdown`},
	{"A page of a sweep", "The same figures with controls for measure, axis and panels.", "sweep.html", `
bourse report load --out sweep.html`},
	{"A larger machine", "Mean wait against the number of processors.", "larger.svg", `
bourse sweep demo --policy easy,easy:order=sjf --nodes 90,100,110,120 --replicas 5 --resample=blocks=1 --out nodes
bourse plot nodes --x nodes --y wait --out larger`},
	{"What is in a log", "Sizes, run times, load by hour and day.", "", `
bourse trace inspect demo`},
	{"Why a job waited", "What ran, and what the scheduler had reserved.", "", `
bourse explain demo --job 1000`},
	{"Who is hurt", "Waits by size of job, two policies.", "", `
bourse compare demo --policy easy,easy:order=sjf --baseline easy --metric wait --by size`},
	{"When would my job start", "A job put into the log at many instants.", "", `
bourse predict demo --procs 64 --run 2h --at 'mon 09:00'`},
	{"What jobs pay", "Mean bill against load under first and k-th prices, with preemption (hb) and without (nphb).", "payment.svg", `
bourse sweep demo --policy 'hb(fit=skip),nphb(fit=skip)' --payment first,kth --load-factor .8,1,1.2 --replicas 5 --resample=blocks=1 --out market
bourse plot market --x load-factor --y payment --series policy --panels payment --out payment`},
	{"Efficiency of a market", "A bound on the cost of waiting of any schedule, divided by this one's.", "efficiency.svg", `
bourse plot market --x load-factor --y efficiency --series policy --panels payment --out efficiency`},
}

// gallery runs the commands of every figure, and makes a page of what they leave.
func (s *site) gallery() error {
	scratch, err := os.MkdirTemp("", "bourse-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // of a folder for a moment
	program, err := filepath.Abs(s.bourse)
	if err != nil {
		return err
	}
	page := "# Gallery\n\nEach figure with the commands that made it, on `demo`, a log in the program: a workload model, not a real log. " +
		"Commands further down use what those above have left.\n"
	for _, f := range figures {
		shown, err := f.make(s, scratch, filepath.Dir(program))
		if err != nil {
			return fmt.Errorf("gallery, %s: %w", f.title, err)
		}
		commands := strings.ReplaceAll("    "+strings.TrimSpace(f.commands), "\nbourse", "\n    bourse")
		page += "\n## " + f.title + "\n\n" + f.what + "\n\n" + strings.ReplaceAll(commands, "    bourse", "    $ bourse") + "\n\n" + shown
	}
	return s.render("", "gallery.html", "Gallery", []byte(page))
}

// make runs the commands in a folder and returns the Markdown of what they leave.
func (f figure) make(s *site, folder, bin string) (string, error) {
	c := exec.Command("sh", "-ec", f.commands)
	c.Dir, c.Env = folder, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
	printed, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, printed)
	}
	if f.file == "" {
		return "```text\n" + string(printed) + "```\n", nil
	}
	text, err := os.ReadFile(filepath.Join(folder, f.file))
	if err != nil {
		return "", err
	}
	to := "gallery/" + strings.ReplaceAll(f.file, "/", "-")
	if filepath.Ext(f.file) == ".html" {
		return `<p><a class="open" href="` + to + `">Open the page</a></p>` + "\n", s.write(to, text)
	}
	return fmt.Sprintf(`<img src="%s" alt="%s">`+"\n", to, html.EscapeString(f.title+": "+f.what)), s.write(to, text)
}
