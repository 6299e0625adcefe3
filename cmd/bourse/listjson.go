package main

import (
	"encoding/json"
	"io"
	"maps"
	"slices"

	"bourse/policies/catalog"
	"bourse/traces/suggest"
)

// paramJSON is a parameter of an entry; without a default it must be given.
type paramJSON struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Doc     string `json:"doc"`
}

// entryJSON is an entry of the catalogue for programs.
type entryJSON struct {
	Name    string      `json:"name"`
	Line    string      `json:"line"`
	Paper   string      `json:"paper"`
	Usage   string      `json:"usage"`
	Yours   bool        `json:"yours"` // a script or program of the user's
	Example string      `json:"example"`
	Params  []paramJSON `json:"params"`
}

func entriesOf[T any](l catalog.List[T]) []entryJSON {
	out := make([]entryJSON, len(l.Entries))
	for i := range out {
		e := &l.Entries[i]
		out[i] = entryJSON{e.Name, e.Line, e.Paper, e.Usage(), e.Yours, e.Example, make([]paramJSON, len(e.Params))}
		for k, p := range e.Params {
			out[i].Params[k] = paramJSON(p)
		}
	}
	return out
}

// listJSON prints the entries of one kind or of all.
func listJSON(w io.Writer, wanted []string) error {
	all := map[string][]entryJSON{
		"policies": entriesOf(catalog.Policies), "orders": entriesOf(catalog.Orders),
		"payments": entriesOf(catalog.Payments), "values": entriesOf(catalog.Values),
		"behaviours": entriesOf(catalog.Behaviours), "mechanisms": entriesOf(catalog.Mechanisms),
		"lenders": entriesOf(catalog.Lenders), "preferences": entriesOf(catalog.Preferences),
	}
	if len(wanted) == 1 {
		one, ok := all[wanted[0]]
		if !ok {
			return usagef("list --json has no %q%s", wanted[0], suggest.Among(wanted[0], slices.Sorted(maps.Keys(all))))
		}
		all = map[string][]entryJSON{wanted[0]: one}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(all)
}
