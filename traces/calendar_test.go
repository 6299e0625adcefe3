package traces_test

import (
	"os"
	"strings"
	"testing"
	_ "time/tzdata"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
)

// TestHeaderCalendar reads dates from headers as logs have them.
func TestHeaderCalendar(t *testing.T) {
	for header, want := range map[string]string{
		"UnixStartTime: 843480031|TimeZone: 3600|TimeZoneString: Europe/Stockholm": "Mon 23 Sep 1996 14:00 Europe/Stockholm",
		"UnixStartTime: 1041377305|TimeZone: 3600 # DEPRECATED":                    "Wed 1 Jan 2003 00:28 UTC+01:00",
		"UnixStartTime: 1041377305|TimeZoneString: Europe/Amsterdam  # CET":        "Wed 1 Jan 2003 00:28 Europe/Amsterdam",
		"UnixStartTime: 1170175078|TimeZoneString: US/Pacific":                     "Tue 30 Jan 2007 08:37 US/Pacific",
		"UnixStartTime: 1170175078|TimeZoneString: Mars/Base|TimeZone: -34200":     "Tue 30 Jan 2007 07:07 UTC-09:30",
		"UnixStartTime: 1170175078|TimeZoneString: Local":                          "Tue 30 Jan 2007 16:37 UTC",
		"UnixStartTime: 1170175078|TimeZone: 999999":                               "Tue 30 Jan 2007 16:37 UTC",
		"UnixStartTime: 1170175078|TimeZone: 0":                                    "Tue 30 Jan 2007 16:37 UTC",
		"UnixStartTime: 0|TimeZoneString: US/Pacific":                              "",
		"TimeZoneString: US/Pacific":                                               "",
	} {
		in := ";" + strings.ReplaceAll(header, "|", "\n;") + "\n" + tracetest.SWFLine(1)
		src, err := formats.Open("-", traces.Options{Stdin: strings.NewReader(in)})
		if err != nil {
			t.Fatal(err)
		}
		h, got := src.Header(), ""
		if c := h.Calendar(); c != nil {
			got = c.Text(0) + " " + c.Zone()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", header, got, want)
		}
		h.SetZone("Asia/Tokyo")
		if c := h.Calendar(); (c != nil) != (want != "") || c != nil && c.Zone() != "Asia/Tokyo" {
			t.Errorf("%s: the zone that is set is not that of the calendar", header)
		}
	}
}

// TestUnixTimes wants submissions that count from 1970 to be dates without a word in the header, also
// after a conversion.
func TestUnixTimes(t *testing.T) {
	for at, want := range map[string]string{"1672529301": "Sat 31 Dec 2022 17:28", "631151999": ""} {
		src, err := formats.Open("-", traces.Options{
			Stdin: strings.NewReader("; TimeZoneString: US/Central\n" + tracetest.SWFLine(1, "2="+at))})
		if err != nil {
			t.Fatal(err)
		}
		path := t.TempDir() + "/log.parquet"
		write, _ := formats.Writer(path)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = write(file, src); err != nil {
			t.Fatal(err)
		}
		file.Close()
		again, err := formats.Open(path, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer traces.Close(again)
		for _, h := range []*traces.Header{src.Header(), again.Header()} {
			got := ""
			if c := h.Calendar(); c != nil {
				got = c.Text(1672529301 * events.Second)
			}
			if got != want {
				t.Errorf("%s of %s: %q, want %q", at, h.Format, got, want)
			}
		}
	}
}
