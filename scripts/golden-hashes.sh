#!/bin/sh
# Prints SHA-256 sums of what some hundred replays, sweeps, studies, conversions
# and tables leave behind, so that a change to the code can be held against the
# program before it:
#
#   scripts/golden-hashes.sh bin/bourse > before; ...; scripts/golden-hashes.sh bin/bourse | diff before -
#
# Files of records are hashed as they are. Of JSON and printed text only the
# figures are, in their order, so that a better word changes nothing. Manifests,
# which name the program's version, are left out. Cases over real logs are
# skipped where the logs are absent.
set -u
bourse=$(realpath "${1:-bin/bourse}")
shared=$(realpath "${BOURSE_SHARED:-$(dirname "$0")/../../shared}" 2>/dev/null || true)
only=${2:-.}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
swf=$shared/data/swf

sum() { sha256sum | cut -c1-64; }
# figures keeps numbers, one a line, without the time a run took.
figures() { sed -E -e '/by the clock/d' -e 's/ *\([0-9,.]+ ?[kM]?(events)?\/s\)//g' -e 's/ in [0-9.]+ ?m?s\b//g' | grep -oE '[0-9][0-9.,e+-]*' | sed -E 's/[.,-]+$//'; }

# run NAME ARGS...: the command's output and whatever it wrote under out/.
run() {
	name=$1
	shift
	echo "$name" | grep -qE "$only" || return 0
	rm -rf out
	mkdir out
	"$bourse" "$@" >stdout 2>stderr </dev/null
	code=$?
	printf '%-26s exit %d  %s  printed\n' "$name" $code "$(cat stdout stderr | figures | sum)"
	find out -type f ! -name 'manifest*.json' ! -name sweep.json ! -name '*.svg' ! -name '*.pdf' ! -name '*.png' ! -name '*.html' ! -name '*.txt' | LC_ALL=C sort | while read -r file; do
		case $file in
		*.json) hash=$(figures <"$file" | sum) ;;
		*) hash=$(sum <"$file") ;;
		esac
		printf '%-26s         %s  %s\n' "$name" "$hash" "${file#out/}"
	done
}

# replay NAME ARGS...: records in CSV with segments and series, the summary as JSON.
replay() {
	name=$1
	shift
	run "$name" replay "$@" -q --out out/run --format csv --segments --series --users out/users.csv
}

lublin='synth:lublin?jobs=3000&procs=64&load=0.9&seed=7&estimates=5'
for policy in hb nphb wspt wsept; do
	for payment in first kth kth-uncapped posted:3 none; do
		case $policy/$payment in hb/kth-uncapped) continue ;; esac
		replay "$policy-$payment" "$lublin" --policy "$policy" --payment "$payment" --behaviour srg --serial
	done
done
replay hb-budget "$lublin" --policy hb --payment first --budget 1e6/1d
for policy in fcfs easy conservative sjf ljf saf srpt wfp3 unicef f1 f2 f3 f4 fairshare priority \
	'easy(order=saf,backfill=sjf)' 'easy(order=expr(estimate*procs))' 'expr(wait/estimate)' drf \
	lend:fl lend:smm lend:karma:0.5 price-anticipating; do
	case $policy in drf | lend:*) payment=none ;; price-anticipating) payment=bids ;; *) payment=kth ;; esac
	replay "plain-$policy" "$lublin" --policy "$policy" --payment "$payment"
done
replay gang-hb "$lublin" --policy hb --payment kth --check
replay restart "$lublin" --policy hb --preemption restart --migration-cost 30
replay resubmit "$lublin" --policy easy --kill-at-estimate --resubmit-killed
replay shaken "$lublin" --policy easy --shake 300 --load-factor 1.2 --seed 3 --estimates tsafrir --warm-up 1d --cool-down 1d
replay resampled 'synth:lublin?jobs=20000&procs=64&seed=2' --policy fcfs --resample --seed 5
replay filtered "$lublin" --policy sjf --where 'run > 60 && user % 3 != 1' --from 86400 --until 864000 --queue-limits '*: procs <= 32'
replay nodes "$lublin" --policy priority --machines nodes:64
for format in parquet arrow; do
	run "format-$format" replay "$lublin" -q --out out/run --format $format --segments --series=600 --swf out/schedule.swf.gz
done
run sweep sweep "$lublin" -q --policy hb,wspt,easy --payment first,kth --behaviour 'srg(beta={.1,.9})' --seeds 2 --records --out out/cells
run sweep-replicas sweep 'synth:lublin?jobs=20000&procs=64&seed=2' -q --policy easy,fcfs --replicas 2 --load-factor 1,1.1 --out out/cells
run compare compare "$lublin" --policy fcfs,easy,conservative,hb/first,hb/kth,drf
run compare-json compare "$lublin" --policy fcfs,easy --json
run regret regret "$lublin" -q --policy hb --payment first,kth --jobs 40 --out out/regret.csv
run regret-wspt regret "$lublin" -q --policy wspt --payment first,kth --serial --jobs 20 --out out/regret.csv
run explain-hb explain "$lublin" -q --job 1200 --policy hb --behaviour srg
run explain-easy explain "$lublin" -q --job 900 --policy easy
run demand trace demand "$lublin" --every 300 --by user --out out/demand.csv
awk 'BEGIN { print "round,agent,demand"; for (r = 1; r <= 40; r++) for (a = 1; a <= 5; a++) print r "," a "," (r * a * 7 + a * a) % 11 / 8 }' >demand.csv
run convert trace convert "$lublin" out/log.parquet
run convert-swf trace convert "$lublin" out/log.swf.gz --shake 60
run inspect trace inspect "$lublin"
run google-model trace synth 'google2011?machines=60&days=1&tasks=20000' out/google
cat >agents.csv <<'END'
agent,cpu,memory
a,.02,.08
b,.09,.01
c,.05,.05
d,.01,.07
END
for mechanism in drf unb bal 'bal*' hybrid-sw hybrid-util family:2 optimum-sw optimum-util; do
	run "allocate-$mechanism" allocate agents.csv --mechanism "$mechanism" --out out/allocation.csv
done
for mechanism in static smm dmm fl tperiod:2 karma:0.5; do
	run "lend-$mechanism" lend demand.csv --mechanism "$mechanism" --agents out/agents.csv --out out/allocation.csv
done
run equilibrium equilibrium --preferences 'correlated(users=30,machines=50)' --out out/bids.csv
run equilibrium-local equilibrium --preferences 'uniform(users=20,machines=40)' --max-machines 5 --out out/bids.csv
for study in price-anticipating multi-resource; do
	run "study-$study" reproduce "$study" --out out/study
done

if [ ! -d "$swf" ]; then
	echo "skipped: no logs in ../shared/data"
	exit 0
fi
log() { ls "$swf/$1"* 2>/dev/null | head -1; }
kth=$(log KTH-SP2-1996-2.1-cln)
lpc=$(log LPC-EGEE-2004-1.2-cln)
replay lpc-hb-kth "$lpc" --nodes 105 --serial --where 'run >= 0 && !(status == 0 && run <= 1)' --policy hb --payment kth --behaviour srg
replay lpc-wspt-kth "$lpc" --nodes 105 --serial --policy wspt --payment kth --behaviour srg --cool-down 7d
for policy in easy fcfs conservative 'easy(backfill=sjf)' hb drf; do replay "kth-$policy" "$kth" --policy "$policy"; done
for policy in 'hb(fit=skip)' 'nphb(fit=skip)'; do replay "kth-$policy" "$kth" --policy "$policy" --payment kth --segments; done
replay kth-feedback "$kth" --policy easy --feedback
replay blue-easy "$(log SDSC-BLUE)" --policy easy
replay thunder "$(log LLNL-Thunder)" --policy fcfs --where 'run > 0' --estimates log
replay metacentrum "$(log METACENTRUM)" --policy easy --nodes 512 --where 'procs <= 512'
replay torque "$(ls "$shared"/data/other/IU-Mason* | head -1)" --policy easy --nodes 500 --where 'procs <= 500'
replay philly "philly:$shared/data/other/philly.csv.gz" --policy fcfs --nodes 2000
google=$shared/data/google2011
replay google-pool "$google" --policy hb --machines pool --where 'job % 20 == 3'
replay google-placed "$google" --policy priority --machines 'trace(fit=best)' --where 'job % 20 == 3'
run google-convert trace convert "$google" out/google.parquet --where 'job % 20 == 3' --censored keep
run inspect-google trace inspect "$google"
run truth truth "$lublin" -q --jobs 15 --out out/truth.csv
run learn learn "$kth" -q --until 5w --policy "hb(fit=skip)" --out out/learn.csv
run regret-lpc regret "$lpc" -q --nodes 105 --serial --jobs 10 --out out/regret.csv
run study-dynamic-sharing reproduce dynamic-sharing --out out/study
run study-untruthful reproduce untruthful-bids --trace "$lpc" -q --seeds 2 --out out/study
for policy in drf unb bal 'bal*' hybrid-sw hybrid-util family:2; do
	replay "pool-$policy" "$(log CERIT)" --policy "$policy" --machines 'pool(cpu=600,memory=1e13)' --on-error skip
done
