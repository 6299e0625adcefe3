#!/bin/sh
# Writes the licences of all that is linked into the program, and of the fonts in it, into
# cmd/cli/licences.txt.
set -eu
cd "$(dirname "$0")/.."
{
	echo "The program holds code of the Go project and of the modules below, and the Liberation"
	echo "fonts. The libraries of its pages are in reports/page/assets/LICENSES.txt."
	printf '\n==== Go\n\n'
	cat "$(go env GOROOT)/LICENSE"
	go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/bourse | sort -u | while read -r path version dir; do
		printf '\n==== %s %s\n' "$path" "$version"
		files=$(find "$dir" -maxdepth 1 -type f \( -iname 'licen[sc]e*' -o -iname 'copying*' -o -iname 'notice*' -o -iname 'patents' \) | LC_ALL=C sort)
		for file in ${files:-"$dir/README.md"}; do # one module has its licence there
			printf '\n-- %s\n\n' "$(basename "$file")"
			cat "$file"
		done
	done
} > cmd/cli/licences.txt
