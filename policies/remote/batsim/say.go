//go:build !js

package batsim

import (
	"encoding/json"
	"slices"
	"strconv"

	"bourse/events"
	"bourse/policies"
)

// workload is the name of the one workload; its job N is w0!N.
const workload = "w0"

func name(job int64) string { return workload + "!" + strconv.FormatInt(job, 10) }

// event begins an event; its data and a closing brace are to follow.
func (b *Batsim) event(at events.Time, kind string) {
	if b.told > 0 {
		b.line = append(b.line, ',')
	}
	b.told++
	b.line = append(seconds(append(b.line, `{"timestamp":`...), at), `,"type":"`...)
	b.line = append(append(b.line, kind...), `","data":`...)
}

func (b *Batsim) ended(at events.Time, job int64, on alloc) {
	b.event(at, "JOB_COMPLETED")
	b.line = append(b.id(`{"job_id":`, job), `,"job_state":"COMPLETED_SUCCESSFULLY","return_code":0,"alloc":"`...)
	b.line = append(append(b.line, on.String()...), `"}}`...)
}

func (b *Batsim) submitted(at events.Time, j *policies.Job) {
	b.event(at, "JOB_SUBMITTED")
	b.line = b.id(`{"job_id":`, j.Seq)
	b.line = b.id(`,"job":{"id":`, j.Seq)
	b.line = seconds(append(b.line, `,"subtime":`...), j.Submit)
	b.line = strconv.AppendInt(append(b.line, `,"res":`...), int64(j.Procs), 10)
	if j.Estimate.Known() {
		b.line = seconds(append(b.line, `,"walltime":`...), j.Estimate)
	}
	run := j.Estimate // all that may be known of it
	if b.o.Clairvoyant {
		run = j.Run
	}
	b.line = b.id(`,"profile":`, j.Seq)
	b.line = append(b.line, `},"profile":{"type":"delay","delay":`...)
	if run.Known() {
		b.line = seconds(b.line, run)
	} else {
		b.line = append(b.line, "-1"...)
	}
	b.line = append(b.line, "}}}"...)
}

func (b *Batsim) id(before string, job int64) []byte {
	line := append(append(b.line, before...), `"`+workload+`!`...)
	return append(strconv.AppendInt(line, job, 10), '"')
}

func seconds(line []byte, t events.Time) []byte {
	return strconv.AppendFloat(line, t.Seconds(), 'f', -1, 64)
}

// message sends the message begun and returns the answer.
func (b *Batsim) message(now events.Time) ([]byte, error) {
	text := append(seconds([]byte(`{"now":`), now), `,"events":[`...)
	text = append(append(text, b.line...), "]}"...)
	b.line, b.told = b.line[:0], 0
	if b.o.Endpoint == Any {
		b.sent = append(b.sent, text)
	}
	return b.l.exchange(slices.Clone(text))
}

type resource struct {
	ID         int               `json:"id"`
	Name       string            `json:"name"`
	State      string            `json:"state"`
	Properties map[string]string `json:"properties"`
	Zone       map[string]string `json:"zone_properties"`
}

// simulationBegins is the data of SIMULATION_BEGINS: as many resources as there are processors and no
// storage; profiles come with the jobs.
func simulationBegins(procs int) []byte {
	none := map[string]string{}
	compute := make([]resource, procs)
	for i := range compute {
		compute[i] = resource{ID: i, Name: "p" + strconv.Itoa(i), State: "idle", Properties: none, Zone: none}
	}
	text, err := json.Marshal(map[string]any{
		"allow_compute_sharing": false, "allow_storage_sharing": false,
		"nb_resources": procs, "nb_compute_resources": procs, "nb_storage_resources": 0,
		"config": map[string]any{
			"redis-enabled": false, "redis-hostname": "", "redis-port": 0, "redis-prefix": "",
			"profiles-forwarded-on-submission": true, "dynamic-jobs-enabled": false, "dynamic-jobs-acknowledged": false,
			"profile-reuse-enabled": false, "forward-unknown-events": false,
		},
		"compute_resources": compute, "storage_resources": []resource{},
		"workloads": map[string]string{workload: workload}, "profiles": map[string]any{workload: none},
	})
	if err != nil {
		panic(err) // of numbers and texts
	}
	return text
}
