package predict

import (
	"fmt"
	"regexp"
	"strings"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
)

// Instants say when a job is put in.
type Instants struct {
	text  string
	times *events.Weekly
	each  bool // at the beginning of each of the times; else at submissions within
	date  bool
}

// pointOfTime is days and one time of the day.
var pointOfTime = regexp.MustCompile(`^(.*\s)(\d{1,2}):(\d\d)$`)

// ParseInstants reads times of the week at each of which a job is put in ('mon 09:00'), times within which it is put in
// when jobs of the log came ('mon-fri 09:00-17:00'), or a date; "" is whenever jobs of the log came.
func ParseInstants(text string) (in Instants, err error) {
	in.text = text
	if text == "" {
		return in, nil
	}
	parts := strings.Split(text, ",")
	for i, part := range parts {
		if m := pointOfTime.FindStringSubmatch(part); m != nil {
			in.each = true
			var hour, minute int
			_, _ = fmt.Sscan(m[2], &hour)
			_, _ = fmt.Sscan(m[3], &minute)
			next := (60*hour + minute + 1) % (24 * 60)
			parts[i] = fmt.Sprintf("%s%s:%s-%d:%02d", m[1], m[2], m[3], next/60, next%60)
		}
	}
	if in.times, err = events.ParseWeekly(strings.Join(parts, ",")); err == nil {
		return in, nil
	}
	if _, fault := events.ParseInstant(text); fault == nil {
		in.date = true
		return in, nil
	}
	return in, fmt.Errorf("%q: want times of the week, as in 'mon 09:00' or 'mon-fri 09:00-17:00', or a date", text)
}

// in lists the instants within a log, at most so many of them, evenly spread.
func (in Instants) in(jobs *scenario.Loaded, most int) ([]events.Time, error) {
	log := jobs.Memory
	calendar := log.Header().Calendar()
	if calendar == nil && in.text != "" {
		return nil, &traces.UndatedError{For: in.text, Trace: log.Header().Name}
	}
	from, until := jobs.Scenario.Edges().Counted(log.Len(), func(i int) events.Time { return log.Job(i).Submit })
	if until <= from {
		return nil, fmt.Errorf("no job of %s counts between warm-up and cool-down", log.Header().Name)
	}
	first, last := log.Job(from).Submit, log.Job(until-1).Submit
	var all []events.Time
	switch {
	case in.date:
		at, err := calendar.Parse(in.text)
		if err != nil {
			return nil, err
		}
		all = []events.Time{at}
	case in.each:
		for t := first; t < last; {
			at, end := in.times.Next(calendar, t)
			if at >= first && at <= last {
				all = append(all, at)
			}
			t = end
		}
	default:
		for i := from; i < until; i++ {
			if at := log.Job(i).Submit; in.times == nil || in.times.Contains(calendar, at) {
				all = append(all, at)
			}
		}
	}
	if len(all) == 0 || all[0] < first || all[0] > last {
		return nil, fmt.Errorf("no instant %q in %s: its jobs come from %s to %s", in.text, log.Header().Name,
			calendar.Text(first), calendar.Text(last))
	}
	return spread(all, most, rng.New(jobs.Scenario.Seed, "instants").Open()), nil
}

// spread picks so many of a list, evenly from a random beginning (systematic sampling): instants
// near each other have the same queue, and tell little more than one.
func spread(all []events.Time, most int, begin float64) []events.Time {
	if len(all) <= most {
		return all
	}
	picked := make([]events.Time, most)
	for k := range picked {
		picked[k] = all[int(float64((float64(k)+begin)*float64(len(all)))/float64(most))]
	}
	return picked
}
