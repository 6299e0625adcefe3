package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/pflag"

	"bourse/traces/files"
	"bourse/traces/suggest"
)

// configFlag is the flag that every command with flags has.
const configFlag = "config"

// mostFlags is the size of a file of flags.
const mostFlags = 1 << 20

func readFlags(path string) ([]byte, error) {
	text, err := files.ReadSmall(path, mostFlags)
	if errors.As(err, new(*files.SizeError)) {
		err = usagef("%s is longer than %d bytes; want a file of flags", path, mostFlags)
	}
	return text, err
}

// configure sets the flags that a file in TOML names: a key a flag, spelt as on
// the command line, whose value is a word, a number, true or false, or, where a
// flag takes a list, a list; true gives a flag that may stand without a value. What the command line says itself wins.
// Trace names and
// the like are no flags and stay on the command line.
func configure(f *flags, path string) error {
	text, err := readFlags(path)
	if err != nil {
		return err
	}
	values := map[string]any{}
	meta, err := toml.Decode(string(text), &values)
	if bad := (toml.ParseError{}); errors.As(err, &bad) {
		return usagef("%s:%d: %s; want lines like  policy = \"hb\"", path, bad.Position.Line, bad.Message)
	}
	if err != nil {
		return usagef("%s: %w", path, err)
	}
	for _, key := range meta.Keys() { // in the file's order
		name, at := key[0], fmt.Sprintf("%s:%d", path, lineOf(string(text), key[0]))
		g := f.Lookup(name)
		_, table := values[name].(map[string]any)
		switch {
		case table:
			return usagef("%s: %s is a table; a file of flags has no headings", at, name)
		case name == configFlag:
			return usagef("%s: a file of flags cannot name another; %q is for the command line", at, name)
		case g == nil:
			return usagef("%s: %q is no flag of bourse %s%s", at, name, commandOf(f),
				suggest.DidYouMean(name, flagNames(f)))
		case g.Changed:
			continue
		}
		word, err := configured(values[name])
		if on, ok := values[name].(bool); ok && err == nil && g.NoOptDefVal != "" && g.Value.Type() != "bool" {
			if !on {
				continue // as if it were not given
			}
			word = g.NoOptDefVal
		}
		if err == nil {
			err = plainer(f.Set(name, word))
		}
		if err != nil {
			return usagef("%s: %w", at, err)
		}
	}
	return nil
}

// configured writes a value as the command line would.
func configured(value any) (string, error) {
	switch v := value.(type) {
	case []any:
		words := make([]string, len(v))
		for i := range v {
			var err error
			if words[i], err = configured(v[i]); err != nil {
				return "", err
			}
		}
		return strings.Join(words, ","), nil
	case string, bool, int64, float64:
		return fmt.Sprint(v), nil
	}
	return "", fmt.Errorf("%v is neither a word, a number, true, false nor a list of such", value)
}

// lineOf finds the line on which a key is set.
func lineOf(text, key string) int {
	at := slices.IndexFunc(strings.Split(text, "\n"), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		name = strings.Trim(name, " \t\r\"'[]")
		return name == key || strings.HasPrefix(name, key+".")
	})
	return at + 1
}

// commandOf is the command that a set of flags belongs to, without what its
// arguments are called.
func commandOf(f *flags) string {
	words := strings.Fields(f.Name())
	n := slices.IndexFunc(words, func(w string) bool { return w != strings.ToLower(w) || w[0] == '[' })
	if n < 0 {
		n = len(words)
	}
	return strings.Join(words[:n], " ")
}

func flagNames(f *flags) (names []string) {
	f.VisitAll(func(g *pflag.Flag) { names = append(names, g.Name) })
	return names
}
