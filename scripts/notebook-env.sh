#!/bin/sh
# Makes a folder with a Debian unstable that holds what the notebooks run in:
# Python with pandas, pyarrow, matplotlib and nbconvert, from Debian's packages
# alone (pyarrow is in unstable only). Needs root, debootstrap and a mirror; takes
# 3 to 11 minutes, as measured on two cores at two times, and 1.1 GB. A folder
# that is complete is left as it is; one that is not is made anew. Exits with 77
# where it cannot be made.
#
#	sh scripts/notebook-env.sh [DIR]
#
# DIR is ${XDG_CACHE_HOME:-$HOME/.cache}/bourse-notebooks unless given.
# BOURSE_DEBIAN names another mirror than this machine's or deb.debian.org.
set -eu
dir=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/bourse-notebooks}
packages='python3-pandas python3-pyarrow python3-matplotlib python3-nbconvert python3-ipykernel jupyter-nbconvert fonts-liberation'

skip() {
	echo "notebooks: $1" >&2
	exit 77 # the exit code of a skipped test
}

[ ! -e "$dir/complete" ] || exit 0
case $dir in /*) ;; *) dir=$PWD/$dir ;; esac
[ "$(id -u)" = 0 ] || skip "an environment can be made by root only; or install pandas, pyarrow, matplotlib and nbconvert for python3"
command -v debootstrap >/dev/null || { apt-get install -y -qq debootstrap >/dev/null 2>&1 && command -v debootstrap >/dev/null; } ||
	skip "debootstrap is missing and cannot be installed"
if [ -e "$dir" ] && [ ! -e "$dir/unfinished" ] && [ -n "$(ls -A "$dir")" ]; then
	echo "notebooks: $dir holds something else" >&2
	exit 1
fi

# mirror prints where this machine takes its Debian from.
mirror() {
	sed -nE 's,^URIs: *(https?://[^ ]*/debian/?)( .*)?$,\1,p; s,^deb( \[[^]]*\])? (https?://[^ ]*/debian/?) .*,\2,p' \
		/etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list 2>/dev/null | head -n 1
}
from=${BOURSE_DEBIAN:-$(mirror)}
from=${from:-http://deb.debian.org/debian}

rm -rf --one-file-system "$dir"
mkdir -p "$dir"
: >"$dir/unfinished"
log=$dir/unfinished
debootstrap --variant=minbase unstable "$dir" "$from" >>"$log" 2>&1 || { tail -n 5 "$log" >&2; skip "no Debian from $from"; }
chroot "$dir" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -c "apt-get install -y --no-install-recommends $packages && apt-get clean" \
	>>"$log" 2>&1 || { tail -n 5 "$log" >&2; skip "packages of unstable cannot be installed"; }
rm -rf "$dir"/var/lib/apt/lists/*
rm "$log"
date -u +%F >"$dir/complete"
echo "notebooks: $dir is ready, $(du -sm "$dir" | cut -f1) MB"
