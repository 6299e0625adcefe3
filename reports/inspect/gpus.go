package inspect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/suggest"
)

// Machines are what the load is compared with: all there is of each resource, in the order
// CPU, memory, GPUs, disk, and the GPUs of each model.
type Machines struct {
	Total  [4]float64
	Models map[string]float64
}

// resources names them.
var resources = [4]string{"CPU", "memory", "GPUs", "disk"}

// gpuUse is what jobs ask for that name the same models.
type gpuUse struct {
	jobs          int64
	gpus, seconds float64
}

// gpus counts the GPUs that a job asks for, all its processors together.
func (in *Inspection) gpus(j *traces.Job) {
	_, _, n, _ := j.Ask(float64(j.Procs))
	switch {
	case n == 0:
		in.byGPUs[0]++
		return
	case n < 1-rounding:
		in.byGPUs[1]++
	case n <= 1+rounding:
		in.byGPUs[2]++
	default:
		in.byGPUs[3]++
	}
	if in.models == nil {
		in.models = map[traces.Label]*gpuUse{}
	}
	use := in.models[j.Model]
	if use == nil {
		use = &gpuUse{}
		in.models[j.Model] = use
	}
	use.jobs++
	use.gpus += n
	use.seconds += float64(n * j.Run.Seconds())
}

// rounding is what the parts of a device may miss when they are added up.
const rounding = 1e-9

// loadRows says how much of each resource the jobs would take if none waited.
func (in *Inspection) loadRows(row func(string, string, ...any), span float64) {
	total := in.Against.Total
	if total == [4]float64{} {
		total = [4]float64{in.Header.Capacity.CPU, in.Header.Capacity.Memory}
	}
	var parts, amounts []string
	for r, asked := range in.asked {
		if total[r] > 0 && asked > 0 {
			parts = append(parts, terminal.PercentOf(asked/span, total[r])+" of the "+resources[r])
		} else if asked > 0 && (r > 1 || in.Against.Total != [4]float64{} || in.models != nil) {
			amounts = append(amounts, fmt.Sprintf("%s %s", terminal.Figure(asked/span), resources[r]))
		}
	}
	if parts != nil {
		row("load", "%s asked for, if no job waited", suggest.And(parts))
	}
	if amounts != nil {
		row("demand", "%s on average if no job waited", suggest.And(amounts))
	}
}

// mostModels is how many sets of models are shown.
const mostModels = 16

// gpuTable says how many GPUs are asked for, of which models.
func (in *Inspection) gpuTable() *table.Table {
	t := table.New(table.Col("models", "asked for", terminal.Words), table.Col("jobs", "jobs", terminal.Number),
		table.Col("gpus", "GPUs", terminal.Ratio), table.Col("gpu_hours", "GPU-hours", terminal.Ratio),
		table.Col("mean_gpus", "on average", terminal.Ratio))
	t.Name = "gpus"
	if in.Against.Total[2] > 0 {
		t.Columns = append(t.Columns, table.Col("load", "load", terminal.Number))
	}
	if len(in.models) > 0 {
		n := in.byGPUs
		t.Title = fmt.Sprintf("GPUs          %s jobs ask for none, %s for a share of one, %s for one, %s for more",
			terminal.Thousands(n[0]), terminal.Thousands(n[1]), terminal.Thousands(n[2]), terminal.Thousands(n[3]))
	}
	name := func(l traces.Label) string {
		if text, known := in.Header.Names.Models.Text(l); known {
			return text
		}
		return "any model"
	}
	labels := slices.SortedFunc(maps.Keys(in.models), func(a, b traces.Label) int {
		return cmp.Or(cmp.Compare(in.models[b].seconds, in.models[a].seconds), cmp.Compare(name(a), name(b)))
	})
	row := func(name string, use *gpuUse) {
		average := use.seconds / in.span()
		cells := []any{input.Shorten(name, 40), use.jobs, use.gpus, use.seconds / 3600, average, in.loadOf(name, average)}
		t.Add(cells[:len(t.Columns)]...)
	}
	rest := gpuUse{}
	for i, l := range labels {
		use := in.models[l]
		if i < mostModels {
			row(name(l), use)
			continue
		}
		rest = gpuUse{rest.jobs + use.jobs, rest.gpus + use.gpus, rest.seconds + use.seconds}
	}
	if rest.jobs > 0 {
		row(terminal.Count(len(labels)-mostModels, "other", "others"), &rest)
	}
	return t
}

// span is the time over which jobs come, in seconds.
func (in *Inspection) span() float64 { return max((in.Last - in.First).Seconds(), 1) }

// loadOf is what jobs that name these models ask for, of the GPUs of those models.
func (in *Inspection) loadOf(name string, average float64) table.Cell {
	has := 0.0
	models := strings.Split(name, "|")
	slices.Sort(models)
	for _, model := range slices.Compact(models) {
		has += in.Against.Models[model]
	}
	if name == "any model" {
		has = in.Against.Total[2]
	}
	if has == 0 {
		return table.Missing
	}
	return part(average, has)
}
