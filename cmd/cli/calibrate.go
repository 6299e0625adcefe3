//go:build !js

package cli

import (
	"io"
	"runtime"
	"slices"

	"bourse/engine/scenario"
	"bourse/reports/ask/calibrate"
	"bourse/reports/ask/sweep"
	"bourse/traces/files"
)

// calibrateSite fits a model of a site to its log.
func calibrateSite(a *app, f *flags) action {
	s, answer, out := scenario.Default(), tableFormat{}, outFile{}
	cfg := calibrate.Config{}
	answer.define(f)
	out.define(f, "write the model, in TOML, to `FILE`, for the option site of other commands")
	defineOptions(f, &s, slices.Concat(windowOptions, readingOptions, []string{"nodes"})...)
	f.IntVar(&cfg.Workers, "workers", runtime.NumCPU(), "stretches of the log at a time")
	a.quietFlag(f)
	return func() (err error) {
		s.Trace = f.Arg(0)
		if cfg.Jobs, err = a.load(&s, "easy"); err != nil {
			return err
		}
		line := a.cells()
		cfg.Progress = line.replayed
		found, err := calibrate.Run(a.ctx, cfg)
		line.end()
		if err != nil {
			return err
		}
		if out.path != "" {
			text, err := found.Model.Text("A model of the site of "+sweep.Label(s.Trace)+", by bourse calibrate ("+Version+").",
				"It is meant to be read and changed; bourse help manual says under calibrate what the parts mean.")
			if err == nil {
				err = files.Write(out.path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			}
			if err != nil {
				return err
			}
		}
		return a.skipped(answer.print(a, found.Report()), cfg.Jobs.Memory.Header().Ledger)
	}
}
