# The commands of Lacuna. Each makes .venv and installs what it needs when that is not done yet.
#   PORT=8001 another port      HOST=0.0.0.0 other machines too      PYTHON=python3.13 another interpreter
#   JOBS=0 tests one after the other (as many at once as there are processors)
PORT ?= 8000
HOST ?= 127.0.0.1
ARGS ?=
JOBS ?= auto
DATA := $(or $(LACUNA_DATA_DIR),var)
MANAGE := .venv/bin/python manage.py
PYTEST := scripts/test --numprocesses $(JOBS) --dist loadgroup --durations 20
SQLITE := env -u DATABASE_URL -u CELERY_BROKER_URL
.PHONY: help demo demo-variants serve test test-all test-larger test-live check shape screenshots bench-evaluation bench-judging prepared developed

help:
	@echo "make demo         try Lacuna: the sample collection, demo people, http://localhost:$(PORT)/"
	@echo "make demo-variants     query variants of all profiles for the sample and the profile study, in one to five minutes;"
	@echo "                  brings every assessor 21,500 more holes: better in a folder of its own, LACUNA_DATA_DIR=..."
	@echo "make serve        real use: no demo data; the first researcher: $(MANAGE) createsuperuser"
	@echo "make test         unit and integration tests, and every page once in the browser; ARGS='-k word' for some"
	@echo "make test-all     all tests on SQLite: every browser test, kill -9, servers, speed, many seeds too"
	@echo "make test-larger  what can differ on PostgreSQL, there, with Redis and Celery, started for the tests"
	@echo "make test-live    asks a real model of each family whose key is set, and says what it spent"
	@echo "make check        format, lint, types, import contracts, plan, migrations, deployment, OpenAPI"
	@echo "make shape        files, lines, functions, imports and types of the code beside their goals"
	@echo "make screenshots  the pictures of the documentation, taken on the sample collection, into docs/screenshots"
	@echo "make bench-evaluation  speed of the evaluation engine beside pytrec_eval, into docs/benchmarks.md"
	@echo "make bench-judging     speed of judging on the server of make demo, into docs/benchmarks.md"

demo: prepared
	@$(MANAGE) load_sample
	@exec $(MANAGE) serve --host $(HOST) --port $(PORT)

demo-variants: prepared
	@echo "Query variants and the profile study, into $(DATA): one to five minutes after the sample."
	@$(MANAGE) load_sample --variants
	@$(MANAGE) study start --collection python-docs --kind profiles --plan $(DATA)/profile-study.json --folder $(DATA)/profile-study

serve: prepared
	@exec $(MANAGE) serve --host $(HOST) --port $(PORT)

test: developed
	@$(SQLITE) $(PYTEST) -m "not slow and (smoke or not browser)" $(ARGS)

test-all: developed
	@$(SQLITE) $(PYTEST) $(ARGS)

test-larger: developed
	@scripts/with-services $(PYTEST) -m postgresql $(or $(ARGS),tests/integration tests/browser)

test-live: developed
	@LACUNA_LIVE=1 scripts/test tests/integration/annotate/suggestions/test_services.py $(ARGS)

check: developed
	@scripts/check

shape: developed
	@.venv/bin/python scripts/shape

screenshots: developed
	@LACUNA_SCREENSHOTS=docs/screenshots scripts/test tests/browser/test_journey.py

bench-evaluation: developed
	@env -u OPENBLAS_CORETYPE .venv/bin/python -m benchmarks.evaluation

bench-judging: developed
	@.venv/bin/python -m benchmarks.judging

prepared:
	@scripts/install requirements.lock
	@echo "Preparing the database and the static files ..."
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) collectstatic --no-input --verbosity 0

developed:
	@scripts/install requirements-dev.lock
