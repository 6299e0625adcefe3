#!/bin/sh
# Builds bourse for arm64 and looks for fused multiply-adds in our own code. They round
# once where amd64 rounds twice, so the last bits of results would differ from machine
# to machine. The product of a sum is kept from being fused by float64(x*y) + z.
# Takes a minute where nothing is built yet.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
GOOS=linux GOARCH=arm64 ${GO:-go} build -o "$work/bourse" ./cmd/bourse
${GO:-go} tool objdump -s '^(bourse/|main\.)' "$work/bourse" >"$work/code"

# Functions that may have them, one a line as objdump names them, with the reason why
# no output depends on it: none.
allowed='
'

functions=$(grep -c '^TEXT' "$work/code")
if [ "$functions" -lt 1000 ]; then
	echo "arm64: only $functions functions of ours were found; has objdump changed?" >&2
	exit 1
fi
awk -v allowed="$allowed" '
	BEGIN { split(allowed, names, "\n"); for (i in names) may[names[i]] = 1 }
	/^TEXT/ { of = $2 }
	/[ \t]FN?M(ADD|SUB)[SD]?[ \t]/ && !(of in may) { print "arm64: " of " " $1 ": a fused multiply-add; want float64(x*y) + z"; found = 1 }
	END { exit found }' "$work/code" >&2
echo "arm64: no fused multiply-add in $functions functions"
