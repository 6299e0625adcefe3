package table_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"bourse/events"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

type result struct {
	policy string
	jobs   int
	wait   stats.Estimate
	gain   *float64
}

func sample() *table.Report {
	gain := 0.125
	rows := []result{
		{"easy, sjf", 28467, stats.Estimate{Mean: 4000, Half: 60}, &gain},
		{"fcfs|2", 28467, stats.Exactly(90000), nil},
	}
	t := table.Of(rows,
		table.NewField(table.Column{Name: "policy", Heading: "policy", Unit: terminal.Words, Key: true},
			func(r *result) any { return r.policy }),
		table.NewField(table.Column{Name: "jobs", Heading: "jobs"}, func(r *result) any { return r.jobs }),
		table.NewField(table.Column{Name: "wait_s", Heading: "mean wait", Unit: terminal.Seconds, Doc: "mean of phi - tau"},
			func(r *result) any { return r.wait }),
		table.NewField(table.Column{Name: "gain", Heading: "gain by a lie %", Unit: terminal.Share, Optional: true},
			func(r *result) any { return r.gain }),
		table.NewField(table.Column{Heading: "in words"}, func(r *result) any { return "of " + r.policy }),
		table.NewField(table.Column{Name: "path"}, func(r *result) any { return table.List([]float64{1, 2}) }))
	t.Rows[0].Mark, t.Rows[1].Mark = table.Best, table.Worse
	t.Notes, t.Method = []string{"wait: time in the system without running"}, "± is half of a 95 % interval"
	return &table.Report{Tables: []*table.Table{t}, Answers: []string{"easy, sjf waits least"}}
}

func render(t *testing.T, r *table.Report, o table.Output) string {
	t.Helper()
	var text bytes.Buffer
	if o.W = &text; o.Methods == "" {
		o.Methods = "the guide"
	}
	if err := o.Write(r); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestFormats wants the same cells in each format.
func TestFormats(t *testing.T) {
	for format, want := range map[string]string{
		"text": "" +
			"   policy       jobs      mean wait  gain by a lie %      in words\n" +
			"*  easy, sjf  28,467  1h06m ± 1m00s             12.5  of easy, sjf\n" +
			"   fcfs|2     28,467          1d01h                -     of fcfs|2\n" +
			"wait: time in the system without running\n" +
			"± is half of a 95 % interval; see the guide\n" +
			"easy, sjf waits least\n",
		"markdown": "" +
			"|  | policy | jobs | mean wait | gain by a lie % | in words |\n" +
			"| :-- | :-- | --: | --: | --: | --: |\n" +
			"| \\* | easy, sjf | 28,467 | 1h06m ± 1m00s | 12.5 | of easy, sjf |\n" +
			"|  | fcfs\\|2 | 28,467 | 1d01h | - | of fcfs\\|2 |\n" +
			"\nwait: time in the system without running\n" +
			"\n± is half of a 95 % interval; see the guide\n" +
			"\neasy, sjf waits least\n",
		"latex": "" +
			"\\begin{tabular}{llrrrr}\n\\hline\n" +
			" & policy & jobs & mean wait & gain by a lie \\% & in words \\\\\n\\hline\n" +
			"$*$ & easy, sjf & 28,467 & 1h06m $\\pm$ 1m00s & 12.5 & of easy, sjf \\\\\n" +
			" & fcfs|2 & 28,467 & 1d01h & - & of fcfs|2 \\\\\n\\hline\n\\end{tabular}\n" +
			"% wait: time in the system without running\n" +
			"% ± is half of a 95 % interval; see the guide\n" +
			"% easy, sjf waits least\n",
		"csv": "policy,jobs,wait_s,wait_s_half,gain\n\"easy, sjf\",28467,4000,60,0.125\nfcfs|2,28467,90000,,\n",
	} {
		if got := render(t, sample(), table.Output{Format: format}); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", format, got, want)
		}
	}
	var doc struct {
		Rows []struct {
			Policy string
			Jobs   int
			Wait   struct {
				Value float64
				Half  *float64 `json:"half_interval"`
			} `json:"wait_s"`
			Gain *float64
			Path []float64
		}
		Answers []string
	}
	text := render(t, sample(), table.Output{Format: "json"})
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if r := doc.Rows[0]; r.Jobs != 28467 || *r.Wait.Half != 60 || *r.Gain != .125 || r.Path[1] != 2 ||
		doc.Answers[0] == "" {
		t.Errorf("JSON has %+v", doc)
	}
	if strings.Count(text, `"gain"`) != 1 {
		t.Errorf("an optional cell that is missing is in\n%s", text)
	}
	if text := render(t, sample(), table.Output{Format: "parquet"}); !strings.HasPrefix(text, "PAR1") {
		t.Errorf("no Parquet: %q", text[:4])
	}
	page := render(t, sample(), table.Output{Format: "html"})
	for _, want := range []string{`<tr class="b">`, `data-value="4000"`, `title="mean of phi - tau"`,
		"<p>easy, sjf waits least</p>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestWidth wants headings on two lines, columns left out from the right with a note, and
// wrapped notes, so that no line is wider than the terminal.
func TestWidth(t *testing.T) {
	for width := 30; width < 80; width++ {
		text := render(t, sample(), table.Output{Width: width})
		for _, line := range strings.Split(text, "\n") {
			if n := len([]rune(line)); n > width {
				t.Errorf("width %d: %d characters: %s", width, n, line)
			}
		}
		if !strings.Contains(text, "left out") && !strings.Contains(text, "words") {
			t.Errorf("width %d: a column is missing without a word\n%s", width, text)
		}
	}
	if text := render(t, sample(), table.Output{Width: 40}); !strings.Contains(text, "left out at a width of 40") {
		t.Errorf("nothing is said of the columns left out:\n%s", text)
	}
}

// TestNarrow wants words on several lines before a column is left out.
func TestNarrow(t *testing.T) {
	x := table.New(table.KeyCol("name", "name"), table.Col("", "what it is", terminal.Words), table.Col("", "jobs", 0))
	x.Add("kth", "a log of the machine at KTH that was there", 28476)
	want := "name  what it is              jobs\nkth   a log of the machine  28,476\n      at KTH that was\n      there\n"
	if got := render(t, &table.Report{Tables: []*table.Table{x}}, table.Output{Width: 34}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSections wants headings and paragraphs in each format.
func TestSections(t *testing.T) {
	x := table.New(table.Headed(terminal.Number, "jobs")...)
	x.Title = "replayed"
	x.Add(3)
	r := &table.Report{Tables: []*table.Table{{Title: "Logs & more", Notes: []string{"One of each."}}, x}}
	for format, want := range map[string]string{
		"text":     "Logs & more\nOne of each.\n\nreplayed\njobs\n3\n",
		"markdown": "## Logs & more\n\nOne of each.\n\nreplayed\n\n| jobs |\n| :-- |\n| 3 |\n",
		"latex": "\\section*{Logs \\& more}\n% One of each.\n%\n% replayed\n\\begin{tabular}{l}\n\\hline\njobs \\\\\n" +
			"\\hline\n3 \\\\\n\\hline\n\\end{tabular}\n",
	} {
		if got := render(t, r, table.Output{Format: format}); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}

// TestStyle wants marked rows bold or dim, and names that cannot steer the terminal.
func TestStyle(t *testing.T) {
	r := sample()
	r.Tables[0].Rows[1].Cells[0] = table.Word("evil\x1b[2J")
	text := render(t, r, table.Output{Styled: true})
	if !strings.Contains(text, "\x1b[1m*  easy") || !strings.Contains(text, "\x1b[2m   evil\\x1b[2J") {
		t.Errorf("%q", text)
	}
	if note := (&table.Report{Answers: []string{"note: x"}}); render(t, note, table.Output{Styled: true}) !=
		"\x1b[33mnote:\x1b[0m x\n" || render(t, note, table.Output{}) != "note: x\n" {
		t.Error("a note stands out on a terminal only")
	}
	r.Tables[0].Columns[4].Heading = "evil\x1b[2J heading"
	for _, format := range table.Formats {
		o := table.Output{Styled: true, Width: 40, Format: format}
		if text := render(t, r, o); format != "parquet" && strings.Contains(text, "\x1b[2J") {
			t.Errorf("%s steers the terminal: %q", format, text)
		}
	}
}

// TestParts wants a table of two parts, each with the keys, and no table where there are no
// rows.
func TestParts(t *testing.T) {
	x := &table.Table{Title: "two parts", Columns: []table.Column{{Heading: "policy", Key: true}, {Heading: "a"},
		{Heading: "b", Part: 1}}}
	x.Add("easy", 1, math.NaN())
	if text := render(t, &table.Report{Tables: []*table.Table{x}}, table.Output{}); text != "two parts\npolicy  a\neasy "+
		"   1\n\npolicy  b\neasy    -\n" {
		t.Errorf("%q", text)
	}
	x.Rows = nil
	x.Title = ""
	if text := render(t, &table.Report{Tables: []*table.Table{x}, Answers: []string{"nothing"}},
		table.Output{}); strings.Contains(text, "policy") {
		t.Errorf("%q", text)
	}
}

// TestAt looks a cell up by its row's key.
func TestAt(t *testing.T) {
	x := sample().Tables[0]
	if got := x.At(table.KeyOf("easy, sjf"), "wait_s").Value(); got.Mean != 4000 || got.Half != 60 {
		t.Errorf("%v", got)
	}
	if got := x.Numbers("gain"); len(got) != 1 || got[0] != .125 {
		t.Errorf("%v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a row that is not there")
		}
	}()
	x.At(table.KeyOf("lifo"), "gain")
}

// TestStructs makes a table of tagged structs: objects within objects for programs, headings
// for readers.
func TestStructs(t *testing.T) {
	type within struct {
		Wait stats.Estimate `json:"wait" head:"wait" unit:"seconds" signed:""`
	}
	rows := []struct {
		Policy string     `json:"policy" head:"policy" unit:"words" key:""`
		Path   [2]float64 `json:"path" head:"first|second" unit:"ratio"`
		Log    within     `json:"log" head:"log"`
		Known  *float64   `json:"known"`
		Is     bool       `json:"is" head:"is it"`
		Note   string     `json:"note,omitempty"`
	}{{Policy: "easy", Path: [2]float64{1, 2}, Log: within{stats.Estimate{Mean: 60, Half: 30}}, Is: true}}
	r := &table.Report{Tables: []*table.Table{table.Structs(rows)}, Answers: []string{"<easy>"}}
	for format, want := range map[string]string{
		"text": "policy  first  second     log: wait  is it\neasy     1.00    2.00  +1m00s ± 30s    yes\n<easy>\n",
		"csv":  "policy,log_wait,log_wait_half,known,is,note\neasy,60,30,,1,\n",
		"json": "{\n\t\"rows\": [\n\t\t{\n\t\t\t\"policy\": \"easy\",\n\t\t\t\"path\": " +
			"[\n\t\t\t\t1,\n\t\t\t\t2\n\t\t\t],\n\t\t\t\"log\": {\n\t\t\t\t\"wait\": {\n" +
			"\t\t\t\t\t\"value\": 60,\n\t\t\t\t\t\"half_interval\": 30\n\t\t\t\t}\n\t\t\t},\n\t\t\t\"known\": " +
			"null,\n\t\t\t\"is\": true\n\t\t}\n\t],\n\t\"answers\": [\n\t\t\"\\u003ceasy\\u003e\"\n\t]\n}\n",
	} {
		if got := render(t, r, table.Output{Format: format}); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", format, got, want)
		}
	}
}

// TestText wants columns aligned by letters, not bytes, and no trailing blanks.
func TestText(t *testing.T) {
	x := table.New(table.Headed(terminal.Words, "policy", "note", "jobs")...)
	x.Columns[2].Unit = terminal.Number
	x.Add("hb", "naïve", 1000)
	x.Add("conservative", "", 5)
	x.Add("fcfs", "", "")
	const want = "policy        note    jobs\n" +
		"hb            naïve  1,000\n" +
		"conservative             5\n" +
		"fcfs\n"
	if got := render(t, &table.Report{Tables: []*table.Table{x}}, table.Output{}); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

// TestReady wants a report that has its own text to be that text on a terminal, harmless, and
// tables elsewhere; and times in cells to be seconds, missing where unknown.
func TestReady(t *testing.T) {
	x := table.New(table.Col("end_s", "end", terminal.Seconds))
	x.Add(90 * events.Second)
	x.Add(events.Unknown)
	r := &table.Report{Tables: []*table.Table{x}, Text: "the story\x1b[2J\n"}
	if text := render(t, r, table.Output{Styled: true}); text != "the story\\x1b[2J\n" {
		t.Errorf("%q", text)
	}
	if text := render(t, r, table.Output{Format: "markdown"}); text != "| end |\n| :-- |\n| 1m30s |\n| - |\n" {
		t.Errorf("%q", text)
	}
	if text := render(t, r, table.Output{Format: "csv"}); text != "end_s\n90\n\n" {
		t.Errorf("%q", text)
	}
}

// TestFold wants headings that need not, or may not, be on two lines to be on one.
func TestFold(t *testing.T) {
	x := table.New(table.Headed(terminal.Words, "a name", "a long sentence")...)
	x.Columns[0].Sentence, x.Columns[1].Sentence, x.Columns[1].Key = true, true, true
	x.Add("a", "b")
	if text := render(t, &table.Report{Tables: []*table.Table{x}}, table.Output{Width: 10}); text != "a name  a long "+
		"sentence\na       b\n" {
		t.Errorf("%q", text)
	}
}
