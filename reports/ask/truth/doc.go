// Package truth measures what makes owners bid what their jobs are worth, and what that
// costs them. Sampled jobs lie about their values, each alone, under several policies and
// several ways to pay: prices charged as jobs run, which the replay bills, and payments
// worked out from copies of the replay (package fork), which follow.
//
// A job has one private number, its value w, and an outcome, the flow time phi; its owner's
// utility is -w x - P, with x the sum over its pieces of size x phi. A payment makes the
// truth the best bid whatever others bid if and only if x never rises with the job's bid,
// and then it is, up to a constant that does not depend on the bid b,
//
//	P(b) = z0 (x(z0) - x(b)) + integral from z0 to b of (x(z) - x(b)) dz
//
// the time saved against bidding z0, each second at the bid at which it was won (Myerson
// 1981; Archer and Tardos 2001). That is the critical payment. z0 must not depend on the
// job: at 0 the job is measured against being last until the log ends, or a horizon. Without the first
// term, which is 0 there, the best bid would be the value and z0. What these payments take in all has a
// heavy tail: every job is asked, or some are drawn in two phases (survey).
//
// The Clarke payment is what the job's coming costs all others at their bids: the sum over
// them of bid x size x (end with the job - end without it). It makes truth the best bid
// where the policy's schedule costs least, by the bids, among those it may choose.
package truth
