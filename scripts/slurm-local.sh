#!/bin/sh
# Starts a Slurm of one node on the loopback interface, as root and without systemd, for tests: munge, controller and
# daemon, all files below a folder. Installs Debian's slurm-wlm and munge where they are missing, and exits with 77, as a
# skipped test, if it cannot.
#
#   slurm-local.sh start DIR [NODES [PARAMETERS]]    writes DIR/slurm.conf; export SLURM_CONF to it
#   slurm-local.sh stop DIR
#
# With NODES there are so many of one processor, each with its daemon, and PARAMETERS are the scheduler's.
set -eu
command=$1
dir=$2
nodes=${3:-}
parameters=${4:-sched_interval=1,requeue_delay=1}

start() {
	if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq slurm-wlm munge >/dev/null; } || {
			echo "slurm: slurm-wlm and munge cannot be installed here" >&2
			exit 77 # the exit code of a skipped test
		}
	fi
	mkdir -p "$dir/state" "$dir/spool" "$dir/munge"
	dir=$(cd "$dir" && pwd)
	host=$(hostname -s)
	grep -q "[[:space:]]$host\$" /etc/hosts || echo "127.0.0.1 $host" >>/etc/hosts
	dd if=/dev/urandom of="$dir/munge/key" bs=1024 count=1 2>/dev/null
	chmod 700 "$dir/munge"
	chmod 400 "$dir/munge/key"
	munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
		--log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
	cat >"$dir/slurm.conf" <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=10
CryptoType=crypto/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
SlurmctldPort=36817
SlurmdPort=36818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerParameters=$parameters
MinJobAge=3600
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
	if [ -n "$nodes" ]; then
		echo "NodeName=n[1-$nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=[37001-$((37000 + nodes))] CPUs=1 State=UNKNOWN"
	else
		echo "NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN"
	fi >>"$dir/slurm.conf"
	export SLURM_CONF="$dir/slurm.conf"
	slurmctld -f "$SLURM_CONF"
	for n in $(if [ -n "$nodes" ]; then seq -f n%g "$nodes"; else echo "$host"; fi); do
		slurmd -f "$SLURM_CONF" -N "$n"
	done
	for _ in $(seq 60); do
		if [ "$(sinfo -h -N -t idle | wc -l)" -ge "${nodes:-1}" ]; then return 0; fi
		sleep 1
	done
	echo "slurm did not come up; see the logs in $dir" >&2
	return 1
}

# stop waits until each is gone: the controller saves its state as it ends, into a folder
# that the caller is about to remove.
stop() {
	for file in "$dir"/slurmd.*.pid "$dir/slurmctld.pid" "$dir/munge/pid"; do
		[ -f "$file" ] || continue
		pid=$(cat "$file")
		kill "$pid" 2>/dev/null || continue
		for _ in $(seq 30); do
			kill -0 "$pid" 2>/dev/null || break
			sleep 1
		done
	done
}

case $command in
start) start ;;
stop) stop ;;
*) echo "usage: slurm-local.sh start|stop DIR" >&2; exit 2 ;;
esac
