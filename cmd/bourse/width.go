//go:build 386 || arm || mips || mipsle

package main

// Parquet files cannot be written where an int has 32 bits, and the numbers of jobs and
// seconds do not fit.
var _ = theProgramNeedsASystemOf64Bits
