// Package batsim lets a scheduler written for Batsim decide: to it the engine is Batsim, by
// Batsim's JSON messages over ZeroMQ (REQ here, REP there). What of the protocol is
// understood is in cmd/bourse/guide/own-policy.md; the rest is refused by name.
//
// It is a separate package: nothing else knows the protocol or imports ZeroMQ.
package batsim
