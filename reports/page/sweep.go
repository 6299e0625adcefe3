package page

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Sweep is a grid of replays, as a page shows it.
type Sweep struct {
	Title string
	// Axes are those with several values, seeds excepted.
	Axes []Axis
	// Points has one for each combination of values, with the means over the seeds.
	Points []Point
	Seeds  int // replicas of each
	Market bool
	// Answers say which are best; a page opens with them.
	Answers []string
}

// Axis is a dimension of a sweep.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Point is one combination: its places on the axes, and for each of Measures mean and the
// ends of its interval, which is the mean itself where there is none.
type Point struct {
	At    []int   `json:"at"`
	Means numbers `json:"means"`
	Lows  numbers `json:"lows"`
	Highs numbers `json:"highs"`
}

// sweepData is what the page's script chooses from.
type sweepData struct {
	Axes     []Axis         `json:"axes"`
	Measures []sweepMeasure `json:"measures"`
	Points   []Point        `json:"points"`
}

type sweepMeasure struct {
	Name    string `json:"name"`
	Heading string `json:"heading"`
	Axis    object `json:"axis"`
}

// control is a choice that the reader of a page has.
type control struct {
	ID, Label string
	Options   []string
}

// WriteSweep makes the page of a sweep: one chart, whose axes the reader chooses, and the
// table behind it.
func WriteSweep(w io.Writer, s *Sweep, version string) error {
	sweep := sweepData{Axes: s.Axes}
	shown := s.measures()
	for _, p := range s.Points {
		q := Point{At: p.At}
		for _, i := range shown {
			q.Means, q.Lows, q.Highs = append(q.Means, p.Means[i]), append(q.Lows, p.Lows[i]), append(q.Highs, p.Highs[i])
		}
		sweep.Points = append(sweep.Points, q)
	}
	var names []string
	for _, i := range shown {
		m := run.Measures[i]
		sweep.Measures = append(sweep.Measures,
			sweepMeasure{m.Name, m.Heading, figureAxis(m.Heading, m.Unit == terminal.Seconds)})
		names = append(names, m.Heading)
	}
	var axes []string
	for _, x := range s.Axes {
		axes = append(axes, x.Name)
	}
	none := append([]string{"(none)"}, axes...)
	v := &view{
		Title: s.Title, Version: version, Generator: generator,
		Jobs: fmt.Sprintf("%s combinations of %s; %s", terminal.Thousands(int64(len(s.Points))), strings.Join(axes, ", "),
			replicas(s.Seeds)),
		Controls: []control{{"y", "Measure", names}, {"x", "Along", axes}, {"series", "Lines by", none},
			{"panels", "Panels by", none}},
		Rest:    s.table(),
		Answers: sentences(s.Answers),
	}
	if n := len(v.Answers) - mostAnswers; n > 0 {
		v.Answers = append(v.Answers[:mostAnswers], fmt.Sprintf("%d more such sentences: bourse compare prints them.", n))
	}
	// the script puts its own
	c := &chart{ID: "sweep", Title: "The sweep", Spec: object{}, Data: &data{Names: []string{}, Rows: [][]any{}},
		Caption: "Points are means over the seeds of a combination, bars their 95 % intervals by Student's t."}
	if s.Seeds < 2 {
		c.Caption = "One replay for each point, and no interval: replicas would give one."
	}
	if len(axes) > 1 {
		c.Caption += " Other settings are fixed at the values selected above."
	}
	v.Sections = []section{{"chart", "Chart", []*chart{c}}}
	if err := v.contain(1, &sweep); err != nil {
		return err
	}
	return v.write(w)
}

// mostAnswers is how many sentences a page opens with at most.
const mostAnswers = 8

func replicas(seeds int) string {
	if seeds < 2 {
		return "one replay of each"
	}
	return fmt.Sprintf("%d replicas of each", seeds)
}

// measures are the places in run.Measures of those that differ among the points; of money
// where there is a market.
func (s *Sweep) measures() (shown []int) {
	for i, m := range run.Measures {
		if m.Money && !s.Market ||
			!slices.ContainsFunc(s.Points, func(p Point) bool { return p.Means[i] != s.Points[0].Means[i] }) {
			continue
		}
		shown = append(shown, i)
	}
	if len(shown) == 0 { // nothing differs
		shown = []int{slices.IndexFunc(run.Measures, func(m run.Measure) bool { return m.Name == "mean_bounded_slowdown" })}
	}
	return shown
}

// table has a row for each combination.
func (s *Sweep) table() *sheet {
	t := &sheet{Table: table.Table{Title: "All combinations"}, Caption: "Means of each combination."}
	for _, x := range s.Axes {
		t.Columns = append(t.Columns, table.Col("", x.Name, terminal.Words))
	}
	shown := s.measures()
	for _, i := range shown {
		t.Columns = append(t.Columns, table.Col("", run.Measures[i].Heading, run.Measures[i].Unit))
	}
	for _, p := range s.Points {
		var row []any
		for i, x := range s.Axes {
			row = append(row, x.Values[p.At[i]])
		}
		for _, i := range shown {
			row = append(row, p.Means[i])
		}
		t.Add(row...)
	}
	return t
}
