package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/gpus"
	"bourse/policies/placement"
	"bourse/policies/script"
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
		{"policies", listPolicies},
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

func list(a *app, f *flags) action {
	file := f.String("script", "", "the parameters that the script `FILE` declares, and what it can be used as")
	asJSON := f.Bool("json", false, "print what has a name and parameters as JSON, by kind, instead of text")
	return func() error {
		switch {
		case *file != "":
			return listScript(a.stdout, *file)
		case *asJSON:
			return listJSON(a.data, f.Args())
		}
		return listKinds(a.stdout, f.Arg(0))
	}
}

// listKinds prints one kind, or all under headings.
func listKinds(w io.Writer, wanted string) error {
	var names []string
	for i, k := range kinds() {
		names = append(names, k.name)
		switch {
		case wanted == k.name:
			return k.print(w)
		case wanted != "":
			continue
		case i > 0:
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, strings.ToUpper(k.name))
		if err := k.print(w); err != nil {
			return err
		}
	}
	if wanted != "" {
		return usagef("unknown kind %q%s", wanted, suggest.Among(wanted, names))
	}
	return nil
}

// listPolicies prints the policies by what they do.
func listPolicies(w io.Writer) error {
	groups := []struct {
		name string
		of   catalog.List[policies.Policy]
	}{{name: "backfilling"}, {name: "lists: in an order, up to the first job that does not fit"}, {name: "preemptive"},
		{name: "market: the order is by bid"}, {name: "sharing among users"}, {name: "the log's own schedule"},
		{name: "your own"}}
	for _, e := range catalog.Policies.Entries {
		if e.Yours {
			yours := &groups[len(groups)-1].of.Entries
			*yours = append(*yours, e)
			continue
		}
		p, err := catalog.Policies.Make(e.Text())
		if err != nil {
			return err
		}
		_, shares := policies.As[policies.Sharer](p)
		i := 0
		switch {
		case policies.NeedsOf(p).RecordedWaits:
			i = 5
		case shares:
			i = 4
		case policies.TraitsOf(p).RanksByBid:
			i = 3
		case policies.TraitsOf(p).Strict:
			i = 1
		case e.Name == "srpt" || e.Name == "priority":
			i = 2
		}
		groups[i].of.Entries = append(groups[i].of.Entries, e)
	}
	for i, g := range groups {
		fmt.Fprintf(w, "%s%s\n", strings.Repeat("\n", min(i, 1)), g.name)
		if err := listEntries(w, g.of); err != nil {
			return err
		}
	}
	return nil
}

// listScript prints what a script declares.
func listScript(w io.Writer, path string) error {
	f, err := script.Load(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s can be used as %s\n", path, strings.Join(f.Roles(), ", "))
	for _, p := range f.Params() {
		fmt.Fprintf(w, "  %-14s %s (default %s)\n", p.Name, p.Doc, p.Default)
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
		text := e.Line
		if e.Paper != "" {
			text += " [" + e.Paper + "]"
		}
		name := e.Name
		lines := wrapped(text, helpWidth-width-3)
		if len(e.Params) > 0 {
			lines = append(lines, wrapped(e.Usage(), helpWidth-width-3)...)
		}
		for _, line := range lines {
			fmt.Fprintf(w, "  %-*s %s\n", width, name, line)
			name = ""
		}
	}
	return nil
}

// wrapped breaks text at blanks, or else at commas, into lines of a width.
func wrapped(text string, width int) (lines []string) {
	for utf8.RuneCountInString(text) > width {
		at := strings.LastIndexAny(text[:width], " ,")
		if at <= 0 {
			break
		}
		lines, text = append(lines, strings.TrimSpace(text[:at+1])), strings.TrimSpace(text[at+1:])
	}
	return append(lines, text)
}

func listFits(w io.Writer) error {
	for _, f := range placement.Fits {
		fmt.Fprintf(w, "  %-14s %s\n", f.Name, f.Line)
	}
	fmt.Fprint(w, "\n  On machines with GPUs, by whole scores from 0 to 100 of what is free of CPU and GPUs:\n")
	for _, r := range gpus.Rules {
		fmt.Fprintf(w, "  %-14s %s\n", r.Name, r.Line)
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
