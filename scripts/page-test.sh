#!/bin/sh
# Opens pages of bourse report in Chromium: nothing may be asked for over the
# network or go to the console, every chart must be drawn, tables must sort, keys
# work, pictures and a print be saved. Needs go, node, npm and Debian's chromium,
# which it installs when it may. Screenshots stay in $SHOTS if that is set.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=page
. "$here/page/browser.sh"
cp "$here"/page/*.mjs "$scratch"/

bourse=$here/../bin/bourse
[ -x "$bourse" ] || (cd "$here/.." && go build -trimpath -o bin/bourse ./cmd/bourse)
cd "$scratch"
small='synth:lublin?jobs=400&procs=64&seed=7&estimates=5'
"$bourse" replay "$small" -q --policy hb --segments --series --out hb >/dev/null
"$bourse" replay "$small" -q --policy easy --payment first --out easy >/dev/null
"$bourse" replay "$small" -q --policy fcfs --series=600 --out fcfs >/dev/null
"$bourse" replay 'synth:lublin?jobs=1000000&procs=512&seed=1&load=0.7' -q --policy easy --estimates exact --payment first --series --out million >/dev/null
dated='synth:lublin?jobs=400&procs=64&seed=7&estimates=5'
"$bourse" trace synth "${dated#synth:}" log.swf >/dev/null
sed -i '1i ; UnixStartTime: 1000000000' log.swf
for policy in easy fcfs srpt 'easy(order=sjf)' 'hb/first' 'hb/kth'; do
	name=$(echo "$policy" | tr -dc 'a-z')
	case $policy in */*) pay=${policy#*/} ;; *) pay=none ;; esac
	"$bourse" replay log.swf -q --policy "${policy%/*}" --payment "$pay" --segments --out "d-$name" >/dev/null
done
"$bourse" report hb --out one.html
"$bourse" report hb easy fcfs --out three.html
"$bourse" report d-* --out six.html
"$bourse" sweep "$small" -q --policy 'easy,fcfs,easy(order=sjf),easy(order=saf),sjf,srpt,conservative,hb(fit=skip)' --payment none --load-factor 0.4,1,1.6 --estimates exact,scale:2 --shake 600 --seeds 5 --out grid >/dev/null
"$bourse" report grid --out sweep.html
"$bourse" report million --out million.html
# Users of names that every object of JavaScript has.
awk 'BEGIN { print "job,submit,run,procs,user"; split("constructor toString __proto__ valueOf hasOwnProperty eve", u, " ")
	for (i = 0; i < 300; i++) print i + 1 "," i * 40 "," 60 + i % 7 * 300 "," 1 + i % 8 "," u[i % 6 + 1] }' >named.csv
"$bourse" replay csv:named.csv --nodes 16 -q --policy easy --payment none --segments --series --out constructor >/dev/null
"$bourse" replay csv:named.csv --nodes 16 -q --policy fcfs --payment none --segments --series --out toString >/dev/null
"$bourse" report constructor toString --out named.html
mkdir -p "${SHOTS:=$scratch/shots}"
node page-test.mjs "$SHOTS" "$scratch"/one.html "$scratch"/three.html "$scratch"/six.html "$scratch"/million.html "$scratch"/sweep.html "$scratch"/named.html
