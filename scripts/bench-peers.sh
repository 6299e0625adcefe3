#!/bin/sh
# Replays one log under EASY with bourse and with the other simulators that are installed, in
# turns, and prints how long whole runs take (median of ROUNDS, 3), jobs a second, and how many
# times as long as bourse each takes. bench-peers.sh LOG PROCESSORS
#
#   pyss      PYSS is its folder with run_simulator.py, PYTHON2 (python2) what runs it
#   ocst      its program ocs is on the PATH (there is another of that name)
#   AccaSim   PYTHON (python3) can import accasim
#   Batsim    batsim and batsched are on the PATH; PLATFORM is a platform file of so many hosts
#   pybatsim  ../shared/peers or $BOURSE_SHARED/peers has its archive: its EASY decides in bourse
#   others    PEER_alea='cd /opt/alea && java -jar Alea.jar': a command, which finds $LOG and $PROCS
#
# All get the same SWF file: jobs that ran, no wider than the machine, ended at their estimates.
set -eu
[ $# = 2 ] || { echo "usage: bench-peers.sh LOG PROCESSORS" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
bourse=$here/../bin/bourse
[ -x "$bourse" ] || (cd "$here/.." && go build -trimpath -o bin/bourse ./cmd/bourse)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
LOG=$work/log.swf PROCS=$2 ROUNDS=${ROUNDS:-3} PYSS=${PYSS:-} PLATFORM=${PLATFORM:-} PYTHON=${PYTHON:-python3} PYTHON2=${PYTHON2:-python2}
export LOG PROCS
"$bourse" trace convert "$1" "$LOG" --where "run > 0 && procs > 0 && procs <= $PROCS" --estimates log --kill-at-estimate >/dev/null 2>&1
jobs=$(grep -vc '^;' "$LOG")

has() { command -v "$1" >/dev/null 2>&1; }
: >"$work/peers"
: >"$work/absent"
# peer NAME NEED COMMAND lists a peer if the command NEED succeeds.
peer() { if eval "$2" >/dev/null 2>&1; then printf '%s\t%s\n' "$1" "$3" >>"$work/peers"; else echo "$1" >>"$work/absent"; fi; }

peer bourse true "'$bourse' replay '$LOG' --policy easy --nodes $PROCS -q"
peer ocst 'ocs --help | grep -q backfill' "ocs fixed --max_procs $PROCS --primary fcfs --backfill fcfs --output '$work/ocs.swf' '$LOG'"
peer pyss 'has "$PYTHON2" && [ -e "$PYSS/run_simulator.py" ]' \
	"cd '$PYSS' && $PYTHON2 -O run_simulator.py --num-processors=$PROCS --input-file='$LOG' --scheduler=EasyBackfillScheduler"

cat >"$work/accasim.py" <<'EOF'
import json, os, sys
from accasim.base.allocator_class import FirstFit
from accasim.base.scheduler_class import EASYBackfilling
from accasim.base.simulator_class import HPCSimulator
work = sys.argv[1]
machine = {"groups": {"g0": {"core": 1, "mem": 1 << 40}}, "resources": {"g0": int(os.environ["PROCS"])}}
with open(work + "/machine.json", "w") as f:
    json.dump(machine, f)
HPCSimulator(os.environ["LOG"], work + "/machine.json", EASYBackfilling(FirstFit()), RESULTS_FOLDER_PATH=work + "/accasim").start_simulation()
EOF
peer AccaSim '"$PYTHON" -c "import accasim"' "$PYTHON '$work/accasim.py' '$work'"

awk -v n="$PROCS" '!/^;/ { jobs = jobs between "{\"id\":\"" $1 "\",\"subtime\":" $2 ",\"walltime\":" $9 ",\"res\":" $8 ",\"profile\":\"" $4 "\"}"; between = ","; runs[$4] }
	END { printf "{\"nb_res\":%d,\"jobs\":[%s],\"profiles\":{", n, jobs
		for (r in runs) { printf "%s\"%s\":{\"type\":\"delay\",\"delay\":%s}", next_, r, r; next_ = "," }
		print "}}" }' "$LOG" >"$work/log.json"
peer Batsim 'has batsim && has batsched && [ -e "$PLATFORM" ]' \
	"(batsched -v easy_bf & batsim --quiet --disable-schedule-tracing --disable-machine-state-tracing -p '$PLATFORM' -w '$work/log.json' -e '$work/batsim' && wait)"

tar=${BOURSE_SHARED:-$here/../../shared}/peers/pybatsim-3.2.0.tar.gz
[ ! -e "$tar" ] || tar xzf "$tar" -C "$work"
peer 'pybatsim, in bourse' '[ -e "$tar" ] && /usr/bin/python3 -c "import zmq, redis, docopt, sortedcontainers"' \
	"cd '$work/pybatsim-3.2.0' && PYTHONPATH=.:'$here/batsim' '$bourse' replay '$LOG' --nodes $PROCS -q --policy 'exec(command=/usr/bin/python3 $here/clients/bourse_batsim.py /usr/bin/python3 $work/pybatsim-3.2.0/launcher.py $work/pybatsim-3.2.0/schedulers/easyBackfill.py -t 20000 -v error -s {endpoint},estimates=true)'"
for name in $(env | sed -n 's/^PEER_\([A-Za-z0-9]*\)=.*/\1/p' | sort); do
	eval "peer $name true \"\$PEER_$name\""
done

# Each round runs all once. A run that fails is not timed.
for round in $(seq "$ROUNDS"); do
	while IFS='	' read -r name command; do
		begin=$(date +%s.%N)
		if sh -c "$command" >"$work/said" 2>&1 </dev/null; then
			printf '%s\t%s\t%s\n' "$name" "$begin" "$(date +%s.%N)" >>"$work/times"
		else
			echo "bench-peers: $name failed: $(tail -n 1 "$work/said")" >&2
		fi
	done <"$work/peers"
done
echo "$jobs jobs under EASY on $PROCS processors, median of $ROUNDS runs"
awk -F '\t' '{ print $1 "\t" $3 - $2 }' "$work/times" | sort -t '	' -k 1,1 -k 2,2n | awk -F '\t' -v jobs="$jobs" '
	{ t[$1, ++n[$1]] = $2 }
	END { for (p in n) { m = (t[p, int((n[p] + 1) / 2)] + t[p, int(n[p] / 2) + 1]) / 2; print m "\t" p }}' | sort -n | awk -F '\t' -v jobs="$jobs" '
	{ s[$2] = $1; order[NR] = $2 }
	END { printf "%-22s %10s %12s %10s\n", "simulator", "seconds", "jobs/s", "bourse = 1"
		for (i = 1; i <= NR; i++) { p = order[i]; printf "%-22s %10.3f %12.0f %10.1f\n", p, s[p], jobs / s[p], s[p] / s["bourse"] }}'
[ ! -s "$work/absent" ] || echo "not installed: $(paste -sd , "$work/absent" | sed 's/,/, /g')"
