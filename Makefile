# SPDX-License-Identifier: GPL-3.0-or-later
# The targets; `make help` prints the comments that stand behind them.

PYTHON ?= python3
BOARD  ?= 4x15

# What Debian has to bring: the assembler, the debugger, the programming tool, what pysimavr is compiled with, and, for
# tests and benchmarks, the C compiler and the tools that read back what we write. gdb has the Python module of avr-gdb.
SYSTEM_PACKAGES := avra avr-libc avrdude binutils-avr gcc gcc-avr gdb gdb-avr libc6-dev libelf-dev python3-dev python3-venv

BIN   := .venv/bin
BUILD = $(BIN)/pentavr build $(CHIP) --output build

.DEFAULT_GOAL := firmware

.PHONY: firmware
firmware: setup ## build build/pentavr.hex, .map and .lst (BOARD=6x10: its default board)
	@$(BUILD)

.PHONY: run
run: firmware ## print the first solution of BOARD from the emulated chip
	@$(BIN)/pentavr solve $(BOARD)

.PHONY: debug
debug: firmware ## run the firmware in avr-gdb on the emulated chip, BOARD in place
	@$(BIN)/pentavr debug

.PHONY: test
test: firmware ## pass the tests (all set-up included)
	@$(BIN)/pytest

.PHONY: check
check: firmware ## lint, types, and generated files up to date
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/pentavr build --check

.PHONY: bench
bench: firmware ## measure: the chip's cycles, the host, the solvers in Python
	@$(BIN)/pentavr bench

# A real chip. These are taken from the command line alone: PORT and others mean something else in many environments.

#?  MCU=atmega88          the chip: atmega88, atmega88a, atmega88p, atmega88pa, atmega168 or atmega328p
MCU =
#?  CLOCK=crystal         a crystal of 20 MHz, or as F_CPU says; rc: the chip's own oscillator, 8 MHz
CLOCK = crystal
#?  F_CPU=20000000        the clock in Hz, 8000000 with CLOCK=rc
F_CPU = $(if $(filter rc,$(CLOCK)),8000000,$(if $(filter-out crystal,$(CLOCK)),$(error CLOCK=$(CLOCK): crystal or rc)))
#?  BAUD=38400            speed of the serial line; over 2 % off at F_CPU fails the build
BAUD =
#?  PROGRAMMER=usbasp     usbtiny, arduino (with PORT), arduino_as_isp (with PORT), or any that avrdude knows
PROGRAMMER = usbasp
#?  PORT=                 serial port of the programmer: /dev/ttyUSB0, /dev/ttyACM0
PORT =
#?  PROGRAMMER_BAUD=      its speed, if not the usual one: 57600 for older Nano boards
PROGRAMMER_BAUD =
#?  BIT_CLOCK=            microseconds a bit at the ISP pins, over four clocks of the chip (usbasp: 10)
BIT_CLOCK =
#?  BROWN_OUT=4.3         volts that hold the chip in reset: 4.3, 2.7 (with CLOCK=rc), 1.8 or off; for `make fuses`
BROWN_OUT =
#?  EEPROM=erase          keep: EEPROM and the progress in it survive flashing; for `make fuses`
EEPROM = erase
#?  CONFIRM=yes           without it `make fuses` only shows what it would write
CONFIRM =

ON    = $(if $(MCU),--mcu $(MCU))
CHIP  = --board $(BOARD) $(ON) $(if $(F_CPU),--f-cpu $(F_CPU)) $(if $(BAUD),--baud $(BAUD))
TO    = --programmer $(PROGRAMMER) $(if $(PORT),--port $(PORT)) \
        $(if $(PROGRAMMER_BAUD),--programmer-baud $(PROGRAMMER_BAUD)) $(if $(BIT_CLOCK),--bit-clock $(BIT_CLOCK))
FUSES = --clock $(CLOCK) $(if $(BROWN_OUT),--brown-out $(BROWN_OUT)) --eeprom $(EEPROM) \
        $(if $(CONFIRM),--confirm $(CONFIRM))

.PHONY: flash
flash: setup ## write the firmware to a real chip and read it back, its fuses untouched
	@$(BIN)/pentavr flash $(CHIP) $(TO)

.PHONY: verify
verify: setup ## compare a real chip with what `make flash` would write
	@$(BIN)/pentavr flash --verify $(CHIP) $(TO)

.PHONY: read-fuses
read-fuses: setup ## show the fuses of a real chip, bit by bit
	@$(BIN)/pentavr fuses $(ON) $(TO)

.PHONY: fuses
fuses: setup ## show the fuses for CLOCK, BROWN_OUT and EEPROM; with CONFIRM=yes write them
	@$(BIN)/pentavr fuses --write $(FUSES) $(ON) $(TO)

.PHONY: size
size: firmware ## tell how much Flash and SRAM is used and left
	@$(BIN)/pentavr size

.PHONY: setup
setup: .venv/.ready ## set up the system packages and .venv, nothing else

.venv/.system: Makefile
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
	@echo; echo "Options of a build and for a real chip, with their defaults, as in make flash MCU=atmega328p:"
	@awk '/^#[?]/ { print substr($$0, 3) }' $(MAKEFILE_LIST)
