// Package parallel runs independent pieces of work on several goroutines, with results
// that do not depend on their number.
package parallel
