package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces/suggest"
)

// Entry is one of the things compared: a policy, a finished run, or a combination of
// settings of a sweep.
type Entry struct {
	// Settings tell it from the others, by the keys of the table; Name does in sentences.
	Settings []string
	Name     string
	Dir      string // of a finished run
	// Block is what entries that are compared have in common: the trace, the load.
	Block string
	// Cells are its figures: one, or one for each of the Replicas. More are others, by
	// name, of the whole.
	Cells    []run.Figures
	Replicas []string
	More     map[string]float64
	Market   bool
	Recorded *stats.Times // what the log says of the same jobs
	Log      *run.Figures // those of the log itself, where the Cells are of replicas of it
	// Samples of the metric by replica are paired with those of the others.
	Samples []float64

	// Verdict says how the entry stands to the best one, and P how probable a difference
	// like that between the two is if they are alike, corrected for the number of entries.
	Verdict Verdict
	P       float64
	// Difference is that of the metric from the entry Base, with an interval that is
	// corrected, too, and Evidence what it rests on; nil if it is Base.
	Base       *Entry
	Difference stats.Estimate
	Evidence   *Evidence

	schedule *schedule // of one log, nil of replicas
}

// Verdict says how an entry stands to the best one.
type Verdict string

// The verdicts. CannotTell is that too few stretches of the log differ to tell which is better;
// Unknown is that nothing is known but the figures.
const (
	Best       Verdict = "best"
	Equal      Verdict = "equal"
	Tied       Verdict = "tied"
	Worse      Verdict = "worse"
	CannotTell Verdict = "cannot tell"
	Unknown    Verdict = "unknown"
)

// alpha is the probability with which any verdict of a table may be wrong.
const alpha = 0.05

// Ranking is what is compared.
type Ranking struct {
	Keys    []string // headings of settings
	Entries []*Entry // after Judge those of a block together, the best first
	Metric  run.Measure
	// More are measures in addition to those of summaries; they have no Of.
	More []run.Measure
	// Samples says what samples are: "20 batches of jobs". Unsure says why there are none,
	// or why they prove nothing.
	Samples, Unsure string
	// Copies means that replicas are there and no seed changes the metric.
	Copies bool
	// Baseline is the name of the entries from which differences are, or "best".
	Baseline string

	// Without is the same comparison without the site's model that this one has; nil if it has none.
	Without *Ranking

	by  string // what jobs are grouped by
	log *jobs  // of one log; nil of replicas
}

// Value is an entry's mean of a measure.
func (e *Entry) Value(m run.Measure) float64 {
	return stats.EstimateOf(e.values(m)).Mean
}

// values are a measure's by cell.
func (e *Entry) values(m run.Measure) []float64 {
	x := make([]float64, len(e.Cells))
	for i, f := range e.Cells {
		if x[i] = e.More[m.Name]; m.Of != nil {
			x[i] = m.Of(f)
		}
	}
	return x
}

// Judge puts the best entry of each block first and says how the others stand to it:
// worse, or tied with it where the difference may be chance. What is promised is that of
// policies that are alike none is called worse in 95 % of all tables at least, although the
// one with which all are compared is chosen by looking.
func (t *Ranking) Judge(baseline string) error {
	if t.Baseline = cmp.Or(baseline, string(Best)); baseline == "" && t.grouped() {
		t.Baseline = t.Entries[0].Name // what there is now comes first
	}
	var all []*Entry
	if i := slices.IndexFunc(t.Entries, func(e *Entry) bool { return !t.likeLog(e) }); i >= 0 && t.Unsure == "" {
		e := t.Entries[i]
		t.Unsure = fmt.Sprintf("the replicas do not resemble the log: the %s of %s is %.3g times the log's", t.Metric.Words(),
			e.Name, t.overLog(e))
	}
	for _, block := range t.blocks() {
		slices.SortStableFunc(block, func(a, b *Entry) int {
			switch x, y := a.Value(t.Metric), b.Value(t.Metric); {
			case t.Metric.Better(x, y):
				return -1
			case t.Metric.Better(y, x):
				return 1
			}
			return 0
		})
		if err := t.judge(block); err != nil {
			return err
		}
		all = append(all, block...)
	}
	t.Entries = all
	return nil
}

// judge judges a block, which is in order.
func (t *Ranking) judge(block []*Entry) error {
	base, err := t.base(block)
	if err != nil {
		return err
	}
	found := t.tests(block[0], block)
	for i, e := range block {
		e.Verdict, e.P = Best, math.NaN()
		if i > 0 {
			e.P = found[i].P
			e.Verdict = t.verdict(block[0], e, found[i])
		}
	}
	if base != block[0] {
		found = t.tests(base, block)
	}
	for i, e := range block {
		e.Base, e.Difference = base, stats.Exactly(e.Value(t.Metric)-base.Value(t.Metric))
		if e == base {
			continue
		}
		if e.Evidence = found[i]; e.Evidence.interval != nil {
			e.Difference = e.Difference.Between(e.Evidence.interval(e.Evidence.alpha))
		}
	}
	switch other := func(e *Entry) bool { return e.Verdict != Equal }; {
	case len(block) > 1 && !slices.ContainsFunc(block[1:], other):
		block[0].Verdict = Equal
	case !tested(block):
		block[0].Verdict = Unknown
	}
	return nil
}

// tested reports whether any of a block was tested against its best.
func tested(block []*Entry) bool {
	return slices.ContainsFunc(block, func(e *Entry) bool { return !math.IsNaN(e.P) })
}

func (t *Ranking) verdict(best, e *Entry, found *Evidence) Verdict {
	switch {
	case e.Value(t.Metric) == best.Value(t.Metric) && found.same:
		return Equal
	case math.IsNaN(e.P):
		return Unknown
	case e.P <= alpha:
		return Worse
	case best.schedule != nil && found.Effective < leastEffective:
		return CannotTell
	}
	return Tied
}

// overLog is an entry's figure over that of the log itself, 1 where that is not known.
func (t *Ranking) overLog(e *Entry) float64 {
	if e.Log == nil || t.Metric.Of == nil {
		return 1
	}
	here, log := e.Value(t.Metric), t.Metric.Of(*e.Log)
	if here == log {
		return 1
	}
	return here / log
}

// likeLog reports whether the replicas of an entry resemble the log.
func (t *Ranking) likeLog(e *Entry) bool { return stats.Resembles(t.overLog(e)) }

// tests compares the entries of a block with one of them, with Holm's correction.
func (t *Ranking) tests(with *Entry, block []*Entry) []*Evidence {
	found, p := make([]*Evidence, len(block)), make([]float64, len(block))
	for i, e := range block {
		switch {
		case e == with:
			found[i] = untested(true)
		case e.schedule != nil && with.schedule != nil:
			list := t.log.differences(with.schedule, e.schedule, false)[0]
			found[i] = t.log.evidence(list, int64(t.log.until-t.log.from), t.Metric.Sum, false)
		case t.likeLog(with) && t.likeLog(e):
			found[i] = paired(with, e)
		default:
			found[i] = untested(false)
		}
		p[i] = found[i].P
	}
	for i, x := range stats.Holm(p) {
		found[i].correct(x)
	}
	return found
}

// base is the entry of a block from which differences are.
func (t *Ranking) base(block []*Entry) (*Entry, error) {
	if t.Baseline == string(Best) {
		return block[0], nil
	}
	var found []*Entry
	var names []string
	for _, e := range block {
		names = append(names, e.Name)
		if e.Name == t.Baseline || e.Dir != "" && e.Dir == t.Baseline {
			return e, nil
		}
		if slices.Contains(e.Settings, t.Baseline) {
			found = append(found, e)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return nil, &BaselineError{t.Baseline, len(found), names}
}

// BaselineError says that a baseline is not one of those compared, or several are meant.
type BaselineError struct {
	Name  string
	Found int
	Names []string
}

func (e *BaselineError) Error() string {
	if e.Found > 1 {
		return fmt.Sprintf("%q: there are %d of them; want one of %s", e.Name, e.Found, strings.Join(e.Names, ", "))
	}
	return fmt.Sprintf("%q is not compared%s", e.Name,
		suggest.Then(suggest.DidYouMean(e.Name, e.Names), "want one of "+strings.Join(e.Names, ", ")))
}

// blocks are the entries by what they have in common.
func (t *Ranking) blocks() (blocks [][]*Entry) {
	at := map[string]int{} // looked up, never walked over
	for _, e := range t.Entries {
		i, known := at[e.Block]
		if !known {
			i = len(blocks)
			at[e.Block], blocks = i, append(blocks, nil)
		}
		blocks[i] = append(blocks[i], e)
	}
	return blocks
}
