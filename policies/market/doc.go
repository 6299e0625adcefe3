// Package market is the price-anticipating market of Feldman, Lai and Zhang, "A
// Price-Anticipating Resource Allocation Mechanism for Distributed Shared
// Clusters" (EC 2005 and its long form), as functions on numbers: users spread a
// budget over divisible machines, a machine is shared in proportion to the bids
// on it, and every user answers the others' bids with a best response.
//
// User i values machine j with weight w_ij and gets the share
// x_ij / (x_ij + y_ij) of it for a bid of x_ij, where y_ij is what the others bid
// there. Their utility is the sum of weight times share.
//
// # The reserve
//
// A machine that only one user wants has no equilibrium: any bid takes it whole,
// and a smaller one does too. Therefore each machine has a reserve, a tiny sum
// that replaces the others' bids where those are below it:
// y_ij = max(others' bids, reserve), as in Appendix A of the paper. The only user
// of a machine bids about the root of what the reserve would suggest and gets all
// but a trace of it; shares of a machine never sum to more than 1. A machine that
// no user wants gets no bids and is allocated to no user. Where two users and more bid
// more than the reserve, it does not matter at all.
//
// # What is here
//
// Market holds users, machines and bids that can be added and removed (warm start). A
// Rule is how a user answers: best response, local search for at most k machines,
// or small adjustments; Search repeats sweeps of a rule until one of the
// criteria of the paper's section 5 is met. Optimum and Measure give what an
// allocation is worth; Uniform, Correlated and FromTrace make preferences.
//
// The package knows nothing of jobs and time.
package market
