// Package files writes results that appear under their final names only when they are
// complete, and several of them together or not at all, whatever ends the program.
//
// A file grows under a temporary name in the directory of its final one, .bourse-HOST-
// RANDOM.tmp, which no other process can have, on no machine of a shared disk. It is
// locked while its writer lives: what is not locked was left by a program that was
// killed, and the next write next to it removes it.
//
// A Set is published in one step. A journal says first what is about to be renamed,
// files that are to be replaced step aside, then all get their names, and the journal's
// end is the moment at which the set is there. If the program is killed in between, the
// next one that looks (Recover) puts back what was there before.
//
// A folder may be another person's, with a journal and a lock in it that no program of ours has
// written: a journal is believed in what it says of its own folder, and a link is no lock.
package files
