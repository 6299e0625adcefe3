package script

import (
	"fmt"
	"sync"
	"time"
	"weak"

	"go.starlark.net/starlark"
)

// weigh wants what a script keeps between calls to stay within mostKept. Variables are walked
// over after as many steps as they weighed, so that it costs little compared with what filled them.
func (m *module) weigh() error {
	if m.taken += m.thread.Steps; m.taken < max(mostKept/2, m.heavy) {
		return nil
	}
	w := weigher{seen: map[any]bool{}}
	for _, v := range m.names {
		w.add(v)
	}
	m.taken, m.heavy = 0, w.n
	if w.n > mostKept {
		return fmt.Errorf("%s keeps more than %d MB in its variables", m.file.path, mostKept*16>>20)
	}
	return nil
}

// weigher counts what values hold, each once, in items of 16 bytes.
type weigher struct {
	seen map[any]bool
	n    uint64
}

func (w *weigher) add(v starlark.Value) {
	if w.n++; w.n > mostKept {
		return
	}
	switch v := v.(type) {
	case starlark.String:
		w.n += uint64(len(v)) / 16
	case starlark.Int:
		w.n += uint64(v.BigInt().BitLen()) / 128
	case starlark.Tuple:
		for _, item := range v {
			w.add(item)
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
				w.add(value)
			}
		}
		for item := range starlark.Elements(v.(starlark.Iterable)) {
			w.add(item)
		}
	case *starlark.Function:
		if w.seen[v] {
			return
		}
		w.seen[v] = true
		for i := range v.NumParams() {
			if d := v.ParamDefault(i); d != nil {
				w.add(d)
			}
		}
		for i := range v.NumFreeVars() {
			_, value := v.FreeVar(i)
			w.add(value)
		}
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
			if s.seconds == longestCall+5 {
				Stuck(m.file.path + ": one operation of the script does not end")
			}
		}
		clear(watched.all[len(here):])
		watched.all = here
		watched.Unlock()
	}
}
