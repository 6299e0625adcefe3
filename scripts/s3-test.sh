#!/bin/sh
# Builds the program with --out s3://, which is a module of its own, and tries it on a server of S3 in memory.
set -eu
cd "$(dirname "$0")/s3"
go mod download >/dev/null 2>&1 || { echo "s3: its modules cannot be had here" >&2; exit 77; } # the exit code of a skipped test
go vet ./...
go test -count=1 ./...
