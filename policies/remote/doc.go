// Package remote lets a program decide: one JSON line out for every instant at which
// something happened, one in with what to start, preempt or share. The program is started
// by the first instant and ended with the replay; it may be written in any language. The
// protocol is in cmd/cli/guide/own-policy.md.
//
// It is a separate package: nothing else knows the protocol, and it knows nothing of the
// engine, which checks the program's decisions as it does all.
package remote
