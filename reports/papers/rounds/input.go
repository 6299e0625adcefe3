package rounds

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// mostData bounds a file.
const mostData = 64 << 20

// read returns what is in a file, unpacked if it is gzip.
func read(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		return b, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if b, err = io.ReadAll(io.LimitReader(z, mostData)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// job is a line of the trace: training of a model, in steps, on so many devices.
type job struct {
	model    string
	batch    int
	steps    int
	devices  int
	mode     string  // how its batch size changes: static, accordion or gns
	duration float64 // seconds, as planned
	submit   float64
}

// trace reads the jobs, a line each of twelve fields parted by tabs. A last line that is cut off is left out, and said.
func trace(path string) (jobs []job, cut bool, err error) {
	text, err := read(path)
	if err != nil {
		return nil, false, err
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if line == "" {
			continue
		}
		j, err := parse(line)
		switch {
		case err != nil && i == len(lines)-1:
			return jobs, true, nil
		case err != nil:
			return nil, false, fmt.Errorf("%s: line %d: %w", path, i+1, err)
		}
		jobs = append(jobs, j)
	}
	return jobs, false, nil
}

func parse(line string) (j job, err error) {
	f := strings.Split(line, "\t")
	if len(f) != 12 {
		return j, fmt.Errorf("%d fields; want 12", len(f))
	}
	model, batch, ok := strings.Cut(f[0], " (batch size ")
	batch, closed := strings.CutSuffix(batch, ")")
	if !ok || !closed || dataset[model] == 0 {
		return j, fmt.Errorf("the kind %q; want a model known to the paper with its batch size, as in LM (batch size 10)",
			f[0])
	}
	j.model, j.mode = model, f[7]
	for i, to := range map[int]*int{5: &j.steps, 6: &j.devices} {
		if *to, err = strconv.Atoi(f[i]); err != nil || *to < 1 {
			return j, fmt.Errorf("field %d is %q; want a whole number of 1 or more", i+1, f[i])
		}
	}
	if j.batch, err = strconv.Atoi(batch); err != nil || j.batch < 1 {
		return j, fmt.Errorf("the batch size %q; want a whole number of 1 or more", batch)
	}
	for i, to := range map[int]*float64{10: &j.duration, 11: &j.submit} {
		if *to, err = strconv.ParseFloat(f[i], 64); err != nil || !(*to >= 0) {
			return j, fmt.Errorf("field %d is %q; want seconds", i+1, f[i])
		}
	}
	return j, nil
}

// kind is a row of the table of speeds.
type kind struct {
	model          string
	batch, devices int
}

func (k kind) String() string {
	return fmt.Sprintf("('%s (batch size %d)', %d)", k.model, k.batch, k.devices)
}

// speeds are steps a second by kind, on one type of device.
type speeds map[string]float64

// readSpeeds reads a table of Gavel for a type of device.
func readSpeeds(path, device string) (speeds, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	var all map[string]map[string]map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if all[device] == nil {
		return nil, fmt.Errorf("%s has no speeds on %s", path, device)
	}
	s := speeds{}
	for kind, row := range all[device] {
		if v, ok := row["null"].(float64); ok && v > 0 { // alone on its devices
			s[kind] = v
		}
	}
	return s, nil
}

// published is a run of the paper's simulator.
type published struct {
	Makespan    float64            `json:"makespan"`
	Completions []float64          `json:"jct_list"` // after submission, by job
	Fairness    []float64          `json:"finish_time_fairness_themis_list"`
	Utilisation float64            `json:"cluster_util"`
	Round       int                `json:"time_per_iteration"`
	Schedule    []map[string][]int `json:"per_round_schedule"`
}

// readRuns reads the runs by name.
func readRuns(path string) (map[string]*published, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	var runs map[string]*published
	if err := json.Unmarshal(text, &runs); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for name, r := range runs {
		if r == nil || r.Round != roundLength || len(r.Schedule) == 0 {
			return nil, fmt.Errorf("%s: the run %s has no schedule of rounds of %d s", path, name, roundLength)
		}
	}
	return runs, nil
}
