//go:build !js

package main

import (
	"slices"
	"strings"

	"bourse/reports/ask/game"
	"bourse/reports/ask/sweep"
)

// solveGame prints payoff matrices and equilibria of finished sweeps.
func solveGame(a *app, f *flags) action {
	at := f.StringArray("at", nil, "pick `axis=value` where the sweep has several, as in nodes=105")
	drop := f.StringSlice("without", nil, "leave these policies out")
	var out outFile
	var answer tableFormat
	answer.define(f)
	out.define(f, "also write the matrices "+alsoLine)
	return func() error {
		picks := map[string]string{}
		for _, p := range *at {
			axis, value, ok := strings.Cut(p, "=")
			if !ok {
				return usagef("--at %s: want axis=value", p)
			}
			if err := among("at", axis, sweep.Names()); err != nil {
				return err
			}
			if _, twice := picks[axis]; twice {
				return usagef("--at names %s twice; a game has one value of it", axis)
			}
			picks[axis] = value
		}
		var sets []*sweep.Dataset
		for _, dir := range f.Args() {
			d, err := sweep.Read(dir)
			if err != nil {
				return err
			}
			sets = append(sets, d)
		}
		games, err := sweep.Games(sets, picks)
		if err != nil {
			return err
		}
		for i, g := range games {
			games[i] = g.Without(func(row string) bool { return slices.Contains(*drop, row) })
			if len(games[i].Rows) == 0 {
				return usagef("--without leaves no policy to choose from")
			}
		}
		report := game.Report(games)
		if err := out.writeAlso(a, out.path, report.Data); err != nil {
			return err
		}
		return answer.print(a, report)
	}
}
