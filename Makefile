# streamcert: `make help` lists what there is to make.

GO      ?= go
OUT     ?= out
BIN     := bin/streamcert
CLI     := CGO_ENABLED=0 $(GO) run ./runner/cmd/streamcert
REPEAT  ?= 1000
SEEDS   ?= 1 2 3 4 5
DIST    := dist
SYSTEMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64
# Bytes that a binary of dist may have.
LARGEST := 31457280

.DEFAULT_GOAL := help
.PHONY: help certify certify-node interop test race lint golden golden-check mutants variants idle loaded bench soak build dist

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

certify: build ## certify the embedded reference server over real sockets; reports go to out/
	@status=0; $(BIN) certify --reference --out $(OUT) || status=$$?; \
	test $$status != 2 || exit 2; \
	for page in $(OUT)/*/report.html; do \
		case $$page in $(OUT)/node/*|$(OUT)/node-aep/*) ;; *) test ! -f $$page || echo "report: $$page" ;; esac; \
	done; \
	exit $$status

# What reference/node has to earn.
CLASSES := Core Resumable Recovery Runtime Snapshot

certify-node: build ## certify reference/node for every class and reference/node-aep for Actions; each run starts its server; skipped where there is no node
	@if command -v node >/dev/null 2>&1; then \
		status=0; $(BIN) certify --config reference/node/streamcert.yaml $(CLASSES:%=--require %) --out $(OUT)/node || status=$$?; \
		test ! -f $(OUT)/node/report.html || echo 'report: $(OUT)/node/report.html'; \
		$(BIN) certify --config reference/node-aep/streamcert.yaml --require Actions --out $(OUT)/node-aep || status=$$?; \
		test ! -f $(OUT)/node-aep/report.html || echo 'report: $(OUT)/node-aep/report.html'; \
		exit $$status; \
	else \
		echo 'certify-node: skipped: there is no node on the PATH; install Node 20 or newer'; \
	fi

interop: ## let the public clients of npm read every script of the model that the kit plays; skipped without npm, Node or a network
	CGO_ENABLED=0 $(GO) test -count=1 -timeout $(LIMIT) -run '^TestPublicClientsRead$$' -v ./runner/provider

# How long a package's tests may take. At rest none takes a minute; a machine that is busy with other things may need ten
# times as long.
LIMIT   ?= 1200s

test: ## run every test and short fuzz runs: about two minutes on two cores, with a line per package as it ends
	@echo 'vetting and compiling (minutes on a fresh machine, seconds afterwards)'
	@CGO_ENABLED=0 $(GO) vet ./...
	@echo "testing $$($(GO) list ./... | wc -l | tr -d ' ') packages: about two minutes on two cores; each says when it is done"
	@CGO_ENABLED=0 $(GO) test -shuffle=on -timeout $(LIMIT) ./...
	@echo 'fuzzing four parsers, 2000 inputs each'
	@CGO_ENABLED=0 $(GO) test -timeout $(LIMIT) -run '^$$' -fuzz '^FuzzReader$$' -fuzztime 2000x ./runner/wire
	@CGO_ENABLED=0 $(GO) test -timeout $(LIMIT) -run '^$$' -fuzz '^FuzzParse$$' -fuzztime 2000x ./golden
	@CGO_ENABLED=0 $(GO) test -timeout $(LIMIT) -run '^$$' -fuzz '^FuzzParse$$' -fuzztime 2000x ./features
	@CGO_ENABLED=0 $(GO) test -timeout $(LIMIT) -run '^$$' -fuzz '^FuzzNormalise$$' -fuzztime 2000x ./golden

race: ## run the tests with the race detector and certify the reference five times (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -short -shuffle=on -timeout $(LIMIT) ./...
	STREAMCERT_SOAK=5 CGO_ENABLED=1 $(GO) test -race -run '^(TestSoak|TestReferenceIsNotAccused)$$' -count=1 ./runner/certify ./runner/campaign/helix

lint: ## check that the thread from requirement to mutant is whole
	$(CLI) lint

golden: ## write the golden transcripts anew from the reference server, and what the spec shows of them
	$(CLI) golden --dir .

golden-check: ## fail if the golden transcripts, or what the spec shows of them, are not what the reference server does
	$(CLI) golden --check --dir .

mutants: ## run the catalogue of broken servers; every one must be found out
	$(CLI) mutants

variants: ## run the catalogue of servers that are right in their own way; nothing may be held against any
	$(CLI) variants

idle: ## run servers that show nothing of some subjects; no requirement about those may pass
	$(CLI) idle

loaded: build ## certify the reference by SEEDS (five) while eight loops keep the machine busy, which nobody may be blamed for
	@busy=; for n in 1 2 3 4 5 6 7 8; do (while :; do :; done) & busy="$$busy $$!"; done; \
	trap "kill $$busy" EXIT; trap 'exit 1' INT TERM; \
	for seed in $(SEEDS); do \
		text=$$($(BIN) certify --reference --strict --seed $$seed 2>&1) || { printf '%s\n' "$$text"; exit 1; }; \
		printf '%s\n' "$$text" | grep '^PASS'; \
	done

bench: ## measure, in a form that benchstat reads
	CGO_ENABLED=0 $(GO) test -run '^$$' -bench . -benchmem ./...

soak: ## certify the reference REPEAT times (1000) in shuffled order, what else takes long, and how many deep mutants campaigns find
	STREAMCERT_SOAK=$(REPEAT) CGO_ENABLED=0 $(GO) test -run '^(TestSoak|TestSlowServersAreNotAccused|TestRunsThatNothingAnswersEndSoon|TestEarlyRefusalsBehindAProxy)$$' -count=1 -timeout 0 -v ./runner/certify
	STREAMCERT_SOAK=1 CGO_ENABLED=0 $(GO) test -run '^(TestMemoryOfTheProgram|TestProbeForetellsTheRun)$$' -count=1 -timeout 0 -v ./runner/certify/hostile ./runner/probe
	$(CLI) mutants --deep --effort quick
	$(CLI) mutants --deep --aside --effort quick
	$(CLI) mutants --deep --seeds 20
	$(CLI) mutants --deep --aside --seeds 20

build: ## build bin/streamcert, static
	@echo 'building $(BIN) (a few minutes on a fresh machine, seconds afterwards); each package is named as it compiles'
	CGO_ENABLED=0 $(GO) build -v -trimpath -o $(BIN) ./runner/cmd/streamcert

dist: ## build static binaries for every system into dist/, the same bytes wherever it is done, with SHA256SUMS
	@rm -rf $(DIST) && mkdir -p $(DIST)
	@set -e; for system in $(SYSTEMS); do \
		os=$${system%/*}; arch=$${system#*/}; file=$(DIST)/streamcert-$$os-$$arch; \
		test $$os != windows || file=$$file.exe; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch GOAMD64=v1 GOARM64=v8.0 \
			$(GO) build -trimpath -buildvcs=auto -ldflags='-s -w -buildid=' -o $$file ./runner/cmd/streamcert; \
		size=$$(wc -c < $$file); echo "$$file $$size"; \
		test $$size -lt $(LARGEST) || { echo "$$file: $$size bytes, expected less than $(LARGEST)" >&2; exit 1; }; \
	done
	@cd $(DIST) && if command -v sha256sum >/dev/null; then sha256sum streamcert-*; else shasum -a 256 streamcert-*; fi > SHA256SUMS
