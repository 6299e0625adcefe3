#!/bin/sh
# Runs every fuzz target of the module for the time given (default 60s). A new input is not
# made smaller, which would take up to a minute each: only inputs that fail are looked at. A
# target that ends without one, as Go's do at times when their time is over on a busy machine,
# is told and does not stop the others.
set -eu
time=${1:-60s}
failed=0
for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "== $package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1x "$package" && continue
		if [ -n "$(git status --porcelain -- '*/testdata/fuzz/*')" ]; then
			failed=1
		else
			echo "== $target ended without an input that fails"
		fi
	done
done
exit $failed
