#!/bin/sh
# Runs notebooks headless and writes them with their outputs to a folder; if all are
# run, it first checks that what pandas reads is what the program says (frames.py).
#
#	sh scripts/notebooks.sh [--here] OUT [NAME...]
#
# Without names all of reports/notebooks. Takes python3 if it has pandas, pyarrow,
# matplotlib and nbclient, otherwise the environment of notebook-env.sh in
# $BOURSE_NOTEBOOK_ENV, which is made if need be; with --here only if it is there.
# BOURSE_TRACE names a log to use in place of the synthetic ones.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
here=
if [ "$1" = --here ]; then
	here=yes
	shift
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
frames=
[ $# != 0 ] || { frames=yes; set -- first learning lying own-log payments sharing; }
env=${BOURSE_NOTEBOOK_ENV:-${XDG_CACHE_HOME:-$HOME/.cache}/bourse-notebooks}
trace=${BOURSE_TRACE:-}
if [ -n "$trace" ] && [ -e "$trace" ]; then trace=$(cd "$(dirname "$trace")" && pwd)/$(basename "$trace"); fi

# What the first notebook and the checks read.
bourse=$root/bin/bourse
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT INT TERM
quiet() { "$bourse" "$@" >"$data/said" 2>"$data/err" || { cat "$data/err" >&2; exit 1; }; }
quiet replay "${trace:-synth:lublin?jobs=5000&procs=128&load=0.6&seed=1&estimates=3}" -q --out "$data/first"
if [ -n "$frames" ]; then
	log=$data/log.swf.gz
	market='--serial --policy hb --payment kth --behaviour srg'
	quiet trace synth 'lublin?jobs=1500&procs=32&load=0.8&seed=1' "$log"
	quiet replay "$log" -q $market --out "$data/out"
	quiet replay "$log" -q $market --format arrow --out -
	mv "$data/said" "$data/arrow"
	quiet sweep "$log" -q --serial --policy hb,nphb --payment first,kth --behaviour 'srg(beta={.1,.9})' --seeds 3 --records --out "$data/load"
	quiet game "$data/load" --out "$data/game.csv"
	quiet regret "$log" -q --serial --policy hb --payment kth --jobs 100 --out "$data/regret.parquet"
	quiet replay "$log" -q --serial --policy hb --payment kth --out "$data/truth"
fi

# notebooks runs those of $names by a command, and the checks; $1 is where the machine's
# files are seen, in front of their paths.
names=$*
notebooks() {
	at=$1
	shift
	trace=$(echo "$trace" | sed -E "s,^([a-z0-9]+:)?/,\\1$at/,")
	export BOURSE="$at$bourse" BOURSE_TRACE="$trace" BOURSE_RUN="$at$data/first" PYTHONDONTWRITEBYTECODE=1
	[ -z "$frames" ] || "$@" python3 "$at$root/scripts/frames.py" "$at$data"
	set -- "$@" python3 -W ignore "$at$root/scripts/notebooks.py" "$at$out"
	for name in $names; do set -- "$@" "$at$root/reports/notebooks/${name%.ipynb}.ipynb"; done
	"$@"
}

if python3 -c 'import pandas, pyarrow, matplotlib, nbclient, ipykernel' 2>/dev/null; then
	notebooks ''
	exit
fi
if [ ! -e "$env/complete" ] && [ -n "$here" ]; then
	echo "notebooks: no python3 with pandas, pyarrow, matplotlib and nbclient, and no $env; make notebooks makes one" >&2
	exit 77 # the exit code of a skipped test
fi
sh "$root/scripts/notebook-env.sh" "$env"
# The machine's files are seen inside as /host, in a name space of its own that ends with the run.
mkdir -p "$env/host"
export env
notebooks /host unshare --mount sh -c '
	mount --make-rprivate / && mount --rbind / "$env/host" && mount -t proc proc "$env/proc" &&
	LC_ALL=C.UTF-8 HOME=/tmp exec chroot "$env" "$@"' sh
