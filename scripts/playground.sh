#!/bin/sh
# Builds the playground, a static page with the program as WebAssembly, into a folder:
# playground.sh [DIR]. Needs go, gzip and a built bin/bourse; no network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-playground-out}
bourse=$here/../bin/bourse
mkdir -p "$out"
out=$(cd "$out" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM

# Functions are inlined only where replays spend their time: elsewhere it makes the program
# larger, and no faster.
hot() { for p in "$@"; do printf -- '-gcflags=%s= ' "$p"; done; }
cd "$here/.."
# shellcheck disable=SC2046
GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -gcflags=all=-l $(hot bourse/engine bourse/events bourse/policies bourse/policies/order bourse/policies/sched \
	bourse/traces bourse/traces/swf runtime \
	internal/runtime/... internal/strconv strconv bufio crypto/internal/fips140/sha256 github.com/klauspost/compress/flate) \
	-o "$scratch/bourse.wasm" ./cmd/bourse
gzip -9nc "$scratch/bourse.wasm" >"$out/bourse.wasm.gz"
"$bourse" trace convert demo "$scratch/sample.swf" >/dev/null
gzip -9nc "$scratch/sample.swf" >"$out/sample.swf.gz"

# The report is shown in a frame, which has no more rights than the page: its scripts and
# styles, the same in every report, are allowed by their hashes.
"$bourse" replay "$scratch/sample.swf" -q --out "$scratch/run" >/dev/null
"$bourse" report "$scratch/run" >/dev/null
policy=$(grep -o -m 1 'Content-Security-Policy" content="[^"]*' "$scratch/run/report.html")
allowed() { echo "$policy" | grep -o "$1 [^;]*" | cut -d ' ' -f 2-; }
sed -e "s|{report-scripts}|$(allowed script-src)|" -e "s|{report-styles}|$(allowed style-src)|" \
	-e "s|{sample}|2,000 jobs in four weeks of a workload model (Lublin and Feitelson) on 100 processors|" "$here/playground/index.html" >"$out/index.html"
cp "$here"/playground/*.js "$here"/playground/*.css "$(go env GOROOT)/lib/wasm/wasm_exec.js" \
	"$(go env GOROOT)/lib/time/zoneinfo.zip" "$out"
tar -C "$here/../reports/page" -c assets | gzip -9nc >"$out/page-assets.tar.gz"
cat LICENSE cmd/cli/licences.txt >"$out/LICENSE.txt"
echo "$out: $(wc -c <"$out/bourse.wasm.gz") bytes of program; any web server will do, as: python3 -m http.server -d $out"
