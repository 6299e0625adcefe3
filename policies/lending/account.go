package lending

// Account adds up over the rounds what the measures of Freeman et al. are made
// of. It is O(agents), however many rounds there are.
type Account struct {
	Endow  []float64
	Rounds int
	// Demand and Alloc are the sums of demands and allocations by agent, Within
	// those of min(allocation, demand), Static those of min(endowment, demand).
	Demand, Alloc, Within, Static []float64
}

// NewAccount begins an account of agents with these endowments.
func NewAccount(endow []float64) *Account {
	n := len(endow)
	return &Account{Endow: endow, Demand: make([]float64, n), Alloc: make([]float64, n), Within: make([]float64, n),
		Static: make([]float64, n)}
}

// Add adds one round.
func (a *Account) Add(demand, alloc []float64) {
	a.Rounds++
	for i, d := range demand {
		a.Demand[i] += d
		a.Alloc[i] += alloc[i]
		a.Within[i] += min(alloc[i], d)
		a.Static[i] += min(a.Endow[i], d)
	}
}

// Utility is agent i's: high for each unit within its demand, low for each
// beyond.
func (a *Account) Utility(i int, high, low float64) float64 {
	return float64(high*a.Within[i]) + float64(low*(a.Alloc[i]-a.Within[i]))
}

// StaticUtility is the utility of agent i from its own endowment in each round.
func (a *Account) StaticUtility(i int, high, low float64) float64 {
	return float64(high*a.Static[i]) + float64(low*(float64(float64(a.Rounds)*a.Endow[i])-a.Static[i]))
}

// Welfare returns the sum of all utilities, and that under static shares.
func (a *Account) Welfare(high, low float64) (welfare, static float64) {
	for i := range a.Endow {
		welfare += a.Utility(i, high, low)
		static += a.StaticUtility(i, high, low)
	}
	return welfare, static
}

// SharingIndex is the part of its demand that agent i received over what its endowment would
// have met; false if that is nothing.
func (a *Account) SharingIndex(i int) (float64, bool) {
	return a.Within[i] / a.Static[i], a.Static[i] > 0
}

// Indices returns the sharing indices of all agents that have one, in order.
func (a *Account) Indices() []float64 {
	var out []float64
	for i := range a.Endow {
		if x, ok := a.SharingIndex(i); ok {
			out = append(out, x)
		}
	}
	return out
}
