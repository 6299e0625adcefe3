package main

import (
	"fmt"
	"io"
	"strings"

	"bourse/policies/catalog"
	"bourse/policies/placement"
	"bourse/reports/run"
	"bourse/traces/formats"
	"bourse/traces/suggest"
	"bourse/traces/tabular"
)

// kind is one section of `bourse list`.
type kind struct {
	name  string
	print func(io.Writer) error
}

func kinds() []kind {
	return []kind{
		{"formats", listFormats},
		{"policies", func(w io.Writer) error { return listEntries(w, catalog.Policies) }},
		{"orders", func(w io.Writer) error { return listEntries(w, catalog.Orders) }},
		{"payments", func(w io.Writer) error { return listEntries(w, catalog.Payments) }},
		{"values", func(w io.Writer) error { return listEntries(w, catalog.Values) }},
		{"behaviours", func(w io.Writer) error { return listEntries(w, catalog.Behaviours) }},
		{"mechanisms", func(w io.Writer) error { return listEntries(w, catalog.Mechanisms) }},
		{"lenders", func(w io.Writer) error { return listEntries(w, catalog.Lenders) }},
		{"preferences", func(w io.Writer) error { return listEntries(w, catalog.Preferences) }},
		{"fits", listFits},
		{"columns", run.ListColumns},
	}
}

func list(a *app, args []string) error {
	all := kinds()
	names := make([]string, len(all))
	for i, k := range all {
		names[i] = k.name
	}
	f := a.flags("list ["+strings.Join(names, "|")+"]", "bourse list policies")
	if err := parse(f, args, 0, 1, "list takes one kind at most"); err != nil {
		return err
	}
	found := false
	for i, k := range all {
		if f.NArg() == 1 && f.Arg(0) != k.name {
			continue
		}
		found = true
		if f.NArg() == 0 {
			if i > 0 {
				fmt.Fprintln(a.stdout)
			}
			fmt.Fprintln(a.stdout, strings.ToUpper(k.name))
		}
		if err := k.print(a.stdout); err != nil {
			return err
		}
	}
	if !found {
		return usagef("unknown kind %q%s", f.Arg(0), suggest.Among(f.Arg(0), names))
	}
	return nil
}

// listEntries prints each entry with its parameters and paper.
func listEntries[T any](w io.Writer, l catalog.List[T]) error {
	width := 14
	for i := range l.Entries {
		width = max(width, len(l.Entries[i].Name))
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		fmt.Fprintf(w, "  %-*s %s", width, e.Name, e.Line)
		if e.Paper != "" {
			fmt.Fprintf(w, " [%s]", e.Paper)
		}
		fmt.Fprintln(w)
		if len(e.Params) > 0 {
			fmt.Fprintf(w, "  %-*s %s\n", width, "", e.Usage())
		}
	}
	return nil
}

func listFits(w io.Writer) error {
	for _, f := range placement.Fits {
		fmt.Fprintf(w, "  %-14s %s\n", f.Name, f.Line)
	}
	return nil
}

func listFormats(w io.Writer) error {
	for _, f := range formats.All {
		fmt.Fprintf(w, "  %-14s %s\n", f.Name, f.Line)
	}
	fmt.Fprint(w, "\n  Parameters of csv and parquet, as in csv:log.csv?submit=Submitted&time=ms:\n")
	for _, r := range tabular.Roles {
		fmt.Fprintf(w, "  %-14s column: %s\n", r.Name, r.Line)
	}
	for _, p := range tabular.MappingParameters {
		fmt.Fprintf(w, "  %-14s %s\n", p.Name, p.Line)
	}
	return nil
}
