# Two commands do everything on a fresh machine with Python 3.11: `make demo` and `make test`.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin

.PHONY: demo test check clean

.venv/.installed: setup.py
	@echo "== making the environment in .venv (a few minutes; torch is large)"
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable '.[dev]'
	@touch $@

demo: .venv/.installed
	$(BIN)/python tools/eval.py --model_cfg configs/models/tiny.yaml \
		--recipe_cfg configs/recipes/Shapes/ppl.yaml configs/recipes/Digits/ppl.yaml

test: .venv/.installed
	$(BIN)/pytest

check: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
