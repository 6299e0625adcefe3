#!/bin/sh
# Lets pybatsim's FCFS, filler and EASY decide in bourse, and wants their starts equal to
# those of bourse's own fcfs and easy wherever these decide by the same rules: on serial jobs,
# and on parallel ones in the versions that want no neighbouring processors.
# Needs pybatsim-3.2.0.tar.gz in ../shared/peers or $BOURSE_SHARED/peers, and Debian's
# python3-zmq, python3-redis, python3-docopt and python3-sortedcontainers; installs these if it can.
# With a log as argument EASY and the filler are also timed on it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bourse=$(cd "$here/.." && pwd)/bin/bourse
tar=${BOURSE_SHARED:-$here/../../shared}/peers/pybatsim-3.2.0.tar.gz
[ -e "$tar" ] || { echo "batsim: there is no $tar" >&2; exit 77; }
works() { "$1" -c 'import zmq, redis, docopt, sortedcontainers' 2>/dev/null; }
python=python3
works $python || python=/usr/bin/python3
works $python || {
	{ [ "$(id -u)" = 0 ] && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		python3-zmq python3-redis python3-docopt python3-sortedcontainers >/dev/null && works $python; } || {
		echo "batsim: python3-zmq, python3-redis, python3-docopt and python3-sortedcontainers cannot be installed here" >&2
		exit 77 # the exit code of a skipped test
	}
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
tar xzf "$tar" -C "$dir"
peer=$dir/pybatsim-3.2.0
PYTHONPATH=$peer
"$python" -c 'import procset' 2>/dev/null || PYTHONPATH=$peer:$here/batsim
export PYTHONPATH
cd "$peer" # the schedulers write logs where they are

# starts LOG POLICY prints the jobs and when each began.
starts() {
	"$bourse" replay "$1" --policy "$2" --check --kill-at-estimate --out "$dir/run" --format csv --overwrite -q >/dev/null
	cut -d, -f1,8 "$dir/run/jobs.csv" | sort
}
peers() { echo "exec(command=$python $here/clients/bourse_batsim.py $python $peer/launcher.py $1 -t 20000 -v error -s {endpoint},estimates=true)"; }

failed=0
# compare LOG PEER OURS WANT: the number of starts that differ is 0, or is not.
compare() {
	starts "$dir/$1.swf" "$(peers "$2")" >"$dir/theirs"
	starts "$dir/$1.swf" "$3" >"$dir/ours"
	differ=$(diff "$dir/theirs" "$dir/ours" | grep -c '^<' || true)
	echo "$1 jobs: $(basename "$2") and $3: $differ of $(($(wc -l <"$dir/ours") - 1)) starts differ"
	case $4 in
	equal) [ "$differ" = 0 ] || failed=1 ;;
	*) [ "$differ" != 0 ] || failed=1 ;;
	esac
}
"$bourse" trace synth 'lublin?jobs=500&procs=64&seed=1&estimates=3' "$dir/parallel.swf"
"$bourse" trace synth 'lublin?jobs=1000&procs=8&seed=2&estimates=3' "$dir/log.swf"
awk '!/^;/ { $5 = 1; $8 = 1 } { print }' "$dir/log.swf" >"$dir/serial.swf"
compare serial schedFcfs fcfs equal
compare serial easyBackfill easy equal
compare parallel "$here/batsim/fcfsAnywhere.py" fcfs equal
compare parallel "$peer/schedulers/unMaintained/easyBackfillNotopo.py" easy equal
# These two want neighbouring processors; the filler goes through a set, in no order.
compare parallel schedFcfs fcfs otherwise
compare parallel easyBackfill easy otherwise
compare parallel fillerSched 'fcfs' otherwise
[ "$failed" = 0 ] || { echo "batsim: starts are not as they should be" >&2; exit 1; }

for scheduler in easyBackfill fillerSched; do
	[ $# = 0 ] || "$bourse" replay "$1" --policy "$(peers $scheduler)" --kill-at-estimate --out "$dir/run" --overwrite | grep events
done
