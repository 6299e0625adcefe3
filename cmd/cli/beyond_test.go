package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestKubernetesJob runs the command of scripts/sweep-kubernetes.yaml as each of its pods
// would, and merges: the dataset is that of the same sweep in one piece.
func TestKubernetesJob(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "scripts", "sweep-kubernetes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	first := func(pattern string) string {
		m := regexp.MustCompile(pattern).FindSubmatch(text)
		if m == nil {
			t.Fatalf("the job has no %s", pattern)
		}
		return string(m[1])
	}
	pods, _ := strconv.Atoi(first(`completions: (\d+)`))
	if want := strconv.Itoa(pods); pods < 2 || first(`parallelism: (\d+)`) != want || first(`value: "(\d+)"`) != want {
		t.Fatalf("of %d pods not all know how many they are", pods)
	}
	var command []string
	if err := json.Unmarshal([]byte(first(`command: (\[.*\])`)), &command); err != nil || command[0] != "bourse" {
		t.Fatalf("%v, %v", command, err)
	}
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "log.swf.gz"), []byte(weeksSWF(80)), 0o600); err != nil {
		t.Fatal(err)
	}
	args := func(out string) (all []string) {
		for _, a := range command[1:] {
			all = append(all, strings.Replace(strings.Replace(a, "/data/cells", out, 1), "/data", data, 1))
		}
		return all
	}
	cells, whole := filepath.Join(data, "cells"), filepath.Join(data, "whole")
	for pod := range pods {
		c := program(t, args(cells)...)
		c.Env = append(os.Environ(), "JOB_COMPLETIONS="+strconv.Itoa(pods), "JOB_COMPLETION_INDEX="+strconv.Itoa(pod))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("pod %d: %v\n%s", pod, err, out)
		}
	}
	if code, _, stderr := bourse(t, "merge", cells); code != 0 {
		t.Fatal(stderr)
	}
	if code, _, stderr := bourse(t, args(whole)...); code != 0 {
		t.Fatal(stderr)
	}
	if !bytes.Equal([]byte(read(t, filepath.Join(cells, "cells.parquet"))),
		[]byte(read(t, filepath.Join(whole, "cells.parquet")))) {
		t.Error("the merged dataset is another one than that of the sweep in one piece")
	}
}

// TestBigQuery runs scripts/bigquery.sh with a stand-in for bq that answers as documented.
func TestBigQuery(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "asked")
	stand := fmt.Sprintf("#!/bin/sh\ncat >/dev/null\necho \"$@\" >>%s\ncase \"$*\" in *dry_run*) echo "+
		"'{\"statistics\": {\"totalBytesProcessed\": \"2199023255552\"}}' ;; esac\n", log)
	if err := os.WriteFile(filepath.Join(dir, "bq"), []byte(stand), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, error) {
		c := exec.Command("sh", append([]string{filepath.Join("..", "..", "scripts", "bigquery.sh")}, args...)...)
		c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := run("a", "p:d.t"); err != nil || out != "cell reads 2048.0 GiB; at 6.25 dollars a TiB that is "+
		"12.50 dollars, without the free TiB of the month\n" {
		t.Errorf("%v: %s", err, out)
	}
	if asked := read(t, log); !strings.Contains(asked, "--dry_run") || strings.Contains(asked, "destination_table") ||
		!strings.Contains(asked, "clusterdata_2019_a") {
		t.Errorf("without --run it asked %s", asked)
	}
	if out, err := run("h", "p:d.t", "--run"); err != nil || !strings.Contains(out, "p:d.t is made") ||
		!strings.Contains(read(t, log), "--destination_table=p:d.t") {
		t.Errorf("%v: %s", err, out)
	}
	for _, bad := range [][]string{{"a"}, {"z", "p:d.t"}, {"a", "t"}, {"a", "p:d.t", "--now"}} {
		if out, err := run(bad...); err == nil || !strings.HasPrefix(out, "bigquery: ") {
			t.Errorf("%v: %v, %s", bad, err, out)
		}
	}
}
