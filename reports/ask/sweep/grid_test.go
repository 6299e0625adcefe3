package sweep_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/reports/ask/sweep"
)

func TestExpand(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"hb":                          "hb",
		" hb , nphb ":                 "hb|nphb",
		"srg(beta={.1,.5}),truthful":  "srg(beta=.1)|srg(beta=.5)|truthful",
		"{a,b}{1,2}":                  "a1|a2|b1|b2",
		"x{1,{2,3}}":                  "x1|x2|x3",
		"easy(order=wfp(1,2))":        "easy(order=wfp(1,2))",
		"f(a={1,2},b={3,4})":          "f(a=1,b=3)|f(a=1,b=4)|f(a=2,b=3)|f(a=2,b=4)",
		"pool(cpu={4,8},memory=2),no": "pool(cpu=4,memory=2)|pool(cpu=8,memory=2)|no",
	} {
		got, err := sweep.Expand(text)
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%q expands to %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"a,,b":      "a value is empty",
		"a,b,a":     "a ",
		"x{1,2},x1": "x1 ",
		"x{1,2":     "not closed",
		"x{}":       "nothing between the braces",
		"f(a":       "not closed",
	} {
		if got, err := sweep.Expand(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q expands to %q, error %v, want one with %q", text, got, err, want)
		}
	}
}

// TestCells wants every combination once, the last axis varying fastest, and a
// directory of its own for each.
func TestCells(t *testing.T) {
	if got := sweep.Cells(nil); len(got) != 1 || len(got[0]) != 0 {
		t.Errorf("a grid without axes has cells %v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		var axes []sweep.Axis
		total := 1
		value := rapid.StringMatching(`[a-z =/%é]{1,3}`)
		for _, name := range []string{"trace", "seed", "payment"}[:rapid.IntRange(1, 3).Draw(t, "axes")] {
			values := rapid.SliceOfNDistinct(value, 1, 4, rapid.ID[string]).Draw(t, name)
			axes = append(axes, sweep.Axis{Name: name, Values: values})
			total *= len(values)
		}
		cells := sweep.Cells(axes)
		if len(cells) != total {
			t.Fatalf("%d cells, want %d", len(cells), total)
		}
		paths := map[string]bool{}
		for i, c := range cells {
			at := i
			for _, a := range slices.Backward(axes) {
				if want := a.Values[at%len(a.Values)]; c.Get(a.Name) != want {
					t.Fatalf("cell %d of %v is %v: %s should be %q", i, axes, c, a.Name, want)
				}
				at /= len(a.Values)
			}
			paths[c.Path()] = true
			if strings.Count(c.Path(), "/") != len(axes)-1 {
				t.Fatalf("%v has the path %q", c, c.Path())
			}
		}
		if len(paths) != total {
			t.Fatalf("%d cells share %d directories", total, len(paths))
		}
	})
}

func TestPath(t *testing.T) {
	c := sweep.Cell{{Name: "policy", Value: "srg(beta=.5)"}, {Name: "shake", Value: "a/b é%"}, {Name: "seed", Value: "1"}}
	if got, want := c.Path(), "policy=srg%28beta%3D.5%29/shake=a%2Fb%20%C3%A9%25/seed=1"; got != want {
		t.Errorf("path %s, want %s", got, want)
	}
	if got, want := c.String(), "policy=srg(beta=.5) shake=a/b é% seed=1"; got != want {
		t.Errorf("text %s, want %s", got, want)
	}
	if got := c.Get("nodes"); got != "" {
		t.Errorf("nodes is %q on a cell without that axis", got)
	}
}

// TestAxes wants names that are all known to Check, payment last, and a wrong name or
// value to be refused before anything is replayed.
func TestAxes(t *testing.T) {
	names := sweep.Names()
	if names[len(names)-1] != sweep.Payment {
		t.Errorf("the axis that varies fastest is %s", names[len(names)-1])
	}
	good := map[string]string{sweep.Policy: "hb", sweep.Payment: "kth", sweep.Values: "bimodal", sweep.Behaviour: "srg",
		"estimates": "log",
		sweep.Shake: "5min", "preemption": "restart", sweep.Machines: "pool"}
	for _, name := range names {
		value := good[name]
		if value == "" {
			value = "1"
		}
		if err := sweep.Check([]sweep.Axis{{Name: name, Values: []string{value}}}); err != nil {
			t.Errorf("axis %s: %v", name, err)
		}
	}
	for _, c := range []struct{ name, value, want string }{
		{"polcy", "hb", `did you mean "policy"`},
		{sweep.Policy, "hbb", "hbb"},
		{sweep.Payment, "fourth", "fourth"},
		{"preemption", "kill", "kill"},
		{sweep.Shake, "long", "long"},
	} {
		if err := sweep.Check([]sweep.Axis{{Name: c.name, Values: []string{c.value}}}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("axis %s=%s: %v, want an error with %q", c.name, c.value, err, c.want)
		}
	}
	if err := sweep.Check([]sweep.Axis{{Name: sweep.Policy}}); err == nil ||
		!strings.Contains(err.Error(), "the grid is empty") {
		t.Errorf("an axis without values: %v", err)
	}
}

// TestLabel: what a trace is called in the names of directories.
func TestLabel(t *testing.T) {
	for spec, want := range map[string]string{
		"logs/KTH-SP2.swf.gz": "KTH-SP2", "sacct:dump.txt": "dump.txt", "csv:/a/b.csv?submit=x/y": "b", "acct/": "acct",
		"a.tbz": "a", "synth:lublin?jobs=5": "synth:lublin?jobs=5",
	} {
		if got := sweep.Label(spec); got != want {
			t.Errorf("%s: %q, want %q", spec, got, want)
		}
	}
}
