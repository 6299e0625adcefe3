package catalog

import (
	"math"
	"regexp"
	"slices"
	"time"

	"bourse/policies"
	"bourse/policies/remote"
	"bourse/policies/script"
)

var scriptFile = policies.Param{Name: "file", Doc: "the script, with its own parameters in brackets"}

// yours lists the policies that users bring.
var yours = []Entry[policies.Policy]{
	{
		Name: scriptEntry, Example: "script:fair.star", Yours: true, Params: []policies.Param{scriptFile},
		Line: "a Starlark script: its plan(round) decides everything, or its rank(job, now) is the order of a list without " +
			"backfilling",
		New: scripted(script.New),
	},
	{
		Name: execEntry, Example: "exec:python3 mine.py", Yours: true,
		Line: "a program in any language: a JSON line out for every instant, one in with what to start",
		Params: []policies.Param{
			{Name: "command", Doc: "the program with its arguments"},
			{Name: "clairvoyant", Default: "false", Doc: "true: it is told true run times"},
			{Name: "estimates", Default: "false", Doc: "true: it refuses jobs without an estimate"},
			{Name: "seed", Default: "1", Doc: "it is told: programs that draw should draw from it"},
			{Name: "leaves", Default: "false", Doc: "true: it may let jobs leave"},
			{Name: "charges", Default: "false", Doc: "true: it sets what jobs pay, for the payment asked"},
			{Name: "timeout", Default: "10", Doc: "seconds it may take to answer"},
		},
		New: func(a *policies.Args) (policies.Policy, error) {
			o := remote.Options{Command: a.Text("command"), Clairvoyant: a.Bool("clairvoyant"), Estimates: a.Bool("estimates"),
				Leaves: a.Bool("leaves"), Charges: a.Bool("charges"),
				Seed:    a.Int("seed", 0, math.MaxInt32),
				Timeout: time.Duration(a.Seconds("timeout", 1e-3, 86400) * float64(time.Second))}
			if a.Err() != nil {
				return nil, a.Err()
			}
			x, err := remote.New(o)
			if err != nil {
				return nil, err
			}
			return x.Policy(), nil
		},
	},
}

// Scripts lists the files that texts for Make name, scripts and tables of quotas, each once,
// in order: the files of a replay in addition to its trace.
func Scripts(texts ...string) (paths []string) {
	for _, text := range texts {
		spec, err := policies.ParseSpec(text)
		if err != nil {
			continue
		}
		for i, a := range spec.Args {
			if spec.Name == quotaEntry {
				if (a.Key == tableParam || a.Key == "" && i == 0) && a.Value != "none" {
					paths = append(paths, a.Value)
				}
			} else if spec.Name != scriptEntry {
				paths = append(paths, Scripts(a.Value)...)
			} else {
				paths = append(paths, script.Files(a.Value)...)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

const (
	scriptEntry = "script"
	execEntry   = "exec"
)

// starts is what a text for Make that starts a program has in it, whatever is around it. The
// blanks are those that ParseSpec drops, of all scripts.
var starts = regexp.MustCompile(`\b` + execEntry + `[\s\v\x{85}\p{Z}]*[:(]`)

// Programs lists the texts for Make that start a program. That is read from the letters: a
// text that another reader takes apart in another way must not slip through.
func Programs(texts ...string) (found []string) {
	for _, text := range texts {
		if starts.MatchString(text) {
			found = append(found, text)
		}
	}
	return found
}

// scripted makes something of a script.
func scripted[T any](of func(*script.File) (T, error)) func(*policies.Args) (T, error) {
	return func(a *policies.Args) (made T, err error) {
		f, err := script.Load(a.Text(scriptFile.Name))
		if err != nil {
			return made, err
		}
		return of(f)
	}
}
