#!/bin/sh
# Gives the module another path, so that a fork of it can be installed and imported from where
# it is published; with "bourse" it goes back.
#
#	sh scripts/module-path.sh github.com/you/bourse
#
# It rewrites go.mod, the imports, and where the path stands in the scripts and the tests. Then
# `go install github.com/you/bourse/cmd/bourse@latest` and `import "github.com/you/bourse/engine"`
# work once it is pushed and, for a version, tagged.
set -eu
cd "$(dirname "$0")/.."
new=${1:?want the path of the module, as in github.com/you/bourse}
old=$(sed -n 's/^module //p' go.mod)
case $new in *[!a-zA-Z0-9._~/-]* | /* | */ | *//*) echo "module-path: $new is no path of a module; want one as in github.com/you/bourse" >&2 && exit 1 ;; esac
[ "$old" != "$new" ] || exit 0
git ls-files '*.go' | tr '\n' '\0' | xargs -0 sed -i.was "s#\"$old/#\"$new/#g"
sed -i.was "s#^module $old\$#module $new#" go.mod scripts/*/go.mod
sed -i.was "s#^module $old/#module $new/#; s#^\(replace \|require \|\t\)$old \(=>\|v\)#\1$new \2#" scripts/s3/go.mod
sed -i.was "s#($old/#($new/#g" scripts/fused.sh
git ls-files | sed 's/$/.was/' | tr '\n' '\0' | xargs -0 rm -f
gofmt -w $(git ls-files '*.go')
echo "the module is $new; go build ./... tries it"
