# The commands of this repository; `make help` lists them. Each installs what it lacks and says so first
# (system packages with apt, Python packages into .venv); GSST_INSTALL=0 forbids it.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# The recipes share the build folder and are parallel inside.
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
PYTHON := .venv/bin/python
# A cluster's jobs take the processors that the profile says, not those of the machine that submits them.
workflow_cores = $(if $(and $(filter slurm,$(PROFILE)),$(filter file,$(origin JOBS))),,--cores $(JOBS))
export MPLBACKEND := Agg

cxx_files = $(shell git ls-files '*.c' '*.cpp' '*.h' '*.hpp' '*.cu' '*.cuh')

.PHONY: help build test python columns archive figures check copy skeleton grade course packaging measuring teaching workflow trace race coverage mutate fuzz bench site reference lint clean system-packages python-packages

help: ## list these commands
	@sed -nE 's/^([a-z]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18
	@echo "  JOBS=<n> sets the number of parallel jobs (now $(JOBS)); GSST_INSTALL=0 forbids installing anything"

system-packages:
	@tools/install_dependencies.sh build peers

python-packages: system-packages
	@tools/install_python_packages.sh $(wildcard profiles/$(PROFILE)/requirements.txt)

build: system-packages ## build the command: build/bin/gsst
	cmake --preset cpu
	cmake --build --preset cpu --parallel $(JOBS)

# What nvcc compiles takes as long as all else and runs on no processor: without a GPU, a new build folder goes without
# it until `make build`, or `make figures` with a PROFILE, adds it. The Python packages come over the network while others compile.
# Of many similar inputs of a stage a test takes every third; SAMPLE=1/1 takes all.
test: SAMPLE ?= 1/3
test: system-packages ## build and pass every test but those of `make` course, measuring, packaging, teaching and workflow
	trap wait EXIT; \
	tools/install_python_packages.sh $(wildcard profiles/$(PROFILE)/requirements.txt) & \
	python_packages=$$!; \
	cmake --preset cpu $$(tools/cuda_of_tests.sh); \
	cmake --build --preset cpu --parallel $(JOBS) --target tested; \
	wait $$python_packages
	GSST_TEST_SAMPLE=$(SAMPLE) ctest --preset cpu --parallel $(JOBS) --label-exclude '^measuring$$'
	$(PYTHON) -m pytest --numprocesses $(JOBS) --dist loadscope --no-loadscope-reorder -m "not course and not measuring and not packaging and not teaching and not workflow"

# Beside .venv, for which the package is a build's product. Optimised little: most of the time is compilation.
python: python-packages ## build the Python package, of SOURCE=<archive> or of this tree, and pass its tests
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --upgrade --target build/python \
	  --config-settings cmake.build-type=Debug --config-settings cmake.define.CMAKE_CXX_FLAGS_DEBUG=-O1 \
	  --requirement python/requirements.txt $(or $(SOURCE),.)
	PYTHONPATH=build/python $(PYTHON) -m pytest python

# The same, optimised as users have it: what is measured.
columns: python-packages ## build the Python package and what is measured beside it, for the figures of columns: build/columns
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --upgrade --target build/columns \
	  --requirement python/requirements.txt .
	ln -sf ../../../experiments/measure_columns/gsst_measure_columns build/columns/bin/

archive: ## make the source archive of the last commit, with its checksum: build/archive/
	@tools/make_archive.sh build/archive

figures: python-packages ## run the experiments, draw the figures; SCALE=tiny|default|paper, PROFILE=gpu|slurm
	cmake --preset cpu $(if $(PROFILE),,$$(tools/cuda_of_tests.sh))
	cmake --build --preset cpu --parallel $(JOBS) --target figures
	status=0; \
	$(PYTHON) -m snakemake --profile profiles/$(or $(PROFILE),default) $(workflow_cores) $(if $(SCALE),--config scale=$(SCALE)) || status=$$?; \
	$(PYTHON) -m experiments.print_figures; \
	exit $$status

# On the CPU it builds this one stage, and needs none of the Python packages. A recursive make in the recipe would run
# with --dry-run too.
check: check_device = $(or $(DEVICE),$(shell nvidia-smi -L >/dev/null 2>&1 || echo simt))
.SECONDEXPANSION:
check: $$(if $$(filter simt,$$(check_device)),,build python-packages) ## test one stage, on a GPU measure it too: STAGE=<id> [DEVICE=cpu|simt|gpu]
	@if [[ "$(check_device)" == simt ]]; then \
	  tools/install_dependencies.sh build; \
	  "$$(tools/find_python.sh)" -m tools.check_on_cpu "$(STAGE)" --jobs $(JOBS); \
	else \
	  $(PYTHON) -m tools.check_stage "$(STAGE)" $(if $(DEVICE),--device "$(DEVICE)"); \
	fi

copy: ## begin an own stage: STAGE=<id>, from FROM=<id of a stage>
	@"$$(tools/find_python.sh)" -m tools.copy_stage "$(FROM)" "$(STAGE)"

skeleton: ## make an exercise's stage with lines to be written: EXERCISE=<name>; lists them without it
	@"$$(tools/find_python.sh)" -m teach.make_skeleton $(if $(EXERCISE),"$(EXERCISE)")

grade: ## give points for a stage, with reasons: STAGE=<id>
	@tools/install_dependencies.sh build
	@"$$(tools/find_python.sh)" -m teach.grade "$(STAGE)" --jobs $(JOBS)

# To compile the measuring programs and their tests takes a third of the time for all.
measuring: python-packages ## build all, and test the programs that measure for the figures
	cmake --preset cpu $$(tools/cuda_of_tests.sh)
	cmake --build --preset cpu --parallel $(JOBS)
	ctest --preset cpu --parallel $(JOBS) --label-regex '^measuring$$'
	$(PYTHON) -m pytest --numprocesses $(JOBS) --dist loadscope -m measuring experiments

course: python-packages ## test the pages of the course, which need what `make site` installs
	$(PYTHON) -m pytest course

packaging: python-packages ## build and install the library as docs/library.md says, and compile what uses it
	$(PYTHON) -m pytest -m packaging library/test_consumers.py

# It compiles a stage's checks four times, which takes minutes without a compiler's cache.
teaching: python-packages ## test what students do: copy a stage, check it and grade it, in a copy of the tree
	$(PYTHON) -m pytest -m teaching tools/test_own_stage.py

workflow: python-packages ## test what `make figures` does without data, with failures and with a GPU, with stand-ins for programs
	$(PYTHON) -m pytest -m workflow experiments/test_workflow.py

trace: python-packages ## count what one stage's accesses cost, by a model that needs no GPU: STAGE=<id> [INPUT=<file>]
	@$(PYTHON) -m tools.trace_stage "$(STAGE)" --jobs $(JOBS) $(if $(INPUT),--input "$(INPUT)")

race: system-packages ## find races between the threads of kernels on the CPU
	cmake --preset race
	cmake --build --preset race --parallel $(JOBS)
	ctest --preset race --parallel $(JOBS)

coverage: system-packages ## list the lines of kernels that no test of stages runs
	@tools/install_dependencies.sh sanitizers
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS) --target stage_chunks_test stage_decode_test stage_encode_test stage_frames_test stage_gzip_test stage_orc_test stage_query_test stage_ranges_test library_test
	find build-asan -name '*.gcda' -delete
	ctest --preset asan --parallel $(JOBS) --tests-regex '^(stage_|library_)'
	@"$$(tools/find_python.sh)" -m tools.kernel_coverage

mutate: system-packages ## plant mistakes in the kernels, see that the tests find them; STAGE=<id> for one, KINDS=accesses|switches
	@tools/install_dependencies.sh sanitizers
	@"$$(tools/find_python.sh)" -m tools.mutate_stages --stage "$(STAGE)" $(if $(KINDS),--kinds "$(KINDS)") --jobs $(JOBS)

fuzz: system-packages ## run each fuzzer for SECONDS=<n>
	$(if $(SECONDS),,$(error say for how long each fuzzer runs: make fuzz SECONDS=<n>))
	@tools/install_dependencies.sh fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS)
	@tools/run_fuzzers.sh "$(SECONDS)"

bench: build ## run the benchmarks of the reference codec
	set -- build/benchmarks/*; for benchmark; do echo "== $$benchmark"; "$$benchmark"; done

# All pages anew: Sphinx does not see that a record or a picture's code has changed. Emscripten takes 0.8 GB of disk.
site: system-packages ## build the course: build/site/index.html; EMSCRIPTEN=no does not install what compiles its codec
	@[[ "$(EMSCRIPTEN)" == no ]] || tools/install_dependencies.sh site
	@tools/install_python_packages.sh course/requirements.txt
	$(PYTHON) -m course.browser_codec.build build/browser_codec
	rm -rf build/site build/site_doctrees
	$(PYTHON) -m sphinx --quiet --fail-on-warning --keep-going --jobs $(JOBS) -c course -d build/site_doctrees . build/site

reference: ## make the reference of the library's interface: build/reference/html/index.html
	@tools/install_dependencies.sh lint
	rm -rf build/reference
	mkdir -p build
	doxygen docs/Doxyfile
	@"$$(tools/find_python.sh)" -m tools.check_reference build/reference/xml

lint: build python-packages ## check style and records, change nothing
	@tools/install_dependencies.sh lint fuzz
	printf '%s\n' $(cxx_files) | xargs -P $(JOBS) -n 40 clang-format --dry-run -Werror
	cmake --preset lint >/dev/null
	$(PYTHON) -m tools.run_clang_tidy --jobs $(JOBS)
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/snakemake --lint
	$(PYTHON) -m experiments.check_records
	$(MAKE) reference

clean: ## remove the build folders; keeps .venv, data/cache and results
	rm -rf build build-asan build-check build-cuda build-fuzz build-lint build-mutate build-race
