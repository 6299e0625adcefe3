package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"
)

// TestMain is the program where a test starts it as one.
func TestMain(m *testing.M) {
	if os.Getenv("BOURSE_S3_PROGRAM") != "" {
		main()
	}
	os.Exit(m.Run())
}

// program runs it.
func program(t *testing.T, server string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), "BOURSE_S3_PROGRAM=1", "AWS_ENDPOINT_URL="+server, "AWS_ACCESS_KEY_ID=key",
		"AWS_SECRET_ACCESS_KEY=secret", "AWS_REGION=us-east-1")
	return c
}

func run(t *testing.T, server string, args ...string) string {
	t.Helper()
	out, err := program(t, server, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestSweep keeps a sweep of 200 cells in a bucket by two processes, of which one is killed and begun again, and wants the bytes
// of the same sweep in a folder.
func TestSweep(t *testing.T) {
	memory := s3mem.New()
	server := httptest.NewServer(gofakes3.New(memory).Server())
	defer server.Close()
	if err := memory.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	grid := []string{"sweep", "synth:lublin?jobs=3000&procs=64&seed=1", "--load-factor",
		".8,.9,1,1.1", "--seeds", "10", "--policy", "hb,nphb,easy,conservative,fcfs", "--payment", "first", "--workers", "1", "-q"}
	run(t, server.URL, append(grid, "--out", "whole")...)
	shard := func(i int) []string {
		return append(grid, "--out", "s3://bucket/some/cells", "--shard", fmt.Sprintf("%d/2", i))
	}
	killed, other := program(t, server.URL, shard(0)...), program(t, server.URL, shard(1)...)
	var said bytes.Buffer
	other.Stderr = &said
	for _, c := range []*exec.Cmd{killed, other} {
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
	}
	kept := func() (n int) {
		store, err := open("s3://bucket/some/cells")
		if err != nil {
			t.Fatal(err)
		}
		for o := range store.(*bucket).client.ListObjects(context.Background(), "bucket", minio.ListObjectsOptions{Recursive: true}) {
			if strings.HasSuffix(o.Key, "/summary.json") {
				n++
			}
		}
		return n
	}
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_REGION", "us-east-1")
	for deadline := time.Now().Add(2 * time.Minute); kept() < 20 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	_ = killed.Process.Kill()
	_ = killed.Wait()
	if err := other.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if n := kept(); n < 100 || n >= 200 {
		t.Fatalf("%d cells are kept after one of two processes was killed", n)
	}
	before := kept()
	text := run(t, server.URL, shard(0)...)
	if n := kept(); n != 200 || !strings.Contains(text, "100 replays done, ") || strings.Contains(text, "100 replays done, 0 of") {
		t.Errorf("%d cells, %d before:\n%s", n, before, text)
	}
	run(t, server.URL, "compare", "s3://bucket/some/cells")
	store, err := open("s3://bucket/some/cells")
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Fetch(context.Background(), "fetched"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cells.parquet", "_sweep/manifest.json"} {
		want, err := os.ReadFile(filepath.Join("whole", name))
		got, err2 := os.ReadFile(filepath.Join("fetched", name))
		if err != nil || err2 != nil || !bytes.Equal(want, got) {
			t.Errorf("%s: %v, %v, or other bytes than of the sweep in a folder", name, err, err2)
		}
	}
}

// TestRefusals wants a sentence of whatever a store does not do, and nothing left.
func TestRefusals(t *testing.T) {
	server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
	defer server.Close()
	t.Chdir(t.TempDir())
	sweep := []string{"sweep", "synth:lublin?jobs=50", "--policy", "easy,fcfs", "-q", "--out"}
	for _, x := range []struct{ server, out, want string }{
		{server.URL, "s3://nowhere/cells", "the list of s3://nowhere/cells at "},
		{server.URL, "s3://bucket", "want a bucket and the beginning of names in it"},
		{"ftp://x", "s3://bucket/cells", `AWS_ENDPOINT_URL is "ftp://x"; want the address of a server`},
		{server.URL, "gs://bucket/cells", "this program keeps nothing elsewhere than in folders"},
	} {
		c := program(t, x.server, append(sweep, x.out)...)
		scratch := t.TempDir()
		c.Env = append(c.Env, "TMPDIR="+scratch)
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), x.want) {
			t.Errorf("%s: %v\n%s", x.out, err, out)
		}
		if left, _ := filepath.Glob(filepath.Join(scratch, "*")); len(left) > 0 {
			t.Errorf("%s leaves %v", x.out, left)
		}
	}
	if left, _ := filepath.Glob("*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestFinish wants the first of two processes that finish a cell to keep it.
func TestFinish(t *testing.T) {
	memory := s3mem.New()
	server := httptest.NewServer(gofakes3.New(memory).Server())
	defer server.Close()
	if err := memory.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "key",
		"AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"} {
		t.Setenv(key, value)
	}
	store, err := open("s3://bucket/cells")
	if err != nil {
		t.Fatal(err)
	}
	dir, there := t.TempDir(), t.TempDir()
	for _, text := range []string{"first", "second"} {
		if err := os.WriteFile(filepath.Join(dir, "summary.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := store.Finish(t.Context(), dir, "summary.json"); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Fetch(t.Context(), there); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(there, "summary.json")); err != nil || string(got) != "first" {
		t.Errorf("%q is kept, %v", got, err)
	}
	if _, err := memory.PutObject("bucket", "cells/../../out", nil, strings.NewReader("x"), 1, nil); err != nil {
		t.Fatal(err)
	}
	if err := store.Fetch(t.Context(), there); err == nil || !strings.Contains(err.Error(), "leads out of the folder") {
		t.Errorf("a name that leads out of the folder: %v", err)
	}
}
