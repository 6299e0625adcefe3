// Package swf reads and writes the Standard Workload Format of the Parallel Workloads
// Archive, version 2.2, as it is found in practice: extra fields, missing headers
// and odd values are tolerated and counted.
package swf
