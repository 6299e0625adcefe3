package atlas

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"

	"bourse/reports/table"
	"bourse/reports/terminal"
)

// The atlas that comes with the program, as Run writes it.
var (
	//go:embed figures.csv
	keptFigures []byte
	//go:embed logs.csv
	keptLogs []byte
)

// figure is what a replay of a log, or of one of its replicas, comes to. Replica 0 is the
// log itself.
type figure struct {
	log, policy string
	replica     int
	values      [len(measures)]float64 // by measure
}

// log is what figures are of.
type log struct {
	name, sha256     string
	jobs, processors int
	weeks, load      float64
	// users are how many it names, requests the share of jobs that ask for a time.
	users    int
	requests float64
	// roomy is the part of the recorded waiting for which the job had room in the machine, below 0 if the log records no
	// waits: what a plain replay cannot say is due to rules of the site.
	roomy float64
	// caution is what keeps it from being as good as others, "" if nothing is known of that.
	caution string
}

// Facts are what the atlas knows of a log: its length, offered load, named users, and the share of jobs with a requested
// time.
type Facts struct {
	Weeks, Load, Requests float64
	Users                 int
	Caution               string
}

// FactsOf returns those of the logs that come with the program, by SHA-256.
func FactsOf() (map[string]Facts, error) {
	a, err := kept()
	by := map[string]Facts{}
	for _, l := range a.logs {
		by[l.sha256] = Facts{l.weeks, l.load, l.requests, l.users, l.caution}
	}
	return by, err
}

// known is a number, -1 of a cell without one.
func known(number func(string) float64, cell string) float64 {
	if cell == "" {
		return -1
	}
	return number(cell)
}

// full reports whether a log is of one machine, well recorded and with requested times.
func (l *log) full() bool { return l.caution == "" && l.users > 1 && l.requests >= .5 }

// digits are those kept of a figure: more than any interval here allows.
const digits = 6

// rounded is a figure as it is kept: what is concluded is the same from the file.
func rounded(x float64) float64 {
	x, _ = strconv.ParseFloat(terminal.Significant(digits).Text(x), 64) // of its own text
	return x
}

// figuresTable is the file of figures of an atlas.
func figuresTable(all []figure) *table.Table {
	t := table.New(table.Named("log", "policy", "replica", "mean_bounded_slowdown", "mean_wait_s", "p95_wait_s")...)
	for _, f := range all {
		t.Add(f.log, f.policy, f.replica, rounded(f.values[0]), rounded(f.values[1]), rounded(f.values[2]))
	}
	return t
}

// kept reads the atlas that comes with the program.
func kept() (a atlas, err error) {
	var bad error
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil && bad == nil {
			bad = err
		}
		return x
	}
	err = rowsOf(keptLogs, func(r []string) {
		a.logs = append(a.logs, log{r[0], r[1], int(number(r[2])), int(number(r[3])), number(r[4]), number(r[5]),
			int(number(r[6])), number(r[7]), known(number, r[8]), r[9]})
	})
	if err == nil {
		err = rowsOf(keptFigures, func(r []string) {
			a.figures = append(a.figures,
				figure{r[0], r[1], int(number(r[2])), [...]float64{number(r[3]), number(r[4]), number(r[5])}})
		})
	}
	if err == nil {
		err = bad
	}
	if err != nil {
		return a, fmt.Errorf("the atlas in the program: %w", err)
	}
	return a, nil
}

// rowsOf calls use for each row below the heading.
func rowsOf(text []byte, use func([]string)) error {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	for _, r := range rows[min(1, len(rows)):] {
		use(r)
	}
	return err
}
