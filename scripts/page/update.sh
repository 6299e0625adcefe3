#!/bin/sh
# Copies the libraries of the page, in the versions of package-lock.json, with
# their licences into reports/page/assets (README.md says when). Needs node and npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
assets=$here/../../reports/page/assets
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
cp "$here/package.json" "$here/package-lock.json" "$scratch"/
(cd "$scratch" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error)
modules=$scratch/node_modules

# copy NAME FILE...: the files of a package, and a line in VERSIONS.
copy() {
	name=$1
	shift
	for file in "$@"; do
		# The maps that these comments name are not there.
		sed '/^\/\/# sourceMappingURL=/d' "$modules/$name/$file" >"$assets/$(basename "$file")"
	done
	node -p "const p = require('$modules/$name/package.json'); p.name + ' ' + p.version" >>"$assets/VERSIONS"
}
rm -rf "$assets"
mkdir -p "$assets"
copy vega build/vega.min.js
copy vega-lite build/vega-lite.min.js
copy vega-embed build/vega-embed.min.js
copy uplot dist/uPlot.iife.min.js dist/uPlot.min.css
node "$here/licences.mjs" "$modules" >"$assets/LICENSES.txt"
cat "$assets/VERSIONS"
