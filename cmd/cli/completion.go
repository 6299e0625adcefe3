package cli

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/policies/catalog"
	"bourse/reports/catalogue"
	"bourse/reports/record"
	"bourse/reports/table"
	"bourse/traces/named"
	"bourse/traces/suggest"
)

// completeWord is the command that the shells' scripts call: bourse __complete
// WORDS prints candidates for the last of them, one per line; nothing means a
// file.
const completeWord = "__complete"

// shells are the scripts that complete. Words that hold = or : are one word for
// bourse and several for bash, which the script accounts for.
//
//go:embed completion
var shells embed.FS

func shellNames() []string { return []string{"bash", "zsh", "fish"} }

// completion prints a shell's script.
func completion(a *app, f *flags) action {
	return func() error {
		script, err := shells.ReadFile("completion/bourse." + f.Arg(0))
		if err != nil {
			return usagef("no completion for %q%s", f.Arg(0), suggest.Among(f.Arg(0), shellNames()))
		}
		_, err = a.stdout.Write(script)
		return err
	}
}

// complete prints candidates for the last word.
func (a *app) complete(words []string) error {
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	for _, word := range a.candidates(words[:last], words[last]) {
		if strings.HasPrefix(word, words[last]) {
			fmt.Fprintln(a.stdout, word)
		}
	}
	return nil
}

// candidates lists what may follow the words before; word is as far as the next one
// has been typed.
func (a *app) candidates(before []string, word string) []string {
	var next []string // words of commands
	known := func(c *command) *flags {
		parts := strings.Fields(c.Name)
		n := min(len(parts), len(before))
		switch {
		case !slices.Equal(parts[:n], before[:n]):
		case n < len(parts):
			if !slices.Contains(next, parts[n]) {
				next = append(next, parts[n])
			}
		default:
			f, _, _ := c.define(a)
			return f
		}
		return nil
	}
	for _, c := range append(commands(), studies()...) {
		if f := known(&c); f != nil && c.Name != "reproduce" {
			return follow(f, c.Name, before, word)
		}
	}
	return next
}

// follow lists the flags, a flag's values or a command's arguments.
func follow(f *flags, command string, before []string, word string) []string {
	if name, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(name, "--") {
		return prefixed(name+"=", listed(value, valuesOf(command, name[2:])))
	}
	if name, ok := strings.CutPrefix(before[len(before)-1], "--"); ok {
		if g := f.Lookup(name); g != nil && g.NoOptDefVal == "" {
			return listed(word, valuesOf(command, name))
		}
	}
	if strings.HasPrefix(word, "-") {
		return prefixed("--", append(flagNames(f), "help"))
	}
	switch command {
	case "list":
		return catalogue.Names()
	case "trace list", "trace get", "trace verify":
		return named.Names()
	case "completion":
		return shellNames()
	}
	return nil
}

func prefixed(prefix string, words []string) []string {
	out := make([]string, len(words))
	for i := range words {
		out[i] = prefix + words[i]
	}
	return out
}

// listed completes the last item of a list.
func listed(word string, values []string) []string {
	return prefixed(word[:strings.LastIndexByte(word, ',')+1], values)
}

// valuesOf lists the names that a command's flag may take, nothing for files and
// numbers.
func valuesOf(command, flag string) []string {
	switch flag {
	case "mechanism":
		if command == "lend" {
			return catalog.Lenders.Names()
		}
		return catalog.Mechanisms.Names()
	case "format":
		if command == "replay" {
			return append(record.Formats(), table.Formats...)
		}
		return table.Formats
	}
	if o := scenario.Find(flag); o != nil && o.Known != nil {
		return o.Known()
	}
	return nil
}
