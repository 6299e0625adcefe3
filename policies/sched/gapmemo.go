package sched

import "bourse/events"

// gapMemo remembers what searches of a profile have found until it learns that the
// profile has changed. Most looks of a compression are at jobs as wide as one before
// them, and find the same gaps: seven in ten under CEA-Curie's log.
//
// It is a table with one entry for each value of a hash of the width, so that it
// neither grows nor has to be cleared. Where all widths differ, a look costs one
// search, as it would without.
type gapMemo struct {
	entries [512]gapEntry
	version uint64 // of the profile
}

// gapEntry is the gaps for so many processors that begin before limit.
type gapEntry struct {
	procs   int64
	version uint64
	limit   events.Time
	gaps    []gap
}

// forget takes notice that the profile has changed.
func (m *gapMemo) forget() { m.version++ }

// place returns the earliest start from now on and before until of a job with a place in
// the profile: the start of that if there is none before.
//
// What was not searched far enough is searched again and twice as far, since the next job
// as wide is likely to have its place later.
func (m *gapMemo) place(p *profile, now events.Time, pl *plan, until events.Time) events.Time {
	e := &m.entries[uint64(pl.procs)*0x9e3779b97f4a7c15>>55]
	length, limit := pl.end-pl.start, min(pl.start, until)
	if e.version == m.version && e.procs == pl.procs {
		if start := pl.earliest(e.gaps); start < pl.start || limit <= e.limit {
			return start
		}
		limit += min(limit-now, until-limit)
	}
	e.procs, e.version = pl.procs, m.version
	e.gaps, e.limit = p.gaps(e.gaps[:0], now, pl.procs, length, limit)
	return pl.earliest(e.gaps)
}

// earliest returns the start of the first gap that is long enough or reaches to the
// place that the job has, from where on it holds its processors already: that place's
// own start if there is none before.
func (pl *plan) earliest(gaps []gap) events.Time {
	for _, g := range gaps {
		if g.start >= pl.start {
			break
		}
		if g.end >= pl.start || g.end-g.start >= pl.end-pl.start {
			return g.start
		}
	}
	return pl.start
}
