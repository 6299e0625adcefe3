package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"bourse/policies"
	"bourse/policies/share"
	"bourse/traces/suggest"
)

const (
	bei     = "Bei, Li and Luo"
	ghodsi  = "Ghodsi et al. 2011"
	twoOnly = "two resources"
)

// Mechanism is a one-shot multi-resource mechanism.
type Mechanism struct {
	Share share.Mechanism
	// Weighted makes the mechanism for agents of these weights; nil where
	// weights have no meaning.
	Weighted func(weights []float64) share.Mechanism
}

// Mechanisms lists the one-shot multi-resource mechanisms.
var Mechanisms = List[Mechanism]{"mechanism", []Entry[Mechanism]{
	{
		Name: "drf", Paper: ghodsi,
		Line: "dominant resource fairness: equal dominant shares, as large as fit",
		New:  weighable(share.WeightedDRF),
	},
	{
		Name: "nash", Paper: "Eisenberg and Gale 1959",
		Line: "Nash welfare: the largest product of dominant shares, which is what equal incomes buy; not strategy-proof",
		New:  weighable(share.WeightedNash),
	},
	{
		Name: "unb", Paper: bei + ", Algorithm 1",
		Line: "1/n each, then those with least of the majority's resource are raised",
		New:  weighable(share.WeightedUNB),
	},
	{
		Name: "bal", Paper: bei + ", Algorithm 2",
		Line: "1/n each, then both groups are raised in the ratio of what is left; " + twoOnly + ", not strategy-proof",
		New:  oneShot(share.BAL),
	},
	{
		Name: "bal*", Paper: bei + ", section 3.2",
		Line: "bal with a ratio that no agent can manipulate; " + twoOnly,
		New:  oneShot(share.BALStar),
	},
	{
		Name: "hybrid-sw", Paper: bei + ", Theorem 5.1",
		Line: "unb for small minorities, bal* otherwise, switched for welfare; " + twoOnly,
		New:  oneShot(share.HybridWelfare),
	},
	{
		Name: "hybrid-util", Paper: bei + ", Theorem 5.1",
		Line: "the same, switched for utilisation; " + twoOnly,
		New:  oneShot(share.HybridUtilisation),
	},
	{
		Name: "family", Paper: bei + ", Algorithm 4", Example: "family:norm(2)",
		Line: "F_g: 1/n each, then those with least g(allocation) are raised; g is 1, 2, ... (a resource), sum, product, " +
			"min, max, norm(P) or weighted(C1,C2,...)",
		Params: []policies.Param{
			{Name: "g", Doc: "the monotone function"},
		},
		New: family,
	},
	{
		Name: "optimum-sw", Paper: bei + ", Definition 5",
		Line: "maximal welfare under sharing incentive and envy-freeness; not strategy-proof",
		New:  oneShot(share.MaxWelfare),
	},
	{
		Name: "optimum-util", Paper: bei + ", Definition 5",
		Line: "maximal utilisation under sharing incentive and envy-freeness; not strategy-proof",
		New:  oneShot(share.MaxUtilisation),
	},
}}

func oneShot(m share.Mechanism) func(*policies.Args) (Mechanism, error) {
	return withoutArgs(func() Mechanism { return Mechanism{Share: m} })
}

func weighable(make func([]float64) share.Mechanism) func(*policies.Args) (Mechanism, error) {
	return withoutArgs(func() Mechanism { return Mechanism{make(nil), make} })
}

// family makes F_g from the name of g.
func family(a *policies.Args) (Mechanism, error) {
	text := a.Text("g")
	if r, err := strconv.Atoi(text); err == nil {
		if r < 1 {
			return Mechanism{}, fmt.Errorf("family:%d: resources are numbered from 1", r)
		}
		make := func(w []float64) share.Mechanism { return share.CoordinateFamily(r, w) }
		return Mechanism{make(nil), make}, nil
	}
	g, err := monotone(text)
	if err != nil {
		return Mechanism{}, err
	}
	make := func(w []float64) share.Mechanism { return share.Family(g, w) }
	return Mechanism{make(nil), make}, nil
}

// monotone finds the function of this name.
func monotone(text string) (share.Monotone, error) {
	spec, err := policies.ParseSpec(text)
	if err != nil {
		return share.Monotone{}, err
	}
	numbers := make([]float64, len(spec.Args))
	for i, arg := range spec.Args {
		if numbers[i], err = strconv.ParseFloat(arg.Value, 64); err != nil || arg.Key != "" {
			return share.Monotone{}, fmt.Errorf("family:%s: want numbers in the brackets", text)
		}
	}
	simple := map[string]share.Monotone{"sum": share.Sum, "product": share.Product, "min": share.Least, "max": share.Most}
	g, ok := simple[spec.Name]
	switch {
	case ok && len(numbers) == 0:
		return g, nil
	case ok:
		return g, fmt.Errorf("family:%s: %s takes no numbers", text, spec.Name)
	case spec.Name == "norm":
		if len(numbers) != 1 || !(numbers[0] >= 1 && numbers[0] <= 1e6) {
			return g, fmt.Errorf("family:%s: want one number from 1 to 1e6, as in norm(2)", text)
		}
		return share.Norm(numbers[0]), nil
	case spec.Name == "weighted":
		return share.WeightedSum(numbers)
	}
	names := []string{"sum", "product", "min", "max", "norm", "weighted"}
	return g, fmt.Errorf("family has no function %q%s", spec.Name,
		suggest.Then(suggest.DidYouMean(spec.Name, names), "there are 1, 2, ... for a resource, "+strings.Join(names, ", ")))
}
