PYTHON ?= python3
# The packages that `make lock` pins support this version of Python and later ones.
LOCK_PYTHON ?= $(shell cat .ci/python-version)
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest

# One BLAS thread, so that results are reproducible and parallel workers do not compete.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
# The set-up builds Matplotlib's font cache, so that no chapter prints a message about it.
export MPLCONFIGDIR := $(CURDIR)/.venv/matplotlib
# Programs keep caches and settings in the user's folder, or here if they cannot write to it.
ifeq ($(shell test -w "$(HOME)" && echo yes),)
export HOME := $(CURDIR)/.venv/home
endif
export PYTHONWARNINGS := ignore::DeprecationWarning
# Without cached bytecode, each of some hundred processes would compile its imports again.
unexport PYTHONDONTWRITEBYTECODE

# The sources of the pages
SOURCES := $(shell find chapters genindex.md kmds_lib kmds_figures images _static _templates _ext -type f -not -path '*/.*' -not -path 'chapters/coursework/*' -not -path '*/bundles/*' -not -name '*.pyc') \
	_config.yml _toc.yml requirements.txt
WEB := $(shell find web -type f -not -path '*/node_modules/*' -not -path '*/dist/*')
NPM := web/node_modules/ready.stamp
FONTS := $(patsubst %,kmds_figures/bundles/stix-two-text-latin-%.ttf,400-normal 700-normal)
BUNDLES := web/dist/laboratory.js kmds_figures/bundles/laboratory.js $(FONTS)
BIOME := ../$(BIN)/node node_modules/@biomejs/biome/bin/biome
TSC := ../$(BIN)/node node_modules/typescript/lib/tsc.js
OLDEST := $(BIN)/uv pip install --quiet --system-certs --python _build/oldest
PRINT := $(wildcard tools/pdf*) tools/chromium.py
PDF := _build/pdf/printed.stamp
SETS := $(notdir $(patsubst %/,%,$(wildcard coursework/sets/*/)))
COURSEWORK := $(shell find coursework -name '*.py' -o -name '*.ipynb')
RELEASED := chapters/coursework/released.stamp
HTML := _build/html/checked.stamp

# A failed build of the bundles must not leave some of them behind.
.DELETE_ON_ERROR:

.PHONY: help setup bundles scripts book sets portable pdf links test test-python test-chapters test-pages \
	test-all test-weekly oldest-dependencies newest-sphinx without-jupyter-book lint format chapters lock bench lab clean

help:
	@sed -n 's/^## //p' Makefile

## make book      build the book into _build/html, warnings are errors
book: setup $(HTML)
	@echo "The book is in _build/html/index.html"

## make bundles   build the scripts of the pages and of the widgets in Jupyter
bundles: setup $(BUNDLES)

## make scripts   put changed scripts and styles of web into the built pages, in a second
scripts: bundles
	cp web/dist/* _build/html/_static

## make sets      write the students' versions of the problem sets to chapters/coursework
sets: setup $(RELEASED)

## make portable  write the notebooks for Binder and Colab to _build/portable
portable: setup $(HTML)
	$(BIN)/python -m tools.binder_folder $(if $(RELEASE),--release $(RELEASE))

## make pdf       print the whole book to one PDF in _build/pdf
pdf: setup $(PDF)

## make test      what every change must pass: lint, library, chapters, problem sets, built pages
test: lint test-python test-pages

# This includes the comparison of the chapters that `make book` executed with the stored outputs.
test-python: setup $(HTML)
	$(PYTEST) -n 2 --doctest-modules --ignore tests/pages

# Execute the chapters once more. The last chapters take longest, so they come first.
test-chapters: setup $(BUNDLES)
	$(PYTEST) --nbval -n 2 --dist loadfile --no-loadscope-reorder $$(ls -r chapters/*.ipynb)

# A browser waits for a third of its time, so three run on two processors. Timed tests run alone.
test-pages: setup $(HTML)
	$(PYTEST) -m "not slow and not weekly and not timed" -n 3 --dist worksteal tests/pages
	$(PYTEST) -m "timed and not slow and not weekly" tests/pages

## make test-all  the slow tests that `make test` leaves out: print, portable notebooks, grading
test-all: setup $(PDF) test-chapters
	$(PYTEST) -m slow -n 2 --dist loadfile

## make test-weekly  the seed tests, and the property tests on new examples
test-weekly: setup $(HTML)
	FRESH=1 $(PYTEST) -m "weekly or not slow" -n 2 --ignore tests/pages

## make oldest-dependencies  test the library with the oldest versions that it supports
# The tools of the tests are the newest that allow them. The tests left out need the figures, a newer
# scikit-learn, or the type hints of a newer NumPy.
oldest-dependencies: .venv/ready.stamp
	rm -rf _build/oldest
	$(BIN)/uv venv --quiet --python $(BIN)/python _build/oldest
	$(OLDEST) --resolution lowest-direct --editable ".[sklearn]"
	$(BIN)/uv pip freeze --python _build/oldest --exclude-editable > _build/oldest/pins.txt
	$(OLDEST) --constraints _build/oldest/pins.txt hypothesis mypy pandas pytest pytest-xdist cvxpy
	_build/oldest/bin/python -m pytest -q -n 2 -W default --confcutdir tests tests/lib \
		$(patsubst %,--ignore tests/lib/test_%.py,conventions examples stored_tables usps) \
		--deselect tests/lib/test_invalid_input.py::test_parameters_of_public_functions_are_checked

## make newest-sphinx  build the committed pages without Jupyter Book, and test them
# The newest Sphinx needs a newer Python than the stored outputs: give, for example, PYTHON=python3.14.
newest-sphinx:
	rm -rf _build/newest-sphinx
	git clone --quiet . _build/newest-sphinx
	$(MAKE) -C _build/newest-sphinx without-jupyter-book

# This upgrades the packages for the book in requirements.in, except the theme, in .venv.
without-jupyter-book: setup $(BUNDLES) $(RELEASED)
	$(BIN)/jupyter-book config sphinx .
	sed -n '/^# book/,/^$$/{/jupyter-book\|theme/d; s/<.*//; p}' requirements.in > .venv/newest.in
	$(BIN)/uv pip install --quiet --system-certs --upgrade --requirement .venv/newest.in
	grep theme== requirements.txt | xargs $(BIN)/uv pip install --quiet --system-certs --no-deps
	$(BIN)/uv pip freeze | grep '^\(docutils\|myst\|sphinx\)'
	$(BIN)/python -m tools.execute_notebooks
	PYTHONPATH=_ext/entry_points $(BIN)/sphinx-build -W --keep-going . _build/html
	$(BIN)/python -m tools.check_book
	$(PYTEST) -n 2 -m "not slow and not weekly and not timed" tests/build tests/pages

## make links     check the links to other sites
links: setup $(HTML)
	$(BIN)/jupyter-book build --builder linkcheck .

## make lint      check style, formatting and types with ruff, mypy, Biome and TypeScript
lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	printf 'coursework/sets/%s/reference.py\n' $(SETS) | xargs -n 1 $(BIN)/mypy
	cd web && $(BIOME) check --error-on-warnings . ../_static ../tools ../tests/build ../tests/pages ../tests/web
	cd web && $(TSC) --project tsconfig.json

## make format    format the code, and fix what ruff and Biome can fix
format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	cd web && $(BIOME) check --write . ../_static ../tools ../tests/build ../tests/pages ../tests/web

## make chapters  execute all chapters (or FILE=chapters/NN-name.ipynb) and store their outputs
chapters: setup $(BUNDLES)
	$(BIN)/python -m tools.chapters $(FILE)

## make lock      pin all packages (UPGRADE=NAME: the newest version of one, UPGRADE=all: of all)
lock: setup
	$(BIN)/uv pip compile --quiet --universal --python-version $(LOCK_PYTHON) --system-certs --no-annotate \
		--custom-compile-command "make lock" --output-file requirements.txt requirements.in \
		$(if $(UPGRADE),--upgrade$(if $(filter-out all,$(UPGRADE)),-package $(UPGRADE)))
	@# Binder gets the same versions.
	sed 's/\(.*==\).*/^\1/' binder/requirements.txt > .venv/binder.txt
	grep --file .venv/binder.txt requirements.txt > binder/requirements.txt

## make bench     time the library against other implementations
bench: setup
	$(BIN)/python -m benchmarks.run

## make lab       open the book in JupyterLab
lab: setup $(BUNDLES)
	$(BIN)/jupyter lab

## make clean     delete everything that was built or installed
clean:
	rm -rf .venv _build web/node_modules web/dist kmds_figures/bundles chapters/coursework .hypothesis .pytest_cache .ruff_cache .mypy_cache

setup: .venv/ready.stamp $(NPM)

.venv/ready.stamp: requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check $$(grep ^uv== requirements.txt)
	$(BIN)/uv pip install --quiet --system-certs --requirement requirements.txt
	$(BIN)/uv pip install --quiet --system-certs --no-deps --editable .
	$(BIN)/python -c "import matplotlib.font_manager"
	@# Hide ipykernel's notice about unencrypted connections, which stay on this machine.
	mkdir -p .venv/etc/ipython
	echo 'c.IPKernelApp.log_level = "ERROR"' > .venv/etc/ipython/ipython_kernel_config.py
	touch $@

# This installs the versions in package-lock.json and compares the hashes of their archives.
$(NPM): web/package.json web/package-lock.json | .venv/ready.stamp
	cd web && ../$(BIN)/npm ci --loglevel=error
	touch $@

# A pattern rule with several targets runs once for all of them.
web/dist/%.js kmds_figures/bundles/%.js: $(WEB) | $(NPM)
	rm -rf web/dist kmds_figures/bundles
	$(BIN)/node web/build.ts

# matplotlib draws the labels of figures in the font of the pages, which it cannot read as WOFF2.
kmds_figures/bundles/%.ttf: kmds_figures/bundles/laboratory.js
	$(BIN)/python -m fontTools.ttLib.woff2 decompress --quiet --output-file $@ \
		web/node_modules/@fontsource/stix-two-text/files/$*.woff2

# The book shows the students' versions. `release` fails if one of them contains a solution.
$(RELEASED): $(COURSEWORK) | .venv/ready.stamp
	rm -rf $(@D)
	printf '%s\n' $(SETS) | xargs -P 2 -I {} $(BIN)/python -m coursework release {} --out $(@D)
	touch $@

# All pages are written again, from the executed chapters in the cache.
$(HTML): $(RELEASED) $(SOURCES) $(BUNDLES) tools/execute_notebooks.py tools/check_book.py | setup
	@rm -rf $(@D) _build/.doctrees _build/jupyter_execute
	$(BIN)/python -m tools.execute_notebooks
	@echo "Writing the pages, which takes a minute"
	$(BIN)/jupyter-book build -q -W -n --keep-going .
	$(BIN)/python -m tools.check_book
	@touch $@

$(PDF): $(HTML) $(PRINT) | setup
	$(BIN)/python -m tools.pdf
	touch $@
