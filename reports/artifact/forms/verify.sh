#!/bin/sh
# Repeats the experiment of this folder with Bourse and compares what comes out with what is
# expected here: same bytes, or what differs, figure by figure. Ends with 0 if all agrees.
#
#   ./verify.sh                      with the bourse on PATH
#   BOURSE=/opt/bourse ./verify.sh   with another one
#   TOLERANCE=1e-9 ./verify.sh       figures may differ by that part of the larger one
#   ./verify.sh --trace LOG          the log is at LOG
{{if .Programs}}#   ./verify.sh --programs           start the programs that decide here, with your rights:
{{range .Programs}}#                                    {{printf "%q" .}}
{{end}}{{end}}set -eu
bourse=$(command -v "${BOURSE:-bourse}") || {
	echo "verify: ${BOURSE:-bourse} is not there; put Bourse {{.Version}} on PATH, or name it by BOURSE=/path/to/bourse" >&2
	exit 1
}
bourse=$(cd "$(dirname "$bourse")" && pwd)/$(basename "$bourse")
cd "$(dirname "$0")"
mkdir -p inputs # copies may be without empty folders
cd inputs
{{range .Traces}}{{if .Copied}}{{if .Named}}export BOURSE_TRACES=. # for {{.Spec}}
{{end}}{{else}}{{with .Known}}case " $*" in *" --trace"*) ;; *)
	"$bourse" trace verify {{.Name}} >/dev/null
	trace="${trace:-} --trace {{.Name}}" ;;
esac
{{end}}{{end}}{{end}}# shellcheck disable=SC2086 # names have no spaces
"$bourse" rerun ../expected --hashes --tolerance "${TOLERANCE:-0}" ${trace:-} "$@"
