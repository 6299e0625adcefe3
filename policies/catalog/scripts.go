package catalog

import (
	"bourse/policies"
	"bourse/policies/script"
)

var scriptFile = policies.Param{Name: "file", Doc: "the script, with its own parameters in brackets"}

// yours lists the policies that users bring.
var yours = []Entry[policies.Policy]{
	{
		Name: "script", Example: "script:fair.star", Yours: true, Params: []policies.Param{scriptFile},
		Line: "a Starlark script: its plan(round) decides everything, or its rank(job, now) is the order of a list without backfilling",
		New:  scripted(script.New),
	},
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
