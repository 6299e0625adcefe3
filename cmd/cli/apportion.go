package cli

import (
	"math"
	"strings"

	"bourse/policies/catalog"
	"bourse/reports/ask/apportion"
)

// apportionCommand divides a fixed cost over time.
func apportionCommand() command {
	return command{
		Name: "apportion", Args: "FILE", Run: apportionCost,
		Line:  "divide a fixed cost of capacity over time, by the temporal Shapley value of demand",
		Takes: "one table", Least: 1, Most: 1,
		Example: "bourse apportion demand.csv --cost 1000000 --levels 3d,8h,1h --out prices.csv\n\n" +
			"FILE has the columns time, in seconds, and demand; a demand holds until the next row.\n" +
			"Each price is per unit of demand and second. - is standard input.",
	}
}

func apportionCost(a *app, f *flags) action {
	var out resultTable
	cost := f.Float64("cost", math.NaN(), "what is divided")
	levels := f.String("levels", "3d,8h,1h,5m", "lengths of the blocks of time, each divided into the next")
	f.check(func() error {
		if !(*cost >= 0) || math.IsInf(*cost, 1) {
			return usagef("--cost: want what is to be divided, a number of 0 or more")
		}
		return nil
	})
	out.define(f)
	return func() error {
		lengths, err := catalog.ParseLevels(strings.Split(*levels, ","))
		if err != nil {
			return usagef("--%w", err)
		}
		demand, err := apportion.Read(f.Arg(0), a.stdin)
		if err != nil {
			return err
		}
		report, err := apportion.Run(demand, lengths, *cost)
		if err != nil {
			return err
		}
		return out.print(a, report)
	}
}
