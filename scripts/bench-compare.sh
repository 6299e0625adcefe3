#!/bin/sh
# Benchmarks of this tree beside those of another commit, run in turns on the same machine:
# bench-compare.sh [BASE [BENCH [PACKAGES]]], by default HEAD~1, all, and those that have any.
# benchstat says what differs beyond chance. ROUNDS (6) and TIME (0.5s) say how much is run.
set -eu
cd "$(dirname "$0")/.."
base=${1:-HEAD~1} bench=${2:-.} packages=${3:-}
packages=${packages:-$(grep -rl --include='*_test.go' '^func Benchmark' . | xargs -n 1 dirname | sort -u)}
work=$(mktemp -d)
trap 'git worktree remove --force "$work/base" >/dev/null 2>&1; rm -rf "$work"' EXIT INT TERM
git worktree add --quiet --detach "$work/base" "$base"
for p in $packages; do
	name=$(echo "$p" | tr / _)
	go test -c -o "$work/new$name" "$p"
	(cd "$work/base" && go test -c -o "$work/old$name" "$p" 2>/dev/null) || rm -f "$work/old$name" # not there yet
done
for round in $(seq "${ROUNDS:-6}"); do
	for p in $packages; do
		name=$(echo "$p" | tr / _)
		for side in old new; do
			[ -x "$work/$side$name" ] || continue
			(cd "$p" && "$work/$side$name" -test.run '^$' -test.bench "$bench" -test.benchtime "${TIME:-0.5s}" -test.benchmem) >>"$work/$side.txt"
		done
	done
	echo "bench-compare: round $round done" >&2
done
go tool -modfile=scripts/tools/go.mod benchstat "base=$work/old.txt" "here=$work/new.txt"
