// Package accounting reads the accounting logs of resource managers: files of Torque
// and PBS, dumps of Slurm's sacct, and the Grid Workloads Format.
package accounting
