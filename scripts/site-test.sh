#!/bin/sh
# Builds the site, checks that its links lead somewhere and that nothing outside is loaded, and, where there is a Chromium,
# opens every page. Screenshots stay in $SHOTS if that is set.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=site
cd "$here/site"
go mod download >/dev/null 2>&1 || { echo "site: its modules cannot be had here" >&2; exit 77; } # the exit code of a skipped test
test -z "$(gofmt -l .)"
go vet .
go test -count=1 .
out=$(mktemp -d)
sh "$here/site.sh" "$out/site"
. "$here/page/browser.sh"
trap 'rm -rf "$scratch" "$out"' EXIT INT TERM
cp "$here/site/site-test.mjs" "$scratch"/
cd "$scratch"
node site-test.mjs "$out/site" ${SHOTS:+"$SHOTS"}
