package formats

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/tabular"
	"bourse/traces/tracetest"
)

// asks spells out what a job asks for, all its processors together.
func asks(j *traces.Job, n *traces.Names) string {
	cpu, memory, gpu, disk := j.Ask(float64(max(j.Procs, 0)))
	model, _ := n.Models.Text(j.Model)
	user, _ := n.Users.Text(j.User)
	queue, _ := n.Queues.Text(j.Queue)
	return fmt.Sprintf("%v+%v x%d cpu=%g mem=%g gpu=%.6g disk=%g %s %s/%s %d", j.Submit.Seconds(), j.Run.Seconds(),
		j.Procs, cpu, memory, gpu, disk, model, user, queue, j.Status)
}

// TestGPUTables: rows of each trace that has GPUs, made up after its documentation, and what
// is read from them. The first is recognised by its first line where it has one.
func TestGPUTables(t *testing.T) {
	for _, c := range []struct {
		format, file, text string
		want               []string
	}{
		{"openb", "pods.csv",
			"name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n" +
				"p-0,12000,16384,1,460,V100M16|V100M32,LS,Running,10,110,20\n" +
				"p-1,4000,512,8,1000,,BE,Succeeded,20,50,20\np-2,2500,512,0,0,T4,BE,Failed,30,50,40\np-3,1000,1,1,1000,,BE,Pending,30,80,\n",
			[]string{"10+90 x1 cpu=12 mem=16384 gpu=0.46 disk=0 V100M16|V100M32 /LS -1",
				"20+30 x1 cpu=4 mem=512 gpu=8 disk=0  /BE 1",
				"30+10 x1 cpu=2.5 mem=512 gpu=0 disk=0  /BE 0", "30+50 x1 cpu=1 mem=1 gpu=1 disk=0  /BE -1"}},
		{"philly", "p.csv", "timestamp,duration,num_gpus,gpu_time,cluster\n0,60,4,240,vc\n5,60,0,0,vc\n",
			[]string{"0+60 x4 cpu=4 mem=0 gpu=4 disk=0  /vc -1", "5+60 x1 cpu=1 mem=0 gpu=0 disk=0  /vc -1"}},
		{"chronus",
			"c.csv", "job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval,expect_time_list,expect_value_list,best_effort,job_type\n" +
				"3,vc_a,2,5,9,alexnet,96,5,159-189,10-8,0,soft\n", []string{"5+96 x2 cpu=2 mem=0 gpu=2 disk=0  vc_a/soft -1"}},
		{"pai", "pai_task_table.csv",
			"7a,worker,4,Terminated,100,160,600,29.5,50,T4\n7b,ps,1,Failed,110,120,50,1,,CPU\n7c,tensorflow,1,Waiting,,,100,1,100,MISC\n",
			[]string{"100+60 x4 cpu=24 mem=118 gpu=2 disk=0 T4 /worker 1", "110+10 x1 cpu=0.5 mem=1 gpu=0 disk=0  /ps 0"}},
		{"spot-gpu", "job_info_df.csv",
			"job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\nj1,org1,A10,8,1,3,0,600,Spot\nj2,org2,H800,96,8,2,30,60,HP\n",
			[]string{"0+600 x3 cpu=24 mem=0 gpu=3 disk=0 A10 org1/Spot -1",
				"30+60 x2 cpu=192 mem=0 gpu=16 disk=0 H800 org2/HP -1"}},
		{"helios", "cluster_log.csv",
			"job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n" +
				"1,u1,vc1,16,32,2,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:00:30,2020-04-01 " +
				"00:01:30,60,30\n2,u1,vc1,0,4,1,NODE_FAIL,2020-04-01 00:00:10,2020-04-01 00:00:10,2020-04-01 00:00:20,10,0\n",
			[]string{"0+60 x2 cpu=32 mem=0 gpu=16 disk=0  u1/vc1 1", "10+10 x1 cpu=4 mem=0 gpu=0 disk=0  u1/vc1 0"}},
		{"acme", "trace_kalos.csv",
			"job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time\n" +
				"a1,u,2,16,240,512,1,Pretrain,CANCELLED,2023-07-01 08:00:00+00:00,2023-07-01 08:00:10+00:00,2023-07-01 " +
				"08:00:18+00:00,,,18,10,288\n",
			[]string{"0+8 x2 cpu=240 mem=1024 gpu=16 disk=0  u/Pretrain 5"}},
		{"acme", "trace_seren.csv",
			"job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time\n" +
				"a1,u,1,1,16,Eval,COMPLETED,2023-03-01 00:00:00+08:00,2023-03-01 00:00:10+08:00,2023-03-01 00:00:18+08:00,8,10,8\n",
			[]string{"0+8 x1 cpu=16 mem=0 gpu=1 disk=0  u/Eval 1"}},
		{"sacct", "log.sacct", "JobID|User|QOS|Submit|Start|End|State|Elapsed|AllocCPUS|AllocTRES|ReqTRES\n" +
			"1|u|q|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T09:00:00|COMPLETED|01:00:00|8|billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=32G,node=1|cpu=8,gres/gpu=2\n" +
			"2|u|q|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T09:00:00|COMPLETED|01:00:00|4|cpu=4,gres/gpu:a100=1,node=1|cpu=4,gres/gpu:a100=1\n" +
			"3|u|q|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T09:00:00|COMPLETED|01:00:00|4|cpu=4,node=1|cpu=4\n",
			[]string{"0+3600 x8 cpu=8 mem=0 gpu=2 disk=0  u/q 1", "0+3600 x4 cpu=4 mem=0 gpu=1 disk=0 a100 u/q 1",
				"0+3600 x4 cpu=4 mem=0 gpu=0 disk=0  u/q 1"}},
		{"csv", "jobs.csv", "id,submit,run,procs,num_gpus,disk,gpu_type\n1,0,10,4,2,20,V100\n2,1,10,2,.25,,\n", // of the job
			[]string{"0+10 x4 cpu=4 mem=0 gpu=2 disk=20 V100 / -1", "1+10 x2 cpu=2 mem=0 gpu=0.25 disk=0  / -1"}},
		{"csv", "only.csv", "id,submit,run,num_gpus\n1,0,10,4\n2,1,10,0\n", // each GPU with a processor
			[]string{"0+10 x4 cpu=4 mem=0 gpu=4 disk=0  / -1", "1+10 x1 cpu=1 mem=0 gpu=0 disk=0  / -1"}},
	} {
		path := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		spec := path
		if c.format == "pai" {
			spec = "pai:" + path
		}
		src, err := Open(spec, traces.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.format, err)
			continue
		}
		h := src.Header()
		if h.Format != c.format || !h.Asks.GPU {
			t.Errorf("%s is taken for %s; jobs ask for %+v", c.file, h.Format, h.Asks)
		}
		var got []string
		jobs, err := tracetest.Rest(src)
		for i := range jobs {
			if jobs[i].Run != events.Unknown {
				got = append(got, asks(&jobs[i], &h.Names))
			}
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") || err != nil {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.format, err, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestGPUUnits: parameters say what numbers of GPUs and CPU count.
func TestGPUUnits(t *testing.T) {
	for query, want := range map[string]string{
		"gpu=g&gpu_unit=percent":                       "0+9 x2 cpu=2 mem=0 gpu=4 disk=0",
		"gpu=g&gpu_unit=milli":                         "0+9 x2 cpu=2 mem=0 gpu=0.4 disk=0",
		"gpu=g&gpu_unit=percent&amounts=processor":     "0+9 x2 cpu=2 mem=0 gpu=8 disk=0",
		"cpu=g&cpu_unit=percent&gpu=w":                 "0+9 x2 cpu=4 mem=0 gpu=3 disk=0",
		"gpu_each=g&gpu_unit=milli&gpu=o&disk=w":       "0+9 x2 cpu=2 mem=0 gpu=0.4 disk=3",
		"gpu_each=plan_gpu&gpu=o&cpu_unit=milli&cpu=g": "0+9 x2 cpu=0.4 mem=0 gpu=0.5 disk=0",
	} {
		path := filepath.Join(t.TempDir(), "log.csv")
		if err := os.WriteFile(path, []byte("submit,run,procs,g,w,o,plan_gpu\n0,9,2,400,3,1,50\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := Open("csv:"+path+"?"+query, traces.Options{})
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		jobs, err := tracetest.Rest(src)
		if err != nil || !strings.HasPrefix(asks(&jobs[0], &src.Header().Names), want+" ") {
			t.Errorf("%s: %v %s; want %s", query, err, asks(&jobs[0], &src.Header().Names), want)
		}
	}
}

// TestBadGPUs: each fault has its place and is counted, and the other rows are read.
func TestBadGPUs(t *testing.T) {
	pods := "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\np,1,1,1,1000,,LS,Running,0,9,0\n"
	table := "id,submit,run,procs,gpus\n1,0,1,1,1\n"
	for _, c := range []struct{ spec, text, says string }{
		{"csv:%s", table + "2,1,1,1,2.5\n", ":3: the job asks for 2.5 GPUs; want a part of one device, or a whole number " +
			"of devices"},
		{"csv:%s", table + "2,1,1,1,-.5\n", `:3: column gpus is "-.5"; want a number of 0 or more`},
		{"csv:%s", table + "2,1,1,1,two\n", `:3: column gpus is "two"; want a number of 0 or more`},
		{"csv:%s?gpu_unit=milli", table + "2,1,1,1,1500\n", ":3: the job asks for 1.5 GPUs"},
		{"openb:%s", pods + "q,1,1,1,1500,,LS,Running,0,9,0\n",
			`:3: column gpu_milli is "1500"; want a part of a device, no more than all of it`},
		{"openb:%s", pods + "q,1,1,1,-100,,LS,Running,0,9,0\n", `:3: column gpu_milli is "-100"; want a number of 0 or more`},
		{"openb:%s", pods + "q,1,1,3,500,,LS,Running,0,9,0\n", ":3: the job asks for 1.5 GPUs"},
		{"sacct:%s",
			"JobID|Submit|Start|End|State|AllocCPUS|AllocTRES\n1|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T09:00:00|COMPLETED|1|cpu=1\n" +
				"2|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T09:00:00|COMPLETED|1|gres/gpu=x\n",
			`:3: column AllocTRES is "gres/gpu=x"; want a number of GPUs, as in gres/gpu=2 or gres/gpu:a100=2`},
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		spec := fmt.Sprintf(c.spec, path)
		if _, err := Open(spec, traces.Options{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %s", c.text, err, c.says)
		}
		src, err := Open(spec, traces.Options{Skip: true})
		if err != nil {
			t.Error(err)
			continue
		}
		jobs, err := tracetest.Rest(src)
		if l := src.Header().Ledger; len(jobs) != 1 || err != nil || l.Dropped[traces.Malformed] != 1 || l.Read != 2 {
			t.Errorf("%s: %d jobs, %v, %+v", c.text, len(jobs), err, l)
		}
	}
	path := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(path, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	for query, says := range map[string]string{
		"gpu_unit=core": "gpu_unit=core: want device, percent or milli", "gpu_unit=furlong": "want device, percent or milli",
		"cpu_unit=device": "cpu_unit=device: want core, percent or milli",
		"amounts=both":    "amounts=both: want job or processor",
	} {
		if _, err := Open("csv:"+path+"?"+query, traces.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %s", query, err, says)
		}
	}
}

// TestGPUTraces: the pods and jobs at hand, as they were counted before.
func TestGPUTraces(t *testing.T) {
	for _, c := range []struct {
		file         string
		jobs         int
		none, shared int
		gpus         float64
		asOdd        string
	}{
		{"data/gpu/openb/openb_pod_list_default.csv.gz", 8152, 1088, 3078, 6086.8, tabular.OddStart},
		{"data/gpu/openb/openb_pod_list_gpuspec33.csv.gz", 8152, 1088, 3078, 6086.8, tabular.OddStart},
		{"data/gpu/openb/openb_pod_list_cpu200.csv.gz", 8832, 1768, 3078, 6086.8, tabular.OddStart},
		{"data/gpu/chronus_philly_mix2.csv.gz", 30940, 194, 0, 43061, tabular.OddGPUProcs},
		{"data/other/philly.csv.gz", 82247, 0, 0, 107235, tabular.OddGPUProcs},
	} {
		src, err := Open(tracetest.Shared(t, c.file), traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := tracetest.Rest(src)
		none, shared, gpus := 0, 0, 0.0
		for i := range jobs {
			_, _, gpu, _ := jobs[i].Ask(float64(jobs[i].Procs))
			gpus += gpu
			if gpu == 0 {
				none++
			} else if gpu < 1 {
				shared++
			}
		}
		l := src.Header().Ledger
		if len(jobs) != c.jobs || none != c.none || shared != c.shared ||
			fmt.Sprintf("%.2f", gpus) != fmt.Sprintf("%.2f", c.gpus) || err != nil || l.Oddities[c.asOdd] == 0 ||
			l.Oddities[input.OddArray] != 0 {
			t.Errorf("%s: %d jobs, %d without GPU, %d with a share, %.2f GPUs, %v, %v; want %+v", c.file, len(jobs), none,
				shared, gpus, err, l.Oddities, c)
		}
	}
	_, err := Open(tracetest.Shared(t, "data/gpu/openb/openb_pod_list_multigpu50.csv.gz"), traces.Options{})
	if err == nil || !strings.Contains(err.Error(), "there is no column creation_time or deletion_time, without which "+
		"the jobs cannot be replayed") {
		t.Error(err)
	}
}
