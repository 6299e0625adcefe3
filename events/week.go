package events

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Weekly is times that return every week, as the clocks of a Calendar show them.
type Weekly struct{ spans []weekSpan }

// weekSpan is from one minute to another of a day of the week, 1 to 7; beyond 24 hours it is the next day.
type weekSpan struct{ day, from, to int }

// weekdays are the days by their names, Monday first.
var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

const minutesOfDay = 24 * 60

// ParseWeekly reads times of the week, divided by commas: days or ranges of days, or daily, and perhaps from when
// to when. 'fri 08:00-12:00', 'mon-fri 17:00-08:00, sat-sun', 'mon wed 06:30-07:00'. A time that ends no later than
// it begins ends on the next day.
func ParseWeekly(text string) (*Weekly, error) {
	w := &Weekly{}
	for _, part := range strings.Split(text, ",") {
		words := strings.Fields(strings.ToLower(part))
		from, to := 0, minutesOfDay
		var days []int
		for i, word := range words {
			if list, ok := daysOf(word); ok {
				days = append(days, list...)
				continue
			}
			var ok bool
			if from, to, ok = minutesOf(word); !ok || i == 0 || i+1 < len(words) {
				return nil, weekError(text, word)
			}
		}
		if len(days) == 0 {
			return nil, weekError(text, strings.TrimSpace(part))
		}
		for _, d := range days {
			w.spans = append(w.spans, weekSpan{d, from, to})
		}
	}
	return w, nil
}

func weekError(text, word string) error {
	return fmt.Errorf("%q: %q is no time of the week; want days and hours, as in 'fri 08:00-12:00', 'mon-fri 17:00-08:00, "+
		"sat-sun' or 'daily 02:00-03:00'", text, word)
}

// daysOf reads a day, a range of days or daily.
func daysOf(word string) (list []int, ok bool) {
	if word == "daily" {
		word = "mon-sun"
	}
	first, last, ranged := strings.Cut(word, "-")
	if !ranged {
		last = first
	}
	a, b := slices.Index(weekdays, first), slices.Index(weekdays, last)
	if a < 0 || b < 0 {
		return nil, false
	}
	for d := a; ; d = (d + 1) % 7 {
		list = append(list, d+1)
		if d == b {
			return list, true
		}
	}
}

// minutesOf reads 08:00-12:00 as minutes of a day.
func minutesOf(word string) (from, to int, ok bool) {
	first, last, ranged := strings.Cut(word, "-")
	from, begins := minuteOf(first)
	to, ends := minuteOf(last)
	if to <= from {
		to += minutesOfDay
	}
	return from, to, ranged && begins && ends && from < minutesOfDay
}

func minuteOf(clock string) (int, bool) {
	hour, minute, ok := strings.Cut(clock, ":")
	h, err := strconv.ParseUint(hour, 10, 8)
	m, fault := strconv.ParseUint(minute, 10, 8)
	return int(60*h + m), ok && err == nil && fault == nil && len(minute) == 2 && m < 60 && 60*h+m <= minutesOfDay
}

// Contains reports whether an instant is in one of the times.
func (w *Weekly) Contains(c *Calendar, t Time) bool {
	at := c.At(t)
	day, minute := c.Weekday(t), 60*at.Hour()+at.Minute()
	for _, s := range w.spans {
		if s.day == day && s.from <= minute && minute < s.to || s.day%7+1 == day && minute+minutesOfDay < s.to {
			return true
		}
	}
	return false
}

// Next is the first of the times that ends after an instant.
func (w *Weekly) Next(c *Calendar, t Time) (from, to Time) {
	year, month, day := c.At(t).Date()
	from = Never
	for k := -1; k <= 8 && from == Never; k++ {
		civil := time.Date(year, month, day+k, 0, 0, 0, 0, time.UTC)
		for _, s := range w.spans {
			if int(civil.Weekday()+6)%7+1 != s.day {
				continue
			}
			a, b := c.clock(civil, s.from), c.clock(civil, s.to)
			if b > t && b > a && (a < from || a == from && b > to) {
				from, to = a, b
			}
		}
	}
	return from, to
}

// clock is when the clocks show so many minutes of a day.
func (c *Calendar) clock(day time.Time, minutes int) Time {
	t, err := c.Parse(day.Add(time.Duration(minutes) * time.Minute).Format("2006-01-02 15:04"))
	if err != nil {
		return Never // a year of more than four digits
	}
	return t
}
