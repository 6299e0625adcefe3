package page

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bourse/reports/run"
)

// TestWriteSweep wants the measures that differ, those of money only on a market, and the
// numbers that were given.
func TestWriteSweep(t *testing.T) {
	s := &Sweep{Title: "a sweep", Seeds: 3, Axes: []Axis{{"policy", []string{"easy", "fcfs"}},
		{"load-factor", []string{"1", "2"}}}}
	for i := range 4 {
		p := Point{At: []int{i / 2, i % 2}}
		for k, m := range run.Measures {
			x := 5.0
			if m.Name == "mean_wait_s" || m.Name == "mean_payment" {
				x = float64(10*k + i)
			}
			p.Means, p.Lows, p.Highs = append(p.Means, x), append(p.Lows, x-1), append(p.Highs, x+1)
		}
		s.Points = append(s.Points, p)
	}
	page := func() (string, sweepData) {
		var out bytes.Buffer
		check(t, WriteSweep(&out, s, "test"))
		var content struct{ Sweep sweepData }
		m := regexp.MustCompile(`(?s)id="page-data">(.*?)</script>`).FindStringSubmatch(out.String())
		check(t, json.Unmarshal([]byte(m[1]), &content))
		return out.String(), content.Sweep
	}
	text, data := page()
	if len(data.Measures) != 1 || data.Measures[0].Name != "mean_wait_s" || len(data.Points) != 4 ||
		data.Points[3].Means[0] != 13 || data.Points[3].Highs[0] != 14 {
		t.Errorf("%+v", data)
	}
	for _, want := range []string{"4 combinations of policy, load-factor; 3 replicas of each",
		`<select id="choose-x"><option>policy</option><option>load-factor</option>`, `data-value="13"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	s.Market, s.Answers = true, slices.Repeat([]string{"best: easy"}, mostAnswers+3)
	if text, _ := page(); strings.Count(text, "<p>Best: easy.</p>") != mostAnswers ||
		!strings.Contains(text, "<p>3 more such sentences") {
		t.Error("the page does not open with the answers, or with all of them")
	}
	if _, data := page(); len(data.Measures) != 2 {
		t.Errorf("%+v", data.Measures)
	}
}
