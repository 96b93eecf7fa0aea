# make play   sets everything up and serves the page on http://127.0.0.1:8000
# make test   sets everything up and runs the tests; make test-web only the unit tests of the page
# make test-postgres  the server's tests on a PostgreSQL of their own (Debian's `postgresql-15`)
# make test-languages  the page in every language, a match in each
# make test-study  comparisons with environments on JAX, in .venv-study
# make docs   builds the documentation into site/, in .venv-docs; a warning or a dead link is a failure
# make setup  only sets up: packages, the page, compiled rules
# make check  linters, types, generated files
# make bench  measures and writes bench/results.md
# make lock   resolves the packages anew
# make dist   builds wheel and source archive into dist/, and tries them in an empty environment
#
# Needs Python 3.11 or later with venv, and make. All results go to .venv, web/node_modules and .make. A step runs again
# only if its sources have changed.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000

# Tests start hundreds of processes, so Python must keep its bytecode, even if the environment forbids that.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Lock files name no package index, which is the installer's own setting. Hashes fix the packages.
INSTALL := $(PIP) install --require-hashes --only-binary :all: --requirement
SOURCES := $(shell find src -name '*.py' -o -name '*.toml')

.PHONY: play test test-web test-postgres test-languages test-study docs setup setup-postgres check bench lock dist page generated clean
.DELETE_ON_ERROR:

play: setup
	@exec $(BIN)/gonfalon serve --host $(HOST) --port $(PORT)

setup: .make/installed page .make/warm

test: .make/dev setup test-web
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder $(ARGS)

# Unit tests of the page: they need neither server nor browser.
test-web: page
	@$(BIN)/python hatch_build.py test

test-postgres: .make/dev setup
	$(BIN)/python tools/postgres.py $(BIN)/python -m pytest tests/server --numprocesses auto --dist loadfile $(ARGS)

# A whole match in every language, in a real browser.
test-languages: .make/dev setup
	$(BIN)/python -m pytest tests/languages --numprocesses auto $(ARGS)

# JAX is large, so only this target installs it, into an environment of its own.
test-study: .make/study
	.venv-study/bin/python -m pytest tests/study $(ARGS)

.make/study: requirements-study.lock pyproject.toml
	@echo "Installing the packages of the study"
	$(PYTHON) -m venv .venv-study
	@.venv-study/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --only-binary :all: \
	  --requirement requirements-study.lock
	@mkdir -p .make && touch $@

# The site's packages have an environment of their own.
docs: .make/docs
	PYTHONPATH=src .venv-docs/bin/python tools/docs/compose.py

.make/docs: requirements-docs.lock
	@echo "Installing the packages of the documentation"
	$(PYTHON) -m venv .venv-docs
	@.venv-docs/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --only-binary :all: \
	  --requirement requirements-docs.lock
	@mkdir -p .make && touch $@

check: .make/dev page
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tools
	$(BIN)/python hatch_build.py check
	$(MAKE) --no-print-directory generated

bench: setup
	$(BIN)/python bench/run.py

.make/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Gonfalon needs Python 3.11 or later")'
	$(PYTHON) -m venv .venv
	@mkdir -p .make && touch $@

.make/locked: .make/venv requirements.lock
	@echo "Installing packages"
	@$(INSTALL) requirements.lock
	@touch $@

.make/installed: .make/locked pyproject.toml hatch_build.py
	@echo "Building the page"
	@$(BIN)/python hatch_build.py
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# A server on PostgreSQL needs its driver.
setup-postgres: setup .make/postgres

.make/postgres: .make/installed requirements-postgres.lock
	@$(INSTALL) requirements-postgres.lock
	@touch $@

.make/dev: .make/installed requirements-dev.lock
	@echo "Installing the tests' packages"
	@$(INSTALL) requirements-dev.lock
	@touch $@

# Always runs: the build finds out by itself whether anything has changed.
page: .make/installed
	@$(BIN)/python hatch_build.py

.make/warm: .make/installed $(SOURCES)
	@echo "Compiling the rules"
	@$(BIN)/gonfalon warm
	@touch $@

# Fails if a generated file in the repository differs from the output of its generator.
generated: .make/dev
	$(BIN)/python -m gonfalon.server.protocol.typescript --check
	$(BIN)/python tools/kernels.py --check
	$(BIN)/python tools/privacy.py --check

COMPILE = $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-header --quiet

lock: .make/dev
	$(COMPILE) --extra test --extra dev --output-file requirements-dev.lock
	$(COMPILE) --extra play --extra build --constraint requirements-dev.lock --output-file requirements.lock
	$(COMPILE) --extra study --constraint requirements-dev.lock --output-file requirements-study.lock
	$(COMPILE) --extra docs --constraint requirements-dev.lock --output-file requirements-docs.lock
	$(COMPILE) --extra postgres --constraint requirements-dev.lock --output-file requirements-postgres.lock

dist: .make/dev page
	$(BIN)/python tools/dist.py

clean:
	rm -rf .venv .venv-docs .venv-study .make build dist site web/node_modules src/gonfalon/server/static
