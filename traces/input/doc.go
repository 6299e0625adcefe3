// Package input opens what traces are stored in and reads its smallest parts:
// files and streams behind their compression, archives and folders of several
// files, lines, numbers, dates, durations and amounts of memory, parameters of the
// form name=value. It puts records in order, within a window (Reorder), in memory
// (Gatherer) or on disk (DiskSorter). It knows no format: the meaning of a field is stated
// by the packages above it.
package input
