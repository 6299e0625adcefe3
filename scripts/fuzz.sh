#!/bin/sh
# Runs every fuzz target of the module for the time given (default 60s). A new input is not
# made smaller, which would take up to a minute each: only inputs that fail are looked at.
set -eu
time=${1:-60s}
for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "== $package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1x "$package"
	done
done
