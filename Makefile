# The targets people use. Bare `make` lists them.
.DEFAULT_GOAL := help
.PHONY: help build demo atlas test test-long test-arm64 check bench bench-compare bench-peers instructions fuzz golden golden-hashes notebooks page-assets test-readers playground test-page test-playground site test-site test-slurm test-slurm-starts test-workflows test-s3 test-batsim test-faults test-bombs dist test-dist clean

GO ?= go
TOOL = $(GO) tool -modfile=scripts/tools/go.mod
FUZZTIME ?= 60s

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

build: ## build bin/bourse
	$(GO) build -trimpath -ldflags '-s -w' -o bin/bourse ./cmd/bourse

demo: build ## replay a synthetic workload under several policies and payments
	sh scripts/demo.sh bin/bourse demo-out

atlas: build ## replay the logs of the atlas (or LOGS=a,b) under every scheduler and keep the figures in the program (half an hour)
	bin/bourse reproduce atlas --alone --logs '$(or $(LOGS),$(ATLAS))' --replicas 10 --out atlas-out --overwrite
	cp atlas-out/figures.csv atlas-out/logs.csv reports/papers/atlas/

# The logs of the atlas, by name of file.
ATLAS_LOGS = NASA-iPSC-1993-3.1-cln CTC-SP2-1996-3.1-cln KTH-SP2-1996-2.1-cln OSC-Clust-2000-3.1-cln SDSC-BLUE-2000-4.2-cln Sandia-Ross-2001-1.1-cln \
	DAS2-fs1-2003-1 SDSC-DS-2004-2.1-cln LPC-EGEE-2004-1.2-cln LCG LLNL-Thunder-2007-1.1-cln METACENTRUM-2009-2 CEA-Curie-2011-2.1-cln mira_walltime
COMMA := ,
EMPTY :=
ATLAS_AT = $(or $(BOURSE_SHARED),../shared)/data/swf
# Requested times of theta's log are in the sixth field.
ATLAS = $(subst $(EMPTY) ,$(COMMA),$(ATLAS_LOGS:%=$(ATLAS_AT)/%.swf.gz)),swf:$(ATLAS_AT)/theta_argonne.swf.gz?request=6

test: ## run every test but those of test-long, and say how many were skipped for want of real logs
	@sh scripts/test.sh $(GO) test ./...

test-long: ## run the tests that take long, whose names begin with TestLong
	@BOURSE_LONG=1 sh scripts/test.sh $(GO) test -run '^TestLong' ./...

test-arm64: ## look for arithmetic that rounds otherwise on arm64 than on amd64
	@GO='$(GO)' sh scripts/fused.sh

check: ## format, vet, staticcheck, import rule, tidy modules, known faults of modules
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./cmd/...
	$(TOOL) staticcheck ./...
	$(GO) test -count=1 -run TestImportRule ./cmd/cli
	$(GO) mod tidy -diff
	@GO=$(GO) sh scripts/vuln.sh

bench: ## run the benchmarks (BENCH=regexp picks some)
	$(GO) test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem ./...

bench-compare: ## benchmarks here beside those of BASE (HEAD~1), by benchstat (BENCH=regexp and PACKAGES pick some)
	sh scripts/bench-compare.sh '$(or $(BASE),HEAD~1)' '$(or $(BENCH),.)' '$(PACKAGES)'

bench-peers: build ## time LOG on PROCS processors under EASY here and by the other simulators that are installed
	sh scripts/bench-peers.sh '$(LOG)' '$(PROCS)'

instructions: ## count the instructions of some replays and hold them against those kept (needs valgrind)
	sh scripts/instructions.sh

fuzz: ## fuzz every parser for FUZZTIME each (60s)
	sh scripts/fuzz.sh $(FUZZTIME)

golden-hashes: build ## print the SHA-256 of what about a hundred commands produce, to hold two versions against each other
	sh scripts/golden-hashes.sh bin/bourse

golden: ## write the kept conversations and outputs anew
	$(GO) test ./engine -run TestConversations -update
	$(GO) test ./cmd/cli -run 'TestExplain|TestGuideExamples|TestColumnReference|TestTables' -update
	$(GO) test ./traces/google/model -run TestMeasured -update
	$(GO) test ./traces/formats -run TestMalformed -update

notebooks: build ## run reports/notebooks into OUT (notebooks-out); NOTEBOOK=name picks one
	sh scripts/notebooks.sh $(or $(OUT),notebooks-out) $(NOTEBOOK)

test-readers: build ## read our files with DuckDB and parquet-wasm (needs node and npm)
	sh scripts/readers.sh

page-assets: ## fetch the libraries of report's page anew (needs node and npm)
	sh scripts/page/update.sh

test-page: build ## open pages of report in Chromium (needs node and npm)
	sh scripts/page-test.sh

playground: build ## build the page that replays logs in a browser into OUT (playground-out)
	sh scripts/playground.sh $(or $(OUT),playground-out)

test-playground: build ## use that page in Chromium, and hold its figures against bin/bourse (needs node and npm)
	sh scripts/playground-test.sh

site: build ## build the web site from guides and program into OUT (site-out), with the playground if playground-out is there
	sh scripts/site.sh $(or $(OUT),site-out)

test-site: build ## build it, follow its links, and open its pages in Chromium where there is one
	sh scripts/site-test.sh

test-faults: build ## end, mix and starve the program TRIALS times (1000) and look at what it leaves
	$(GO) run ./scripts/faults -trials $(or $(TRIALS),1000) bin/bourse

test-bombs: build ## small inputs that unpack without an end, and the memory that each takes (some minutes)
	$(GO) run ./scripts/bombs bin/bourse

test-slurm: build ## a sweep as a job array on a real Slurm of one node (needs root)
	sh scripts/slurm-test.sh

test-slurm-starts: build ## who starts when: a real Slurm of 32 nodes beside slurm(...) (needs root and six minutes)
	sh scripts/slurm-starts.sh $(abspath bin/bourse)

test-workflows: build ## sweeps by Snakemake, GNU parallel, and what Nextflow, Ray and Dask call (needs the first two)
	sh scripts/workflows-test.sh

test-s3: ## the program with --out s3://, a module of its own, on a server in memory
	sh scripts/s3-test.sh

test-batsim: build ## pybatsim's schedulers against our own (needs pybatsim's archive; LOG=FILE times them)
	sh scripts/batsim-test.sh $(abspath $(LOG))

dist: ## build dist/: archives for six platforms, checksums, SBOMs, licences, man page, Python wheels
	@GO='$(GO)' sh scripts/dist.sh

test-dist: ## build dist/ twice in clones, compare, and try archive, empty root and wheel (some minutes)
	GO='$(GO)' sh scripts/dist-test.sh

clean: ## remove what the targets made
	rm -rf bin dist atlas-out demo-out notebooks-out playground-out site-out scripts/readers/node_modules scripts/page/node_modules
