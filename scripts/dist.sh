#!/bin/sh
# Builds dist/: archives for Linux, macOS and Windows on amd64 and arm64, with checksums, what
# each program is made of (CycloneDX), licences, manual page and completions, and Python wheels.
# Needs go, git, python3 and modules at hand, no network. The same commit gives the same bytes.
set -eu
cd "$(dirname "$0")/.."
: "${GO:=go}"
export GO
VERSION=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' cmd/cli/main.go)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export VERSION SOURCE_DATE_EPOCH
beside=bin/beside
rm -rf $beside
mkdir -p $beside/man $beside/licences $beside/completions
cp LICENSE README.md CHANGELOG.md CITATION.cff $beside
mkdir -p $beside/cmd/cli $beside/engine # what README points to
cp -r cmd/cli/guide $beside/cmd/cli
cp engine/SPEED.md engine/ARCHITECTURE.md $beside/engine
cp cmd/cli/licences.txt $beside/licences/modules.txt
cp reports/page/assets/LICENSES.txt $beside/licences/pages.txt
cp cmd/cli/completion/* $beside/completions
# The manual is the guide of that name.
{
	printf '.TH BOURSE 1 "%s" "bourse %s"\n.SH NAME\nbourse \\- discrete-event simulator of schedulers and markets on workload logs\n.SH SYNOPSIS\n.B bourse\n.I COMMAND\n[flags] ARGS\n.SH DESCRIPTION\n' \
		"$(date -u -d "@$SOURCE_DATE_EPOCH" +%F 2>/dev/null || date -u -r "$SOURCE_DATE_EPOCH" +%F)" "$VERSION"
	sed -e '1,2d' -e 's/`//g' -e 's/\\\*/*/g' -e 's/\\/\\e/g' -e "s/^[.']/\\\\\&&/" -e 's/^## \(.*\)/.SH \U\1/' \
		-e 's/^    \(.*\)/.nf\n    \1\n.fi/' -e 's/^$/.PP/' -e 's/-/\\-/g' cmd/cli/guide/manual.md
} >$beside/man/bourse.1
find $beside -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
$GO tool -modfile=scripts/dist/go.mod goreleaser release --config scripts/dist/goreleaser.yaml --snapshot --clean --parallelism 2
python3 scripts/dist/wheels.py dist
(cd dist && sha256sum bourse-*.whl >>SHA256SUMS && rm -f config.yaml metadata.json artifacts.json)
ls -l dist
