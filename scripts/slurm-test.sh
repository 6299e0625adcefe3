#!/bin/sh
# Runs a sweep as a job array of eight on a real Slurm and on this machine, and
# wants the same bytes. One task fails at its first attempt and is requeued.
# Needs root; slurm-local.sh installs Slurm if it can, and is a skipped test (exit code 77) where it cannot.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bourse=$(cd "$here/.." && pwd)/bin/bourse
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'sh "$here/slurm-local.sh" stop "$dir/slurm"; rm -rf "$dir"' EXIT INT TERM
sh "$here/slurm-local.sh" start "$dir/slurm"
export SLURM_CONF="$dir/slurm/slurm.conf"

"$bourse" trace synth 'lublin?jobs=2000&procs=64&seed=2&estimates=3' "$dir/log.swf.gz"
set -- "$dir/log.swf.gz" --serial --policy hb,nphb,wspt --payment first,kth --behaviour 'srg(beta={.1,.5,.9})' --seeds 3
"$bourse" sweep "$@" -q --out "$dir/here"

# The first attempt of task 3 is killed before it does anything.
cat >"$dir/flaky" <<FLAKY
#!/bin/sh
if [ "\$SLURM_ARRAY_TASK_ID" = 3 ] && [ ! -e "$dir/failed-once" ]; then
	touch "$dir/failed-once"
	scontrol requeue "\${SLURM_ARRAY_JOB_ID}_3"
	sleep 60
fi
exec "$bourse" "\$@"
FLAKY
chmod +x "$dir/flaky"
BOURSE="$dir/flaky" sbatch --wait --array=0-7 --output="$dir/task-%a.log" --open-mode=append "$here/sweep.sbatch" "$@" --out "$dir/array" || {
	tail -n 20 "$dir"/task-*.log "$dir"/slurm/*.log >&2
	exit 1
}

[ -e "$dir/failed-once" ] || { echo "task 3 did not fail as it should have" >&2; exit 1; }
"$bourse" merge "$dir/array"
diff -r "$dir/here" "$dir/array"
echo "slurm: 8 tasks, one requeued; $(find "$dir/array" -name summary.json | wc -l) cells, the same bytes as the sweep on one machine"
