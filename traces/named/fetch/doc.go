// Package fetch downloads the traces of the catalogue and checks those that are here.
//
// A download goes to a hidden file next to the final name, which a later one takes up where it
// was cut. The trace gets its name when its bytes are the catalogue's, in one step, and never
// in place of a file that is there already.
package fetch
