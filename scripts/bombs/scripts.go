package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// scripts asks policies, orders, prices and behaviours in Starlark for everything at once.
func (m *maker) scripts() (all []bomb, err error) {
	log, err := m.log()
	if err != nil {
		return nil, err
	}
	add := func(name, text, role string) {
		path := filepath.Join(m.base, fmt.Sprint("script", len(all), ".star"))
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o666)
		}
		args := append([]string{"replay", log, "-q"}, roles[role]...)
		args[len(args)-1] = strings.ReplaceAll(args[len(args)-1], "FILE", path)
		all = append(all, bomb{"script: " + name, args})
	}
	for _, s := range starlark {
		add(s.name, s.before+"def plan(round):\n  "+strings.ReplaceAll(s.body, "\n", "\n  ")+"\n", "policy")
	}
	for _, s := range wholeScripts {
		add(s.name, s.text, s.role)
	}
	return all, err
}

// roles are the flags that make a script a policy, the order of one, a price or a behaviour.
var roles = map[string][]string{
	"policy":    {"--policy", "script:FILE"},
	"order":     {"--policy", "easy(order=script:FILE)"},
	"price":     {"--policy", "hb", "--payment", "script:FILE"},
	"behaviour": {"--policy", "hb", "--payment", "kth", "--behaviour", "script:FILE"},
}

// starlark are bodies of a plan, and what is before it.
var starlark = []struct{ name, before, body string }{
	{"left literal", "", `x = "a" * 10000000`},
	{"join", "", `x = "".join(["b" * 900000] * 2000)`},
	{"double list", "", `x = [1]
for i in range(60):
  x = x + x`},
	{"double text", "", `x = "a"
for i in range(60):
  x = x + x`},
	{"double tuple", "", `x = (1,)
for i in range(60):
  x = x + x`},
	{"iadd list", "", `x = [1]
for i in range(60):
  x += x`},
	{"iadd text", "", `x = "a"
for i in range(60):
  x += x`},
	{"iadd item", "", `x = {1: "a"}
for i in range(60):
  x[int(1)] += x[int(1)]`},
	{"extend", "", `x = [1]
for i in range(60):
  x.extend(x)`},
	{"extend alias", "", `x = [1]
f = x.extend
for i in range(60):
  f(x)`},
	{"percent", "", `x = ("%s" * 100000) % (("a" * 900000,) * 100000)`},
	{"format", "", `x = "{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}" 
for i in range(60):
  x = x.format(x)`},
	{"replace", "", `x = "aaaaaaaaaa"
for i in range(60):
  x = x.replace("a", x)`},
	{"keep", "keep = []\n", `keep.append("a" * 1000000)
round.wake(round.now + 1)`},
	{"keep in one", "keep = []\n", `for i in range(2000):
  keep.append("a" * 1000000)`},
	{"elems", "", `for i in range(1000):
  x = list(("a" * 1000000).elems())`},
	{"square", "", `x = 7
for i in range(60):
  x = x * x`},
	{"isquare", "", `x = 7
for i in range(60):
  x *= x`},
	{"str pow", "", `x = 7
for i in range(25):
  x = x * x
y = str(x)`},
	{"shift", "", `x = 1
for i in range(100000):
  x = x << 500`},
	{"ishift", "", `x = 1
for i in range(100000):
  x <<= 500`},
	{"int text", "", `for i in range(1000):
  x = int("9" * 999999)`},
	{"nested str", "", `x = [1]
for i in range(60):
  x = [x, x]
y = str(x)`},
	{"nested repr", "", `x = [1]
for i in range(60):
  x = [x, x]
y = "%r" % [x]`},
	{"nested key", "", `x = (1,)
for i in range(60):
  x = (x, x)
y = {x: 1}`},
	{"in list", "", `x = [1] * 1000000
for i in range(1000000):
  y = 5 in x`},
	{"count", "", `x = "a" * 1000000
for i in range(1000000):
  y = x.count("b")`},
	{"find", "", `x = "a" * 1000000
for i in range(1000000):
  y = x.find("b")`},
	{"split", "", `x = "a " * 500000
for i in range(1000000):
  y = x.split(" ")`},
	{"dict union", "", `x = {i: i for i in range(1000)}
for i in range(60):
  x = x | {(k, i): 1 for k in x}`},
	{"print", "", `for i in range(1000):
  print("a" * 1000000)`},
	{"keep range", "keep = []\n", `for i in range(2000):
  keep.append(list(range(900000)))`},
	{"wake", "", "round.wake(round.now + 0.000001)"},
	{"preempt all", "", `for j in list(round.running):
  round.preempt(j)
for j in list(round.waiting):
  if round.fits(j):
    round.start(j)
round.wake(round.now + 1)`},
	{"fail", "", `fail("x" * 10000000)`},
	{"fail 1MB", "", `fail("x" * 900000)`},
	{"slices", "", `x = [1] * 1000000
for i in range(1000000):
  y = x[1:]`},
	{"compare", "", `x = [0] * 1000
for i in range(8):
  x = [x] * 1000
y = [0] * 1000
for i in range(8):
  y = [y] * 1000
z = x == y`},
	{"sorted", "", `x = list(range(1000000))
for i in range(1000000):
  y = sorted(x)`},
	{"zip", "", `x = [1] * 1000000
for i in range(1000000):
  y = zip(x, x, x)`},
	{"getattr", "", `x = getattr(round, "no" + "w")`},
	{"hasattr", "", `x = hasattr(round, "now")`},
	{"dir", "", "x = dir(round)"},
	{"set", "", `x = set(range(1000000))
for i in range(1000000):
  y = x | x`},
	{"set minus", "", `x = set(range(1000000))
for i in range(1000000):
  y = x - x`},
	{"insert", "", `x = [1] * 900000
for i in range(1000000):
  x.insert(0, 1)`},
	{"pop0", "", `x = [1] * 1000000
for i in range(1000000):
  x.pop(0)
  x.append(1)`},
	{"lambda keep", "keep = []\n", `s = ["a" * 900000] 
keep.append(lambda: s)
round.wake(round.now + 1)`},
	{"dict keep", "keep = {}\n", `for i in range(100000):
  keep[(round.now, i)] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" + str(i)
round.wake(round.now + 1)`},
	{"bytes", "", `x = bytes("a" * 1000000)
for i in range(1000):
  x = x + x`},
	{"bytes mult", "", `x = b"a" * 100000000`},
	{"star args", "", `def f(*a): return a
x = [1] * 1000000
for i in range(1000000):
  f(*x)`},
	{"comprehension", "", "x = [[0] * 1000000 for i in range(1000000)]"},
	{"title", "", `x = "a" * 1000000
for i in range(1000000):
  y = x.title()`},
	{"neq", "", `x = "a" * 1000000
y = "a" * 999999 + "b"
for i in range(100000000):
  z = x != y`},
	{"max", "", `x = [1] * 1000000
for i in range(1000000):
  z = max(x)`},
	{"hash", "", `for i in range(1000000):
  z = hash("a" * 1000000)`},
	{"a sum of 400,000", "", "return " + strings.Repeat("1+", 400_000) + "1"},
	{"a sum of 30,000", "", "return " + strings.Repeat("1+", 30_000) + "1"},
	{"dots", "", "return round" + strings.Repeat(".a", 400_000)},
	{"brackets", "", "return " + strings.Repeat("(", 30_000) + "1" + strings.Repeat(")", 30_000)},
	// What a display, a comprehension or a call with a star makes, kept within one call.
	{"empty dicts", "", "x = [{} for i in range(900000) for j in range(900000)]"},
	{"empty sets", "", "x = [set() for i in range(900000) for j in range(900000)]"},
	{"empty lists", "", "x = [[] for i in range(900000) for j in range(900000)]"},
	{"lists within lists", "", "x = [[[[[[[[[[[1]]]]]]]]]] for i in range(900000) for j in range(9)]"},
	{"tuples within tuples", "", "x = [((((((((((i,),),),),),),),),),) for i in range(900000) for j in range(9)]"},
	{"dicts within dicts", "", "x = [{1: {1: {1: {1: {1: {1: 1}}}}}} for i in range(900000) for j in range(9)]"},
	{"dict comprehensions", "", "x = [{i: i for i in range(900000)} for j in range(900000)]"},
	{"dict of pairs of numbers", "", "x = {(i, j): i for i in range(9000) for j in range(9000)}"},
	{"closures", "", "x = [lambda: (i, j) for i in range(9000) for j in range(9000)]"},
	{"lambdas with defaults", "", "x = [lambda a=[i], b={1: i}, c=(i,): a for i in range(9000) for j in range(9000)]"},
	{"star kept", "", `def f(*a): return a
x = [1] * 1000000
y = [f(*x) for i in range(100000)]`},
	{"two stars kept", "", `def f(**a): return a
x = {str(i): i for i in range(100000)}
y = [f(**x) for i in range(100000)]`},
	{"partitions", "", `x = "a " * 400000
y = [x.partition(str(i)) for i in range(900000) for j in range(9)]`},
	{"bound methods", "", "x = [round.start for i in range(9000) for j in range(9000)]"},
	{"bound methods of texts", "", "x = [str.upper for i in range(9000) for str in ['a'] * 9000]"},
	{"deep tuples as a key", "", `x = ()
for i in range(1000000):
  x = (x,)
y = {x: 1}`},
	{"floats", "", "x = [i + 0.5 for i in range(9000) for j in range(9000)]"},
	{"jobs' attributes", "", "x = [j.submit for i in range(900000) for j in round.waiting]"},
	{"ranges", "", "x = [range(i) for i in range(9000) for j in range(9000)]"},
	// Lists, dicts and sets that built-ins make of a few others.
	{"splits kept", "", `x = "a " * 400000
y = [x.split(" ") for i in range(100000)]`},
	{"splits from the right kept", "", `x = "a " * 400000
y = [x.rsplit() for i in range(100000)]`},
	{"lines kept", "", `x = "\n" * 900000
y = [x.splitlines(True) for i in range(100000)]`},
	{"enumerations kept", "", "x = [enumerate(range(900000)) for i in range(100000)]"},
	{"zips kept", "", "x = [zip(range(900000)) for i in range(100000)]"},
	{"zip of a thousand", "", "x = zip(*([range(1000)] * 1000)) * 1000"},
	{"items kept", "", `x = {i: i for i in range(100000)}
y = [x.items() for i in range(100000)]`},
	{"reversals kept", "", "x = [reversed(range(900000)) for i in range(100000)]"},
	{"updates kept", "", `def f(a):
  d = {}
  d.update(a)
  return d
x = [(i, i) for i in range(100000)]
y = [f(x) for i in range(100000)]`},
	{"dicts of pairs kept", "", `x = [(i, i) for i in range(100000)]
y = [dict(x) for i in range(100000)]`},
	{"unions of lists kept", "", "x = [set().union(range(100000)) for i in range(100000)]"},
	{"set updates kept", "", `x = [set() for i in range(10000)]
for s in x:
  s.update(range(100000))`},
	{"symmetric differences", "", "x = [set([1]).symmetric_difference(range(100000)) for i in range(100000)]"},
	{"intersections", "", `x = set(range(100000))
y = [x & x for i in range(100000)]`},
	{"exclusive unions", "", `x = set(range(100000))
y = [x ^ set([i]) for i in range(100000)]`},
	{"unions in place", "", `x = {}
for i in range(100000):
  x |= {(i, j): 1 for j in range(1000)}`},
	{"code points kept", "", `x = ("a" * 1000000).codepoints()
y = [list(x) for i in range(100000)]`},
	{"code points sorted", "", `x = ("\U0010ffff" * 200000).codepoints()
y = [sorted(x, reverse=True) for i in range(100000)]`},
	{"numbers of code points", "", `x = ("a" * 1000000).codepoint_ords()
y = [tuple(x) for i in range(100000)]`},
	{"a list grown by code points", "", `x = []
for i in range(100000):
  x += ("a" * 1000000).codepoints()`},
	{"extended by elements", "", `x = []
for i in range(100000):
  x.extend(("a" * 900000).elem_ords())`},
	{"joined code points", "", `x = ",".join(("a" * 1000000).codepoints())`},
	{"bytes of numbers", "", "x = [bytes([65] * 900000) for i in range(100000)]"},
	{"elements of bytes", "", `x = [list(bytes("a" * 900000).elems()) for i in range(100000)]`},
	{"slices with steps", "", `x = "ab" * 500000
y = [x[::-1] for i in range(100000)]`},
	{"slices of bytes", "", `x = bytes("a" * 1000000)
y = [x[1:-1:1] for i in range(100000)]`},
	{"products of tuples", "", "x = [(i,) * 900000 for i in range(100000)]"},
	// Texts that get longer than what they are made of.
	{"percent by name", "", `x = ("%(a)s" * 20000) % {"a": "a" * 800000}`},
	{"percent of a float", "", `x = "%f" * 200000 % ((1e308,) * 200000)`},
	{"percent of letters", "", `x = "%c" * 300000 % ((0x10ffff,) * 300000)`},
	{"percent of octals", "", `x = "%o" * 300000 % ((1 << 120,) * 300000)`},
	{"percent without values", "", `x = "%s" * 300000 % ()`},
	{"percent with a width", "", `x = "%1000000000d" % 1`},
	{"format with a width", "", `x = "{:>1000000000}".format(1)`},
	{"format by name", "", `x = ("{a}" * 300000).format(a="a" * 900000)`},
	{"format of attributes", "", `x = "{0.__class__}".format(round)`},
	{"format of representations", "", `x = ("{0!r}" * 100).format("\x00" * 90000)`},
	{"text of large numbers", "", "x = str([1 << 120] * 900000)"},
	{"text of functions", "", "def " + strings.Repeat("f", 30_000) + "(): pass\nx = str([" +
		strings.Repeat("f", 30_000) + "] * 900000)"},
	{"representation of zeros", "", `x = repr(["\x00" * 100] * 9000)`},
	{"text that holds itself", "", `x = [1]
x.append(x)
x += [x] * 1000
y = str(x)`},
	{"replace nothing", "", `x = ("a" * 900000).replace("", "b" * 900000)`},
	{"titles kept", "", `x = "a" * 1000000
y = [x.title() for i in range(100000)]`},
	{"capitals kept", "", `x = "\u0250" * 400000
y = [x.upper() for i in range(100000)]`},
	{"prefixes", "", `x = "a" * 1000000
for i in range(1000000):
  y = x.startswith((x, x + "b"[:0])) and x.removesuffix("a").removeprefix("a").endswith(x)`},
	{"letters", "", `x = "a" * 1000000
for i in range(1000000):
  y = x.isalnum() and x.isalpha() and x.islower() and x.istitle() or x.isdigit() or x.isspace()`},
	{"stripped", "", `x = " " * 1000000
for i in range(1000000):
  y = x.lstrip("a").rstrip("b").strip(" ").rpartition("a")`},
	{"looked for from the right", "", `x = "ab" * 500000
for i in range(1000000):
  y = x.rindex("ab", 0, 3) + x.rfind("ba" * 1000) + x.index("a")`},
	{"in a text", "", `x = "ab" * 500000
for i in range(1000000):
  y = "ba" * 400000 + "c" in x`},
	// Numbers.
	{"large numbers kept", "", `a = 1 << 125
x = [a + 1 for i in range(900000) for j in range(900000)]`},
	{"large differences kept", "", `a = 1 << 125
x = [a - i for i in range(900000) for j in range(900000)]`},
	{"large opposites kept", "", `a = 1 << 125
x = [-a for i in range(900000) for j in range(900000)]`},
	{"large complements kept", "", `a = 1 << 125
x = [~a // 3 for i in range(900000) for j in range(900000)]`},
	{"large shifts kept", "", `a = 1 << 125
x = [a >> 1 for i in range(900000) for j in range(900000)]`},
	{"numbers that grow by minus", "", `x, y, k = 1, -1, []
for i in range(900000):
  x = x - y
  y = -x
  k.append(x)`},
	{"numbers that grow by minus-is", "", `x, k = -1, []
for i in range(900000):
  x -= -x
  k.append(x)`},
	{"a number of 60,000 digits", "", "a = " + strings.Repeat("9", 60_000) + "\nx = [a - i for i in range(900000)]"},
	{"int of a float", "", "x = [int(1e38) + int(1e37) for i in range(900000) for j in range(9)]"},
	{"int with a base", "", `x = [int("z" * 24, 36) for i in range(900000) for j in range(9)]`},
	{"float of a long text", "", `x = float("9" * 1000000)`},
	{"shift by a large number", "", "x = 1 << (1 << 40)"},
	{"shift by less than nothing", "", "x = 1 << -1"},
	{"product by a large number", "", `x = "a" * (1 << 62)`},
	{"product by less than nothing", "", `x = "a" * -5 + [1] * -(1 << 30)`},
	{"range of large steps", "", "x = list(range(-(1 << 62), 1 << 62, 1 << 45))[::1 << 40]"},
	{"range to an end that is no number", "", "x = range(0, 1 << 70)"},
	{"divisions by nothing", "", "x = [f() for f in (lambda: 1 // 0, lambda: 1 % 0, lambda: 1 / 0)]"},
	{"characters that there are none of", "", "x = chr(0x110000)"},
	{"characters of a half pair", "", "x = chr(0xd800) + chr(-1)"},
	// Operations that take long.
	{"sorted long lists", "", `x = [[0] * 1000000] * 1000
y = sorted(x)`},
	{"sorted by a key", "", "x = sorted(range(1000000), key=lambda a: sorted(range(1000), key=lambda b: -b))"},
	{"sorted with a key that grows", "", `x = list(range(1000))
y = sorted(x, key=lambda a: x.append(a))`},
	{"least by a key", "", "x = [min(range(900000), key=lambda a: -a) for i in range(1000)]"},
	{"most of different kinds", "", `x = max([1, "a", None, round, []])`},
	{"any of a million", "", "for i in range(1000000):\n  x = any(range(1)) or all([0] * 1000000) or any([0] * 1000000)"},
	{"equal to itself", "", `x = []
x.append(x)
y = []
y.append(y)
z = x == y`},
	{"different by depth", "", `x, y = [], []
for i in range(1000000):
  x, y = [x], [y]
z = x != y`},
	{"deep lists", "keep = [[]]\n", `for i in range(1000000):
  keep[0] = [keep[0]]
round.wake(round.now + 1)`},
	{"deep tuples as keys", "keep = [()]\n", `for i in range(300000):
  keep[0] = (keep[0],)
x = {keep[0]: 1}
round.wake(round.now + 1)`},
	{"deep text", "", `x = []
for i in range(400000):
  x = [x]
y = str(x)`},
	{"deep closures", "", `f = lambda: 1
def g(f): return lambda: f()
for i in range(1000000):
  f = g(f)
x = f()`},
	{"deep functions", "", `def g(f): return lambda: f()
f = lambda: 1
for i in range(20000):
  f = g(f)
x = sorted([1, 2], key=lambda a: f())`},
	{"removed from the front", "", `x = list(range(1000000))
for i in range(1000000):
  x.remove(x[0])`},
	{"popped items", "", `x = {i: i for i in range(1000)}
for i in range(1000000):
  x.popitem()
  x[i] = i`},
	{"cleared over and over", "", `for i in range(1000000):
  x = {j: 1 for j in range(1000)}
  x.clear()`},
	{"changed in a loop over it", "", `x = {i: i for i in range(10)}
for k in x:
  x.setdefault(k + 100, x)`},
	{"hashes of large texts", "", `x = "a" * 1000000
for i in range(1000000):
  y = hash(bytes(x)) + hash(x)`},
	{"key of a text that is long", "", `x = {}["a" * 900000]`},
	{"key of a list without an end", "", `x = [1]
for i in range(60):
  x = [x, x]
y = {}[str(x)[:0]] if 0 else {}.pop(x)`},
	{"a wrong word without an end", "", "x = round." + strings.Repeat("n", 60_000)},
	// Aliases and what is kept from call to call where nobody looks.
	{"join by another name", "", `f = "".join
x = [f(["a" * 900000]) for i in range(100000)]`},
	{"methods in a dict", "", `f = {"s": ("a " * 400000).split, "r": "a".replace}
x = [f["s"](" ") for i in range(100000)]`},
	{"built-ins in a list", "", `f = [enumerate, zip, list, sorted]
x = [g(range(900000)) for g in f for i in range(100000)]`},
	{"built-ins by other names", "text, numbers = str, range\n", "x = [text(numbers(i)) for i in numbers(900000)]"},
	{"keep methods", "keep = []\n", `keep.append(("a" * 900000 + str(round.now)).upper)
round.wake(round.now + 1)`},
	{"keep methods that are not looked at", "keep = []\n", `keep.append((list(range(90000))).append)
round.wake(round.now + 1)`},
	{"keep elements", "keep = []\n", `keep.append(("a" * 900000 + str(round.now)).codepoints())
round.wake(round.now + 1)`},
	{"keep bytes", "keep = []\n", `keep.append(bytes("a" * 900000 + str(round.now)))
round.wake(round.now + 1)`},
	{"keep elements of bytes", "keep = []\n", `keep.append(bytes("a" * 900000 + str(round.now)).elems())
round.wake(round.now + 1)`},
	{"keep defaults", "keep = []\n", `def f(a="a" * 900000 + str(round.now)): return a
keep.append(f)
round.wake(round.now + 1)`},
	{"keep a generator of closures", "keep = [lambda: 0]\n", `def f(g, t): return lambda: (g, t)
keep[0] = f(keep[0], "a" * 90000 + str(round.now))
round.wake(round.now + 1)`},
	{"keep rounds", "keep = []\n", "keep.append(round)\nkeep.append(round.waiting)\nround.wake(round.now + 1)"},
	{"keep on a dict of jobs", "keep = {}\n", `for j in round.waiting:
  keep[j] = keep.get(j, "a") + "a" * 900000
round.wake(round.now + 1)`},
	{"parameters without an end", "", `param(str(round.now) + "a" * 900000, 1)
round.wake(round.now + 1)`},
	{"parameters in a loop", "", "for i in range(1000000):\n  param(str(i), 1)"},
	// Nonsense to the engine.
	{"start what does not wait", "", "for j in round.waiting:\n  round.start(j)\n  round.start(j)"},
	{"start a text", "", `round.start("1")`},
	{"start a number", "", "round.start(1 << 100)"},
	{"start without end", "", "for i in range(1000000):\n  [round.start(j) for j in round.waiting]"},
	{"start by name", "", "round.start(job=1)"},
	{"start a job of another round", "keep = []\n", `keep.extend(round.waiting)
for j in keep:
  round.start(j)`},
	{"start by a round that is over", "keep = []\n", `keep.append(round)
round.wake(round.now + 1)
for r in keep:
  r.wake(r.now + 1)`},
	{"preempt what waits", "", "for j in round.waiting:\n  round.preempt(j)"},
	{"share too much", "", "for j in round.waiting:\n  round.share(j, 1.5)"},
	{"share less than nothing", "", "for j in round.waiting:\n  round.share(j, -1e-300)"},
	{"share what is no number", "", `for j in round.waiting:
  round.share(j, float("nan"))`},
	{"share a list without an end", "", `x = [1]
for i in range(60):
  x = [x, x]
for j in round.waiting:
  round.share(j, x)`},
	{"share each and start", "", "for j in round.waiting:\n  round.share(j, 0.5)\n  round.start(j)"},
	{"share over and over", "", "for i in range(1000000):\n  for j in round.waiting:\n    round.share(j, 1.0 / (i + 1))"},
	{"place where there is nothing", "", "for j in round.waiting:\n  round.place(j, 1 << 40)"},
	{"place on a million", "", "for j in round.waiting:\n  round.place(j, range(1000000))"},
	{"fits on less than nothing", "", "for j in round.waiting:\n  round.fits(j, -1)"},
	{"wake before now", "", "round.wake(round.now - 1000)\nround.wake(-1e300)"},
	{"wake at no time", "", `round.wake(float("nan"))`},
	{"wake at the end of time", "", `round.wake(float("inf"))`},
	{"wake at a large number", "", "round.wake(1 << 100)"},
	{"wake at a million times", "", "for i in range(1000000):\n  round.wake(round.now + i)"},
	{"wake now", "", "round.wake(round.now)"},
	{"a plan that gives a list without an end", "", `x = [1]
for i in range(60):
  x = [x, x]
return x`},
	{"set an attribute", "", "round.now = 5"},
	{"set an attribute of a job", "", "for j in round.waiting:\n  j.procs = 0"},
	{"delete", "", "del round"},
	{"an index far out", "", "x = round.waiting[1 << 62]"},
	{"a slice of jobs", "", "x = round.waiting[::-1]"},
	{"jobs as keys", "", "x = {round.waiting: round}"},
	{"jobs as a set of sets", "", "x = set([set([1])])"},
}

// wholeScripts are for other roles, or do not get as far as to be called.
var wholeScripts = []struct{ name, role, text string }{
	{"top", "policy", `x = [1]
for i in range(60):
  x = x + x
def plan(round): pass
`},
	{"rank print escape", "policy", `def rank(job, now):
  print("\x1b[2J\x1b]0;pwn\x07")
  return 1
`},
	{"a loop at the top", "policy", "for i in range(1000000):\n  for j in range(1000000): pass\ndef plan(round): pass\n"},
	{"a recursion", "policy", "def plan(round): plan(round)\n"},
	{"a recursion of two", "policy", "def f(x): return g(x)\ndef g(x): return f(x)\ndef plan(round): f(1)\n"},
	{"a recursion by lambdas", "policy", "def plan(round):\n  y = lambda f: f(f)\n  y(y)\n"},
	{"a while", "policy", "def plan(round):\n  while True: pass\n"},
	{"a load", "policy", "load(\"/etc/passwd\", \"x\")\ndef plan(round): pass\n"},
	{"a load in a function", "policy", "def plan(round):\n  load(\"a.star\", \"x\")\n"},
	{"an import", "policy", "import os\ndef plan(round): os.exit(1)\n"},
	{"an open file", "policy", "def plan(round): open(\"/etc/passwd\").read()\n"},
	{"an f-string", "policy", "def plan(round): x = f\"{round}\"\n"},
	{"a class", "policy", "class A: pass\ndef plan(round): pass\n"},
	{"a try", "policy", "def plan(round):\n  try: pass\n  except: pass\n"},
	{"a yield", "policy", "def plan(round): yield 1\n"},
	{"nothing", "policy", ""},
	{"zero bytes", "policy", "def plan(round): pass\x00\x00\n"},
	{"a zero byte in a text", "policy", "def plan(round): fail('a\\0b\\x1b[2J')\n"},
	{"no UTF-8", "policy", "def plan(round): fail(\"\xff\xfe\")\n"},
	{"a name in Greek", "policy", "def plan(αβγ): αβγ.wake(αβγ.now - 1); fail('αβγ\u202e')\n"},
	{"a text without an end", "policy", "def plan(round): x = \"\"\"" + strings.Repeat("a", 60_000)},
	{"a long name", "policy", "def plan(round): return " + strings.Repeat("n", 60_000) + "\n"},
	{"a long comment", "policy", "#" + strings.Repeat("#", 64_000) + "\ndef plan(round): pass\n"},
	{"a longer comment", "policy", "#" + strings.Repeat("#", 66_000) + "\ndef plan(round): pass\n"},
	{"many functions", "policy", strings.Repeat("def f(): pass\n", 4000) + "def plan(round): f()\n"},
	{"many parameters", "policy", "def f(" + strings.Repeat("a,", 20_000) + "): pass\ndef plan(round): f()\n"},
	{"many arguments", "policy", "def f(*a): return a\ndef plan(round): f(" + strings.Repeat("1,", 30_000) + ")\n"},
	{"many names in brackets", "policy", "def plan(round):\n  " + strings.Repeat("[a,", 9000) + "b" +
		strings.Repeat("]", 9000) + " = 1\n"},
	{"deep lists in the text", "policy", "x = " + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) +
		"\ndef plan(round): pass\n"},
	{"deep lists that are allowed", "policy", "x = " + strings.Repeat("[", 60) + strings.Repeat("]", 60) +
		"\ndef plan(round): str(x)\n"},
	{"deep dicts in the text", "policy", "x = " + strings.Repeat("{1:", 9000) + "1" + strings.Repeat("}", 9000) +
		"\ndef plan(round): pass\n"},
	{"deep lambdas", "policy", "x = " + strings.Repeat("lambda:", 9000) + "1\ndef plan(round): x()\n"},
	{"deep minus", "policy", "def plan(round): return " + strings.Repeat("-", 60_000) + "1\n"},
	{"deep not", "policy", "def plan(round): return " + strings.Repeat("not ", 15_000) + "1\n"},
	{"deep conditions", "policy", "def plan(round): return " + strings.Repeat("1 if 0 else ", 5000) + "1\n"},
	{"deep ands", "policy", "def plan(round): return " + strings.Repeat("1 and ", 10_000) + "1\n"},
	{"deep calls", "policy", "def f(x=0): return f\ndef plan(round): return f" + strings.Repeat("()", 30_000) + "\n"},
	{"deep indexes", "policy", "x = []\nx.append(x)\ndef plan(round): return x" + strings.Repeat("[0]", 20_000) + "\n"},
	{"deep slices", "policy", "def plan(round): return 'a'" + strings.Repeat("[:]", 20_000) + "\n"},
	{"deep comprehensions", "policy", "def plan(round): return [1" + strings.Repeat(" for i in [1, 2]", 3000) + "]\n"},
	{"deep ifs", "policy", "def plan(round):\n" + deep("if 1:", 300) + "\n"},
	{"deep loops", "policy", "def plan(round):\n" + deep("for i in [1, 2]:", 90) + "\n"},
	{"deep functions in functions", "policy", "def plan(round):\n" + deep("def f():", 300) + "\n"},
	{"elifs", "policy", "def plan(round):\n  if 0: pass\n" + strings.Repeat("  elif 0: pass\n", 4000)},
	{"texts next to each other", "policy", "def plan(round): return " + strings.Repeat("'a' + ", 9000) + "'a'\n"},
	{"plan is no function", "policy", "plan = 5\n"},
	{"plan is a built-in", "policy", "plan = len\n"},
	{"plan is a lambda", "policy", "plan = lambda round: round.start(None)\n"},
	{"plan takes nothing", "policy", "def plan(): pass\n"},
	{"plan takes all", "policy", "def plan(*a, **b): a[0].wake(None)\n"},
	{"plan wants names", "policy", "def plan(round, *, a): pass\n"},
	{"plan sets a name of the file", "policy", "x = 1\ndef plan(round):\n  x += 1\n"},
	{"built-ins redefined", "policy", "len = lambda x: x\nstr = None\n_plus = 5\ndef plan(round): str(1 + len(2))\n"},
	{"guards by their names", "policy", "def plan(round): _times('a', 1 << 40)\n"},
	{"guards without operands", "policy", "def plan(round): _plus()\n"},
	{"guards of a wrong kind", "policy", "def plan(round): _method('a', 5)\n"},
	{"started is no function", "policy", "started = {}\n" + startAll},
	{"ended fails", "policy", "def ended(job, now): fail(job)\n" + startAll},
	{"arrived never ends", "policy", forever("arrived(job, now)") + "def plan(round): pass\n"},
	{"parameters of any kind", "policy", "x = param('a', lambda: 1)\ny = param('', None)\ndef plan(round): pass\n"},
	{"a parameter twice", "policy", "x = param('a', 1)\ny = param('a', 2)\ndef plan(round): pass\n"},
	{"a parameter that is a list without an end", "policy", endless + "y = param('a', x)\ndef plan(round): pass\n"},
	{"a million parameters", "policy",
		"x = [param(str(i), 'a' * 900000) for i in range(1000000)]\ndef plan(round): pass\n"},
	{"clairvoyant is a list without an end", "policy", endless + "clairvoyant = x\nchanges = x\ndef plan(round): pass\n"},
	{"rank gives a list without an end", "order", endless + "def rank(job, now): return x\n"},
	{"rank gives a long text", "order", "def rank(job, now): return 'a' * 1000000\n"},
	{"rank gives a large number", "order", "def rank(job, now): return 1 << 100\n"},
	{"rank gives no number", "order", "def rank(job, now): return float('nan')\n"},
	{"rank gives inf and -inf", "order", "def rank(job, now): return inf if job.id % 2 else -inf\n"},
	{"rank gives itself", "order", "def rank(job, now): return rank\n"},
	{"rank gives the job", "order", "def rank(job, now): return job\n"},
	{"rank gives none", "order", "def rank(job, now): pass\n"},
	{"rank is a sequence", "order", "seen = []\ndef rank(job, now):\n  seen.append(job)\n  return len(seen) * now\n"},
	{"rank looks at what there is not", "order", "def rank(job, now): return job.secret\n"},
	{"rank of logarithms", "order", "def rank(job, now): return log(-1) + exp(1e308) + sqrt(-job.procs)\n"},
	{"rank never ends", "order", forever("rank(job, now)")},
	{"price gives a list without an end", "price", endless + "def price(round): return x\n"},
	{"price of less than nothing", "price", "def price(round): return -1\n"},
	{"price of inf", "price", "def price(round): return inf\n"},
	{"price of 10^300", "price", "def price(job, round): return 1e300\n"},
	{"price in a text", "price", "def price(round): return '5'\n"},
	{"price is true", "price", "def price(round): return True\n"},
	{"price divides by use", "price", "def price(round): return 1 / round.use\n"},
	{"price keeps", "price", "keep = []\ndef price(job, round):\n  keep.append('a' * 900000)\n  return 1\n"},
	{"price decides", "price", "def price(round): round.start(1)\n"},
	{"price takes three", "price", "def price(a, b, c): return 1\n"},
	{"price never ends", "price", forever("price(round)")},
	{"bid of a list without an end", "behaviour", endless + "def bid(value, job): return x\n"},
	{"bid of less than nothing", "behaviour", "def bid(value, job): return -value\n"},
	{"bid of no number", "behaviour", "def bid(value, job): return float('nan')\n"},
	{"bid of a large number", "behaviour", "def bid(value, job): return 1 << 100\n"},
	{"bid of a tuple", "behaviour", "def bid(value, job): return (value,)\n"},
	{"bid takes one", "behaviour", "def bid(value): return value\n"},
	{"bid takes four", "behaviour", "def bid(value, job, u, v): return value\n"},
	{"bid keeps", "behaviour", "keep = []\ndef bid(value, job, u):\n  keep.append([u] * 900000)\n  return u\n"},
	{"bid never ends", "behaviour", forever("bid(value, job)")},
	{"bid prints", "behaviour",
		"def bid(value, job):\n  for i in range(99): print('\\r\\u009b2J' * 99)\n  return value\n"},
}

// endless is the beginning of a script: x holds 2^60 items.
const endless = "x = [1]\nfor i in range(60):\n  x = [x, x]\n"

const startAll = "def plan(round): [round.start(j) for j in round.waiting]\n"

// forever is a function that takes all steps of a call.
func forever(head string) string {
	return "def " + head + ": return [0 for i in range(9000) for j in range(9000)]\n"
}

// deep is n of these statements, each within the one before.
func deep(statement string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i+1) + statement + "\n")
	}
	return b.String() + strings.Repeat(" ", n+1) + "pass"
}
