// Package priceanticipating reproduces "A Price-Anticipating Resource Allocation
// Mechanism for Distributed Shared Clusters" (Feldman, Lai and Zhang): the games
// of two players beside their closed forms, the game of n^2 + n players, Figures
// 3 to 7 from random preferences, and a verdict on each claim.
//
// Every random instance is drawn from a stream named for its model and keyed by its
// number of users and repetition, so results do not depend on how many workers
// there are, and all methods see the same instances.
package priceanticipating
