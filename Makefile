# streamcert: `make help` lists what there is to make.

GO      ?= go
# All targets compile alike, so that each finds what another has compiled. No program of theirs is looked at with a debugger:
# without what that reads, compiling takes a twentieth less and linking a fifth.
export GOFLAGS := $(strip $(filter-out -trimpath -gcflags=% -ldflags=%,$(GOFLAGS)) -trimpath -gcflags=all=-dwarf=0 -ldflags=-w)
OUT     ?= out
BIN     := bin/streamcert
LAB     := bin/streamcert-lab
CLI     := CGO_ENABLED=0 $(GO) run ./runner/cmd/streamcert-lab
REPEAT  ?= 1000
SEEDS   ?= 1 2 3 4 5
DIST    := dist
SITE    ?= site
SYSTEMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# Bytes that a binary of dist may have: 36 MiB, of which the playground is a fifth.
LARGEST := 37748736

.DEFAULT_GOAL := help
.PHONY: help certify certify-node certify-workerd interop test fuzz race lint weight readme golden golden-check gate release mutants variants idle loaded bench soak build lab judge site dist npm image release-notes

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

certify: build ## certify the embedded reference server over real sockets; reports go to out/
	@echo 'certifying the embedded reference server; the reports go to $(OUT)/'
	@start=$$(date +%s); status=0; $(BIN) certify --reference --out $(OUT) || status=$$?; \
	echo "certified in $$(($$(date +%s) - start)) s"; \
	test $$status != 2 || exit 2; \
	for page in $(OUT)/*/report.html; do \
		case $$page in $(OUT)/node*/*|$(OUT)/workerd/*) ;; *) test ! -f $$page || echo "report: $$page" ;; esac; \
	done; \
	exit $$status

# What reference/node has to earn.
CLASSES := Core Resumable Recovery Runtime Snapshot

certify-node: build ## certify reference/node for every class, reference/node-aep for Actions, reference/node-merlin for V1 and V2 and reference/node-helix-ui for UI resume; each run starts its server; skipped where there is no node
	@if command -v node >/dev/null 2>&1; then \
		status=0; $(BIN) certify --config reference/node/streamcert.yaml $(CLASSES:%=--require %) --out $(OUT)/node || status=$$?; \
		test ! -f $(OUT)/node/report.html || echo 'report: $(OUT)/node/report.html'; \
		$(BIN) certify --config reference/node-aep/streamcert.yaml --require Actions --out $(OUT)/node-aep || status=$$?; \
		test ! -f $(OUT)/node-aep/report.html || echo 'report: $(OUT)/node-aep/report.html'; \
		$(BIN) certify --config reference/node-merlin/streamcert.yaml --require V1 --require V2 --out $(OUT)/node-merlin || status=$$?; \
		test ! -f $(OUT)/node-merlin/report.html || echo 'report: $(OUT)/node-merlin/report.html'; \
		$(BIN) certify --config reference/node-helix-ui/streamcert.yaml --require 'UI resume' --out $(OUT)/node-helix-ui || status=$$?; \
		test ! -f $(OUT)/node-helix-ui/report.html || echo 'report: $(OUT)/node-helix-ui/report.html'; \
		exit $$status; \
	else \
		echo 'certify-node: skipped: there is no node on the PATH; install Node 20 or newer'; \
	fi

# Where workerd is installed, and where its Durable Objects are kept for one run.
WORKERD := $(OUT)/workerd-npm
# What reference/node has to earn over Durable Objects, which keep no runs.
KEPT    := Core Resumable Recovery Snapshot Durable

certify-workerd: build ## certify reference/node in workerd, each stream a Durable Object that is killed and started again; skipped without npm or workerd
	@lacks() { echo "certify-workerd: skipped: $$1"; test -z "$$STREAMCERT_REQUIRE_NPM"; exit $$?; }; \
	command -v npm >/dev/null 2>&1 || lacks 'there is no npm on the PATH; install Node 20 or newer with npm'; \
	mkdir -p $(WORKERD) && cp reference/node/workerd/package.json $(WORKERD); \
	npm install --prefix $(WORKERD) --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null || lacks 'npm has no workerd for this machine, or cannot be reached'; \
	WORKERD=$$(ls "$$PWD"/$(WORKERD)/node_modules/@cloudflare/workerd-*/bin/workerd) || lacks 'workerd has no program for this machine'; \
	DISK=$$(mktemp -d); trap 'rm -rf "$$DISK"' EXIT; export WORKERD DISK; \
	status=0; $(BIN) certify --config reference/node/workerd/streamcert.yaml --effort quick $(KEPT:%=--require %) --out $(OUT)/workerd || status=$$?; \
	test ! -f $(OUT)/workerd/report.html || echo 'report: $(OUT)/workerd/report.html'; \
	exit $$status

interop: ## let public software (of npm, and Chromium) read scripts, schemas, goldens, pages and the reference, and certify chat routes made with it; skipped without npm, Node, Chromium or a network
	CGO_ENABLED=0 $(GO) test -count=1 -timeout $(LIMIT) -run '^TestPublic' -v ./runner/provider ./runner/pack/... ./runner/certify ./runner/describe ./runner/site ./runner/cmd/dist

# How long a package's tests may take. At rest none takes a minute; a machine that is busy with other things may need ten
# times as long.
LIMIT   ?= 1200s

# How many packages are tested at a time: one more than there are processors, since each waits for a part of its time.
PACKAGES ?= $(shell echo $$((1 + $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))))

test: ## run every test but those of make interop: some minutes on two cores, with a line per package as it ends
	@echo 'vetting and compiling (minutes on a fresh machine, seconds afterwards)'
	@CGO_ENABLED=0 $(GO) vet ./...
	@echo "testing $$($(GO) list ./... | wc -l | tr -d ' ') packages: some minutes on two cores; each says when it is done"
	@CGO_ENABLED=0 $(GO) test -p $(PACKAGES) -shuffle=on -timeout $(LIMIT) -vet=off -skip '^TestPublic' ./...

# How many inputs each parser is fuzzed with.
INPUTS  ?= 20000

# Each is a package and one of its fuzz targets.
FUZZED  := runner/wire:FuzzReader golden:FuzzParse golden:FuzzNormalise features:FuzzParse schemas:FuzzDecode schemas/jsontext:FuzzCompact \
	runner/files/yaml:FuzzDecode runner/target:FuzzReadConfig runner/baseline:FuzzRead runner/redact:FuzzRedact runner/patch:FuzzApply runner/release:FuzzUnpack \
	runner/report:FuzzReadJSON runner/provider:FuzzRequest

fuzz: ## fuzz each parser of foreign input with INPUTS (20,000) inputs
	@set -e; for one in $(FUZZED); do \
		echo "fuzzing $$one"; \
		CGO_ENABLED=0 $(GO) test -run '^$$' -fuzz "^$${one##*:}\$$" -fuzztime $(INPUTS)x -fuzzminimizetime 100x "./$${one%%:*}"; \
	done

# Where things go on at once: servers, clients, runs, and the commands that listen, watch or are interrupted. Runs of whole
# packs are among them, so that what the others are is used here too.
RACED    := ./reference $(addsuffix /...,$(addprefix ./reference/,aep helix helix-ui merlin model restart runtime store) $(addprefix ./runner/,campaign certify client launch crosscheck observe provider))
COMMANDS := ^Test(AnInterrupt.*|CertifyTheReference|CertifyLists|RecordingsThatNeverCome|Serves|TheEndOfTheTerminal|UnusedConnectionsAreClosed|View.*)$$

race: ## run what goes on at once with the race detector, and certify the reference twice (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -vet=off -short -shuffle=on -timeout $(LIMIT) -skip '^TestPublic' $(RACED)
	STREAMCERT_SOAK=2 CGO_ENABLED=1 $(GO) test -race -vet=off -run '^TestSoak$$' -count=1 -timeout $(LIMIT) ./runner/certify
	CGO_ENABLED=1 $(GO) test -race -vet=off -short -run '$(COMMANDS)' -count=1 -timeout $(LIMIT) ./runner/cmd/command ./runner/cmd/lab

lint: ## check that the thread from requirement to mutant is whole
	$(CLI) lint

weight: ## print the lines of each pack, in product and proof, and fail where they are more than runner/testdata/weight.txt allows
	@CGO_ENABLED=0 $(GO) test -count=1 -run '^TestWeight$$' -v ./runner

readme: ## write the numbers of README.md anew, and the lists by which streamcert names the broken servers
	$(CLI) derived --dir .

golden: ## write the golden transcripts anew from the reference server, and what the spec shows of them
	$(CLI) golden --dir .

golden-check: ## fail if the golden transcripts, or what the spec shows of them, are not what the reference server does
	$(CLI) golden --check --dir .

gate: ## compare spec, schemas, features and goldens with the last release; version and change log have to match the change
	$(CLI) diff --gate released --dir .

release: ## keep the version of each pack that has a new one in spec/<pack>/releases
	$(CLI) release --new --dir .

mutants: ## run the catalogue of broken servers; every one must be found out
	$(CLI) mutants

variants: ## run the catalogue of servers that are right in their own way; nothing may be held against any
	$(CLI) variants

idle: ## run servers that show nothing of some subjects; no requirement about those may pass
	$(CLI) idle

loaded: build ## certify the reference by SEEDS (five), two at a time, while eight loops keep the machine busy, which nobody may be blamed for
	@busy=; for n in 1 2 3 4 5 6 7 8; do (while :; do :; done) & busy="$$busy $$!"; done; \
	trap "kill $$busy" EXIT; trap 'exit 1' INT TERM; \
	printf '%s\n' $(SEEDS) | xargs -P 2 -I '{}' sh -c \
		'text=$$($(BIN) certify --reference --strict --seed {} 2>&1) || { printf "%s\n" "$$text"; exit 1; }; printf "%s\n" "$$text" | grep "^PASS"'

bench: ## measure, in a form that benchstat reads
	CGO_ENABLED=0 $(GO) test -run '^$$' -bench . -benchmem ./...

soak: fuzz ## fuzz, certify the reference REPEAT times (1000) in shuffled order, what else takes long, and how many deep mutants campaigns find
	STREAMCERT_SOAK=$(REPEAT) CGO_ENABLED=0 $(GO) test -run '^(TestSoak|TestSlowServersAreNotAccused|TestRunsThatNothingAnswersEndSoon|TestEarlyRefusalsBehindAProxy|TestTranscriptsDoNotVary)$$' -count=1 -timeout 0 -v ./runner/certify
	STREAMCERT_SOAK=1 CGO_ENABLED=0 $(GO) test -run '^(TestMutantsOfThePlayerAreFound|TestEveryChangeOfAGoldenIsSeen|TestCatalogue)$$' -count=1 -timeout 0 -v ./runner/campaign/helix ./golden ./runner/diff
	STREAMCERT_SOAK=1 CGO_ENABLED=0 $(GO) test -run '^(TestMemoryOfTheProgram|TestProbeForetellsTheRun)$$' -count=1 -timeout 0 -v ./runner/certify/hostile ./runner/probe
	STREAMCERT_SOAK=1 STREAMCERT_TEST_LOAD_FOR=10m CGO_ENABLED=0 $(GO) test -run '^TestLoad$$' -count=1 -timeout 0 -v ./reference/helix
	STREAMCERT_SOAK=1 CGO_ENABLED=0 $(GO) test -run '^(TestKills|TestVerifyAcceptsWhatCertifyWrites)$$' -count=1 -timeout 0 -v ./runner/cmd/lab
	STREAMCERT_SOAK=1 CGO_ENABLED=0 $(GO) test -run '^(TestAnyMomentIsOneToEndAt|TestTimeoutIsStored|TestMemoryOfCommands)$$' -count=1 -timeout 0 -v ./runner/cmd/lab
	$(CLI) mutants --deep --effort quick
	$(CLI) mutants --deep --aside --effort quick
	$(CLI) mutants --deep --seeds 20
	$(CLI) mutants --deep --aside --seeds 20

build: ## build bin/streamcert, static
	@echo 'building $(BIN) (a minute or two on a fresh machine, seconds afterwards); each package is named as it compiles'
	@start=$$(date +%s); CGO_ENABLED=0 $(GO) build -v -o $(BIN) ./runner/cmd/streamcert && echo "built in $$(($$(date +%s) - start)) s"

lab: ## build bin/streamcert-lab, which has the broken servers and what else maintainers of a suite need
	CGO_ENABLED=0 $(GO) build -v -o $(LAB) ./runner/cmd/streamcert-lab

# Where the program of the playground is embedded from, and how many bytes it may have.
PROGRAM := runner/site/program/built
WASM    := 8388608

judge: ## build the program of the playground, which judges recordings in a browser, into runner/site/program/built
	@CGO_ENABLED=0 GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags='-s -w -buildid=' -o $(PROGRAM)/judge.wasm ./runner/cmd/playground
	@cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(PROGRAM)/wasm_exec.js
	@gzip -9 -n -f $(PROGRAM)/judge.wasm
	@size=$$(wc -c < $(PROGRAM)/judge.wasm.gz); echo "$(PROGRAM)/judge.wasm.gz $$size"; \
	test $$size -lt $(WASM) || { echo "judge.wasm.gz: $$size bytes, expected less than $(WASM)" >&2; exit 1; }

site: judge ## write the specification as static pages with the playground into site/
	$(CLI) spec build --out $(SITE)

# What packs releases.
PACKER := CGO_ENABLED=0 $(GO) run ./runner/cmd/dist

dist: judge ## build static binaries for every system and pack them into dist/ with an SBOM and SHA256SUMS, the same bytes wherever it is done
	@rm -rf $(DIST)
	@set -e; for system in $(SYSTEMS); do \
		os=$${system%/*}; arch=$${system#*/}; file=$(DIST)/bin/$${os}_$$arch/streamcert; \
		test $$os != windows || file=$$file.exe; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch GOAMD64=v1 GOARM64=v8.0 \
			$(GO) build -trimpath -buildvcs=auto -ldflags='-s -w -buildid=' -o $$file ./runner/cmd/streamcert; \
		size=$$(wc -c < $$file); echo "$$file $$size"; \
		test $$size -lt $(LARGEST) || { echo "$$file: $$size bytes, expected less than $(LARGEST)" >&2; exit 1; }; \
	done
	@$(PACKER) archives

npm: dist ## pack the npm packages, a wrapper and one a platform, into dist/npm
	@$(PACKER) npm

release-notes: ## write the text of the release, with the checksums of dist/ if they are there
	@$(PACKER) notes

# The name of the image, and what builds it: the first of these that works here.
IMAGE   ?= streamcert
BUILDER ?= $(shell for b in docker podman; do $$b info >/dev/null 2>&1 && echo $$b && break; done)

image: dist ## build the container image; without docker or podman, run its steps by hand and start the program from them (needs root)
	@if test -n "$(BUILDER)"; then \
		version=$$(cat runner/cmd/command/VERSION) && \
		$(BUILDER) build --platform linux/$$($(GO) env GOARCH) --build-arg TARGETARCH=$$($(GO) env GOARCH) --build-arg VERSION=$$version \
			-f .github/Dockerfile -t $(IMAGE):$$version . && \
		$(BUILDER) run --rm $(IMAGE):$$version --version; \
	else \
		echo 'image: there is no docker or podman that works: running the steps of .github/Dockerfile by hand'; \
		CGO_ENABLED=0 $(GO) test -count=1 -run '^TestImageByHand$$' -v ./runner/cmd/dist; \
	fi
