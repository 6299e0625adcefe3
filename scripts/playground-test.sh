#!/bin/sh
# Uses the playground in Chromium as a visitor would, and holds what it answers and writes
# against bin/bourse, byte by byte: on its own log, and on KTH-SP2 where that is. Needs go,
# node, npm and Debian's chromium, which it installs when it may. SHOTS keeps screenshots.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=playground
. "$here/page/browser.sh"
cp "$here"/playground/playground-test.mjs "$scratch"/
(cd "$here/.." && go build -trimpath -o bin/bourse ./cmd/bourse)
sh "$here/playground.sh" "$scratch/page"
cd "$scratch"
shared=${BOURSE_SHARED:-$here/../../shared}
kth=$shared/data/swf/KTH-SP2-1996-2.1-cln.swf.gz
[ -f "$kth" ] || kth=
long=$scratch/long.swf
"$here/../bin/bourse" trace synth 'lublin?jobs=600000&procs=512&seed=3&estimates=5' "$long" >/dev/null
printf 'this is no log\nbut a letter\n' >letter.txt
head -c 100000 /dev/urandom >noise.swf
truncate -s 2G zeros.swf
printf 'JobID|Submit|Start|End|NCPUS|State\n1|2024-01-01T00:00:00|2024-01-01T00:00:05|2024-01-01T01:00:00|4|COMPLETED\n2|2024-01-01T00:10:00|2024-01-01T00:20:00|2024-01-01T02:00:00|8|COMPLETED\n' >jobs.sacct
printf 'Submitted,Elapsed,CPUs\n0,100,4\n10,50,8\n20,60,8\n' >own.csv
mkdir -p "${SHOTS:=$scratch/shots}" native
node playground-test.mjs "$here/../bin/bourse" "$scratch/page" "$SHOTS" "$long" $kth
