package sched

import (
	"cmp"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Defer lets jobs wait for an input series, as the carbon of power, before another policy is shown them: at submission
// a start is wished for within the time that jobs of its class may wait, and the job is as if it were not there until
// then (Hanafy et al., GAIA, ASPLOS 2024). What happens afterwards is the other policy's to decide, so that with a
// queue jobs wait for the series first and then for each other.
//
// Slot is the time of the least value; window that of the least mean over the job's length, and saving that of the most
// saving against now for each second of wait and length, (now's integral - its) / (wait + length), both among now and
// each whole hour after it. Of equals the earliest is taken.
type Defer struct {
	policies.Policy
	Rule string // slot, window or saving
	By   string
	// Border divides short jobs from long ones, by requested time; Slack is how long each may wait.
	Border events.Time
	Slack  [2]events.Time
	// Length is how long jobs of a class are taken to run; 0 is their requested time.
	Length [2]events.Time

	series *events.Steps
	wished policies.Queue // the waiting that are not shown, by wish
	hidden []bool         // by Ref
	shown  []policies.Ref // in the round under way
}

// Hour is how far apart starts are that windows and savings are worked out for.
const deferStep = 3600 * events.Second

// ReadSeries implements policies.SeriesReader.
func (d *Defer) ReadSeries(all []policies.Series) error {
	s, err := policies.FindSeries(all, d.By, "policy defer")
	if err != nil {
		return err
	}
	d.series = s.Values
	if r, ok := policies.As[policies.SeriesReader](d.Policy); ok {
		return r.ReadSeries(all)
	}
	return nil
}

// SeriesName is that of the series that it reads.
func (d *Defer) SeriesName() string { return d.By }

// Unwrap returns the policy that is shown the jobs.
func (d *Defer) Unwrap() policies.Policy { return d.Policy }

// Needs are those of the policy, and estimates.
func (d *Defer) Needs() policies.Needs {
	n := policies.NeedsOf(d.Policy)
	n.Estimates = true
	return n
}

// Plan hides jobs that arrive until their time, and lets the policy decide about the others.
func (d *Defer) Plan(r *policies.Round) {
	arrived, rebid := r.Arrived, r.Rebid
	d.shown = d.shown[:0]
	for d.wished.Len() > 0 && d.wished.HeadKey() <= float64(r.Now) {
		ref := d.wished.Pop()
		d.hidden[ref] = false
		d.shown = append(d.shown, ref)
	}
	for _, ref := range arrived {
		for int(ref) >= len(d.hidden) {
			d.hidden = append(d.hidden, false)
		}
		j := r.Job(ref)
		if at := d.wish(r.Now, j); at > r.Now {
			d.hidden[ref] = true
			d.wished.Push(float64(at), j.Seq, ref)
		} else {
			d.shown = append(d.shown, ref)
		}
	}
	slices.SortFunc(d.shown, func(a, b policies.Ref) int { return cmp.Compare(r.Job(a).Seq, r.Job(b).Seq) })
	r.Arrived = d.shown
	if len(rebid) > 0 {
		r.Rebid = nil
		for _, ref := range rebid {
			if !d.hidden[ref] && !slices.Contains(d.shown, ref) {
				r.Rebid = append(r.Rebid, ref)
			}
		}
	}
	d.Policy.Plan(r)
	r.Arrived, r.Rebid = arrived, rebid
	if d.wished.Len() > 0 {
		r.Wake(events.Time(d.wished.HeadKey()))
	}
}

// wish is when a job that arrives would best start by the series.
func (d *Defer) wish(now events.Time, j *policies.Job) events.Time {
	class := 0
	if j.Estimate >= d.Border {
		class = 1
	}
	until, length := now+d.Slack[class], d.Length[class]
	if length == 0 {
		length = max(j.Estimate, 1)
	}
	if last, ok := d.end(); ok { // beyond it nothing is known
		until = min(until, max(now, last-1))
		length = min(length, max(1, last-until))
	}
	best, least := now, math.Inf(1)
	switch d.Rule {
	case "slot":
		for at := now; at <= until; at = d.series.Until(at) {
			if v := d.series.At(at); v < least {
				best, least = at, v
			}
		}
	case "window":
		for at := now; at <= until; at += deferStep {
			if v := d.series.Integral(at, at+length); v < least {
				best, least = at, v
			}
		}
	default:
		all, most := d.series.Integral(now, now+length), 0.0
		for at := now; at <= until; at += deferStep {
			if v := (all - d.series.Integral(at, at+length)) / (at - now + length).Seconds(); v > most {
				best, most = at, v
			}
		}
	}
	return best
}

// end is that of the series, if it has one.
func (d *Defer) end() (events.Time, bool) {
	_, last := d.series.Span()
	return last, !d.series.Covers(last, last+1)
}

// Clone returns an independent copy.
func (d *Defer) Clone() policies.Policy {
	c := *d
	c.Policy, c.wished, c.hidden, c.shown = d.Policy.Clone(), d.wished.Clone(), slices.Clone(d.hidden), nil
	return &c
}
