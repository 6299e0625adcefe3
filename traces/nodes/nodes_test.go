package nodes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/traces"
	"bourse/traces/nodes"
	"bourse/traces/tracetest"
)

func read(t *testing.T, text string) ([]traces.MachineEvent, error) {
	path := filepath.Join(t.TempDir(), "nodes.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return nodes.Read(path)
}

func TestRead(t *testing.T) {
	list, err := read(t, "name,cpu,memory,gpu,gpu_model,time_s,event\na,8,16,2,T4,0,add\nb,4,8,,,0,\na,,,,,7.5,remove\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []traces.MachineEvent{{Name: "a", CPU: 8, Memory: 16, GPU: 2, Model: "T4"}, {Machine: 1, Name: "b", CPU: 4, Memory: 8},
		{At: 7_500_000, Name: "a", Gone: true}}
	if len(list) != len(want) {
		t.Fatalf("%+v", list)
	}
	for i := range want {
		if list[i] != want[i] {
			t.Errorf("%+v, want %+v", list[i], want[i])
		}
	}
	if list, err = read(t, "sn,cpu_milli,memory_mib,gpu,model\nx,1500,10,0,\n"); err != nil ||
		list[0] != (traces.MachineEvent{Name: "x", CPU: 1.5, Memory: 10}) {
		t.Errorf("openb: %+v, %v", list, err)
	}
	if list, err = read(t, "partition,processors\n1,64\n1|2,8\n"); err != nil || len(list) != 2 ||
		list[1] != (traces.MachineEvent{Machine: 1, CPU: 8, Partitions: "1|2", Whole: true}) {
		t.Errorf("partitions: %+v, %v", list, err)
	}
	if list, err = read(t, "cpus\n4\n8\n"); err != nil || len(list) != 2 ||
		list[1] != (traces.MachineEvent{Machine: 1, CPU: 8}) {
		t.Errorf("without names: %+v, %v", list, err)
	}
}

func TestBadInput(t *testing.T) {
	for text, want := range map[string]string{
		"machine,memory\na,3\n":   "no column cpu",
		"cpu,gpu\n4,2.5\n":        ":2: a machine with 2.5 GPUs",
		"cpu\n-4\n":               ":2: a machine with -4",
		"cpu\nmany\n":             `"many"`,
		"machine,cpu\na,4\na,5\n": ":3: a machine that was named before",
		"machine,cpu,time_s,event\na,4,0,add\na,4,5,up": `:3: event "up"`,
		"machine,cpu,time_s\na,4,-1\n":                  ":2: a time of -1 s",
		"cpu\n":                                         "no machines",
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestOpenb(t *testing.T) {
	list, err := nodes.Read(tracetest.Shared(t, "data/gpu/openb/openb_node_list_all_node.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if c := traces.CapacityAt(list, 0); c.Machines != 1523 || c.GPU != 6212 {
		t.Errorf("%v", c)
	}
}
