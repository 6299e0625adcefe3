//go:build !js

package main

import (
	"slices"
	"strings"

	"bourse/reports/ask/game"
	"bourse/reports/ask/sweep"
)

// playGame prints payoff matrices and equilibria of finished sweeps.
func playGame(a *app, args []string) error {
	f := a.flags("game DIR...", "bourse sweep log.swf --policy hb,nphb,wspt --payment first,kth --behaviour 'srg(beta={.1,.5,.9})' --seeds 10 --out cells\nbourse game cells")
	at := f.StringArray("at", nil, "pick `axis=value` where the sweep has several, as in nodes=105")
	drop := f.StringSlice("without", nil, "leave these policies out")
	var out outFile
	var answer tableFormat
	answer.define(f)
	out.define(f, "also write the matrices "+alsoLine)
	if err := a.parse(f, args, 1, 1000, "game takes the directories of sweeps"); err != nil {
		return err
	}
	if err := answer.settle(f); err != nil {
		return err
	}
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
	if err := out.beside(a, out.path, report.Data); err != nil {
		return err
	}
	return answer.print(a, report)
}
