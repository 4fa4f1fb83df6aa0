# make play opens the game, make test runs everything; both set up what they need by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.tools
PLAY := $(VENV)/.game
DOCS := $(VENV)/.docs

.PHONY: words play test quick lint browser postgres bench figures strength balance mutation soak same maps load kills client client-check clean

play: $(PLAY)
	$(BIN)/ladoga play

test: $(STAMP) lint browser postgres client-check
	$(BIN)/python -m pytest -n 2 --dist loadfile -q

# The rules, the kernel and what must be true of every game; for the time between two commits.
quick: $(STAMP) lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -q tests/kernel tests/toy tests/assault tests/leningrad1979 tests/leningrad2010 \
		tests/leningrad41 tests/tijvin tests/maps tests/truth

# The browser the tests drive: one that is installed, else Debian's package where we are root, else Playwright's own.
browser: $(STAMP)
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do command -v $$name >/dev/null 2>&1 && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then apt-get -q update && apt-get -q -y install chromium; \
	else $(BIN)/playwright install chromium; fi

# The database the tests start: Debian's package where we are root; they find it by themselves, and say so if it is not there.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then apt-get -q update && apt-get -q -y install postgresql; \
	else echo "NO POSTGRESQL HERE: its tests will be skipped"; fi

lint: $(STAMP)
	$(BIN)/ruff format --check -q src tests tools examples
	$(BIN)/ruff check src tests tools examples
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(STAMP)
	$(BIN)/ladoga bench

# How quick the table is in the browser, game by game.
figures: $(STAMP) browser
	LADOGA_FIGURES=1 $(BIN)/python -m pytest -q tests/browser/test_figures.py

strength: $(STAMP)
	$(BIN)/python -m ladoga.lab.strength --keep .strength --page docs/strength.md

# What the judged figures do to the balance, with the players of today; goes on where it was stopped (.balance).
PLAYER ?= staff
PAIRS ?= 20
balance: $(STAMP)
	$(BIN)/python -m ladoga.lab.balance --player $(PLAYER) $(if $(THINK),--think $(THINK)) --pairs $(PAIRS) --keep .balance --page docs/balance.md \
		--against assault-leningrad no-german-attrition=true --against assault-stalingrad no-german-attrition=true \
		--against leningrad41 defensive-fire-caps=false

mutation: $(STAMP)
	$(BIN)/python tools/mutation.py leningrad --count 60 --tests tests/leningrad1979/test_movement.py tests/leningrad1979/test_combat.py tests/leningrad1979/test_campaign.py

soak: $(STAMP)
	for game in $$($(BIN)/ladoga games | cut -d' ' -f1); do $(BIN)/ladoga simulate $$game --games 300 --workers 2 || exit 1; done
	LADOGA_PATHS=400 $(BIN)/python -m pytest -n 2 -q tests/assault/test_paths.py tests/leningrad41/test_paths.py
	LADOGA_TWINS=60 $(BIN)/python -m pytest -q -s tests/truth/test_twins.py
	LADOGA_WAYS=20000 $(BIN)/python -m pytest -n 2 -q tests/truth/test_ways.py

# That a change of the house changed no game, order by order; BASE is the version it is held against.
same: $(STAMP)
	$(BIN)/python tools/same.py $(if $(BASE),--base $(BASE))

# The drawings of the maps that come with the program; after a change of a map or of the drawing code.
maps: $(STAMP)
	$(BIN)/python tools/maps.py

# 100 and 400 tables at once beside an echo server, and while four generals think; then two servers on PostgreSQL.
load: $(STAMP) postgres
	$(BIN)/python tools/load.py

# Servers killed a thousand times under people who play, lines to the database cut, and every history checked.
kills: $(STAMP) postgres
	$(BIN)/python tools/histories.py --kills 1000 --servers 3
	$(BIN)/python tools/histories.py --kills 200 --sqlite

# Every English text for people, from the rules, the server, the guides and the client, in one file: build/words.json.
words: $(STAMP)
	$(BIN)/python tools/words.py

client: $(STAMP)
	$(BIN)/python tools/client.py build
	cd report && npm ci && npm run build

# Types, tests and style of the client, and that what is built is what is written.
client-check: $(STAMP)
	$(BIN)/python tools/client.py

# The documentation site in build/site; a warning, a link that leads nowhere or a public name left out fails it.
docs: $(DOCS)
	$(BIN)/python tools/docsite.py

# Source archive and wheel in dist/, built twice and compared, installed and tried on every Python at hand.
release: $(STAMP)
	$(BIN)/python tools/release.py

# The game alone for those who play; all tools for those who test.
$(PLAY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Ladoga needs Python 3.11 or newer; say make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $(PLAY)

$(STAMP): $(PLAY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $(STAMP)

$(DOCS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,docs]"
	@touch $(DOCS)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
