package events_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bourse/events"
)

func TestWeek(t *testing.T) {
	zone, err := events.LoadZone("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	c := events.NewCalendar(time.Date(1996, 9, 23, 0, 0, 0, 0, zone).Unix(), zone)
	at := func(text string) events.Time {
		x, err := c.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, x := range []struct{ week, when, from, to string }{
		{"fri 08:00-12:00", "1996-09-23", "1996-09-27 08:00", "1996-09-27 12:00"},
		{"fri 08:00-12:00", "1996-09-27 11:59", "1996-09-27 08:00", "1996-09-27 12:00"},
		{"fri 08:00-12:00", "1996-09-27 12:00", "1996-10-04 08:00", "1996-10-04 12:00"},
		{"mon-fri 17:00-08:00, sat-sun", "1996-09-24 03:00", "1996-09-23 17:00", "1996-09-24 08:00"},
		{"mon-fri 17:00-08:00, sat-sun", "1996-09-28 10:00", "1996-09-28 00:00", "1996-09-29 00:00"},
		{"sat-mon", "1996-09-24 00:00", "1996-09-28 00:00", "1996-09-29 00:00"},
		{"daily 02:30-03:30", "1997-03-30 00:00", "1997-03-30 03:00", "1997-03-30 03:30"}, // the clocks go from 2 to 3
		{"mon wed 6:30-07:00", "1996-09-24 00:00", "1996-09-25 06:30", "1996-09-25 07:00"},
		{"sun 00:00-24:00", "1996-10-27 12:00", "1996-10-27 00:00", "1996-10-28 00:00"}, // a day of 25 hours
	} {
		w, err := events.ParseWeekly(x.week)
		if err != nil {
			t.Fatal(err)
		}
		if from, to := w.Next(c, at(x.when)); from != at(x.from) || to != at(x.to) {
			t.Errorf("%s after %s: from %s to %s, want %s to %s", x.week, x.when, c.Text(from), c.Text(to), x.from, x.to)
		}
	}
	for text, want := range map[string]string{"": "no time of the week", "fri 8-12": `"8-12"`, "fry 08:00-12:00": `"fry"`,
		"08:00-12:00": `"08:00-12:00"`, "fri 25:00-26:00": "25:00", "fri 08:00-12:00 sat": "08:00-12:00", "fri,": `""`} {
		if _, err := events.ParseWeekly(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestWeekContains wants an instant to be in the times if the next of them to end has begun.
func TestWeekContains(t *testing.T) {
	zone, _ := events.LoadZone("America/New_York")
	c := events.NewCalendar(0, zone)
	rapid.Check(t, func(t *rapid.T) {
		w, err := events.ParseWeekly(rapid.SampledFrom([]string{"fri 08:00-12:00", "mon-fri 17:00-08:00, sat-sun", "daily 23:00-00:30",
			"sat 12:00-12:00", "sun"}).Draw(t, "week"))
		if err != nil {
			t.Fatal(err)
		}
		at := events.Time(rapid.Int64Range(0, 2e9).Draw(t, "at")) * events.Second
		from, to := w.Next(c, at)
		if got := w.Contains(c, at); got != (from <= at) || to <= at {
			t.Fatalf("%s: in the times %v, the next from %s to %s", c.Text(at), got, c.Text(from), c.Text(to))
		}
	})
}
