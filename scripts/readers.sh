#!/bin/sh
# Reads what bourse writes with readers written by others: DuckDB,
# parquet-wasm, Arrow for JavaScript; and makes jobs of rows of Google's trace both
# with bourse and in DuckDB; validates bundles as RO-Crates. Needs go, node and npm. Exits non-zero when a count,
# null count, sum or extreme of any column, or any of those jobs, differs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
cp "$here"/readers/package.json "$here"/readers/package-lock.json "$here"/readers/*.mjs "$scratch"/
(cd "$scratch" && npm ci --no-audit --no-fund --loglevel=error) || {
	echo "readers: their packages cannot be installed here" >&2
	exit 77 # the exit code of a skipped test
}
mkdir "$scratch/data"
(cd "$here/.." && go run ./scripts/readers/fixtures "$scratch/data")
node "$scratch/check.mjs" "$scratch/data"
(cd "$here/.." && go build -trimpath -o "$scratch/bourse" ./cmd/bourse)
log='synth:lublin?jobs=500&procs=32&seed=1'
"$scratch/bourse" replay "$log" -q --policy hb --behaviour srg --out "$scratch/out" >"$scratch/said"
"$scratch/bourse" sweep "$log" -q --policy easy,fcfs --load-factor 1,1.1 --replicas 2 --resample=users --records --out "$scratch/load" >"$scratch/said"
node "$scratch/readme.mjs" "$here/../cmd/cli/guide/reading-results.md" "$scratch"
for made in out load; do
	"$scratch/bourse" bundle "$scratch/$made" -q --out "$scratch/box-$made" >"$scratch/said"
	BOURSE=$scratch/bourse sh "$scratch/box-$made/verify.sh" >"$scratch/said"
done
node "$scratch/crate.mjs" "$scratch/box-out" "$scratch/box-load"
ln -s load "$scratch/cells"
node "$scratch/readme.mjs" "$here/../cmd/cli/guide/beyond-one-machine.md" "$scratch"
real=${BOURSE_SHARED:-$here/../../shared}/data/google2011
[ -d "$real" ] || real=
node "$scratch/google.mjs" "$scratch/bourse" "$here" "$scratch/google" $real
