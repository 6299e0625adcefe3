package formats_test

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/transform"
)

// example: a format

// diary reads lines of "second user processors seconds", in order of time.
type diary struct {
	header traces.Header
	lines  *bufio.Scanner
	number int64
}

func newDiary(name string, r io.Reader) *diary {
	return &diary{header: traces.Header{Name: name, Format: "diary", Names: traces.Names{Users: &traces.Words{}},
		Ledger: &traces.Ledger{}}, lines: bufio.NewScanner(r)}
}

// Header returns what is known of the trace as a whole: here no machine.
func (d *diary) Header() *traces.Header { return &d.header }

// Next fills in the next job. Every line is counted in the ledger, and an error says
// where it is and what is wanted.
func (d *diary) Next(j *traces.Job) error {
	if !d.lines.Scan() {
		return cmp.Or(d.lines.Err(), io.EOF)
	}
	d.number++
	d.header.Ledger.Read++
	var submit, run int64
	var user string
	*j = traces.UnknownJob
	if _, err := fmt.Sscan(d.lines.Text(), &submit, &user, &j.Procs, &run); err != nil {
		return &traces.Error{File: d.header.Name, Line: d.number, What: "not a line of a diary", Err: err,
			Want: "want second, user, processors and seconds"}
	}
	j.ID, j.Line, j.User = d.number, d.number, d.header.Names.Users.Label([]byte(user))
	j.Submit, j.Run = events.Time(submit)*events.Second, events.Time(run)*events.Second
	return nil
}

// end

// Whatever is a Source can be filtered, cut, scaled and replayed like any other.
func Example() {
	source, err := transform.Apply(newDiary("diary.txt", strings.NewReader("0 ann 2 60\n5 bob 1 30\n7 ann 4 10\n")),
		transform.Options{Where: `user == "ann"`})
	for err == nil {
		var j traces.Job
		if err = source.Next(&j); err == nil {
			fmt.Println("job", j.ID, "at", j.Submit, "on", j.Procs)
		}
	}
	fmt.Println(err, source.Header().Ledger.Dropped[traces.Filtered])
	// Output:
	// job 1 at 0s on 2
	// job 3 at 7s on 4
	// EOF 1
}
