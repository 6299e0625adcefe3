package events

import (
	"fmt"
	"strings"
	"time"
)

// Calendar gives the instants of a log dates, as the clocks of a time zone show them. It is
// immutable, and its methods allocate nothing but texts.
type Calendar struct {
	zero int64 // Unix time of the log's zero
	zone *time.Location
}

// NewCalendar returns the calendar of a log whose zero is so many seconds after 1970 began in UTC.
func NewCalendar(zero int64, zone *time.Location) *Calendar { return &Calendar{zero, zone} }

// Zone is the name of the time zone.
func (c *Calendar) Zone() string { return c.zone.String() }

// At is an instant as Go has it.
func (c *Calendar) At(t Time) time.Time {
	return time.Unix(c.zero+int64(t/Second), int64(t%Second)*1000).In(c.zone)
}

// Of is the instant of a time, cut to microseconds.
func (c *Calendar) Of(at time.Time) Time {
	return Time(at.Unix()-c.zero)*Second + Time(at.Nanosecond()/1000)
}

// Text is an instant to the minute: "Mon 17 Feb 1997 09:00".
func (c *Calendar) Text(t Time) string { return c.At(t).Format("Mon 2 Jan 2006 15:04") }

// Hour is 0 to 23.
func (c *Calendar) Hour(t Time) int { return c.At(t).Hour() }

// Weekday is that of ISO 8601: 1 is Monday, 7 Sunday.
func (c *Calendar) Weekday(t Time) int { return (int(c.At(t).Weekday())+6)%7 + 1 }

// Day is the date as a number, 19970217.
func (c *Calendar) Day(t Time) int {
	year, month, day := c.At(t).Date()
	return 10_000*year + 100*int(month) + day
}

// Week is the number of the week in ISO 8601, 1 to 53, without its year: the last days of
// December may be in week 1, and the first of January in week 52 or 53.
func (c *Calendar) Week(t Time) int {
	_, week := c.At(t).ISOWeek()
	return week
}

// Parse returns the first instant at which the clocks show a date or later, of a time that they
// pass twice the first and of one that they skip that at which they are put forward. Without
// a time of day it is the day's begin.
func (c *Calendar) Parse(text string) (Time, error) {
	civil, err := parseDate(text)
	if err != nil {
		return 0, err
	}
	const day = 24 * time.Hour // no clock is as far from UTC, or is put forward or back twice in two of them
	_, before := civil.Add(-day).In(c.zone).Zone()
	_, after := civil.Add(day).In(c.zone).Zone()
	for _, offset := range []int{before, after} {
		at := civil.Add(-time.Duration(offset) * time.Second).In(c.zone)
		if _, shown := at.Zone(); shown == offset {
			return c.Of(at), nil
		}
	}
	_, put := civil.Add(-day).In(c.zone).ZoneBounds()
	return c.Of(put), nil
}

// dateForms are the forms of dates.
var dateForms = []string{"2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05"}

// parseDate reads a date as if it were in UTC.
func parseDate(text string) (time.Time, error) {
	for _, form := range dateForms {
		if at, err := time.Parse(form, strings.Replace(text, "T", " ", 1)); err == nil && len(text) == len(form) {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date; want one as in 1997-02-17, '1997-02-17 09:00' or "+
		"'1997-02-17 09:00:30'", text)
}

// LoadZone returns the time zone of a name.
func LoadZone(name string) (*time.Location, error) {
	if name != "" && name != "Local" { // which are UTC, and whatever this machine has
		if zone, err := time.LoadLocation(name); err == nil {
			return zone, nil
		}
	}
	return nil, fmt.Errorf("%q is no time zone; want a name as in Europe/Stockholm, Etc/GMT-1 or UTC%s", name,
		likelyZone(name))
}

// likelyZone guesses which zone a city or a name in lower case means.
func likelyZone(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]),
		func(c rune) bool { return c == '_' || c == ' ' })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	for _, region := range zoneRegions {
		full := region + strings.Join(words, "_")
		if _, err := time.LoadLocation(full); err == nil && len(words) > 0 {
			return "; did you mean " + full + "?"
		}
	}
	return ""
}

var zoneRegions = []string{"Europe/", "America/", "US/", "Asia/", "Africa/", "Australia/", "Pacific/", "Atlantic/"}

// Instant is a point in a log's time: so long after its zero or, with a Date, what a Calendar
// makes of that. The zero Instant is the log's zero.
type Instant struct {
	Since Time
	Date  string
}

// ParseInstant reads a duration since a log's zero, as ParseDuration does, or a date, as
// Calendar.Parse does.
func ParseInstant(text string) (i Instant, err error) {
	if strings.Count(text, "-") == 2 {
		_, err = parseDate(text)
		return Instant{Date: text}, err
	}
	if i.Since, err = ParseDuration(text); err != nil {
		err = fmt.Errorf("%q is no time of a log; want seconds or units since its zero, as in 90s, 1h30m, 30d, or a date, "+
			"as in 1997-02-17 or '1997-02-17 09:00'", text)
	}
	return i, err
}

// String is text that ParseInstant reads.
func (i Instant) String() string {
	if i.Date != "" {
		return i.Date
	}
	return FormatDuration(i.Since)
}

// MarshalText implements encoding.TextMarshaler.
func (i Instant) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (i *Instant) UnmarshalText(text []byte) (err error) {
	*i, err = ParseInstant(string(text))
	return err
}
