#!/bin/sh
# Builds dist/ twice, the second time in a clone elsewhere: the hashes must be the same. Then
# tries what it holds here: the archive; the program alone in an empty root, as in a container
# from scratch (needs root); the wheel in a new virtual environment (needs python3 with pip), and
# with pyarrow where notebook-env.sh has made that. Takes some minutes the first time.
set -eu
cd "$(dirname "$0")/.."
skip() {
	echo "dist: $1" >&2
	exit 77 # the exit code of a skipped test
}
command -v python3 >/dev/null || skip "there is no python3"
${GO:-go} tool -modfile=scripts/dist/go.mod goreleaser --version >/dev/null 2>&1 || skip "goreleaser cannot be built here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
for copy in one two/deeper; do
	git clone -q . "$work/$copy"
	sh "$work/$copy/scripts/dist.sh" >"$work/said" 2>&1 || { tail -n 20 "$work/said" && exit 1; }
done
diff "$work/one/dist/SHA256SUMS" "$work/two/deeper/dist/SHA256SUMS"
(cd "$work/one/dist" && sha256sum -c --quiet SHA256SUMS)
echo "dist: $(wc -l <"$work/one/dist/SHA256SUMS") files, the same bytes twice"
cd "$work/one/dist"
case $(uname -m) in x86_64) arch=amd64 ;; aarch64) arch=arm64 ;; *) skip "no program for $(uname -m)" ;; esac
log='synth:lublin?jobs=2000&procs=64&seed=1'
mkdir "$work/root"
tar xzf bourse_*_linux_$arch.tar.gz -C "$work"
program=$(echo "$work"/bourse_*_linux_$arch/bourse)
"$program" version | grep commit
"$program" compare "$log" --policy easy,fcfs -q >"$work/archive"
grep 'best by' "$work/archive"
if [ "$(id -u)" = 0 ]; then
	cp "$program" "$work/root/bourse"
	env -i "$(command -v chroot)" "$work/root" /bourse compare "$log" --policy easy,fcfs -q | cmp - "$work/archive"
	echo "dist: the same in a root with nothing else"
fi
wheel=$(ls "$PWD"/bourse-*manylinux*_"$(uname -m)"*.whl)
cat >"$work/try.py" <<'END'
import sys, bourse
assert b"best" in bourse.run("compare", sys.argv[1], policy=["easy", "fcfs"]).encode()
jobs, table = bourse.replay(sys.argv[1], policy="easy"), bourse.compare(sys.argv[1], policy=["easy", "fcfs"])
assert len(jobs) == 2000 and len(table) == 2, (len(jobs), len(table))
print("dist: the wheel", bourse.__version__, "gives", type(jobs), "of", len(jobs), "rows")


class Mine(bourse.Policy):
    def plan(self):
        for job in list(self.waiting.values()):
            if job["procs"] <= self.free:
                self.start(job)


assert len(bourse.replay(sys.argv[1], policy=Mine)) == 2000
try:
    bourse.replay("nowhere.swf")
    sys.exit("a trace that is not there was replayed")
except bourse.Error as err:
    assert "nowhere.swf" in str(err), err
for flag in (lambda: bourse.replay("--config=x.toml"), lambda: bourse.compare(["a.swf", "-q"]), lambda: bourse.run("replay", "--config=x.toml")):
    try:
        flag()
        sys.exit("a name that begins with - was taken")
    except ValueError as err:
        assert "is no name" in str(err), err
bourse.PROGRAM = "/etc/passwd"
try:
    bourse.run("version")
    sys.exit("what is no program ran")
except bourse.Error as err:
    assert "does not run on this machine" in str(err), err
END
if python3 -m venv "$work/venv" >/dev/null 2>&1; then
	"$work/venv/bin/pip" install -q --no-index --disable-pip-version-check "$wheel"
	"$work/venv/bin/python" "$work/try.py" "$log"
	"$work/venv/bin/bourse" version
	! "$work/venv/bin/pip" install -q --no-index --disable-pip-version-check bourse-*macosx*arm64.whl 2>"$work/said" || exit 1
	tail -n 1 "$work/said"
fi
env=${BOURSE_NOTEBOOK_ENV:-${XDG_CACHE_HOME:-$HOME/.cache}/bourse-notebooks}
if [ -e "$env/complete" ] && [ "$(id -u)" = 0 ]; then
	try=$(mktemp -d "$env/tmp/bourse.XXXXXX")
	python3 -m zipfile -e "$wheel" "$try" && chmod +x "$try/bourse/bourse" && cp "$work/try.py" "$try"
	chroot "$env" env PYTHONPATH="${try#"$env"}" python3 "${try#"$env"}/try.py" "$log" tables || { rm -rf "$try" && exit 1; }
	rm -rf "$try"
fi
