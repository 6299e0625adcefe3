package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// maker writes bombs of size MB below base.
type maker struct {
	base string
	size int
}

const block = 4 << 20

// pack writes head and then fill over and over, as gzip members of 4 MB, which are small:
// 2 GB take a few MB.
func (m *maker) pack(name, head, fill string) (string, error) {
	path := filepath.Join(m.base, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	first, err := member(head)
	if err == nil {
		_, err = f.Write(first)
	}
	again, err2 := member(strings.Repeat(fill, block/len(fill)))
	if err == nil {
		err = err2
	}
	for n := 0; n < m.size<<20 && err == nil; n += block {
		_, err = f.Write(again)
	}
	return path, err
}

func member(text string) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	if err == nil {
		err = z.Close()
	}
	return b.Bytes(), err
}

// text is a kind of file: how it is asked for, how it begins, what separates its fields
// and how its comments look.
type text struct {
	name, prefix, file, head, separator, comment string
}

var texts = []text{
	{"swf", "swf:", "log.swf.gz", "; MaxProcs: 4\n1 0 0 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 -1 -1\n", " ", "; remark\n"},
	{"csv", "csv:", "log.csv.gz", "job,submit,run\n1,0,10\n", ",", "# remark\n"},
	{"torque", "torque:", "torque.gz", "10/01/2004 00:00:01;Q;1.a;queue=dteam\n", ";", "\n"},
	{"sacct", "sacct:", "sacct.txt.gz",
		"JobID|Submit|Start|End|AllocCPUS|State\n" +
			"1|2020-01-01T00:00:00|2020-01-01T00:00:00|2020-01-01T00:01:00|1|COMPLETED\n", "|", "# remark\n"},
	{"gwf", "gwf:", "log.gwf.gz", "# MaxProcs: 4\n", "\t", "# remark\n"},
	{"philly", "philly:", "philly.csv.gz", "timestamp,duration,num_gpus,gpu_time,cluster\n", ",", "\n"},
	{"google2011", "google2011:", "google/task_events/part-00000-of-00500.csv.gz", "", ",", "\n"},
}

func (m *maker) all() (all []bomb, err error) {
	for _, t := range texts {
		for _, c := range []struct{ what, head, fill string }{
			{"zero bytes", "", "\x00"},
			{"a line without an end", t.head, "1"},
			{"separators without an end", t.head, t.separator},
			{"blank lines", t.head, "\n"},
			{"comments", t.head, t.comment},
		} {
			folder := fmt.Sprint(len(all))
			path, err := m.pack(filepath.Join(folder, t.file), c.head, c.fill)
			if err != nil {
				return nil, err
			}
			if t.name == "google2011" {
				path = filepath.Join(m.base, folder, "google")
			}
			all = append(all, bomb{t.name + ": " + c.what, []string{"trace", "inspect", t.prefix + path}})
		}
	}
	for _, add := range []func() ([]bomb, error){m.tables, m.parquets, m.odd, m.arguments, m.scripts} {
		more, err := add()
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// tables are those that commands read in addition to a trace.
func (m *maker) tables() (all []bomb, err error) {
	log, err := m.log()
	if err != nil {
		return nil, err
	}
	for _, c := range []struct {
		name, head, fill string
		args             []string // the path comes last
	}{
		{"bids: separators", "job_id,value,bid\n1,2,2\n", ",", []string{"replay", log, "--bids"}},
		{"bids: an open quote", "job_id,value,bid\n1,2,\"", "x", []string{"replay", log, "--bids"}},
		{"bids: rows for no job", "job_id,value,bid\n", "7,1,1\n", []string{"replay", log, "--bids"}},
		{"allocate: separators", "agent,cpu\na,", ",", []string{"allocate"}},
		{"lend: a line without an end", "round,agent,demand\n1,", "a", []string{"lend"}},
		{"equilibrium: separators", "user,machine,weight\na,m,", ",", []string{"equilibrium"}},
		{"flags: a file of comments", "", "# remark\n", []string{"replay", log, "--config"}},
	} {
		path := filepath.Join(m.base, fmt.Sprint("table", len(all), ".csv"))
		err := m.plain(path, c.head, c.fill)
		if err != nil {
			return nil, err
		}
		all = append(all, bomb{c.name, append(c.args, path)})
	}
	return all, nil
}

// plain writes head and then fill up to 10 MB.
func (m *maker) plain(path, head, fill string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(head)
	again := strings.Repeat(fill, block/len(fill))
	for n := 0; n < 10<<20 && err == nil; n += block {
		_, err = f.WriteString(again)
	}
	return err
}

func (m *maker) log() (string, error) {
	var b strings.Builder
	b.WriteString("; MaxProcs: 4\n")
	for i := range 20 {
		fmt.Fprintf(&b, "%d %d 0 50 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1\n", i+1, 1000*i)
	}
	path := filepath.Join(m.base, "log.swf")
	return path, os.WriteFile(path, []byte(b.String()), 0o666)
}

// odd are files that have no end or lead back to themselves.
func (m *maker) odd() ([]bomb, error) {
	loop := filepath.Join(m.base, "loop")
	if err := os.Mkdir(loop, 0o777); err != nil {
		return nil, err
	}
	return []bomb{
		{"swf: /dev/zero", []string{"trace", "inspect", "swf:/dev/zero"}},
		{"any format: /dev/zero", []string{"trace", "inspect", "/dev/zero"}},
		{"flags: /dev/zero", []string{"replay", "log.swf", "--config", "/dev/zero"}},
		{"a folder that leads to itself", []string{"trace", "inspect", "google2011:" + loop}},
	}, os.Symlink(loop, filepath.Join(loop, "task_events"))
}

// arguments ask for more than a machine can do.
func (m *maker) arguments() ([]bomb, error) {
	where := func(e string) []string { return []string{"replay", "log.swf", "--where", e} }
	sweep := func(args ...string) []string {
		return append([]string{"sweep", "log.swf", "--out", "x"}, args...)
	}
	return []bomb{
		{"expression: a text doubled 100 times", where(`len(reduce(1..100, #acc + #acc, "a")) > 0`)},
		{"expression: a range of 10^9", where(`len(1..1000000000) > 0`)},
		{"expression: 60,000 brackets", where(strings.Repeat("(", 60000) + "run" + strings.Repeat(")", 60000) +
			" > 0")},
		{"sweep: 2^30 values in braces", sweep("--policy", strings.Repeat("srpt{a,b}", 30))},
		{"sweep: 10^8 seeds", sweep("--seeds", "100000000")},
		{"replay: a series of 1 us", []string{"replay", "log.swf", "--series=0.000001", "--out", "x"}},
		{"sweep: 10^6 cells and more", sweep("--seeds", "90000", "--policy", "fcfs,easy", "--load-factor",
			"1,2,3,4,5,6")},
	}, nil
}
