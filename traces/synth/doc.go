// Package synth generates jobs from a workload model, the one of Lublin and Feitelson
// (J. Parallel and Distributed Computing 63(11), 2003).
package synth
