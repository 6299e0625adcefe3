package script

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"weak"

	"go.starlark.net/starlark"
)

// weigh wants what a script keeps between calls to stay within mostKept. Variables are walked over
// after a quarter of the steps that they weighed, so that it costs little beside what filled them.
func (m *module) weigh() error {
	if m.taken += m.thread.Steps; m.taken < max(mostKept/4, m.heavy/4) {
		return nil
	}
	w := weigher{seen: map[any]bool{}}
	for _, v := range m.names {
		w.add(v, 0)
	}
	m.taken, m.heavy = 0, w.n
	if w.n > mostKept/4 { // lest as much again is what is kept no more
		runtime.GC()
	}
	if w.deep {
		return fmt.Errorf("%s keeps values within values, more than %d deep", m.file.path, mostDepth)
	}
	if w.n > mostKept {
		return fmt.Errorf("%s keeps more than %d MB in its variables", m.file.path, mostKept*16>>20)
	}
	return nil
}

// weigher counts what values hold, each once, in items of 16 bytes.
type weigher struct {
	seen map[any]bool
	n    uint64
	deep bool // more than what walks over values can go
}

func (w *weigher) add(v starlark.Value, depth int) {
	w.n++
	if w.deep = w.deep || depth > mostDepth; w.deep || w.n > mostKept {
		return
	}
	switch v := v.(type) {
	case starlark.String:
		w.n += uint64(len(v)) / 16
	case starlark.Bytes:
		w.n += uint64(len(v)) / 16
	case starlark.Int:
		if _, small := v.Int64(); !small {
			w.n += perEntry/2 + uint64(v.BigInt().BitLen())/128
		}
	case starlark.Tuple:
		for _, item := range v {
			w.add(item, depth+1)
		}
	case *starlark.Dict, *starlark.List, *starlark.Set:
		if w.seen[v] {
			return
		}
		w.seen[v] = true
		if _, ok := v.(*starlark.List); !ok {
			w.n += uint64(starlark.Len(v)) * perEntry
		}
		if d, ok := v.(*starlark.Dict); ok {
			for _, value := range d.Entries() {
				w.add(value, depth+1)
			}
		}
		for item := range starlark.Elements(v.(starlark.Iterable)) {
			w.add(item, depth+1)
		}
	case *starlark.Function:
		if w.seen[v] {
			return
		}
		w.seen[v] = true
		for i := range v.NumParams() {
			if d := v.ParamDefault(i); d != nil {
				w.add(d, depth+1)
			}
		}
		for i := range v.NumFreeVars() {
			_, value := v.FreeVar(i)
			w.add(value, depth+1)
		}
	case *starlark.Builtin:
		w.n += perEntry
		if v.Receiver() != nil {
			w.add(v.Receiver(), depth+1)
		}
	case starlark.Iterable: // as of the characters of a text
		w.n += uint64(count(v)) / 16
	case *record[*round]:
		w.n += 5 * perEntry
	}
}

// longestCall is how many seconds a call may take, whatever its steps do: one may compare
// lists that hold each other a million times.
const longestCall = 10

const tooLong = "a call takes more than 10 s"

// Stuck is called with a sentence where a script cannot be stopped, since one operation of it
// does not end: a program may end itself then. The scripts of a program that does not set it go
// on.
var Stuck = func(string) {}

// watched are the modules whose calls have a clock, as long as somebody has them.
var watched struct {
	sync.Mutex
	all     []weak.Pointer[module]
	started bool
}

func watch(m *module) {
	watched.Lock()
	defer watched.Unlock()
	watched.all = append(watched.all, weak.Make(m))
	if !watched.started {
		watched.started = true
		go watchAll()
	}
}

// watchAll looks each second which calls go on: a clock of each would cost each call.
func watchAll() {
	type since struct {
		calls   uint32
		seconds int
	}
	last := map[weak.Pointer[module]]since{}
	for range time.Tick(time.Second) {
		watched.Lock()
		here := watched.all[:0]
		for _, p := range watched.all {
			m := p.Value()
			if m == nil {
				delete(last, p)
				continue
			}
			here = append(here, p)
			s, calls := last[p], m.calls.Load()
			if s.seconds++; calls != s.calls || calls%2 == 0 {
				s = since{calls: calls}
			}
			last[p] = s
			if s.seconds == longestCall {
				m.thread.Cancel(tooLong)
			}
			if s.seconds == longestCall+3 {
				Stuck(m.file.path + ": one operation of the script does not end")
			}
		}
		clear(watched.all[len(here):])
		watched.all = here
		watched.Unlock()
	}
}
