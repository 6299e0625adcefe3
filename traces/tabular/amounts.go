package tabular

import (
	"fmt"
	"math"
	"strings"

	"bourse/traces"
	"bourse/traces/input"
)

// What is noted of GPUs.
const (
	OddGPUProcs = "no column of processors but of GPUs: each GPU is taken for a processor"
	OddModels   = "jobs on GPUs of several models at once, taken to run on any"
)

// parts are the units of amounts, by how many make one.
var parts = map[string]float64{"core": 1, "device": 1, "percent": 100, "milli": 1000}

// partOf is the unit that a column's name tells: plan_gpu of Alibaba is in percent.
func partOf(plain string) float64 {
	switch {
	case strings.HasSuffix(plain, "milli"):
		return parts["milli"]
	case strings.HasSuffix(plain, "percent"), plain == "plancpu", plain == "plangpu":
		return parts["percent"]
	}
	return 1
}

// wholeGPUs is by how much rounding may miss a whole number of devices.
const wholeGPUs = 1e-9

// amounts reads what a job asks for of CPU, GPUs and disk. n is its processors.
func (t *Rows) amounts(j *traces.Job, cells []string, n float64) (fault *traces.Error) {
	if t.eachProc {
		n = 1
	}
	for _, to := range [...]struct {
		r Role
		x *float64
	}{{RoleCPU, &j.CPU}, {RoleDisk, &j.Disk}, {RoleGPU, &j.GPU}} {
		if *to.x, fault = t.amount(cells, to.r); fault != nil {
			return fault
		}
	}
	each, fault := t.amount(cells, roleGPUEach)
	switch {
	case fault != nil:
		return fault
	case each > 1:
		return t.fault(roleGPUEach, cells, "want a part of a device, no more than all of it")
	case each >= 0 && j.GPU != 0:
		j.GPU = max(j.GPU, -j.GPU) * each // an unknown number is one device
	}
	model := t.cell(cells, RoleModel)
	if t.Cols[roleTRES] >= 0 || t.Cols[roleReqTRES] >= 0 {
		if model, fault = t.tres(j, cells); fault != nil {
			return fault
		}
	}
	if j.GPU > 1 && math.Abs(j.GPU-math.Round(j.GPU)) > wholeGPUs {
		return &traces.Error{What: fmt.Sprintf("the job asks for %.6g GPUs", j.GPU),
			Want: "want a part of one device, or a whole number of devices"}
	}
	for _, x := range [...]*float64{&j.CPU, &j.Disk, &j.GPU} {
		if *x >= 0 {
			*x /= n
		}
	}
	if j.GPU > 0 {
		j.Model = Word(t.header.Names.Models, model)
	}
	return nil
}

// amount reads a number of a role's unit, -1 for unknown.
func (t *Rows) amount(cells []string, r Role) (float64, *traces.Error) {
	text := t.cell(cells, r)
	if text == "-1" || input.IsUnknown(text) {
		return -1, nil
	}
	n, ok := input.ParseNumber(text)
	if v := n.Float(); ok && v >= 0 && v <= 1e15 {
		return v / t.part[r], nil
	}
	return 0, t.fault(r, cells, "want a number of 0 or more")
}

// tres reads GPUs from what Slurm calls trackable resources: those allocated, else those
// requested; and the model from those requested, else from those allocated.
func (t *Rows) tres(j *traces.Job, cells []string) (model string, fault *traces.Error) {
	for _, r := range [...]Role{roleReqTRES, roleTRES} {
		if t.Cols[r] < 0 {
			continue
		}
		gpus, of, ok := gresGPUs(t.cell(cells, r))
		if !ok {
			return "", t.fault(r, cells, "want a number of GPUs, as in gres/gpu=2 or gres/gpu:a100=2")
		}
		if gpus > 0 {
			j.GPU = gpus
		}
		if len(of) > 1 {
			t.header.Ledger.Odd(OddModels)
		} else if len(of) == 1 && (r == roleReqTRES || t.Cols[roleReqTRES] < 0 || t.cell(cells, roleReqTRES) == "") {
			model = of[0]
		}
	}
	return model, nil
}

// gresGPUs adds up the GPUs in text such as "cpu=8,gres/gpu=2,gres/gpu:a100=2" or, as older
// versions print it, "gpu:a100:2", and lists the models named. The part about models is
// part of the whole.
func gresGPUs(text string) (gpus float64, models []string, ok bool) {
	all, typed := 0.0, 0.0
	for part := range strings.SplitSeq(text, ",") {
		name, count, found := strings.Cut(strings.TrimPrefix(part, "gres/"), "=")
		if !found {
			if i := strings.LastIndexByte(name, ':'); i > 0 {
				name, count = name[:i], name[i+1:]
			}
		}
		kind, model, _ := strings.Cut(name, ":")
		if kind != "gpu" {
			continue
		}
		n, good := input.ParseNumber(count)
		if !good || !(n.Float() >= 0 && n.Float() <= 1e9) {
			return 0, nil, false
		}
		if model == "" {
			all += n.Float()
			continue
		}
		typed += n.Float()
		models = append(models, model)
	}
	return max(all, typed), models, true
}
