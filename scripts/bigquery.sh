#!/bin/sh
# Makes the jobs of a cell of Google's trace of 2019 in BigQuery, by scripts/google2019.sql,
# where a cell is too large to be exported row by row. Without --run it only asks what the
# query would read, and what that costs; nothing is billed for that.
#
#   sh scripts/bigquery.sh a PROJECT:DATASET.cell_a          # how much, and the price
#   sh scripts/bigquery.sh a PROJECT:DATASET.cell_a --run    # makes the table
#   bq extract --destination_format=PARQUET --compression=ZSTD PROJECT:DATASET.cell_a gs://BUCKET/cell_a-*.parquet
#   bourse replay cell_a-000000000000.parquet --machines 'pool(cpu=...,memory=...)'
#
# PRICE is dollars per TiB read, 6.25 where BigQuery bills by the query in the United States
# (2025; the first TiB of a month is free; look at cloud.google.com/bigquery/pricing). Storing
# the table and taking it out of the cloud cost extra. Needs bq of the Google Cloud SDK, signed in.
set -eu
fail() { echo "bigquery: $*" >&2; exit 2; }
[ $# -ge 2 ] || fail "want a cell and a table, as in: bigquery.sh a PROJECT:DATASET.cell_a [--run]"
case $1 in [a-h]) ;; *) fail "$1 is no cell; they are a to h" ;; esac
case $2 in *:*.*) ;; *) fail "$2 is no table; want PROJECT:DATASET.TABLE" ;; esac
case ${3:-} in '' | --run) ;; *) fail "$3 is not known; want --run or nothing" ;; esac
command -v bq >/dev/null || fail "bq is not installed; it comes with the Google Cloud SDK"
sql=$(dirname "$0")/google2019.sql
dataset=google.com:google-cluster-data:clusterdata_2019_$1
ask() { bq --format=json query --use_legacy_sql=false "--dataset_id=$dataset" "$@" <"$sql"; }
said=$(ask --dry_run 2>&1) || fail "BigQuery refuses: $said"
bytes=$(printf '%s' "$said" | sed -n 's/.*"totalBytesProcessed": *"\([0-9]*\)".*/\1/p' | head -n 1)
[ -n "$bytes" ] || fail "BigQuery did not say how much it would read: $said"
awk -v b="$bytes" -v p="${PRICE:-6.25}" 'BEGIN { printf "cell reads %.1f GiB; at %.2f dollars a TiB that is %.2f dollars, without the free TiB of the month\n", b / 2^30, p, b / 2^40 * p }'
[ "${3:-}" = --run ] || exit 0
ask "--destination_table=$2" --max_rows=0 >/dev/null
echo "$2 is made"
