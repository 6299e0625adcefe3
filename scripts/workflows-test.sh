#!/bin/sh
# Runs the sweep of the workflow engines in scripts/workflows with Snakemake, GNU parallel, and what the Nextflow, Ray and Dask
# ones call, and wants the bytes of the same sweep in one piece. Needs Debian's snakemake and parallel, and installs them if it
# can; Nextflow, Ray and Dask themselves are not needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bourse=$(cd "$here/.." && pwd)/bin/bourse
[ -x "$bourse" ] || (cd "$here/.." && go build -trimpath -o bin/bourse ./cmd/bourse)
for tool in snakemake parallel; do
	command -v $tool >/dev/null || {
		{ [ "$(id -u)" = 0 ] && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
			--no-install-recommends snakemake parallel >/dev/null; } || {
			echo "workflows: snakemake and parallel cannot be installed here" >&2
			exit 77 # the exit code of a skipped test
		}
	}
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
cd "$dir"
mkdir bin bourse && ln -s "$bourse" bin/bourse && PATH=$dir/bin:$PATH
"$bourse" trace synth 'lublin?jobs=15000&procs=64&seed=2&estimates=3' log.swf
args='--policy easy,fcfs --replicas 5'
bourse sweep log.swf $args -q --out whole
same() { cmp whole/cells.parquet "$1/cells.parquet" && echo "$2: the same bytes as the sweep in one piece"; }

snakemake -s "$here/workflows/Snakefile" --cores 2 --quiet -n --config out=snake >dry 2>&1 || { cat dry; exit 1; }
grep -q 'shard' dry && [ ! -e snake ] || { echo "workflows: the dry run of Snakemake" >&2; exit 1; }
# The third shard fails once: the workflow goes on where it was.
cat >flaky <<FLAKY
#!/bin/sh
case "\$*" in *2/4*) [ -e failed-once ] || { touch failed-once; exit 1; } ;; esac
exec bourse "\$@"
FLAKY
chmod +x flaky
! snakemake -s "$here/workflows/Snakefile" --cores 2 --keep-going --quiet --config out=snake bourse=./flaky >run 2>&1
[ -e failed-once ] && [ ! -e snake/cells.parquet ]
snakemake -s "$here/workflows/Snakefile" --cores 2 --quiet --config out=snake bourse=./flaky >run 2>&1 || { cat run; exit 1; }
same snake Snakemake

seq 0 3 | parallel --will-cite -j 2 bourse sweep log.swf $args --out parallel --shard {}/4 --workers 1 -q
bourse merge parallel >merged
same parallel 'GNU parallel'

# Nextflow's tasks are shells in folders of their own, in which the log is a link.
script() { # PROCESS: the lines of its script, for a shell
	sed -n "/^process $1 /,/^}/p" "$here/workflows/sweep.nf" | sed -n '/"""/,/"""/p' | grep -v '"""' |
		sed -e 's/\${params\.\([a-z]*\)}/$\1/g' -e 's/\${\([a-z]*\)}/$\1/g'
}
out=$dir/nextflow log=log.swf shards=4
for i in 0 1 2 3; do
	mkdir -p work/$i && ln -s "$dir/log.swf" work/$i/log.swf && (cd work/$i && eval "$(script shard)")
done
eval "$(script merge)" >merged
same nextflow "Nextflow's commands"

# Ray and Dask by stand-ins that call at once, as both may be told to.
cp "$here/dist/bourse/__init__.py" bourse/ && cp "$here/clients/bourse_client.py" bourse/client.py && ln -s "$bourse" bourse/bourse
cat >ray.py <<'RAY'
class remote:
    def __init__(self, f): self.f = f
    def remote(self, *args): return self.f(*args)
def get(list): return list
RAY
cat >dask.py <<'DASK'
def delayed(f): return f
def compute(*list): return list
DASK
for engine in ray dask; do
	PYTHONPATH=$dir python3 "$here/workflows/${engine}_sweep.py" log.swf "$dir/$engine" 4 >merged || { cat merged; exit 1; }
	same $engine "$engine's calls"
done
