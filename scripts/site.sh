#!/bin/sh
# Builds the site from the guides and the program into a folder: site.sh [DIR]. The playground is
# part of it if playground-out is there. Needs go and a built bin/bourse.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-site-out}
mkdir -p "$out"
out=$(cd "$out" && pwd)
root=$(cd "$here/.." && pwd)
[ -x "$root/bin/bourse" ] || (cd "$root" && go build -trimpath -o bin/bourse ./cmd/bourse)
cd "$here/site"
go run . -root "$root" -out "$out" -bourse "$root/bin/bourse" -playground "$root/playground-out"
