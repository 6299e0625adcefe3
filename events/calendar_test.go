package events_test

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"bourse/events"
)

// zones have clocks that are put forward and back by an hour, at midnight, by half an hour, by a
// day, and never.
var zones = []string{"Europe/Stockholm", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata",
	"US/Pacific", "UTC", "Etc/GMT-1"}

func zone(t rapid.TB, name string) *time.Location {
	z, err := events.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestCalendar has dates worked out by hand.
func TestCalendar(t *testing.T) {
	for _, c := range []struct {
		zone, date, text         string
		unix                     int64
		hour, weekday, day, week int
	}{
		{"Europe/Stockholm", "1996-09-23 14:00:31", "Mon 23 Sep 1996 14:00", 843480031, 14, 1, 19960923, 39},
		{"UTC", "1996-09-23T12:00:31", "Mon 23 Sep 1996 12:00", 843480031, 12, 1, 19960923, 39},
		{"UTC", "2000-02-29", "Tue 29 Feb 2000 00:00", 951782400, 0, 2, 20000229, 9},
		{"UTC", "1996-12-29 23:59", "Sun 29 Dec 1996 23:59", 851903940, 23, 7, 19961229, 52},
		{"UTC", "1996-12-30", "Mon 30 Dec 1996 00:00", 851904000, 0, 1, 19961230, 1},
		{"UTC", "1999-01-03", "Sun 3 Jan 1999 00:00", 915321600, 0, 7, 19990103, 53},
		// Clocks are put forward from 2:00 to 3:00, and back from 3:00 to 2:00.
		{"Europe/Stockholm", "1997-03-30 01:59", "Sun 30 Mar 1997 01:59", 859683540, 1, 7, 19970330, 13},
		{"Europe/Stockholm", "1997-03-30 02:30", "Sun 30 Mar 1997 03:00", 859683600, 3, 7, 19970330, 13},
		{"Europe/Stockholm", "1997-03-30 03:00", "Sun 30 Mar 1997 03:00", 859683600, 3, 7, 19970330, 13},
		{"Europe/Stockholm", "1997-10-26 02:30", "Sun 26 Oct 1997 02:30", 877825800, 2, 7, 19971026, 43},
		{"America/Sao_Paulo", "2005-10-16", "Sun 16 Oct 2005 01:00", 1129431600, 1, 7, 20051016, 41},
		{"Pacific/Apia", "2011-12-30", "Sat 31 Dec 2011 00:00", 1325239200, 0, 6, 20111231, 52},
		{"Etc/GMT-1", "1997-07-01", "Tue 1 Jul 1997 00:00", 867711600, 0, 2, 19970701, 27},
	} {
		for _, zero := range []int64{0, 843480031, 1e9} {
			calendar := events.NewCalendar(zero, zone(t, c.zone))
			at, err := calendar.Parse(c.date)
			if want := events.Time(c.unix-zero) * events.Second; err != nil || at != want {
				t.Fatalf("%s in %s is %v %v, want %v", c.date, c.zone, at, err, want)
			}
			if text := calendar.Text(at); text != c.text {
				t.Errorf("%s in %s: %s, want %s", c.date, c.zone, text, c.text)
			}
			got := [4]int{calendar.Hour(at), calendar.Weekday(at), calendar.Day(at), calendar.Week(at)}
			if want := [4]int{c.hour, c.weekday, c.day, c.week}; got != want {
				t.Errorf("%s in %s: %d, want %d", c.date, c.zone, got, want)
			}
		}
	}
}

// plainParse looks through the minutes for the first at which the clock shows a date or later.
func plainParse(c *events.Calendar, date string) events.Time {
	const form, minute = "2006-01-02 15:04", 60 * events.Second
	utc, _ := time.Parse(form, date)
	at := c.Of(utc) - 2*24*60*minute
	for c.At(at).Format(form) < date {
		at += minute
	}
	return at
}

// TestParse compares Parse with plainParse, and wants the text of an instant to lead back to it but
// in an hour that the clocks pass twice.
func TestParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := events.NewCalendar(rapid.Int64Range(0, 2e9).Draw(t, "zero"), zone(t, rapid.SampledFrom(zones).Draw(t, "zone")))
		near := c.Of(time.Unix(rapid.Int64Range(8e8, 2e9).Draw(t, "near"), 0))
		if _, change := c.At(near).ZoneBounds(); !change.IsZero() && rapid.Bool().Draw(t, "at a change") {
			near = c.Of(change) + events.Time(rapid.Int64Range(-86400, 86400).Draw(t, "by"))*events.Second
		}
		// A date that the clocks may skip is made of one in UTC.
		_, offset := c.At(near).Zone()
		date := c.At(near).UTC().Add(time.Duration(offset) * time.Second).Format("2006-01-02 15:04")
		at, err := c.Parse(date)
		if want := plainParse(c, date); err != nil || at != want {
			t.Fatalf("%s in %s is %s %v, want %s", date, c.Zone(), c.At(at), err, c.At(want))
		}
		again, err := c.Parse(c.At(near).Format("2006-01-02T15:04:05"))
		if early := near - again; err != nil || early < 0 || early >= events.Second && c.Text(again) != c.Text(near) {
			t.Fatalf("%s leads to %s %v", c.At(near), c.At(again), err)
		}
		year, week := c.At(near).ISOWeek()
		monday, _ := c.Parse(time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)) // in week 1 by definition
		first := c.At(monday).AddDate(0, 0, 1-c.Weekday(monday))
		y, m, d := c.At(near).Date()
		midnight := time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, time.UTC)
		days := int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Sub(midnight).Hours()) / 24
		if c.Week(near) != week || days/7+1 != week || days%7+1 != c.Weekday(near) {
			t.Fatalf("%s: week %d, weekday %d, day %d of the year's weeks", c.At(near), c.Week(near), c.Weekday(near), days)
		}
	})
}

func TestInstant(t *testing.T) {
	for text, want := range map[string]events.Instant{
		"0": {}, "90": {Since: 90 * events.Second}, "2d": {Since: 48 * 3600 * events.Second},
		"1-02:00:00": {Since: 26 * 3600 * events.Second}, "1997-02-17": {Date: "1997-02-17"},
		"1997-02-17T09:00": {Date: "1997-02-17T09:00"}, "1997-02-17 09:00:30": {Date: "1997-02-17 09:00:30"},
	} {
		got, err := events.ParseInstant(text)
		again, err2 := events.ParseInstant(got.String())
		if got != want || err != nil || again != want || err2 != nil {
			t.Errorf("%s: %v %v, again %v %v", text, got, err, again, err2)
		}
	}
	for text, want := range map[string]string{
		"1997-02-30": "is not a date", "1997-2-3": "is not a date", "1997-01-01 9:00": "is not a date",
		"1997-01-01 09:00 ": "is not a date", "1997-13-01": "is not a date", "1997-01-01 24:00": "is not a date",
		"monday": "since its zero", "-5": "since its zero", "": "since its zero",
	} {
		if _, err := events.ParseInstant(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLoadZone(t *testing.T) {
	for name, want := range map[string]string{
		"stockholm": "did you mean Europe/Stockholm?", "europe/stockholm": "did you mean Europe/Stockholm?",
		"new york": "did you mean America/New_York?", "Local": "no time zone", "": "no time zone", "/": "no time zone",
		"../passwd": "no time zone", "Europe/Stockhom": `"Europe/Stockhom" is no time zone; want a name`,
	} {
		if z, err := events.LoadZone(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v %v", name, z, err)
		}
	}
}

// TestCalendarAllocatesNothing keeps what is asked at every instant of a replay cheap.
func TestCalendarAllocatesNothing(t *testing.T) {
	c, at, sum := events.NewCalendar(843480031, zone(t, "Europe/Stockholm")), events.Time(0), 0
	if n := testing.AllocsPerRun(1000, func() {
		at += 3 * 3600 * events.Second
		sum += c.Hour(at) + c.Weekday(at) + c.Day(at) + c.Week(at)
	}); n > 0 || sum == 0 {
		t.Errorf("%g allocations", n)
	}
}
