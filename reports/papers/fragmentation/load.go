package fragmentation

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bourse/policies/gpus"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/table"
)

// pod is one request of the trace.
type pod struct {
	name, models string
	ask          gpus.Ask
	qos          string
	run          float64 // seconds from its place to its end, 0 if the list does not say
}

// data is what the study is about: machines, and pods by workload, both in order of name.
type data struct {
	nodes     []gpus.Node
	gpu       float64 // of all machines, in thousandths of a device
	measured  gpus.Scale
	models    []string
	workloads []workload
}

type workload struct {
	name string
	pods []pod
	mix  gpus.Mix
}

// nodeFile holds the machines with GPUs; those without are no part of the study.
const nodeFile = "openb_node_list_gpu_node.csv"

// find returns the path of a file of the folder, perhaps compressed.
func find(dir, name string) string {
	for _, end := range []string{"", ".gz", ".zst"} {
		if path := filepath.Join(dir, name+end); input.Exists(path) {
			return path
		}
	}
	return filepath.Join(dir, name)
}

// podList begins the names of lists of pods.
const podList = "openb_pod_list_"

// lists are the workloads whose lists the folder has: those of the published results in their
// order, then the others by name.
func lists(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".gz"), ".zst")
		name, is := strings.CutSuffix(name, ".csv")
		if workload, of := strings.CutPrefix(name, podList); is && of && !slices.Contains(names, workload) {
			names = append(names, workload)
		}
	}
	known := slices.DeleteFunc(slices.Clone(Workloads), func(name string) bool { return !slices.Contains(names, name) })
	return append(known, slices.DeleteFunc(names, func(name string) bool { return slices.Contains(known, name) })...), nil
}

// load reads the machines and the workloads that the folder has.
func load(dir string) (*data, error) {
	d := &data{}
	if err := d.readNodes(find(dir, nodeFile)); err != nil {
		return nil, err
	}
	names, err := lists(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		w := workload{name: name}
		if err := d.readPods(find(dir, podList+name+".csv"), &w); err != nil {
			return nil, err
		}
		d.workloads = append(d.workloads, w)
	}
	if len(d.workloads) == 0 {
		return nil, &traces.Error{File: dir, What: "no list of pods",
			Want: "want " + podList + "default.csv or another openb_pod_list_NAME.csv, perhaps compressed, of Alibaba's " +
				"cluster-trace-gpu-v2023"}
	}
	return d, nil
}

// model returns the bits of models joined by |.
func (d *data) model(names string) (set gpus.Models) {
	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == '|' }) {
		i := slices.Index(d.models, name)
		if i < 0 {
			i = len(d.models)
			d.models = append(d.models, name)
		}
		set |= 1 << i
	}
	return set
}

func (d *data) readNodes(path string) error {
	r, err := table.OpenRows(path, nil, "cpu_milli", "memory_mib", "gpu", "sn", "model")
	if err != nil {
		return err
	}
	type named struct {
		name string
		gpus.Node
	}
	var list []named
	err = r.Each(func() error {
		var x [3]float64
		if err := r.Floats(x[:]); err != nil {
			return err
		}
		if x[2] < 0 || x[2] > gpus.MaxDevices {
			return r.Fault("a machine with so many devices", "want 0 to 64")
		}
		list = append(list, named{r.Text(3), gpus.NewNode(x[0], x[1], int(x[2]), d.model(r.Text(4)))})
		d.gpu += float64(x[2] * gpus.Whole)
		d.measured = gpus.Scale{CPU: max(d.measured.CPU, x[0]), GPU: max(d.measured.GPU, x[2]*gpus.Whole)}
		return nil
	})
	slices.SortFunc(list, func(a, b named) int { return cmp.Compare(a.name, b.name) })
	for _, n := range list {
		d.nodes = append(d.nodes, n.Node)
	}
	return err
}

func (d *data) readPods(path string, w *workload) error {
	r, err := table.OpenSome(path, nil, []string{"cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "name"},
		[]string{"gpu_spec", "qos", "scheduled_time", "deletion_time"})
	if err != nil {
		return err
	}
	err = r.Each(func() error {
		var x [4]float64
		if err := r.Floats(x[:]); err != nil {
			return err
		}
		p := pod{name: r.Text(4), ask: gpus.Ask{CPU: x[0], Memory: x[1]}, qos: r.Text(6)}
		from, placed, err := r.Known(7)
		if err != nil {
			return err
		}
		to, ended, err := r.Known(8)
		if err != nil {
			return err
		}
		if placed && ended {
			p.run = max(to-from, 0)
		}
		if x[2] > 0 {
			p.models = r.Text(5)
			p.ask.Devices, p.ask.Each, p.ask.Models = int32(x[2]), int32(min(x[3], gpus.Whole)), d.model(p.models)
		}
		w.pods = append(w.pods, p)
		return nil
	})
	slices.SortFunc(w.pods, func(a, b pod) int { return cmp.Compare(a.name, b.name) })
	w.mix = mixOf(w.pods)
	return err
}

// mixOf is what the pods typically ask for, memory apart. The study takes the same models
// in another order for another kind.
func mixOf(pods []pod) gpus.Mix {
	count := map[gpus.Kind]int{}
	for _, p := range pods {
		p.ask.Memory = 0
		count[gpus.Kind{Ask: p.ask, Names: p.models}]++
	}
	var kinds []gpus.Kind
	for k, n := range count { // in no order: MixOf sorts, and no two are equal
		k.Count = n
		kinds = append(kinds, k)
	}
	return gpus.MixOf(kinds)
}
