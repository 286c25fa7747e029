# Two commands do everything: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
.DEFAULT_GOAL := help
.PHONY: help run install test lint bench lock clean

help: ## List the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

run: .venv/runtime ## Install, migrate, load the demo, start the web server and the worker (PORT=8000)
	@python manage.py migrate --verbosity 0
	@python manage.py demo --address http://127.0.0.1:$(PORT)/
	@honcho start --port $(PORT)

install: .venv/development ## Install everything into .venv

test: .venv/development ## Run the tests (skips what the machine lacks and says so)
	@pytest -n 2 --dist loadgroup

lint: .venv/development ## Format, lint, types, migrations, production settings
	@ruff format --check .
	@ruff check .
	@mypy .
	@python manage.py makemigrations --check --dry-run
	@DEBUG=false ALLOWED_HOSTS=touchstone.example SECRET_KEY=$$(python -c 'import secrets; print(secrets.token_urlsafe(60))') \
		python manage.py check --deploy --fail-level WARNING

bench: .venv/development ## Measure what must be fast, as ratios in one run
	@python -m bench

lock: .venv/development ## Write the locks anew from pyproject.toml
	@uv pip compile pyproject.toml --universal --generate-hashes --quiet --output-file requirements.txt
	@uv pip compile pyproject.toml --group dev --universal --generate-hashes --quiet \
		--constraint requirements.txt --output-file requirements-dev.txt

clean: ## Remove the virtual environment and the data of this checkout
	rm -rf .venv var

.venv/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; (3, 11) <= v <= (3, 13) or sys.exit(f"Touchstone needs Python 3.11 to 3.13; $(PYTHON) is {v[0]}.{v[1]}. Name another: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv .venv

.venv/runtime: requirements.txt | .venv/bin/python
	@echo "Installing into .venv (about a minute, the first time only) ..."
	@$(BIN)/python -m pip install --quiet --requirement requirements.txt
	@touch $@

.venv/development: requirements-dev.txt .venv/runtime
	@$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	@touch $@
