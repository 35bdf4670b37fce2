# Two commands do everything on a fresh machine with Python 3.11: `make demo` and `make test`.
# TORCH=cpu takes the build of torch without CUDA, which is several GB smaller.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
# `make serve-demo` starts the server there.
PORT ?= 8000
# Tests run in so many processes, more than there are cores, since servers, browsers and Ray are
# waited for; one that has none left takes over those of another.
WORKERS ?= 4

.PHONY: demo serve-demo sweep desiderata test check clean

.venv/.installed: setup.py
	@echo "== making the environment in .venv (a few minutes; torch is large)"
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip
ifeq ($(TORCH),cpu)
	$(BIN)/pip install --quiet torch torchvision --index-url https://download.pytorch.org/whl/cpu
endif
	$(BIN)/pip install --quiet --editable '.[dev]'
	@touch $@

demo: .venv/.installed
	$(BIN)/python tools/eval.py --model_cfg configs/models/tiny.yaml \
		--recipe_cfg configs/recipes/Shapes/ppl.yaml configs/recipes/Digits/ppl.yaml
	@echo "== next: . $(BIN)/activate, then: chef eval --model_cfg tiny --recipe_cfg Shapes/direct"

sweep: .venv/.installed
	$(BIN)/chef eval sweeps/Shapes

desiderata: .venv/.installed
	-$(BIN)/chef eval tiny desiderata

serve-demo: .venv/.installed
	$(BIN)/python tools/serve_tiny.py --demo --port $(PORT)

test: .venv/.installed
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

check: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
