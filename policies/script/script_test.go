package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/traces"
)

// written is a file with a script.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.star")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFaults wants each fault of a script told with its line, in bounded time and memory.
func TestFaults(t *testing.T) {
	j := &policies.Job{ID: 7, Procs: 4, Submit: 10 * events.Second, Estimate: 60 * events.Second}
	for text, want := range map[string]string{
		"def rank(job, now):\n    return " +
			"job.proc": `s.star:2: a job has no "proc"; did you mean "procs"?`,
		"def rank(job, now):\n    return 0.0 / 0": "s.star:2: floating-point " +
			"division by zero (ranking job 7 at 30s)",
		"def rank(job, now):\n    return float('nan')": "rank gives nan (float); " +
			"want a number",
		"def rank(job, now):\n    return " +
			"'first'": `rank gives "first" (string); want a number`,
		"def rank(job, now):\n    return None": "rank gives None",
		"def rank(job):\n    return 1": "rank takes 1 parameters; " +
			"want rank(job, now)",
		"def rang(job, now):\n    return 1": "has no function rank; as " +
			"an order it needs one",
		"def rank(job, now):\n    job.procs = 3\n    return 1": "s.star:2: can't assign to " +
			".procs field of job",
		"def rank(job, now):\n    return rank(job, now)": "s.star:2: function rank " +
			"called recursively",
		"def rank(job, now):\n    return len([0] * 1000000000)": "s.star:2: a list of " +
			"1000000000 items; want 1000000 at most",
		"def rank(job, now):\n    n = 1000000000\n    l = [0]\n    l *= n\n    return len(l)": "s.star:4: a list of " +
			"1000000000 items",
		"def rank(job, now):\n    return len('x' * 1000000 * 1000000)": "items; want 1000000 at most",
		"def rank(job, now):\n    return len(list(range(1000000000)))": "s.star:2: range of " +
			"1000000000 numbers; want 1000000 at most",
		"def rank(job, now):\n    return len(''.join(['b' * 900000] * 2))": "s.star:2: " +
			"join of 1800005 items; want 1000000",
		"def rank(job, now):\n    x = [1]\n    for i in range(60):\n        x += x": "s.star:4: " +
			"a list of 1048576 items",
		"def rank(job, now):\n    x = 7\n    for i in range(60):\n        x *= x": "s.star:4: " +
			"a number of 5750 bits",
		"def rank(job, now):\n    x = [1]\n    for i in range(60):\n        x = [x, x]\n    str(x)": "s.star:5: " +
			"str of 1000055 items",
		"def rank(job, now):\n    return getattr(job, 'wa' + 'it')": "s.star:2: " +
			"there is no getattr",
		"def rank(job, now):\n    x = 0\n    while True:\n        x += 1": "does a loop " +
			"never end",
		"def rank(job, now):\n    for i in range(1000000):\n        for k in range(1000000):\n            pass\n    return " +
			"1": "more than 20 million steps in one call, in which what it makes counts, too: does a loop never end? " +
			"(ranking job 7 at 30s)",
		"def rank(job, now):\n    return job.run": "looks at .run: run times are known only to scripts that " +
			"say clairvoyant = True",
		"def rank(job, now)\n    return 1":                       "s.star:2:1: got newline, want ':'",
		"def rank(job, now):\n    return later(job)":             "s.star:2:12: undefined: later",
		"x = param('a', [1])\ndef rank(job, now):\n    return 1": "",
	} {
		f, err := Load(written(t, text))
		if err == nil {
			var k *Rank
			if k, err = NewRank(f); err == nil {
				k.Key(30*events.Second, j)
				err = k.Err()
			}
		}
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestLittle wants scripts that make much of little, each in a way of its own, to be stopped.
func TestLittle(t *testing.T) {
	const kept = "keep = []\ndef rank(job, now):\n    "
	for text, want := range map[string]string{
		"x = [{} for i in range(900000) for j in range(9)]":                                     "million steps",
		"x = [[[[[1]]]] for i in range(900000) for j in range(9)]":                              "million steps",
		"f = lambda *a: a\ny = [1] * 900000\nx = [f(*y) for i in range(99)]":                    "million steps",
		"y = 'a ' * 400000\nx = [y.split() for i in range(99)]":                                 "million steps",
		"y = ('a' * 900000).codepoints()\nx = [list(y) for i in range(99)]":                     "million steps",
		"x = [enumerate(range(900000)) for i in range(99)]":                                     "million steps",
		"x = ('%(a)s' * 20000) % {'a': 'a' * 900000}":                                           "a text of",
		"x, y = 1, -1\nfor i in range(5000):\n    x = x - y\n    y = -x":                        "a number of 4097 bits",
		"x = " + strings.Repeat("9", 1999):                                                      "s.star:1:5: a number of",
		"x = [[1]]\nfor i in range(9000):\n    x = [x]\nstr(x)":                                 "str of",
		"x = [1]\nfor i in range(60):\n    x = [x, x]\ndef rank(job, now): return x":            "rank gives a long list",
		"x = [1]\nfor i in range(60):\n    x = [x, x]\nparam('x', x)\ndef rank(job, now): pass": "rank gives None",
		"x = {}['a' * 900000]": "aaa ...",
		"_plus()":              "undefined: _plus",
		kept + "param('a' + str(now), 1)\n    return now":                                         "param is for",
		kept + "keep.append(('a' * 900000 + str(now)).upper)":                                     "keeps more than 152 MB",
		kept + "keep.append(('a' * 900000 + str(now)).codepoints())":                              "keeps more than 152 MB",
		kept + "keep.append(bytes('a' * 900000 + str(now)))":                                      "keeps more than 152 MB",
		"keep = [1]\ndef rank(job, now):\n    for i in range(9000):\n        keep[0] = [keep[0]]": "10000 deep",
	} {
		f, err := Load(written(t, text))
		if err == nil {
			var k *Rank
			if k, err = NewRank(f); err == nil {
				for now := range events.Time(500) {
					k.m.err = nil // of a rank that is none
					k.Key(now, &policies.Job{})
					if err = k.Err(); !strings.Contains(err.Error(), "rank gives None") || strings.Contains(err.Error(), want) {
						break
					}
				}
			}
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.90q: %v, want %q", text, err, want)
		}
	}
}

// TestParameters reads what a file declares, as its default has it.
func TestParameters(t *testing.T) {
	path := written(t, "a = param('a', 2.5, 'a number')\nb = param('b', 3)\nc = param('c', 'x')\nd = param('d', "+
		"False)\ndef rank(job, now):\n    return a if d else b")
	for args, want := range map[string]string{
		"":             "3",
		"(d=true)":     "2.5",
		"(a=7,d=true)": "7",
		"(a=seven)":    `parameter a is "seven"; want a number, as its default 2.5`,
		"(b=1.5)":      `parameter b is "1.5"; want a whole number`,
		"(d=perhaps)":  `parameter d is "perhaps"; want true or false`,
		"(e=1)":        `has no parameter "e"; it declares a, b, c, d`,
		"(7)":          `"7" names no parameter; want NAME=VALUE`,
		"(a=1":         "is not closed",
		"(a=1e999)":    "want a number",
	} {
		f, err := Load(path + args)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", args, err, want)
			}
			continue
		}
		k, err := NewRank(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := starlark.Float(k.Key(0, &policies.Job{})).String(); strings.TrimSuffix(got, ".0") != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
		if p := f.Params(); len(p) != 4 || p[0].Doc != "a number" || p[0].Default != "2.5" {
			t.Errorf("parameters %+v", p)
		}
	}
}

// TestLooks wants what a script depends on to be known without asking.
func TestLooks(t *testing.T) {
	for text, want := range map[string]string{
		"def rank(job, now):\n    return job.procs":                           "",
		"def rank(job, now):\n    return job.estimate":                        "estimate",
		"def rank(job, now):\n    return job.bid * now":                       "bid changes",
		"def rank(job, now):\n    return job.wait":                            "changes",
		"clairvoyant = True\ndef rank(job, now):\n    return job.run":         "run",
		"changes = True\ndef rank(job, now):\n    return 1":                   "changes",
		"def rank(job, now):\n    return 1\ndef started(job, now):\n    pass": "changes",
	} {
		f, err := Load(written(t, text))
		if err != nil {
			t.Fatal(err)
		}
		k, err := NewRank(f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		l := k.Looks()
		for _, x := range []struct {
			name string
			set  bool
		}{{"estimate", l.Estimate}, {"run", l.Run}, {"bid", l.Bid}, {"changes", l.Changes}} {
			if x.set {
				got = append(got, x.name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q looks at %v, want %s", text, got, want)
		}
	}
}

// TestDates asks for dates in each kind of script, in copies of them, and where there are none.
func TestDates(t *testing.T) {
	const dates = "date(job.submit) * 10000 + week(job.submit) * 1000 + weekday(job.submit) * 100 + hour(job.submit)"
	start := func(text string) *File {
		f, err := Load(written(t, text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	rank := start("def rank(job, now):\n    return " + dates)
	k, err := NewRank(rank)
	if err != nil {
		t.Fatal(err)
	}
	monday := events.NewCalendar(856170000, time.UTC) // 17 February 1997, 9:00
	k.ReadCalendar(monday)
	evening := &policies.Job{ID: 5, Submit: 10 * 3600 * events.Second}
	for _, k := range []order.Keys{k, k.Clone(), k.Clone().Clone()} {
		if got := k.Key(0, evening); got != 19970217*10000+8*1000+100+19 {
			t.Errorf("a rank of %f", got)
		}
	}
	b, err := NewBid(start("def bid(value, job):\n    return value * hour(job.submit)"))
	if err != nil {
		t.Fatal(err)
	}
	b.ReadCalendar(monday)
	if got, err := b.ReportFor(&traces.Job{Submit: evening.Submit}, 2, 0); got != 38 || err != nil {
		t.Errorf("a bid of %g, %v", got, err)
	}
	p, err := NewPrice(start("def price(round):\n    return 2 if hour(round.now) >= 18 else 1"))
	if err != nil {
		t.Fatal(err)
	}
	p.ReadCalendar(monday)
	for hours, want := range map[events.Time]float64{0: 1, 8: 1, 9: 2, 14: 2, 15: 1} {
		copied := p.Clone(nil)
		copied.Clear(&policies.Round{Now: hours * 3600 * events.Second})
		if p.Clear(&policies.Round{Now: hours * 3600 * events.Second}); p.Quote() != want || copied.Quote() != want {
			t.Errorf("after %d hours prices of %g and %g, want %g", hours, p.Quote(), copied.Quote(), want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"def rank(job, now):\n    return hour(now)", "s.star:2: hour needs dates, and the log does not say at which its"},
		{"def rank(job, now):\n    return hour('9')", "hour: got \"9\", want a time in seconds, as in hour(job.submit)"},
		{"def rank(job, now):\n    return hour(inf)", "want a time in seconds"},
		{"def rank(job, now):\n    return week(now, 1)", "week: got 2 arguments"},
		{"def hour(t):\n    return 3\ndef rank(job, now):\n    return hour(now)", ""},
	} {
		k, err := NewRank(start(c.text))
		if err != nil {
			t.Fatal(err)
		}
		k.ReadCalendar(nil)
		k.Key(0, evening)
		if err := k.Err(); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := Load(written(t, "now = hour(0)")); err == nil || !strings.Contains(err.Error(), "once it has begun") {
		t.Errorf("at its top level a script asks for dates: %v", err)
	}
}

// TestCopies wants a copy to have variables of its own, shared among themselves as those of
// the first are.
func TestCopies(t *testing.T) {
	f, err := Load(written(t, "seen = [0]\nboth = {'seen': seen, 'pair': (seen, {1: 2})}\nkept = set()\nchanges = "+
		"True\ndef rank(job, now):\n    seen[0] += 1\n    kept.add(job.id)\n    return both['seen'][0] + 100 * "+
		"len(both['pair'][0]) + 1000 * len(kept)"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewRank(f)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(k interface {
		Key(events.Time, *policies.Job) float64
	}, id int64) float64 {
		return k.Key(0, &policies.Job{ID: id})
	}
	if got := ask(a, 1); got != 1101 {
		t.Fatalf("%g, %v", got, a.Err())
	}
	b := a.Clone()
	if got := ask(b, 2); got != 2102 {
		t.Errorf("the copy gives %g", got)
	}
	if got := ask(b, 2); got != 2103 {
		t.Errorf("the copy then gives %g", got)
	}
	if got := ask(a, 1); got != 1102 {
		t.Errorf("the first gives %g: the copy has changed it", got)
	}
}
