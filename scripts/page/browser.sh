# For tests of pages in Chromium, to be sourced: $here is the folder of scripts, $name that of
# the test in messages. Makes $scratch, which goes when the test ends, with the packages of
# scripts/page, and installs Debian's chromium when it may; otherwise ends as a skipped test.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
skip() {
	echo "$name: $1" >&2
	exit 77 # the exit code of a skipped test
}
if ! command -v chromium >/dev/null; then
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || skip "there is no chromium"
	{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >"$scratch/apt.log" 2>&1 ||
		skip "chromium cannot be installed here"
fi
command -v npm >/dev/null || skip "there is no npm"
cp "$here"/page/package.json "$here"/page/package-lock.json "$scratch"/
(cd "$scratch" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) || skip "its packages cannot be installed here"
