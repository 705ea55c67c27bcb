PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
# Elsewhere than on the Python that the stored outputs come from: NBVAL=--nbval-lax
NBVAL ?= --nbval

# One BLAS thread: results repeat to the last digit, and parallel workers do not starve each other.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
# Matplotlib's list of fonts is made once, by the set-up: no chapter prints that it is being made.
export MPLCONFIGDIR := $(CURDIR)/.venv/matplotlib
# Progress bars are for readers who wait, not for stored outputs.
export TQDM_DISABLE := 1
export PYTHONWARNINGS := ignore::DeprecationWarning
# Where bytecode is not kept, each of some hundred processes compiles its imports anew, for seconds.
unexport PYTHONDONTWRITEBYTECODE

# What pages are made of, and what each of them is made with: a change of that makes all anew.
PAGES := $(shell find chapters genindex.md kmds_lib kmds_figures images -type f -not -path '*/.*' -not -path 'chapters/coursework/*' -not -name '*.pyc')
FRAME := $(shell find _static _templates _ext -type f -not -path '*/browser/*' -not -name '*.pyc') \
	$(filter %.js %.css %.bib,$(PAGES)) _config.yml _toc.yml requirements.txt
PRINT := $(wildcard tools/pdf*) tools/chromium.py
PDF := _build/pdf/printed.stamp
SETS := $(notdir $(patsubst %/,%,$(wildcard coursework/sets/*/)))
COURSEWORK := $(shell find coursework -name '*.py' -o -name '*.ipynb')
RELEASED := chapters/coursework/released.stamp
HTML := _build/html/checked.stamp

# Tests of what was built; they begin when it stands.
BUILT := $(addprefix --ignore tests/,book doors print)

.PHONY: help setup book sets portable pdf test test-lib test-chapters test-book test-all \
	test-faults test-doors test-coursework nightly processors floors lint format chapters bench doors address lab clean

help:
	@sed -n 's/^## //p' Makefile

## make book      build the book into _build/html, warnings are errors
book: setup $(HTML)
	@echo "The book is in _build/html/index.html"

## make sets      release the problem sets into chapters/coursework, as the book shows them
sets: setup $(RELEASED)

## make portable  notebooks that read well anywhere, with all that Binder needs, in _build/portable
portable: setup $(HTML)
	$(BIN)/python -m tools.portable $(if $(RELEASE),--release $(RELEASE))

## make pdf       print the whole book into one file in _build/pdf
pdf: setup $(PDF)

## make test      what every change must pass: lint, library, chapters against their stored outputs,
##                problem sets, and the built pages once in a browser
test: lint test-lib test-chapters test-book

test-lib: setup
	$(PYTEST) -n 2 --doctest-modules $(BUILT)

test-chapters: setup
	@# The last chapters, which take longest, come first.
	$(PYTEST) $(NBVAL) -n 2 --dist loadfile --no-loadscope-reorder $$(ls -r chapters/*.ipynb)

# A browser waits a third of its time. What is timed runs by itself.
test-book: setup $(HTML)
	$(PYTEST) -m "not slow and not nightly and not timed" -n 3 --dist worksteal tests/pages
	$(PYTEST) -m "timed and not slow and not nightly" tests/pages

## make test-all  what `make test` leaves out: planted faults, hostile submissions, pages in all
##                looks, print, portable notebooks and Binder, the plainest processor
test-all: setup $(HTML)
	$(BESIDE) pdf test-faults
	$(BESIDE) test-coursework test-doors
	$(PYTEST) -m "not nightly" tests/build
	$(PYTEST) -m "slow and not timed and not nightly" -n 3 --dist worksteal tests/pages
	$(PYTEST) -m "slow and timed" tests/pages
	$(BIN)/python -m tools.processors --kernels plainest

# Two that leave a processor idle at times run side by side.
BESIDE := $(MAKE) -j 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

test-faults: setup
	$(PYTEST) -m slow -n 2 --ignore tests/coursework $(BUILT)

test-doors: setup $(HTML)
	$(PYTEST) -m "not nightly" -n 2 --dist loadfile tests/build

test-coursework: setup
	$(PYTEST) -m slow -n 2 --dist loadscope tests/coursework

## make nightly   the rest, in an hour: other processors, oldest dependencies, the suites of peers,
##                problem sets and examples of new seeds, all of Binder, faults in the library
nightly: setup floors doors
	FRESH=1 $(PYTEST) -m "nightly or not slow" -n 2 $(BUILT)
	$(PYTEST) -m nightly -n 3 --dist worksteal tests/pages
	$(BIN)/python -m tools.processors --kernels sandybridge haswell skylakex threads
	$(BIN)/python -m tools.mutants --each 3 --seed $$(date +%j)

## make processors  run chapters and library as other processors would, and compare
processors: setup
	$(BIN)/python -m tools.processors

## make floors    test the library on the oldest dependencies that pyproject.toml allows
floors: setup
	$(BIN)/python -m tools.floors

## make doors     do what Binder does, for every notebook
doors: setup $(HTML)
	$(BIN)/python -m tools.binder

## make address   carry title, repository and address from _config.yml to the other files
address: setup
	$(BIN)/python -m tools.sync_metadata

## make lint      ruff: rules and formatting, notebooks too; mypy: types of the library
lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

## make format    let ruff repair what it can
format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

## make chapters  execute all chapters, or FILE=chapters/NN-name.ipynb, and store their outputs
chapters: setup
	$(BIN)/python tools/chapters.py $(FILE)

## make bench     time the library against its peers
bench: setup
	$(BIN)/python benchmarks/run.py

## make lab       open the book in JupyterLab
lab: setup
	$(BIN)/jupyter lab

## make clean     remove everything that was built or installed
clean:
	rm -rf .venv _build _ext/browser chapters/coursework .hypothesis .pytest_cache .ruff_cache .mypy_cache *.egg-info

setup: .venv/ready.stamp _ext/browser/package.json

.venv/ready.stamp: requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check $$(grep ^uv== requirements.txt)
	$(BIN)/uv pip install --quiet --system-certs --requirement requirements.txt
	$(BIN)/uv pip install --quiet --system-certs --no-deps --editable .
	$(BIN)/python -c "import matplotlib.font_manager"
	@# Kernels say nothing of encryption: they talk to this machine alone.
	mkdir -p .venv/etc/ipython
	echo 'c.IPKernelApp.log_level = "ERROR"' > .venv/etc/ipython/ipython_kernel_config.py
	touch $@

_ext/browser/package.json: _ext/package.json tools/browser.py | .venv/ready.stamp
	$(BIN)/python tools/browser.py

# What students get is a page too; the masters are not. A release fails when a solution shows.
$(RELEASED): $(COURSEWORK) | .venv/ready.stamp
	rm -rf $(@D)
	printf '%s\n' $(SETS) | xargs -P 2 -I {} $(BIN)/python -m coursework release {} --out $(@D)
	touch $@

# Sphinx writes the pages that changed. A build that did not come to its end leaves no stamp, and
# nothing to build on but what the chapters printed.
$(HTML): $(RELEASED) $(PAGES) $(FRAME) tools/execute_notebooks.py tools/check_book.py | setup
	@$(if $(filter $(FRAME),$?),rm -f $@)
	@test -e $@ || rm -rf $(@D) _build/.doctrees _build/jupyter_execute
	@rm -f $@
	$(BIN)/python tools/execute_notebooks.py
	@echo "writing the pages, which takes a minute where it is all of them"
	$(BIN)/jupyter-book build -q -W -n --keep-going .
	$(BIN)/python tools/check_book.py
	@touch $@

$(PDF): $(HTML) $(PRINT) | setup
	$(BIN)/python -m tools.pdf
	touch $@
