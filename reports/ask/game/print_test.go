package game

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bourse/reports/table"
)

// dilemma is a game of three seeds that differ by their offset only.
func dilemma(offsets ...float64) *Game {
	g := &Game{Name: "kth", Rows: []string{"hb", "fcfs"}, Cols: []string{"truthful", "srg"}}
	for _, d := range offsets {
		g.Designer = append(g.Designer, [][]float64{{4 + d, 2 + d}, {3 + d, 1 + d}})
		g.Users = append(g.Users, [][]float64{{-2 - d, -1 - d}, {-4 - d, -3 - d}})
	}
	return g
}

func TestPayoffs(t *testing.T) {
	g := dilemma(-.5, 0, .5)
	scale := ScaleOf([]*Game{g})
	cells := g.Payoffs(scale)
	if len(cells) != 4 {
		t.Fatalf("%d cells", len(cells))
	}
	// The designer's best is 4; the users' best, -1, is divided by theirs.
	for i, want := range []struct {
		designer, users         float64
		forDesigner, forUsers   bool
		designerMean, usersMean float64
	}{{1, .5, true, false, 4, -2}, {.5, 1, true, true, 2, -1}, {.75, .25, false, false, 3, -4},
		{.25, 1. / 3, false, true, 1, -3}} {
		c := cells[i]
		if c.NormalDesigner != want.designer || math.Abs(c.NormalUsers-want.users) > 1e-15 ||
			c.BestForDesigner != want.forDesigner ||
			c.BestForUsers != want.forUsers || c.Designer.Mean != want.designerMean || c.Users.Mean != want.usersMean {
			t.Errorf("cell %d: %+v, want %+v", i, c, want)
		}
	}
	if cells[1].Survival < 1-1e-9 || cells[0].Survival != 0 {
		t.Errorf("survival %v", cells)
	}
	if one := dilemma(0).Payoffs(scale); !math.IsNaN(one[1].Survival) || one[1].Designer.Known() {
		t.Errorf("a single seed has survival %v and interval %v", one[1].Survival, one[1].Designer)
	}
}

func TestPrint(t *testing.T) {
	var text strings.Builder
	if err := table.Print(&text, Report([]*Game{dilemma(-.5, 0, .5), dilemma(0)})); err != nil {
		t.Fatal(err)
	}
	const want = `payment kth, 3 seeds: designer, aggressive users (normalised)
policy       truthful            srg
hb      1.000↑ 0.500   0.500↑ 1.000←
fcfs    0.750  0.250   0.250  0.333←
  equilibrium: hb with srg; designer 2.000 ± 1.242, users -1.00 ± 1.24; in 100 % of resamples

payment kth, 1 seeds: designer, aggressive users (normalised)
policy       truthful            srg
hb      1.000↑ 0.500   0.500↑ 1.000←
fcfs    0.750  0.250   0.250  0.333←
  equilibrium: hb with srg; designer 2.000, users -1.00
`
	if text.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", text.String(), want)
	}
}

func TestPrintMixedAndTies(t *testing.T) {
	pennies := &Game{Name: "first", Rows: []string{"x", "y"}, Cols: []string{"l", "r"}}
	for range 2 {
		pennies.Designer = append(pennies.Designer, [][]float64{{1, -1}, {-1, 1}})
		pennies.Users = append(pennies.Users, [][]float64{{-1, 1}, {1, -1}})
	}
	var text strings.Builder
	if err := table.Print(&text, Report([]*Game{pennies})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"no equilibrium in pure strategies",
		"mixed equilibrium: 50 % x + 50 % y against 50 % l + 50 % r"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	tied := dilemma(0, 0)
	// the users lose 1 in one seed and gain .9 in the other
	tied.Users[0][0], tied.Users[1][0] = []float64{-2, -1}, []float64{-1, -1.9}
	text.Reset()
	if err := table.Print(&text, Report([]*Game{tied})); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "a statistical tie with truthful") {
		t.Errorf("no tie in\n%s", text.String())
	}
}

// TestWithout wants the rows left out of names and payoffs, and the game as it was.
func TestWithout(t *testing.T) {
	g := dilemma(0, 1)
	less := g.Without(func(row string) bool { return row == "hb" })
	if !slices.Equal(less.Rows, []string{"fcfs"}) || len(less.Designer) != 2 ||
		!slices.Equal(less.Designer[1][0], g.Designer[1][1]) || !slices.Equal(less.Users[0][0], g.Users[0][1]) {
		t.Errorf("left %+v", less)
	}
	if len(g.Rows) != 2 || len(g.Designer[0]) != 2 {
		t.Errorf("the game itself lost rows: %+v", g)
	}
	if gain := g.UsersGain(0, 0, 1); gain.Mean != 1 || gain.Half != 0 || gain.Tie() {
		t.Errorf("the users gain %v by underbidding", gain)
	}
}

// TestLargeGames wants mixed equilibria not to be looked for among too many supports.
func TestLargeGames(t *testing.T) {
	m := make([][]float64, 9)
	for r := range m {
		m[r] = make([]float64, 9)
	}
	if _, ok := mixedEquilibria(m, m); ok {
		t.Error("a game of 9 x 9 was searched")
	}
}
