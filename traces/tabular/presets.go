package tabular

import (
	"fmt"
	"slices"
	"strings"

	"bourse/traces"
	"bourse/traces/input"
)

// Preset is a trace whose columns are known. None but those named here is read.
type Preset struct {
	Name, Line, Carries string
	// Head is how the line of column names of a CSV begins, by which a file is recognised; a
	// Parquet file is by having them all.
	Head string
	// Documented marks presets made from the trace's documentation alone.
	Documented bool

	// names are the columns of files that have no line of names.
	names []string
	// columns has the name of each role's column; one that ends in ? may be missing.
	columns map[Role]string
	// parameters are as of a table's specification.
	parameters string
	// completed is a status of its own for jobs that succeeded; ended means that jobs
	// recorded as running or waiting ended when the table says so.
	completed string
	ended     bool
	// orSeconds means that some of its files count milliseconds and some seconds.
	orSeconds bool
}

// Presets lists them.
var Presets = []Preset{
	{
		Name: "philly", Line: "the Microsoft Philly trace as a CSV: timestamp,duration,num_gpus,gpu_time,cluster",
		Carries: "submit, run, GPUs, each with a processor, virtual cluster as queue",
		Head:    "timestamp,duration,num_gpus,gpu_time,cluster",
		// It has no waits: the time stamp is taken for the submission.
		columns: map[Role]string{RoleSubmit: "timestamp", RoleRun: "duration", RoleProcs: "num_gpus", RoleGPU: "num_gpus",
			RoleQueue: "cluster"},
	},
	{
		Name: "openb", Line: "pods of Alibaba's cluster-trace-gpu-v2023, openb_pod_list_*.csv with creation_time and " +
			"deletion_time",
		Carries: "submit, wait, run, CPU, memory, GPUs or a share of one, GPU models, status, QOS as queue",
		Head:    "name,cpu_milli,memory_mib,num_gpu,gpu_milli",
		columns: map[Role]string{RoleJob: "name", RoleSubmit: "creation_time", roleStart: "scheduled_time?",
			roleEnd: "deletion_time", RoleCPU: "cpu_milli",
			RoleMemory: "memory_mib", RoleGPU: "num_gpu", roleGPUEach: "gpu_milli", RoleModel: "gpu_spec?", RoleQueue: "qos?",
			RoleStatus: "pod_phase?"},
		ended: true,
	},
	{
		Name: "chronus", Line: "jobs of the Chronus study of deep learning with deadlines: " +
			"job_id,user,num_gpu,submit_time,...,duration,...",
		Carries: "submit, run, GPUs, each with a processor, user, job type as queue",
		Head:    "job_id,user,num_gpu,submit_time,iterations,model_name",
		columns: map[Role]string{RoleJob: "job_id", RoleUser: "user", RoleProcs: "num_gpu", RoleGPU: "num_gpu",
			RoleSubmit: "submit_time", RoleRun: "duration", RoleQueue: "job_type?"},
	},
	{
		Name: "pai", Line: "Alibaba PAI, cluster-trace-gpu-v2020: pai_task_table.csv, which has no line of names; a task " +
			"is a job of inst_num processors, submitted when it started",
		Carries: "submit, run, instances as processors, CPU, memory, GPUs or a share of one each, GPU model, status, " +
			"task's name as queue",
		names: strings.Split("job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type",
			","),
		columns: map[Role]string{RoleSubmit: "start_time", roleStart: "start_time", roleEnd: "end_time",
			RoleProcs: "inst_num", RoleCPU: "plan_cpu",
			RoleMemory: "plan_mem", RoleGPU: "plan_gpu", RoleModel: "gpu_type", RoleStatus: "status", RoleQueue: "task_name"},
		parameters: "amounts=processor", completed: "TERMINATED", Documented: true,
	},
	{
		Name: "spot-gpu", Line: "Alibaba's spot GPU trace of 2026: job_info_df.csv; a worker is a processor",
		Carries: "submit, run, workers as processors, CPU and GPUs of each, GPU model, organization as user, job type (HP, " +
			"Spot) as queue",
		Head: "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num",
		columns: map[Role]string{RoleJob: "job_name", RoleUser: "organization", RoleModel: "gpu_model",
			RoleCPU: "cpu_request", RoleGPU: "gpu_request",
			RoleProcs: "worker_num", RoleSubmit: "submit_time", RoleRun: "duration", RoleQueue: "job_type"},
		parameters: "amounts=processor", Documented: true,
	},
	{
		Name: "helios", Line: "the Helios traces of SenseTime, SC'21: cluster_log.csv; a node is a processor, times are " +
			"local",
		Carries: "submit, wait, run, nodes as processors, CPU and GPUs, status, user, virtual cluster as queue",
		Head:    "job_id,user,vc,gpu_num,cpu_num,node_num,state",
		columns: map[Role]string{RoleJob: "job_id", RoleUser: "user", RoleQueue: "vc", RoleGPU: "gpu_num", RoleCPU: "cpu_num",
			RoleProcs: "node_num", RoleStatus: "state",
			RoleSubmit: "submit_time", roleStart: "start_time", roleEnd: "end_time"},
		Documented: true,
	},
	{
		Name: "acme", Line: "the Acme traces of Shanghai AI Laboratory, NSDI'24: Seren and Kalos; a node is a processor, a " +
			"job runs from start_time to end_time",
		Carries: "submit, wait, run, nodes as processors, CPU and GPUs, memory of a node (Kalos, GB), status, user, type " +
			"of job as queue",
		Head: "job_id,user,node_num,gpu_num,cpu_num,",
		columns: map[Role]string{RoleJob: "job_id", RoleUser: "user", RoleQueue: "type", RoleGPU: "gpu_num",
			RoleCPU: "cpu_num", RoleProcs: "node_num", RoleStatus: "state",
			RoleSubmit: "submit_time", roleStart: "start_time", roleEnd: "end_time", RoleMemory: "mem_per_pod_GB?"},
		Documented: true,
	},
	{
		Name: "alibaba2018", Line: "batch tasks of Alibaba's cluster-trace-v2018: batch_task.csv, which has no line of " +
			"names; a task is a job of instance_num processors, submitted when it started",
		Carries: "submit, run, instances as processors, CPU and memory (in hundredths of a machine's) of each, status, " +
			"type of task as queue",
		names: strings.Split("task_name,instance_num,job_name,task_type,status,start_time,end_time,plan_cpu,plan_mem", ","),
		columns: map[Role]string{RoleSubmit: "start_time", roleStart: "start_time", roleEnd: "end_time",
			RoleProcs: "instance_num", RoleCPU: "plan_cpu",
			RoleMemory: "plan_mem", RoleStatus: "status", RoleQueue: "task_type"},
		parameters: "amounts=processor&cpu_unit=percent", completed: "TERMINATED", Documented: true,
	},
	{
		Name: "eagle", Line: "NREL Eagle, jobs of Slurm, 2018 to 2023: eagle_data.parquet or its sample as a CSV; " +
			"requested processors, times are local",
		Carries: "submit, wait, run, processors, requested time, status, user, account as group, QOS as queue, partition; " +
			"GPUs are not read",
		Head: "job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req",
		columns: map[Role]string{RoleJob: "job_id", RoleUser: "user", RoleGroup: "account", RolePartition: "partition",
			RoleQueue: "qos", RoleEstimate: "wallclock_req",
			RoleProcs: "processors_req", RoleSubmit: "submit_time", roleStart: "start_time", roleEnd: "end_time",
			RoleRun: "run_time", RoleStatus: "state"},
	},
	{
		Name: "pm100", Line: "PM100, jobs of CINECA's Marconi100 with their power, 2020: job_table.parquet",
		Carries: "submit, wait, run, allocated cores, requested time, status, user, group, QOS as queue, partition; GPUs " +
			"and power are not read",
		Head: "job_id,submit_time,start_time,end_time,num_cores_alloc,time_limit,job_state,user_id",
		columns: map[Role]string{RoleJob: "job_id", RoleUser: "user_id", RoleGroup: "group_id?", RolePartition: "partition?",
			RoleQueue: "qos?", RoleEstimate: "time_limit",
			RoleProcs: "num_cores_alloc", RoleSubmit: "submit_time", roleStart: "start_time", roleEnd: "end_time",
			RoleStatus: "job_state"},
		parameters: "duration=min", Documented: true, // time_limit; run times are from start to end
	},
	{
		Name: "fdata", Line: "F-DATA, jobs of Fugaku, 2021 to 2024: one of its monthly Parquet files; a node is a processor",
		Carries: "submit, wait, run, allocated nodes as processors, requested time, status, user",
		Head:    "jid,usr,adt,sdt,edt,nnumr,elpl",
		columns: map[Role]string{RoleJob: "jid", RoleUser: "usr", RoleSubmit: "adt", roleStart: "sdt", roleEnd: "edt",
			RoleProcs: "nnumr", RoleEstimate: "elpl", RoleStatus: "exit state?"},
		Documented: true,
	},
	{
		Name: "opendc", Line: "OpenDC workload traces: tasks.parquet; a virtual machine is a job of cpu_count processors, " +
			"what it uses over time is not read; times in milliseconds, or in seconds if the first is a date as that",
		Carries: "submit, run, processors, GPUs, memory (MB)",
		Head:    "id,submission_time,duration,cpu_count,cpu_capacity",
		columns: map[Role]string{RoleJob: "id", RoleSubmit: "submission_time", RoleRun: "duration", RoleProcs: "cpu_count",
			RoleMemory: "mem_capacity?", RoleGPU: "gpu_count?"},
		parameters: "time=ms&duration=ms", orSeconds: true,
	},
}

// Open reads a table of the preset.
func (p *Preset) Open(path string, o traces.Options) (traces.Source, error) {
	m, err := parseMapping(p.parameters)
	if err != nil {
		return nil, err
	}
	m.delimiter, m.preset = ',', p
	if input.KindOf(path) == "parquet" {
		return openParquet(path, p.Name, m, o)
	}
	return readCSV(path, p.Name, m, o)
}

// PresetOf is the preset by which a table is recognised: by the line of names that its text
// begins with, or by the names of a Parquet file's columns. It is nil if there is none.
func PresetOf(line string, columns []string) *Preset {
	for i := range Presets {
		p := &Presets[i]
		missing := func(name string) bool { return !slices.Contains(columns, name) }
		if p.Head != "" && (strings.HasPrefix(line, p.Head) || columns != nil &&
			!slices.ContainsFunc(strings.Split(p.Head, ","), missing)) {
			return p
		}
	}
	return nil
}

// find gives a table's columns the roles that they have in the preset.
func (p *Preset) find(header *traces.Header, names []string, t *Rows) error {
	var missing, all []string
	for r := range t.Cols {
		want, optional := strings.CutSuffix(p.columns[Role(r)], "?")
		t.Cols[r] = -1
		if want == "" {
			continue
		}
		if t.Cols[r] = slices.Index(names, want); t.Cols[r] < 0 && !optional && !slices.Contains(missing, want) {
			missing = append(missing, want)
		}
		if !slices.Contains(all, want) {
			all = append(all, want)
		}
	}
	t.completed, t.ended = p.completed, p.ended
	if missing == nil {
		return nil
	}
	return &traces.Error{File: header.Name, What: fmt.Sprintf("there is no column %s, without which the jobs cannot be "+
		"replayed", strings.Join(missing, " or ")),
		Want: fmt.Sprintf("format %s is read from the columns %s", p.Name, strings.Join(all, ", "))}
}
