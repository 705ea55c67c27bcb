PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
# Elsewhere than on the Python that the stored outputs come from: NBVAL=--nbval-lax
NBVAL ?= --nbval

# One BLAS thread: results repeat to the last digit, and parallel workers do not starve each other.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
# Progress bars are for readers who wait, not for stored outputs.
export TQDM_DISABLE := 1
export PYTHONWARNINGS := ignore::DeprecationWarning

LIBRARY := $(shell find kmds_lib -name '*.py' -o -path 'kmds_lib/*/*.*' -not -name '*.pyc')
PAGES := $(shell find chapters genindex.md _static _templates _ext -type f -not -path '*/browser/*' -not -path '*/.*' -not -path 'chapters/coursework/*' -not -name '*.pyc')
PRINT := $(wildcard tools/pdf*) tools/chromium.py
PDF := _build/pdf/printed.stamp
EXECUTED := _build/.jupyter_cache/library.stamp
SETS := $(notdir $(patsubst %/,%,$(wildcard coursework/sets/*/)))
COURSEWORK := $(shell find coursework -name '*.py' -o -name '*.ipynb')
RELEASED := chapters/coursework/released.stamp
HTML := _build/html/checked.stamp

.PHONY: help setup book sets portable pdf test test-lib test-chapters test-coursework test-book \
	test-doors test-print lint format chapters bench doors address lab clean

help:
	@sed -n 's/^## //p' Makefile

## make book      build the book into _build/html, warnings are errors
book: setup $(EXECUTED)
	rm -f $(HTML)
	$(MAKE) $(HTML)

## make sets      release the problem sets into chapters/coursework, as the book shows them
sets: setup $(RELEASED)

## make portable  notebooks that read well anywhere, with all that Binder needs, in _build/portable
portable: setup $(HTML)
	$(BIN)/python -m tools.portable $(if $(RELEASE),--release $(RELEASE))

## make pdf       print the whole book into one file in _build/pdf
pdf: setup $(PDF)

## make test      lint, unit tests, chapters against their stored outputs, problem sets, the built book
##                in a browser and printed, the portable notebooks and Binder
# The last two wait much and compute little: they run side by side.
test: lint test-lib test-chapters test-coursework test-book
	$(MAKE) -j 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) test-doors test-print

test-lib: setup
	$(PYTEST) -n 2 --doctest-modules

test-chapters: setup
	$(PYTEST) $(NBVAL) -n 2 --dist loadfile --ignore chapters/coursework chapters

test-coursework: setup
	$(PYTEST) -n 2 --dist loadgroup --doctest-modules --ignore coursework/sets coursework tests/coursework

# What is timed on a slow line runs by itself.
test-book: setup $(HTML)
	$(PYTEST) -n 2 --dist loadscope --ignore tests/book/test_speed.py tests/book
	$(PYTEST) tests/book/test_speed.py

test-doors: setup $(HTML)
	$(PYTEST) -n 2 --dist loadfile tests/doors

## make doors     do what Binder does, for every notebook; the report is _build/doors.json
doors: setup $(HTML)
	$(BIN)/python -m tools.binder

## make address   carry title, repository and address from _config.yml to the other files
address: setup
	$(BIN)/python -m tools.address

test-print: setup $(PDF)
	$(PYTEST) tests/print

## make lint      ruff: rules and formatting, notebooks too; mypy: types of the library
lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

## make format    let ruff repair what it can
format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

## make chapters  execute all chapters and store their text outputs
chapters: setup
	$(BIN)/python tools/chapters.py

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
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

_ext/browser/package.json: _ext/package.json tools/browser.py | .venv/ready.stamp
	$(BIN)/python tools/browser.py

# Jupyter Book keeps executed notebooks while their own text is unchanged, whatever the library
# they import has become. So a change there empties the cache.
$(EXECUTED): $(LIBRARY) requirements.txt | .venv/ready.stamp
	$(BIN)/jupyter-book clean --all .
	mkdir -p $(@D)
	touch $@

# What students get is a page too; the masters are not. A release fails when a solution shows.
$(RELEASED): $(COURSEWORK) | .venv/ready.stamp
	rm -rf $(@D)
	for set in $(SETS); do $(BIN)/python -m coursework release $$set --out $(@D) || exit 1; done
	touch $@

$(HTML): $(EXECUTED) $(RELEASED) $(PAGES) _config.yml _toc.yml tools/execute.py tools/check_book.py | setup
	$(BIN)/jupyter-book clean .
	$(BIN)/python tools/execute.py
	$(BIN)/jupyter-book build -q -W -n --keep-going .
	$(BIN)/python tools/check_book.py
	touch $@

$(PDF): $(HTML) $(PRINT) | setup
	$(BIN)/python -m tools.pdf
	touch $@
