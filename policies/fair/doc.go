// Package fair runs sharing mechanisms inside a replay: the closed loop. Agents
// are the trace's users, an agent's demand is what its unfinished jobs ask for
// together, and an allocation is a rate (policies.Round.Share). Inside an agent
// the older jobs are first: they run at their full need while the allocation
// holds, one job gets what is left, the others wait.
//
// The package knows how to hold users to an allowance (users.go) and when to
// ask a mechanism for new ones; the mechanisms themselves are pure functions in
// policies/share. It decides nothing about prices.
package fair
