# SPDX-License-Identifier: GPL-3.0-or-later
# The targets; `make help` prints the comments that stand behind them.

PYTHON ?= python3
BOARD  ?= 4x15

# What Debian has to bring: the assembler, and what pysimavr is compiled with.
SYSTEM_PACKAGES := avra gcc libc6-dev libelf-dev python3-dev python3-venv

BIN   := .venv/bin
BUILD := $(BIN)/pentavr build --board $(BOARD) --output build

.DEFAULT_GOAL := firmware

.PHONY: firmware
firmware: setup ## build build/pentavr.hex, .map and .lst (BOARD=6x10: its default board)
	@$(BUILD)

.PHONY: run
run: firmware ## print the first solution of BOARD from the emulated chip
	@$(BIN)/pentavr solve $(BOARD)

.PHONY: test
test: firmware ## pass the tests (all set-up included)
	@$(BIN)/pytest

.PHONY: check
check: firmware ## lint, types, and generated files up to date
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

.PHONY: bench
bench: firmware ## measure: the chip's cycles, the host, the solvers in Python
	@$(BIN)/pentavr bench

.PHONY: setup
setup: .venv/.ready ## set up the system packages and .venv, nothing else

.venv/.system:
	@command -v dpkg-query >/dev/null || { mkdir -p .venv; touch $@; exit 0; }; \
	missing=$$(for package in $(SYSTEM_PACKAGES); do \
	    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
	if [ -n "$$missing" ]; then \
	    if [ "$$(id -u)" = 0 ]; then root=; else root="sudo -n"; fi; \
	    $$root true 2>/dev/null \
	        || { echo "Some packages are missing; run: sudo apt-get install $$(echo $$missing)" >&2; exit 1; }; \
	    echo "Installing" $$missing; \
	    { $$root apt-get update -q && $$root env DEBIAN_FRONTEND=noninteractive \
	        apt-get install -q -y --no-install-recommends $$missing; } >.apt.log 2>&1 \
	        || { tail -n 20 .apt.log >&2; rm -f .apt.log; exit 1; }; \
	    rm -f .apt.log; \
	fi; \
	mkdir -p .venv && touch $@

.venv/.ready: .venv/.system pyproject.toml uv.lock
	@test -x $(BIN)/uv || { echo "Setting up .venv"; $(PYTHON) -m venv .venv && $(BIN)/python -m pip install -q uv; }
	@$(BIN)/uv sync -q --locked --inexact
	@touch $@

.PHONY: clean
clean: ## remove what was built
	rm -rf build dist

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
