package transform

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
	"bourse/traces/suggest"
)

// Estimates says where the requested times come from. The zero value leaves them
// as recorded.
type Estimates struct {
	Kind EstimateKind
	// Factor multiplies (FromLog, FromRun).
	Factor float64
	// Max is the greatest estimate of the model in seconds, 0 for the usual queue
	// limit above the longest run time.
	Max int64
	// Seed is that of the model.
	Seed uint64
}

// EstimateKind is one source of estimates.
type EstimateKind uint8

// The kinds.
const (
	// Recorded leaves requested times alone, unknown ones too.
	Recorded EstimateKind = iota
	// FromLog takes the recorded ones, times Factor; the run time replaces
	// one that is missing or zero.
	FromLog
	// FromRun takes the run time, times Factor.
	FromRun
	// FromModel draws them (Tsafrir, Etsion and Feitelson 2005). All jobs have to
	// be known before the first gets its estimate, so the trace is read into
	// memory.
	FromModel
)

// What estimates count as oddities.
const (
	OddNoEstimate = "no requested time: the run time is used"
	OddOverrun    = "run times above the estimate"
	OddKilled     = "run times cut to the estimate"
	OddCapped     = "requested times cut to the limit"
	OddLimited    = "run times cut to the limit"
)

// ParseEstimates reads "recorded", "log", "log:F", "exact", "scale:F", "tsafrir"
// or "tsafrir:MAX" (seconds).
func ParseEstimates(text string, seed uint64) (Estimates, error) {
	name, value, given := strings.Cut(text, ":")
	e := Estimates{Factor: 1, Seed: seed}
	switch name {
	case "recorded":
		return Estimates{}, noValue(given, name)
	case "exact":
		e.Kind = FromRun
		return e, noValue(given, name)
	case "log":
		e.Kind = FromLog
	case "scale":
		if e.Kind = FromRun; !given {
			return e, errors.New("scale needs a factor on the run time, as in scale:2")
		}
	case "tsafrir":
		e.Kind = FromModel
		if !given {
			return e, nil
		}
		m, err := strconv.ParseInt(value, 10, 64)
		if err != nil || m < hour || m > 1e10 {
			return e, fmt.Errorf("tsafrir:%s: want the greatest estimate in seconds, at least %d", value, hour)
		}
		e.Max = m
		return e, nil
	default:
		known := []string{"recorded", "log", "exact", "scale", "tsafrir"}
		return e, fmt.Errorf("%q is unknown%s", text,
			suggest.Then(suggest.DidYouMean(name, known),
				"there are recorded, log, log:F, exact, scale:F, tsafrir and tsafrir:MAX"))
	}
	if given {
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || !(f > 0 && f <= 1e6) {
			return e, fmt.Errorf("%s:%s: want a factor above 0", name, value)
		}
		e.Factor = f
	}
	return e, nil
}

func noValue(given bool, name string) error {
	if given {
		return fmt.Errorf("%s takes no value", name)
	}
	return nil
}

// estimated gives jobs their estimates and, if wanted, ends them there.
type estimated struct {
	traces.Wrapped
	from   Estimates
	kill   bool
	limit  events.Time // 0 for none
	refuse bool
	whole  // FromModel: all jobs
}

// Next implements Source.
func (s *estimated) Next(j *traces.Job) error {
	for {
		if err := s.next(j); err != nil {
			return err
		}
		s.settle(j)
		if s.limit == 0 || s.within(j) {
			return nil
		}
		s.Inner.Header().Ledger.Drop(traces.TooLong, j)
	}
}

// within holds a job to the limit, or reports that it asks for more.
func (s *estimated) within(j *traces.Job) bool {
	ledger := s.Inner.Header().Ledger
	switch {
	case s.refuse:
		return j.Estimate <= s.limit && (j.Estimate.Known() || j.Run <= s.limit)
	case j.Estimate > s.limit:
		j.Estimate = s.limit
		ledger.Odd(OddCapped)
	}
	if j.Run > s.limit {
		j.Run, j.Status = s.limit, 0
		ledger.Odd(OddLimited)
	}
	return true
}

// settle gives a job its estimate.
func (s *estimated) settle(j *traces.Job) {
	ledger := s.Inner.Header().Ledger
	switch s.from.Kind {
	case FromLog:
		if j.Estimate <= 0 {
			j.Estimate = j.Run
			ledger.Odd(OddNoEstimate)
		}
		j.Estimate = times(j.Estimate, s.from.Factor)
	case FromRun:
		j.Estimate = times(j.Run, s.from.Factor)
	}
	switch {
	case !j.Estimate.Known() || j.Run <= j.Estimate:
	case s.kill:
		j.Run, j.Status = j.Estimate, 0 // as logs have it
		ledger.Odd(OddKilled)
	default:
		ledger.Odd(OddOverrun)
	}
}

// next takes the next job from the source, or from memory under the model.
func (s *estimated) next(j *traces.Job) error {
	if s.from.Kind != FromModel {
		return s.Inner.Next(j)
	}
	return s.whole.next(j, s.draw)
}

// draw reads all jobs and assigns estimates to them.
func (s *estimated) draw() error {
	var err error
	if s.jobs, err = readAll(s.Inner); err != nil {
		return err
	}
	m := s.from.Max
	if m == 0 {
		m = queueLimit(s.jobs)
	}
	r := rng.New(s.from.Seed, "estimates")
	return assign(r, s.jobs, fill(estimateModes(r, len(s.jobs), m), len(s.jobs)), m)
}

// whole is a log that has to be in memory before its first job is known.
type whole struct {
	jobs []traces.Job
	at   int
	read bool
}

// next takes the next job; the first time, load brings them there.
func (w *whole) next(j *traces.Job, load func() error) error {
	if !w.read {
		w.read = true
		if err := load(); err != nil {
			return err
		}
	}
	if w.at == len(w.jobs) {
		return io.EOF
	}
	*j = w.jobs[w.at]
	w.at++
	return nil
}

// readAll reads a source to its end into jobs that may be changed.
func readAll(src traces.Source) (jobs []traces.Job, err error) {
	err = traces.Each(src, func(j *traces.Job) error {
		jobs = append(jobs, *j)
		return nil
	})
	return jobs, err
}

func times(t events.Time, f float64) events.Time {
	if f == 1 {
		return t
	}
	return events.Time(min(math.Round(float64(t)*f), float64(math.MaxInt64/8)))
}
