# Everything runs in .venv, which is made on first use and again when pyproject.toml changes.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON3 ?=
PYTHON := .venv/bin/python
READY := .venv/.ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1

FAST := tests/language tests/text tests/messages tests/memory \
	tests/search/test_when.py tests/search/test_words.py tests/test_house.py tests/ratchets

help: ## Show what can be made
	@printf 'clawgit: make TARGET\n\n'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile
	@printf '\nPYTHON3=/path/to/python3 chooses the Python that .venv is made from (3.11 or newer).\n'

demo: $(READY) ## Play the demonstration (WORKSPACE=DIR: on a copy of DIR)
	@$(PYTHON) docs/demo/demo.py $(if $(WORKSPACE),"$(WORKSPACE)")

test: $(READY) ## Run the tests but the slow ones (ARGS="-k soul" chooses)
	@$(PYTHON) -m pytest -m 'not slow' $(ARGS)

slow: $(READY) ## Run the slow tests: whole days, races, kills, several machines, other long files (ARGS="-k purge" chooses)
	@$(PYTHON) -m pytest -m slow $(ARGS)

fast: lint ## Run what most changes can break, in less than a minute, without a network
	@$(PYTHON) -m pytest $(FAST) $(ARGS)

mutants: $(READY) ## Break clawgit in small ways: a promise must see each (ARGS="--writes 48": so many of the write path)
	@$(PYTHON) tests/promises/mutants.py $(ARGS)

live: $(READY) ## Run a real OpenClaw with clawgit in it (VERSIONS=--older: an older one, too; ARGS="-k cron" chooses)
	@installed=$$($(PYTHON) tests/live/installation.py $(VERSIONS) $(OPTIONAL)) || exit 1; \
	test -n "$$installed" || exit 0; \
	CLAWGIT_TEST_LIVE=$$installed $(PYTHON) -m pytest tests/live -n 2 --dist loadscope --timeout 600 $(ARGS)

browser: $(READY) ## Run the stories of the page in a real Chromium, with and without scripts (ARGS="-k axe" chooses)
	@found=$$($(PYTHON) tests/web/browser/installation.py $(OPTIONAL)) || exit 1; \
	test -n "$$found" || exit 0; \
	CLAWGIT_TEST_BROWSER=$$found $(PYTHON) -m pytest tests/web/browser -n 2 --dist loadscope $(ARGS)

check: OPTIONAL := --optional
check: lint types layers docs-check live browser slow test ## Run every check, the tests last

lint: $(READY) ## Check style and formatting
	@$(PYTHON) -m ruff check --quiet .
	@$(PYTHON) -m ruff format --quiet --check . || { echo "  fix: $(PYTHON) -m ruff format ." >&2; exit 1; }
	@echo "lint: fine"

types: $(READY) ## Check types
	@$(PYTHON) -m mypy --no-error-summary
	@echo "types: fine"

layers: $(READY) ## Check that imports point down
	@report=$$(.venv/bin/lint-imports 2>&1) || { printf '%s\n' "$$report" >&2; exit 1; }
	@echo "layers: fine"

docs: $(READY) ## Write docs/cli.md, the manual page and the completions anew from the commands
	@$(PYTHON) docs/generate.py

docs-check: $(READY) ## Check that these say what the commands do
	@$(PYTHON) docs/generate.py --check || { echo "  fix: make docs" >&2; exit 1; }
	@echo "docs: fine"

bench: $(READY) ## Measure what the figures of the documents come from (ARGS=search/retrieval; without, what there is)
	@$(PYTHON) benchmarks/lib/bench.py $(ARGS)

soak: $(READY) ## Run what takes hours, and write down what came of it (ARGS="kills races" chooses)
	@$(PYTHON) benchmarks/lib/soak.py $(ARGS)

dist: $(READY) ## Build the wheel and the source archive into dist/
	@rm -rf dist
	@report=$$($(PYTHON) -m build --no-isolation 2>&1) || { printf '%s\n' "$$report" >&2; exit 1; }
	@ls dist/*

site: $(READY) ## Build the documentation as a site, into site/; a link that leads nowhere is an error
	@$(PYTHON) -c 'import material' 2>/dev/null || $(PYTHON) -m pip install --quiet --editable '.[docs]'
	@report=$$(NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --strict --quiet 2>&1) || { printf '%s\n' "$$report" >&2; exit 1; }
	@echo "site: fine, in site/index.html"

audit: dist ## Look for known holes in what clawgit needs, and write a bill of materials into dist/
	@$(PYTHON) -m venv --clear build/audit
	@build/audit/bin/python -m pip install --quiet dist/*.whl
	@$(PYTHON) -c 'import cyclonedx_py, pip_audit' 2>/dev/null || $(PYTHON) -m pip install --quiet cyclonedx-bom pip-audit
	@$(PYTHON) -m cyclonedx_py environment --pyproject pyproject.toml --of JSON --output-reproducible --output-file dist/clawgit.cdx.json build/audit/bin/python
	@echo "bill of materials: dist/clawgit.cdx.json"
	@build/audit/bin/python -m pip freeze --exclude clawgit > build/audit/needed.txt
	@$(PYTHON) -m pip_audit --progress-spinner off --strict --disable-pip --no-deps -r build/audit/needed.txt || { \
		echo "error: there are holes, or it is unknown whether there are (pip-audit's words stand above)" >&2; \
		echo "  fix: make audit, where https://pypi.org answers with what it knows of holes" >&2; exit 1; }

release: $(READY) ## Say what a release would be; with APPLY=1 cut it: changelog, version, commit, tag, packages (VERSION=0.3.0)
	@$(PYTHON) docs/release.py $(VERSION) $(if $(APPLY),--apply)

clean: ## Remove what was built and cached (.venv stays)
	@rm -rf dist build site *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -path ./.venv -prune -o -path ./.git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# A .venv whose Python has gone is made again. The probe runs a candidate rather than asking its name: a pyenv shim exists for versions that are not installed.
$(READY): pyproject.toml $(if $(wildcard $(PYTHON)),,gone)
	@set -e; \
	if ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		for candidate in $(or $(if $(PYTHON3),"$(PYTHON3)"),python3 python3.14 python3.13 python3.12 python3.11); do \
			"$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
			found=$$candidate; break; \
		done; \
		if [ -z "$${found-}" ]; then \
			has=$$("$(or $(PYTHON3),python3)" --version 2>/dev/null || echo "no Python"); \
			echo "error: clawgit needs Python 3.11 or newer, and this machine offers $$has" >&2; \
			echo "  fix: make $(or $(MAKECMDGOALS),test) PYTHON3=/path/to/python3.11" >&2; \
			exit 1; \
		fi; \
		echo "making .venv from $$("$$found" --version)"; \
		"$$found" -m venv --clear .venv >/dev/null 2>&1 || { \
			rm -rf .venv; \
			echo "error: $$found cannot make a virtual environment: its venv module is missing or incomplete" >&2; \
			echo "  fix: apt-get install python3-venv" >&2; \
			exit 1; \
		}; \
	fi; \
	echo "installing clawgit and its development tools into .venv"; \
	report=$$($(PYTHON) -m pip install --quiet --editable '.[dev]' 2>&1) || { \
		printf '%s\n' "$$report" >&2; \
		echo "error: the packages that pyproject.toml names could not be installed (pip's words stand above)" >&2; \
		echo "  fix: make $(or $(MAKECMDGOALS),test), once the package index can be reached" >&2; \
		exit 1; \
	}; \
	touch $(READY)

.PHONY: gone help demo test slow fast mutants live browser check lint types layers docs docs-check bench soak dist site audit release clean
