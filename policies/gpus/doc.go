// Package gpus places jobs on machines with GPUs. A job asks for CPU, memory and GPUs: for
// whole ones, or for a share of one, and perhaps for certain models only. A machine holds
// it if one of its devices has that share free, or if so many are wholly free (Node, Ask).
// Which of the machines that hold it takes it is a matter of scores, whole numbers from 0
// to 100 (Rule), and what of the free GPUs no job could use is fragmentation (Mix). The
// rules and the measure are those of Weng et al., Beware of Fragmentation: Scheduling
// GPU-Sharing Workloads with Fragmentation Gradient Descent, USENIX ATC 2023.
//
// It knows neither queues nor time; machines without devices are the matter of package
// placement, what waits and what may be stopped that of package sched.
package gpus
