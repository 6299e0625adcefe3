package main

import (
	"bourse/reports/catalogue"
	"bourse/traces/suggest"
)

// list prints what there is by name.
func list(a *app, f *flags) action {
	file := f.String("script", "", "the parameters that the script `FILE` declares, and what it can be used as")
	var answer tableFormat
	answer.define(f)
	return func() error {
		report, err := catalogue.Report(f.Arg(0))
		if *file != "" {
			report, err = catalogue.Script(*file)
		}
		if err != nil {
			return &usageError{err}
		}
		if *file == "" && answer.format == "json" && report.Document == nil {
			return usagef("list --json has no %q%s", f.Arg(0), suggest.Among(f.Arg(0), catalogue.Documents()))
		}
		answer.widest = helpWidth
		return answer.print(a, report)
	}
}
