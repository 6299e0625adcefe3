package main

import (
	"slices"
	"strings"

	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/reports/studies/game"
	"bourse/reports/studies/sweep"
	"bourse/traces/suggest"
)

// playGame prints payoff matrices and equilibria of finished sweeps.
func playGame(a *app, args []string) error {
	f := a.flags("game DIR...", "bourse sweep log.swf --policy hb,nphb,wspt --payment first,kth --behaviour 'srg(beta={.1,.5,.9})' --seeds 10 --out cells\nbourse game cells")
	at := f.StringArray("at", nil, "pick `axis=value` where the sweep has several, as in nodes=105")
	drop := f.StringSlice("without", nil, "leave these policies out")
	out := f.String("out", "", "also write the matrices to `FILE` (.csv or .parquet)")
	overwrite := f.Bool("overwrite", false, "replace FILE if it exists")
	if err := parse(f, args, 1, 1000, "game takes the directories of sweeps"); err != nil {
		return err
	}
	picks := map[string]string{}
	for _, p := range *at {
		axis, value, ok := strings.Cut(p, "=")
		if !ok {
			return usagef("--at %s: want axis=value", p)
		}
		known := slices.Contains(sweep.Names(), axis)
		if !known {
			return usagef("--at: unknown axis %q%s; there are %s", axis, suggest.DidYouMean(axis, sweep.Names()), strings.Join(sweep.Names(), ", "))
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
	if *out != "" {
		if err := run.Write(*out, a.stdout, *overwrite, Version, payoffColumns(games)); err != nil {
			return err
		}
	}
	return game.Print(a.stdout, games)
}

// payoffColumns puts the matrices in long form.
func payoffColumns(games []*game.Game) []record.Values {
	words := []record.Values{{Name: "payment"}, {Name: "policy"}, {Name: "behaviour"}}
	numbers := []record.Values{{Name: "designer"}, {Name: "designer_half"}, {Name: "users"}, {Name: "users_half"}, {Name: "designer_normalised"},
		{Name: "users_normalised"}, {Name: "designer_best_response"}, {Name: "users_best_response"}, {Name: "survival"}}
	indicator := func(yes bool) float64 {
		if yes {
			return 1
		}
		return 0
	}
	scale := game.ScaleOf(games)
	for _, g := range games {
		for _, p := range g.Payoffs(scale) {
			for i, w := range []string{p.Game, p.Row, p.Col} {
				words[i].Words = append(words[i].Words, w)
			}
			for i, x := range []float64{p.Designer.Mean, p.Designer.Half, p.Users.Mean, p.Users.Half, p.NormalDesigner, p.NormalUsers,
				indicator(p.BestForDesigner), indicator(p.BestForUsers), p.Survival} {
				numbers[i].Floats = append(numbers[i].Floats, x)
			}
		}
	}
	return append(words, numbers...)
}
