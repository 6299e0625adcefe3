package formats_test

import (
	"archive/tar"
	"bytes"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"bourse/traces"
	"bourse/traces/table"
	"bourse/traces/tracetest"
	"bourse/traces/workload"
)

// grammar is a format of text, by one good record and what to put in its fields' places.
type grammar struct {
	kind, file string
	head, sep  string
	record     []string
	// hostile are the values for each field, by its number from 1; common ones come
	// with all of them.
	hostile map[int][]string
}

const latin, escape = "Universit\xe9", "\x1b[2J\x1b]0;x\a"

// numbers is what stands where a number should.
var numbers = []string{"", "x", "NaN", "-5", "1e300", "99999999999999999999", "0x10"}

var grammars = []grammar{
	{kind: "swf", file: "log.swf", head: "; MaxProcs: 64\n", sep: " ",
		record: strings.Fields("1 10 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1"),
		hostile: map[int][]string{1: numbers[1:], 2: numbers[1:], 3: {"x", "-5"}, 4: numbers[1:], 5: numbers[1:],
			8: numbers[1:], 9: {"x", "-5", "0"}, 10: {"x", "1e300"},
			11: {"x", "99"}, 12: {"x", latin, escape}, 13: {"x"}, 14: {"x"}, 15: {"x"}, 16: {"x"}, 17: {"x", "1e300"},
			18: {"x", "-7"}}},
	{kind: "csv", file: "log.csv", head: "id,submit,wait,run,procs,memory,user\n", sep: ",",
		record: strings.Split("1,10,0,10,1,5,u", ","),
		hostile: map[int][]string{1: numbers, 2: numbers, 3: numbers, 4: numbers, 5: numbers, 6: {"x", "5Q", "-3"},
			7: {"\"u", latin, escape, ""}}},
	{kind: "tsv", file: "log.tsv", head: "id\tsubmit\trun\tprocs\tuser\n", sep: "\t",
		record:  strings.Fields("1 10 10 1 u"),
		hostile: map[int][]string{1: numbers[1:3], 2: numbers, 3: numbers, 4: {"x", "1,5"}, 5: {"u\"v"}}},
	{kind: "sacct", file: "log.sacct", head: "JobID|User|Submit|Start|End|State|Elapsed|AllocCPUS|ReqMem|Timelimit\n",
		sep: "|",
		record: strings.Split("1|u|2024-03-01T08:00:00|2024-03-01T09:00:00|2024-03-01T09:30:00|COMPLETED|00:30:00|4|4Gn|01:00:00",
			"|"),
		hostile: map[int][]string{1: {"", "x", "-5", "1_x", "99999999999999999999"},
			3: {"", "x", "Unknown", "2024-13-01T08:00:00", "9e18"}, 4: {"x", "2023-03-01T08:00:00"},
			5: {"2024-03-01T08:30:00", "x"},
			6: {"", "ODD", escape}, 7: {"x", "-1", "99999999999-00:00:00"}, 8: {"", "x", "-4", "99999999999"}, 9: {"x", "4Q"},
			10: {"x", "UNLIMITED", "0"}}},
	{kind: "torque", file: "20240301", head: "", sep: ";", record: []string{"03/01/2024 08:00:00", "E", "1.srv",
		"user=u ctime=1709280000 start=1709280010 end=1709280110 exec_host=n/0-3"},
		hostile: map[int][]string{1: {"", "x", "2024-03-01", "31/12/2024 00:00:00"}, 2: {"", "Z", "EE"},
			3: {"", "x", "1[", "1[x].srv", "99999999999999999999.srv", "-5"},
			4: {"", "user=u", "ctime=x", "ctime=1709280000 start=9 end=8", "ctime=1709280000 start=x",
				"ctime=1709280000 exec_host=n/5-2", "ctime=1709280000 exec_host=n/0*99999999999",
				"ctime=1709280000 Resource_List.walltime=1:x", "ctime=1709280000 Resource_List.mem=12q", "ctime=1709280000 user=" +
					escape}}},
	{kind: "gwf", file: "log.gwf", head: "# a grid\n", sep: " ",
		record: strings.Fields("1 10 0 10 1 -1 -1 1 20 -1 1 U G A Q P S S -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"),
		hostile: map[int][]string{1: {"x", "1.5"}, 2: numbers[1:], 3: numbers[1:3], 4: numbers[1:], 5: numbers[1:], 8: {"x"},
			9: {"x"}, 10: {"x"}, 11: {"x"}, 12: {latin, escape}}},
	{kind: "philly", file: "philly.csv", head: "timestamp,duration,num_gpus,gpu_time,cluster\n", sep: ",",
		record:  strings.Split("10,10,1,10,a", ","),
		hostile: map[int][]string{1: numbers, 2: numbers, 3: numbers, 4: {"x"}, 5: {"", escape}}},
}

func (g *grammar) line(id int) string {
	fields := append([]string(nil), g.record...)
	switch fields[0] = strings.Replace(fields[0], "1", fmt.Sprint(id), 1); g.kind {
	case "torque":
		fields[0], fields[2] = g.record[0], fmt.Sprintf("%d.srv", id)
	case "philly":
		fields[0] = fmt.Sprint(10 * id)
	}
	return strings.Join(fields, g.sep) + "\n"
}

// corpus makes all inputs.
func corpus(t *testing.T) []malformed {
	var all []malformed
	for i := range grammars {
		g := &grammars[i]
		all = append(all, g.fields()...)
		all = append(all, g.texts()...)
	}
	all = append(all, tables()...)
	all = append(all, archives()...)
	all = append(all, headers()...)
	all = append(all, google2011()...)
	all = append(all, google2019()...)
	return append(all, parquets(t)...)
}

// fields puts hostile values in the places of fields, behind a good record.
func (g *grammar) fields() (all []malformed) {
	at := strings.Count(g.head, "\n") + 2
	for field := range g.record {
		for _, value := range g.hostile[field+1] {
			bad := strings.Split(strings.TrimSuffix(g.line(2), "\n"), g.sep)
			bad[field] = value
			all = append(all, malformed{kind: g.kind, fault: fmt.Sprintf("field %d is %q", field+1, value), spec: g.file,
				line:  at,
				files: map[string]string{g.file: g.head + g.line(1) + strings.Join(bad, g.sep) + "\n" + g.line(3)}})
		}
	}
	for i := range all {
		if bytes.ContainsAny([]byte(all[i].files[g.file]), "\x1b") {
			all[i].line = 0 // it is no text as a whole
		}
	}
	return all
}

// texts damages the file as a whole.
func (g *grammar) texts() (all []malformed) {
	good := g.head + g.line(1) + g.line(2)
	first := strings.TrimSuffix(g.line(3), "\n")
	named := g.head
	if g.kind == "swf" || g.kind == "gwf" || g.kind == "torque" {
		named = ""
	}
	names := strings.Split(strings.TrimSuffix(named, "\n"), g.sep)
	packed := gz(good)
	line := strings.Count(good, "\n") + 1
	for _, c := range []struct {
		fault, text string
		line        int
	}{
		{"empty", "", 0}, {"blank lines", "\n\n\n", 0}, {"names of columns only", g.head, 0},
		{"no names of columns", g.line(1) + g.line(2), 0},
		{"a column less in the names", strings.Join(names[:max(0, len(names)-1)], g.sep) + "\n" + g.line(1), 0},
		{"the columns twice", strings.TrimSuffix(named, "\n") + g.sep + named + first + g.sep + first + "\n", 0},
		{"a field less", good + first[:strings.LastIndex(first, g.sep)] + "\n", line},
		{"a field more", good + first + g.sep + "7\n", line},
		{"one word", good + "word\n", line}, {"a job twice", good + g.line(2), line},
		{"cut in a line", good + first[:len(first)/2], line},
		{"UTF-16, little end first", utf16of(good, 0xff, 0xfe), 0}, {"UTF-16, big end first", utf16of(good, 0xfe, 0xff), 0},
		{"UTF-16 without a mark", utf16of(good, 0, 1)[2:], 0},
		{"UTF-8 with a mark", "\xef\xbb\xbf" + good, 0}, {"ends of lines of a Mac", strings.ReplaceAll(good, "\n", "\r"), 0},
		{"ends of lines of Windows", strings.ReplaceAll(good, "\n", "\r\n"), 0},
		{"a byte 0", good + "\x00\n", 0}, {"a program", "\x7fELF\x02\x01\x01\x00\x00", 0},
		{"a web page", "<!DOCTYPE html>\n<html>404</html>\n", 0},
		{"JSON", `[{"jobid": "1", "submitted_time": "2017-10-09 07:06:52", "attempts": []}]` + "\n", 0},
		{"a line of 600,000 bytes", good + strings.Repeat("1", 600_000) + "\n", 0},
		{"gzip, cut", packed[:len(packed)-12], 0}, {"gzip, its header only", packed[:5], 0},
		{"gzip, changed", packed[:len(packed)-6] + "zz" + packed[len(packed)-4:], 0},
		{"gzip, with bytes behind", packed + "and more", 0}, {"gzip, with zeros behind", packed + strings.Repeat("\x00", 512),
			0}, {"gzip of binary data", gz("\x01\x02\x03"), 0},
		{"gzip of gzip", gz(packed), 0},
	} {
		all = append(all, malformed{g.kind, c.fault, g.named() + g.file, map[string]string{g.file: c.text}, c.line})
	}
	return all
}

// named is the format in front, so that no other is found.
func (g *grammar) named() string {
	if g.kind == "tsv" {
		return "csv:"
	}
	return g.kind + ":"
}

// headers are headers of SWF.
func headers() (all []malformed) {
	for _, h := range []string{"MaxProcs: 99999999999999999999", "MaxProcs: many", "MaxProcs: -4",
		"MaxNodes: 99999999999999999999", "UnixStartTime: 1e300", ":", "MaxProcs:"} {
		all = append(all, malformed{"swf", "header " + h, "log.swf",
			map[string]string{"log.swf": "; " + h + "\n" + tracetest.SWFLine(1)}, 0})
	}
	return all
}

func gz(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

func zst(text string) string {
	z, _ := zstd.NewWriter(nil)
	return string(z.EncodeAll([]byte(text), nil))
}

func utf16of(text string, mark ...byte) string {
	b := mark
	for _, c := range utf16.Encode([]rune(text)) {
		if b[0] == 0xfe {
			b = append(b, byte(c>>8), byte(c))
		} else {
			b = append(b, byte(c), byte(c>>8))
		}
	}
	return string(b)
}

func tarred(files ...string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		w.WriteHeader(&tar.Header{Name: files[i], Mode: 0o600, Size: int64(len(files[i+1]))})
		w.Write([]byte(files[i+1]))
	}
	w.Close()
	return b.String()
}

// archives are wrappings: compression and tar.
func archives() (all []malformed) {
	swf := tracetest.SWFLine(1) + tracetest.SWFLine(2)
	// of one line of SWF
	bz, _ := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWWTn+VcAABPYAAAQQAJwACAAMMAEmlNqcHKrIvoalwiwTUPi7kinChIMnP8q4A==")
	z := zst(swf)
	torque := grammars[4].line(1) + strings.Repeat("\n", 700) + grammars[4].line(2)
	archive := tarred("a/1", torque, "a/2", grammars[4].line(3))
	for _, c := range []struct{ kind, fault, file, text string }{
		{"bzip2", "whole", "log.swf.bz2", string(bz)}, {"bzip2", "cut", "log.swf.bz2", string(bz[:len(bz)-9])},
		{"bzip2", "its header only", "log.swf.bz2", "BZh91AY&SY"},
		{"bzip2", "changed", "log.swf.bz2", strings.Replace(string(bz), "\x9c", "\x9d", 1)},
		{"bzip2", "with bytes behind", "log.swf.bz2", string(bz) + "and more"},
		{"bzip2", "twice", "log.swf.bz2", string(bz) + string(bz)},
		{"zstd", "cut", "log.swf.zst", z[:len(z)-5]}, {"zstd", "its header only", "log.swf.zst", z[:4]},
		{"zstd", "changed", "log.swf.zst", z[:len(z)-2] + "zz"},
		{"zstd", "with bytes behind", "log.swf.zst", z + "and more"},
		{"zstd", "in front of gzip", "log.swf.zst", z + gz(swf)},
		{"gzip", "two behind each other", "log.swf.gz", gz(tracetest.SWFLine(1)) + gz(tracetest.SWFLine(2))},
		{"gzip", "a second one that is cut", "log.swf.gz", gz(tracetest.SWFLine(1)) + gz(swf)[:20]},
		{"gzip", "in front of zstd", "log.swf.gz", gz(swf) + z}, {"xz", "", "log.swf.xz", "\xfd7zXZ\x00....."},
		{"zip", "", "log.zip", "PK\x03\x04...."},
		{"arrow", "a file", "log.arrow", "ARROW1\x00\x00"},
		{"arrow", "a stream", "log.arrows", "\xff\xff\xff\xff\x78\x00\x00\x00\x10\x00\x00\x00"},
		{"tar", "whole", "log.tar", archive}, {"tar", "cut in a file", "log.tar", archive[:700]},
		{"tar", "cut between files", "log.tar", archive[:512]},
		{"tar", "without its end", "log.tar", archive[:len(archive)-1024]},
		{"tar", "cut in a header", "log.tar", archive[:1800]},
		{"tar", "a changed header", "log.tar", strings.Replace(archive, "a/1", "a/9", 1)},
		{"tar", "a second header that is changed", "log.tar", strings.Replace(archive, "a/2", "a/9", 1)},
		{"tar", "binary data in it", "log.tar", tarred("a/1", grammars[4].line(1), "a/2", "\x00\x01")},
		{"tar", "nothing in it", "log.tar", tarred()}, {"tar", "empty files", "log.tar", tarred("a", "", "b", "")},
		{"tar", "gzip in it that is cut", "log.tar", tarred("a.gz", gz(torque)[:30])},
		{"tar", "in gzip that is cut", "log.tgz", gz(archive)[:100]}, {"tar", "two archives behind each other", "log.tar",
			archive + archive},
		{"tar", "SWF in it, named so", "log.tar", tarred("a.swf", swf)},
	} {
		all = append(all, malformed{c.kind, c.fault, c.file, map[string]string{c.file: c.text}, 0})
	}
	all = append(all, malformed{"tar", "SWF asked for", "swf:log.tar", map[string]string{"log.tar": tarred("a.swf", swf)},
		0},
		malformed{"folder", "of SWF", "logs", map[string]string{"logs/a.swf": swf}, 0},
		malformed{"folder", "hidden files only", "logs", map[string]string{"logs/.a": swf}, 0},
		malformed{"torque", "a folder with a binary file", "logs",
			map[string]string{"logs/1": grammars[4].line(1), "logs/2": "\x00"}, 0},
		malformed{"missing", "no such file", "absent.swf", nil, 0})
	return all
}

// tables are tables that stand beside a trace.
func tables() (all []malformed) {
	for _, k := range []struct{ kind, head, good, bad string }{
		{"bids", "job_id,value,bid\n", "1,5,5\n", "2,%s,5\n"}, {"endowments", "agent,endowment\n", "a,5\n", "b,%s\n"},
		{"weights", "agent,weight\n", "a,5\n", "b,%s\n"},
	} {
		file := k.kind + ".csv"
		for _, v := range append([]string{"Inf", "1,5", "\"5", latin}, numbers...) {
			if k.kind != "bids" && v == "1e300" {
				continue
			}
			all = append(all, malformed{k.kind, fmt.Sprintf("a value is %q", v), file,
				map[string]string{file: k.head + k.good + fmt.Sprintf(k.bad, v)}, 3})
		}
		good := k.head + k.good
		for _, c := range [][2]string{{"empty", ""}, {"no names", k.good}, {"names only", k.head},
			{"a column less", strings.Replace(good, ",", "x", 1)}, {"the columns twice", strings.TrimSuffix(k.head, "\n") + "," +
				k.head + "1,1,1,1,1,1\n"},
			{"UTF-16", utf16of(good, 0xff, 0xfe)}, {"ends of lines of a Mac", strings.ReplaceAll(good, "\n", "\r")},
			{"a byte 0", good + "\x00"}, {"gzip", gz(good)},
			{"a line of 2,000,000 bytes", good + strings.Repeat("1", 2_000_000)}} {
			all = append(all, malformed{k.kind, c[0], file, map[string]string{file: c[1]}, 0})
		}
	}
	return all
}

// google2011 changes fields of the tables of 2011.
func google2011() (all []malformed) {
	rows := strings.SplitAfter(tracetest.GoogleEvents("600 1 0 0", "601 1 0 1", "602 1 0 4"), "\n")
	machines := "0,1,0,p,1,1\n0,2,0,p,1,1\n"
	const tasks, pool = "trace/task_events/part-00000-of-00001.csv.gz", "trace/machine_events/part-00000-of-00001.csv.gz"
	add := func(fault, events, machines string, line int) {
		all = append(all, malformed{"google2011", fault, "trace", map[string]string{tasks: gz(events), pool: gz(machines)},
			line})
	}
	good := strings.Join(rows, "")
	for _, c := range []struct {
		field  int
		values []string
	}{{1, []string{"", "x", "-5", "99999999999999999999"}}, {3, []string{"", "x"}}, {4, []string{"x", "-1", "9999999999"}},
		{5, []string{"x"}}, {6, []string{"", "9", "-1", "x"}}, {8, []string{"x", "-1"}}, {9, []string{"x"}},
		{10, []string{"x", "-1", "NaN", "Inf", "1e308", "0x1p3"}}, {11, []string{"x", "-1", "1e308"}}} {
		for _, v := range c.values {
			f := strings.Split(rows[1], ",")
			f[c.field-1] = v
			add(fmt.Sprintf("field %d is %q", c.field, v), rows[0]+strings.Join(f, ",")+rows[2], machines, 2)
		}
	}
	for _, m := range []string{"x,2,0,p,1,1", "0,x,0,p,1,1", "0,2,7,p,1,1", "0,2,0,p,1e308,1", "0,2,0,p,1,1e308",
		"0,2,0,p,-1,1", "0,2,0,p,NaN,1", "0,2,0,p,1", "0,2,0,p,,", "\x00"} {
		add(fmt.Sprintf("machine %q", m), good, "0,1,0,p,1,1\n"+m+"\n", 0)
	}
	add("empty", "", "", 0)
	add("a field less", good+"1,2,3\n", machines, 4)
	add("UTF-16", utf16of(good, 0xff, 0xfe), machines, 0)
	add("ends of lines of a Mac", strings.ReplaceAll(good, "\n", "\r"), machines, 1)
	add("JSON", good+"{\"time\":\"1\"}\n", machines, 4)
	add("a line of 600,000 bytes", good+strings.Repeat("1", 600_000), machines, 0)
	whole := gz(good)
	all = append(all, malformed{"google2011", "cut", "trace", map[string]string{tasks: whole[:40]}, 0},
		malformed{"google2011", "bytes behind", "trace", map[string]string{tasks: whole + "more"}, 0},
		malformed{"google2011", "a part missing", "trace",
			map[string]string{tasks: whole, strings.Replace(tasks, "part-00000", "part-00002", 1): whole}, 0},
		malformed{"google2011", "no tables", "google2011:trace", map[string]string{"trace/readme": "x"}, 0})
	return all
}

// google2019 changes lines of the tables of 2019.
func google2019() (all []malformed) {
	const tasks, pool = "trace/instance_events-000000000000.json.gz", "trace/machine_events-000000000000.json.gz"
	row := func(change ...string) string {
		r := `{"time":"600000000","type":"0","collection_id":"1","instance_index":"0","priority":"1","resource_request":{"cpus":0.1,"memory":0.1}}` +
			"\n"
		return strings.NewReplacer(change...).Replace(r)
	}
	for _, c := range [][]string{{`"600000000"`, `"x"`}, {`"600000000"`, `-5`}, {`"600000000"`, `"99999999999999999999"`},
		{`"600000000"`, `[]`}, {`"type":"0"`, `"type":"12"`}, {`"type":"0"`, `"type":"SUBMITTED"`}, {`"type":"0",`, ``},
		{`"collection_id":"1"`, `"collection_id":2.75E+15`}, {`"collection_id":"1",`, ``},
		{`"instance_index":"0"`, `"instance_index":"-1"`}, {`"priority":"1"`, `"priority":"99999999999999999999"`},
		{`"cpus":0.1`, `"cpus":-2`}, {`"cpus":0.1`, `"cpus":1e308`},
		{`"cpus":0.1`, `"cpus":1e999`}, {`"cpus":0.1`, `"cpus":"0.1"`},
		{`"resource_request":{"cpus":0.1,"memory":0.1}`, `"resource_request":7`}, {"}}\n", "\n"}, {"{", "\x00"},
		{`"600000000"`, "\"\xe9\""}, {`"600000000"`, `"` + escape + `"`}} {
		all = append(all, malformed{"google2019", strings.TrimSpace(fmt.Sprintf("%q for %s", c[1], strings.TrimSpace(c[0]))),
			"trace", map[string]string{tasks: gz(row() + row(c...))}, 2})
	}
	for _, m := range []string{`{"time":"0"}`, `{"time":"0","machine_id":"2","type":"9"}`,
		`{"time":"0","machine_id":"1","type":"1","capacity":{"cpus":1e308,"memory":1}}`,
		`{"time":"0","machine_id":"1","type":"1","capacity":{"cpus":-1,"memory":1}}`, "{", "junk"} {
		first := `{"time":"0","machine_id":"3","type":"1","capacity":{"cpus":1,"memory":1}}` + "\n"
		all = append(all, malformed{"google2019", "machine " + m, "trace",
			map[string]string{tasks: gz(row()), pool: gz(first + m + "\n")}, 0})
	}
	for _, c := range [][2]string{{"empty", ""}, {"UTF-16", utf16of(row(), 0xff, 0xfe)},
		{"CSV", "time,type,collection_id\n1,2,3\n"}, {"rows of 2011", tracetest.GoogleEvents("600 1 0 0")},
		{"one list", "[" + row() + "]"}} {
		all = append(all, malformed{"google2019", c[0], "trace", map[string]string{tasks: gz(c[1])}, 0})
	}
	return append(all, malformed{"google2019", "cut", "trace", map[string]string{tasks: gz(row())[:30]}, 0},
		malformed{"google2019", "a Parquet that is none", "trace",
			map[string]string{"trace/instance_events-0.parquet": "PAR1 no"}, 0})
}

// columns writes a Parquet of two rows.
func columns(t *testing.T, specs []table.Spec, packed []table.Packed) string {
	var b bytes.Buffer
	w, err := table.NewParquetWriter(&b, specs, nil)
	if err == nil {
		err = w.Add(func(i int, _ *table.Scratch) table.Packed { return packed[i] })
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// parquets are workload files and Parquet of other origin.
func parquets(t *testing.T) (all []malformed) {
	var b bytes.Buffer
	jobs := make([]traces.Job, 2)
	for i := range jobs {
		jobs[i] = traces.UnknownJob
		jobs[i].ID, jobs[i].Submit, jobs[i].Run, jobs[i].Procs = int64(i+1), 5, 7, 1
	}
	if _, err := workload.Write(&b, tracetest.NewSlice(jobs)); err != nil {
		t.Fatal(err)
	}
	good := b.String()
	add := func(kind, fault, text string) {
		all = append(all, malformed{kind, fault, filepath.Base(kind + ".parquet"), map[string]string{kind + ".parquet": text},
			0})
	}
	for _, n := range []int{0, 3, 4, 8, 100} {
		add("workload", fmt.Sprintf("cut after %d bytes", n), good[:n])
	}
	for _, n := range []int{1, 4, 8, 200, 1000} {
		add("workload", fmt.Sprintf("without its last %d bytes", n), good[:len(good)-n])
	}
	add("workload", "another magic number at the end", good[:len(good)-4]+"PAR2")
	add("workload", "another magic number at the start", "PAR2"+good[4:])
	add("workload", "an index of 2 GB", good[:len(good)-8]+"\xff\xff\xff\x7fPAR1")
	add("workload", "zeros for the index",
		good[:len(good)/2]+strings.Repeat("\x00", len(good)-len(good)/2-8)+good[len(good)-8:])
	add("workload", "zeros for the values", good[:4]+strings.Repeat("\x00", 200)+good[204:])
	add("workload", "bytes behind", good+"more")
	add("workload", "two behind each other", good+good)
	add("workload", "in gzip", gz(good))
	add("workload", "text", tracetest.SWFLine(1))
	whole := func(v ...int64) table.Packed { return table.Packed{Whole: v} }
	real := func(v ...float64) table.Packed { return table.Packed{Real: v} }
	text := func(v ...string) (p table.Packed) {
		for _, s := range v {
			p.Text = append(p.Text, parquet.ByteArray(s))
		}
		return p
	}
	of := func(p table.Packed) parquet.Type {
		switch {
		case p.Real != nil:
			return parquet.Types.Double
		case p.Text != nil:
			return parquet.Types.ByteArray
		}
		return parquet.Types.Int64
	}
	put := func(kind, fault string, names string, packed ...table.Packed) {
		var specs []table.Spec
		for i, n := range strings.Fields(names) {
			specs = append(specs, table.Spec{Name: n, Type: of(packed[i])})
		}
		add(kind, fault, columns(t, specs, packed))
	}
	id, at, one := whole(1, 2), whole(0, 5), whole(1, 1)
	const four = "job_id submit_us run_us procs"
	put("workload", "no column procs", "job_id submit_us run_us", id, at, at)
	put("workload", "job_id as words", four, text("a", "b"), at, at, one)
	put("workload", "run_us as floats", four, id, at, real(1, 2), one)
	put("workload", "a negative submit_us", four, id, whole(0, -5), at, one)
	put("workload", "an enormous run_us", four, id, at, whole(1, 1<<62), one)
	put("workload", "an enormous procs", four, id, at, at, whole(1, 1<<40))
	put("workload", "a job twice", four, whole(1, 1), at, at, one)
	put("workload", "a column twice", four+" procs", id, at, at, one, one)
	put("workload", "memory as words", four+" memory", id, at, at, one, text("1", "2"))
	put("parquet", "no column known", "a b", id, at)
	put("parquet", "words for times", "submit run procs", text("x", "y"), at, one)
	put("parquet", "a negative run", "submit run procs", at, whole(1, -5), one)
	put("parquet", "NaN for a time", "submit run procs", real(1, nan), at, one)
	put("parquet", "infinity for a time", "submit run procs", real(1, 1/zero), at, one)
	put("parquet", "infinite processors", "submit run procs", at, at, real(1, 1/zero))
	put("parquet", "escapes in words", "submit run procs", at, at, text("1", escape))
	put("parquet", "a job twice", "id submit run", whole(1, 1), at, at)
	put("parquet", "a column twice", "submit submit run", at, at, at)
	return all
}

var (
	zero = 0.0
	nan  = zero / zero
)
