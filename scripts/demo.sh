#!/bin/sh
# Replays one synthetic workload under several policies and payments, compares
# them, and leaves one folder of Parquet per replay.
set -eu
bourse=$1
out=$2
trace='synth:lublin?jobs=5000&procs=128&load=0.75&seed=1&estimates=5'
rm -rf "$out"
mkdir -p "$out"
echo "== the workload: $trace"
"$bourse" trace inspect "$trace"
for payment in first kth; do
	for policy in hb nphb wspt wsept fcfs; do
		"$bourse" replay "$trace" -q --serial --policy "$policy" --payment "$payment" \
			--behaviour srg --segments --series --out "$out/$policy-$payment" >"$out/$policy-$payment.txt"
	done
done
echo
echo "== five policies, two payments, every job split into one-processor jobs, a tenth of the owners bidding low"
"$bourse" compare "$out"/*-first "$out"/*-kth
echo
echo "The records are in $out/*/jobs.parquet; each folder's summary.json and manifest.json say what they are."
echo
echo "== a page of the five policies under k-th price"
"$bourse" report "$out"/*-kth --out "$out/report.html"
