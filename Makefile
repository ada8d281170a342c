# nomdev: build, try, test. `make help` lists what there is.

SWIFT   ?= swift
PREFIX  ?= /usr/local
CONFIG  ?= debug
# The dependency check is the architecture test; warnings are errors in Swift and in the C shims.
CHECKS  := --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors -Xcc -Werror
BUILD   := $(SWIFT) build $(CHECKS)
NOMDEV  := .build/$(CONFIG)/nomdev
SOURCES := Sources Tests Package.swift

.DEFAULT_GOAL := help
.PHONY: help deps build demo test ci bench fuzz format lint install clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install what is missing (Debian packages; prints the brew line on macOS)
	@scripts/deps

build: deps ## build the tool
	$(BUILD) -c $(CONFIG) --product nomdev

demo: build ## private PostgreSQL, Nom Nom's migrations, 40 recipes, 58 meals, 5 parties
	$(NOMDEV) seed --reset --yes
	$(NOMDEV) migrate status
	@echo
	@echo "The database runs on. Look into it:   psql \"$$($(NOMDEV) stack env | sed -n 's/^DB_URL=\"\(.*\)\"/\1/p')\""
	@echo "Stop it:                              $(NOMDEV) stack down"

test: ## every test, against real servers
	@scripts/deps tests
	$(SWIFT) test $(CHECKS)

ci: ## what CI runs: tests, formatting, the command line end to end
	.ci/run

lint: ## formatting, as CI checks it
	$(SWIFT) format lint --strict -r $(SOURCES)

format: ## rewrite the sources in the house format
	$(SWIFT) format -i -r $(SOURCES)

bench: deps ## release build, medians, peers side by side
	$(BUILD) -c release --product nomdev
	Benchmarks/run

fuzz: deps ## fuzz the readers of hostile input (libFuzzer), FUZZ_SECONDS for each
	scripts/fuzz $(or $(FUZZ_SECONDS),30)

install: deps ## static release build into PREFIX (default /usr/local)
	$(BUILD) -c release --static-swift-stdlib --product nomdev --scratch-path .build/static
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 .build/static/release/nomdev $(DESTDIR)$(PREFIX)/bin/nomdev
	.build/static/release/nomdev man > $(DESTDIR)$(PREFIX)/share/man/man1/nomdev.1

clean: ## remove what was built (not .nomdev/, which holds data)
	rm -rf .build
