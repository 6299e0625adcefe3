package script

import "go.starlark.net/starlark"

// clone starts the script once more and gives the copy the variables of this one: what
// its lists, dicts and sets hold now, alike where they were shared. made has what has a
// copy already.
func (m *module) clone(made map[starlark.Value]starlark.Value) *module {
	c, err := m.file.start()
	if err != nil { // the same text ran before
		return &module{file: m.file, thread: m.thread, names: m.names, err: err}
	}
	c.err = m.err
	if told := m.thread.Local(calendarKey); told != nil {
		c.thread.SetLocal(calendarKey, told)
	}
	if all := m.thread.Local(seriesKey); all != nil {
		c.thread.SetLocal(seriesKey, all)
	}
	if c.site = m.site; c.site != nil {
		c.thread.SetLocal(siteKey, c.site)
	}
	k := copier{made}
	for name, old := range m.names { // in any order: each value has its own copy
		if fresh := c.names[name]; fresh != nil && fresh.Type() == old.Type() {
			switch old.(type) {
			case *starlark.Function, *starlark.Dict, *starlark.List, *starlark.Set:
				k.made[old] = fresh
			}
		}
	}
	for _, name := range m.names.Keys() {
		k.fill(c.names[name], m.names[name])
	}
	return c
}

// copier copies values, each that can change once.
type copier struct {
	made map[starlark.Value]starlark.Value
}

// fill fills a value with copies of what the old one holds.
func (k *copier) fill(fresh, old starlark.Value) {
	switch old := old.(type) {
	case *starlark.Dict:
		if d, ok := fresh.(*starlark.Dict); ok {
			_ = d.Clear()
			for _, item := range old.Items() {
				_ = d.SetKey(k.copy(item[0]), k.copy(item[1]))
			}
		}
	case *starlark.List:
		if l, ok := fresh.(*starlark.List); ok {
			_ = l.Clear()
			for i := range old.Len() {
				_ = l.Append(k.copy(old.Index(i)))
			}
		}
	case *starlark.Set:
		if s, ok := fresh.(*starlark.Set); ok {
			_ = s.Clear()
			for v := range old.Elements() {
				_ = s.Insert(k.copy(v))
			}
		}
	}
}

func (k *copier) copy(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case *starlark.Dict, *starlark.List, *starlark.Set:
		if c, ok := k.made[v]; ok {
			return c
		}
		var c starlark.Value
		switch v.(type) {
		case *starlark.Dict:
			c = new(starlark.Dict)
		case *starlark.List:
			c = new(starlark.List)
		default:
			c = new(starlark.Set)
		}
		k.made[v] = c
		k.fill(c, v)
		return c
	case *starlark.Function, *job:
		if c, ok := k.made[v]; ok {
			return c
		}
	case starlark.Tuple:
		c := make(starlark.Tuple, len(v))
		for i := range v {
			c[i] = k.copy(v[i])
		}
		return c
	}
	return v
}
