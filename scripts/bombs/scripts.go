package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// scripts asks policies in Starlark for everything at once: {body} is that of a plan.
func (m *maker) scripts() (all []bomb, err error) {
	log, err := m.log()
	if err != nil {
		return nil, err
	}
	for i, s := range starlark {
		text, whole := strings.CutPrefix(s.text, "#whole\n")
		if !whole {
			text = s.before + "def plan(round):\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
		}
		path := filepath.Join(m.base, fmt.Sprint("script", i, ".star"))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return nil, err
		}
		all = append(all, bomb{"script: " + s.name, []string{"replay", log, "--policy", "script:" + path, "-q"}})
	}
	return all, nil
}

var starlark = []struct{ name, before, text string }{
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
	{"top", "", `#whole
x = [1]
for i in range(60):
  x = x + x
def plan(round): pass
`},
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
	{"rank print escape", "", `#whole
def rank(job, now):
  print("\x1b[2J\x1b]0;pwn\x07")
  return 1
`},
	{"a sum of 400,000", "", "return " + strings.Repeat("1+", 400_000) + "1"},
	{"a sum of 30,000", "", "return " + strings.Repeat("1+", 30_000) + "1"},
	{"dots", "", "return round" + strings.Repeat(".a", 400_000)},
	{"brackets", "", "return " + strings.Repeat("(", 30_000) + "1" + strings.Repeat(")", 30_000)},
}
