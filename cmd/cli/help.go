package cli

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"bourse/traces/suggest"
)

// guides are the topics of bourse help.
//
//go:embed guide/*.md
var guides embed.FS

// flagGroups is how help groups flags; a flag named nowhere belongs to the last group.
// often are those that short help shows of a command with many.
var flagGroups = []struct{ name, often, rest string }{
	{"Trace", "where from until serial load-factor job trace",
		"task queue-limits feedback kill-at-estimate resubmit-killed time-zone on-error attempts censored sort-window any-trace"},
	{"Machine", "nodes machines drain limit", "outages evict windows running-limits power power-cap series-in"},
	{"Policy", "policy", "preemption migration-cost start-cost mechanism"},
	{"Market", "payment behaviour values bids", "jobs grid"},
	{"Estimates", "estimates", ""},
	{"Replicas", "seed seeds replicas resample", "shake warm-up cool-down"},
	{"Output", "metric baseline out format by series users json", ""},
}

// fewFlags is how many flags short help shows without choosing.
const fewFlags = 14

// flagHelp describes flags in groups, where there are many: those most often used, or all.
func (a *app) flagHelp(f *flags) string {
	n := len(flagNames(f))
	if n <= fewFlags {
		return "\n" + f.FlagUsagesWrapped(helpWidth)
	}
	var text strings.Builder
	shown := map[string]bool{}
	for i, g := range flagGroups {
		part := pflag.NewFlagSet("", pflag.ContinueOnError)
		part.SortFlags = false
		f.VisitAll(func(x *pflag.Flag) {
			often := slices.Contains(strings.Fields(g.often), x.Name)
			here := often || slices.Contains(strings.Fields(g.rest), x.Name) || i == len(flagGroups)-1
			if !shown[x.Name] && here && !x.Hidden {
				if shown[x.Name] = true; often || a.long {
					part.AddFlag(x)
				}
			}
		})
		switch {
		case !part.HasFlags():
		case a.long:
			fmt.Fprintf(&text, "\n%s\n%s", g.name, part.FlagUsagesWrapped(helpWidth))
		default:
			text.WriteString("\n" + brief(g.name, part))
		}
	}
	if !a.long {
		fmt.Fprintf(&text, "\n\n%d of %d flags; --help describes all.\n", len(strings.Split(text.String(), "\n"))-1, n)
	}
	return text.String()
}

// brief describes each flag of a group in a line, as far as that goes.
func brief(group string, f *pflag.FlagSet) string {
	var lines []string
	f.VisitAll(func(x *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(x)
		value = strings.ToUpper(value[:min(len(value), 9)])
		line := fmt.Sprintf("%-10s --%-22s %s", group, strings.TrimSpace(x.Name+" "+value), usage)
		for _, end := range []string{"; ", " (", ", as in ", ", "} {
			for utf8.RuneCountInString(line) > helpWidth && strings.LastIndex(line, end) > 36 {
				line = line[:strings.LastIndex(line, end)]
			}
		}
		if strings.Count(line, "(") > strings.Count(line, ")") {
			line = line[:strings.LastIndex(line, " (")]
		}
		lines, group = append(lines, line), ""
	})
	return strings.Join(lines, "\n")
}

// help prints a command's help, a guide, or what there is of both.
func (a *app) help(args []string) error {
	topic := strings.Join(args, " ")
	if len(args) == 0 || topic == "trace" || topic == "all" {
		return a.overview(a.stdout, topic)
	}
	text, err := guides.ReadFile("guide/" + topic + ".md")
	if err == nil {
		_, err = a.stdout.Write(text)
		return err
	}
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	names := topics()
	for _, c := range commands() {
		if names = append(names, c.Name); c.Name == topic || strings.HasPrefix(topic, c.Name+" ") {
			a.long = true
			return a.dispatch(append(args, "--help"))
		}
	}
	return usagef("unknown command or guide %q%s", topic, suggest.Then(suggest.DidYouMean(topic, names),
		"want one of those that bourse help lists"))
}

// topics names the guides.
func topics() (names []string) {
	files, _ := guides.ReadDir("guide") // it is part of the program
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".md"))
	}
	return names
}

// often are the commands of the first screen.
var often = []string{"replay", "compare", "sweep", "report", "explain", "trace inspect", "trace get"}

// overview lists the commands: those most used, all, or those whose first word it is.
func (a *app) overview(w io.Writer, first string) error {
	fmt.Fprint(w, "bourse replays cluster logs under other policies and prices, and says what every job would have waited "+
		"and paid.\n\nUsage: bourse COMMAND [flags] ARGS\n\n")
	more := "bourse help TOPIC prints a guide: " + strings.Join(topics(), ", ") + "."
	all := commands()
	for _, c := range all {
		if first == "" && slices.Contains(often, c.Name) || first == "all" || first != "" && strings.HasPrefix(c.Name, first) {
			fmt.Fprintf(w, "  %-28s %s\n", c.Name+" "+c.Args, c.Line)
		}
	}
	if first == "" {
		more = fmt.Sprintf("bourse help all lists all %d commands and the guides, bourse help cookbook commands by question.", len(all))
	}
	_, err := fmt.Fprintf(w, `
bourse COMMAND -h shows the flags most used and an example, --help all flags.
%s

Example: bourse compare demo --policy easy,conservative,easy:order=sjf
`, more)
	return err
}

// licences is written by scripts/licences.sh.
//
//go:embed licences.txt
var licences string

// built says from which commit the program was built, as far as that is known, and for what.
func built(info *debug.BuildInfo) (text string) {
	if info == nil {
		return ""
	}
	at := map[string]string{}
	for _, s := range info.Settings {
		at[s.Key] = s.Value
	}
	if commit := at["vcs.revision"]; commit != "" {
		text = fmt.Sprintf(", commit %.12s", commit)
		if at["vcs.modified"] == "true" {
			text += " with changes"
		}
	}
	return fmt.Sprintf("%s, %s, %s/%s", text, info.GoVersion, at["GOOS"], at["GOARCH"])
}

func version(a *app, f *flags) action {
	all := f.Bool("licences", false, "print the licences of all that the program holds")
	return func() error {
		info, _ := debug.ReadBuildInfo()
		_, err := fmt.Fprintf(a.stdout, "bourse %s%s\n", Version, built(info))
		if err == nil && *all {
			_, err = io.WriteString(a.stdout, "\n"+licences)
		}
		return err
	}
}
