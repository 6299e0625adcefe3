"""Writes what a Go program is made of, as `go version -m` tells it, as CycloneDX 1.5.

    python3 sbom.py PROGRAM FILE
"""
import json, os, subprocess, sys
from urllib.parse import quote

lines = subprocess.run([os.environ.get("GO", "go"), "version", "-m", sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
parts = [line.split("\t")[1:] for line in lines[1:]]


def component(path, version, sum=None, kind="library"):
    purl = f"pkg:golang/{quote(path)}@{quote(version)}"
    made = {"type": kind, "bom-ref": purl, "name": path, "version": version, "purl": purl}
    if sum:  # a hash of Go's own kind: of the module's files, in base64
        made["properties"] = [{"name": "go:sum", "value": sum}]
    return made


main = component("bourse", os.environ["VERSION"], kind="application")
main["properties"] = [{"name": "go:" + name, "value": value} for kind, text in (p[:2] for p in parts if p[0] == "build") for name, _, value in [text.partition("=")]]
modules = [component("std", lines[0].split()[-1].removeprefix("go"))] + [component(*p[1:4]) for p in parts if p[0] == "dep"]
bom = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": main}, "components": modules,
       "dependencies": [{"ref": main["bom-ref"], "dependsOn": [m["bom-ref"] for m in modules]}]}
with open(sys.argv[2], "w") as f:
    json.dump(bom, f, indent=1)
    f.write("\n")
