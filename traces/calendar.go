package traces

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bourse/events"
)

// zoneField is the header field that names the time zone.
const zoneField = "TimeZoneString"

// Calendar returns the dates of a log, nil where it does not say at which its times begin. Its time
// zone is the header's: that of a name, else so far from UTC as it says in seconds, else UTC.
func (h *Header) Calendar() *events.Calendar {
	if h.Start == 0 && !h.Unix {
		return nil
	}
	zone := time.UTC
	// Some logs have comments behind both.
	if words := strings.Fields(FieldText(h.Fields, zoneField)); len(words) > 0 {
		if named, err := events.LoadZone(words[0]); err == nil {
			return events.NewCalendar(h.Start, named)
		}
	}
	if east, ok := LeadingNumber(FieldText(h.Fields, "TimeZone")); ok && east != 0 && max(east, -east) < 86400 {
		sign, away := '+', max(east, -east)
		if east < 0 {
			sign = '-'
		}
		zone = time.FixedZone(fmt.Sprintf("UTC%c%02d:%02d", sign, away/3600, away/60%60), int(east))
	}
	return events.NewCalendar(h.Start, zone)
}

// When is an instant in words: its date, or the time since the zero of a log without dates.
func (h *Header) When(t events.Time) string {
	if c := h.Calendar(); c != nil {
		return c.Text(t)
	}
	return t.Short()
}

// SetZone makes the log's time zone that of a name.
func (h *Header) SetZone(name string) {
	others := slices.DeleteFunc(slices.Clone(h.Fields),
		func(f Field) bool { return strings.EqualFold(f.Label, zoneField) })
	h.Fields = append(others, Field{zoneField, name})
}

// UndatedError says that something needs dates of a log that has none.
type UndatedError struct {
	For, Trace string
	Instead    string // what can be written instead, "" if nothing
}

func (e *UndatedError) Error() string {
	text := fmt.Sprintf("%s needs dates, and %s does not say at which its times begin (in SWF: UnixStartTime)", e.For,
		e.Trace)
	if e.Instead != "" {
		text += "; " + e.Instead
	}
	return text
}
