package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClosedLoop runs the closed loop of the study of fragmentation on two machines, and
// again from its manifest.
func TestClosedLoop(t *testing.T) {
	data, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	for name, text := range map[string]string{
		"openb_node_list_gpu_node.csv": "sn,cpu_milli,memory_mib,gpu,model\na,9000,1000,2,T4\nb,9000,1000,4,T4\n",
		"openb_pod_list_default.csv": "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,creation_time," +
			"deletion_time,scheduled_time\n" +
			"p1,1000,10,1,500,,BE,0,4000,400\np2,1000,10,1,1000,,LS,0,3600,0\np3,1000,10,4,1000,,LS,0,3600,0\n",
	} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := bourse(t, "reproduce", "fragmentation", "--data", data, "--closed-loop", "--every", "1",
		"--seeds", "2", "--quiet", "--out", out)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{"2 of the 2 machines, with 6 GPUs", "priority at load 1", "is fgd first", "Findings",
		"findings."} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the report lacks %q:\n%s", want, stdout)
		}
	}
	want := "claims.csv closed-loop.csv closed-loop.pdf closed-loop.png closed-loop.svg manifest.json report.html " +
		"report.txt"
	if got := filesIn(t, out); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil || !strings.Contains(string(page), "--closed-loop=true") {
		t.Errorf("the page's command cannot be typed: %v", err)
	}
	if code, stdout, stderr := bourse(t, "rerun", out); code != 0 || !strings.Contains(stdout, "same bytes: 6 files") {
		t.Errorf("rerun: exit %d %s%s", code, stdout, stderr)
	}
}
