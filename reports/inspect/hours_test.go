package inspect

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces"
)

// TestHours wants submissions and use by hour of the week to be what a look at each minute finds, also where clocks
// are put forward or back.
func TestHours(t *testing.T) {
	const minute = 60 * events.Second
	rapid.Check(t, func(t *rapid.T) {
		header := &traces.Header{Start: 858_999_960, Fields: []traces.Field{{Label: "TimeZoneString", // 22 March 1997
			Text: rapid.SampledFrom([]string{"Europe/Stockholm", "Asia/Kolkata", "US/Pacific"}).Draw(t, "zone")}}}
		h := hours{calendar: header.Calendar()}
		var jobs [7 * 24]int64
		var work, there [7 * 24]float64
		place := func(at events.Time) int { return (h.calendar.Weekday(at)-1)*24 + h.calendar.Hour(at) }
		draw := func(most int, what string) events.Time {
			return events.Time(rapid.IntRange(0, most).Draw(t, what)) * minute
		}
		for range rapid.IntRange(1, 5).Draw(t, "jobs") {
			j := traces.Job{Submit: draw(20_000, "submit"), Wait: draw(500, "wait"), Run: draw(4000, "run"),
				Procs: int32(rapid.IntRange(1, 9).Draw(t, "procs"))}
			h.add(&j)
			jobs[place(j.Submit)]++
			for at := j.Submit + j.Wait; at < j.Submit+j.Wait+j.Run; at += minute {
				work[place(at)] += 60 * float64(j.Procs)
			}
		}
		first, last := draw(1000, "first"), 1000*minute+draw(20_000, "last")
		h.end(first, last)
		for at := first; at < last; at += minute {
			there[place(at)] += 60
		}
		for hour := range jobs {
			if h.jobs[hour] != jobs[hour] || math.Abs(h.work[hour]-work[hour])+math.Abs(h.there[hour]-there[hour]) > 1e-6 {
				t.Fatalf("hour %d: %d jobs, %v work, %v there; want %d, %v, %v", hour, h.jobs[hour], h.work[hour], h.there[hour],
					jobs[hour], work[hour], there[hour])
			}
		}
	})
}
