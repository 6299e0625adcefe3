#!/bin/sh
# Submits a few hundred jobs to a real Slurm (slurm-local.sh) and replays what it recorded under slurm(...): who
# starts when. Needs Slurm and root; takes as long as the jobs do, some six minutes.
#
#   slurm-starts.sh BOURSE [JOBS [SEED]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bourse=$1
jobs=${2:-300}
seed=${3:-1}
nodes=32
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'sh "$here/slurm-local.sh" stop "$dir/slurm"; rm -rf "$dir"' EXIT INT TERM
sh "$here/slurm-local.sh" start "$dir/slurm" $nodes bf_interval=5,bf_resolution=1,sched_min_interval=0,batch_sched_delay=0
export SLURM_CONF="$dir/slurm/slurm.conf"

# Submissions a second or so apart, of 1 to 24 nodes for 2 to 40 s; limits are whole minutes.
awk -v jobs="$jobs" -v seed="$seed" 'BEGIN {
	srand(seed)
	for (i = 0; i < jobs; i++) {
		at += -1.1 * log(1 - rand())
		wide = rand() < .15 ? 8 + int(17 * rand()) : 1 + int(5 * rand() * rand() * rand())
		print at, wide, 2 + int(38 * rand() * rand()), 1 + int(4 * rand())
	}
}' >"$dir/plan"
cd "$dir"
begin=$(date +%s.%N)
while read -r at wide run limit; do
	sleep "$(awk -v at="$at" -v begin="$begin" -v now="$(date +%s.%N)" 'BEGIN { d = begin + at - now; print (d > 0 ? d : 0) }')"
	sbatch -Q -N "$wide" -t "$limit" -o /dev/null --wrap "sleep $run"
done <"$dir/plan"
while [ -n "$(squeue -h)" ]; do sleep 2; done

scontrol -o show jobs | TZ=UTC awk -v nodes=$nodes '
function field(name,  x) { return match($0, " " name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
function seconds(text) { gsub(/[-T:]/, " ", text); return mktime(text) }
BEGIN { print "; MaxProcs: " nodes }
{
	match($0, /JobId=[0-9]+/); id = substr($0, RSTART + 6, RLENGTH - 6)
	submit = seconds(field("SubmitTime")); start = seconds(field("StartTime")); end = seconds(field("EndTime"))
	split(field("TimeLimit"), t, ":"); limit = t[1] * 3600 + t[2] * 60 + t[3]
	if (!first) first = submit
	print id, submit - first, start - submit, end - start, field("NumNodes"), -1, -1, field("NumNodes"), limit, -1, 1, 1, 1, -1, -1, -1, -1, -1
}' >"$dir/slurm.swf"

# Backfilling runs each 5 s by Slurm's own clock: starts may differ by that and 2 s, and what follows from them more.
compare() {
	"$bourse" replay "$dir/slurm.swf" --policy "$1" --format csv --out "$dir/$2" -q >/dev/null
	awk -v policy="$1" -v name="$2" 'NR == FNR { recorded[$1] = $3; next }
	FNR == 1 { FS = ","; $0 = $0; for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		r = recorded[$at["job_id"]]; d = $at["wait_s"] - r; if (d < 0) d = -d
		n++; sum += d; near += d <= 7; waited += r > 2
	}
	END { printf "slurm: %-48s %5.1f s off on average, %d of %d starts within 7 s (%d jobs waited)\n", policy, sum / n, near, n, waited
		print sum / n, name >>"'"$dir/off"'" }' "$dir/slurm.swf" "$dir/$2/jobs.csv"
}
compare "slurm(order=fcfs,bf-interval=5s,bf-resolution=1s)" slurm
compare easy easy
compare conservative conservative
compare fcfs fcfs
nearest=$(sort -n "$dir/off" | head -n 1)
[ "${nearest#* }" = slurm ] || { echo "slurm: ${nearest#* } is nearer to Slurm than slurm(...)" >&2; exit 1; }
