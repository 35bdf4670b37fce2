"""The arguments of ``chef eval``: a model, what it is asked, and how."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from chef.cli import elsewhere
from chef.cli.options import (
    OPEN,
    TRACEBACK,
    Command,
    EvalOptions,
    Input,
    by,
    is_override,
    json,
)
from chef.cli.parser import Parser
from chef.common.checked import points, seconds
from chef.common.text import typed
from chef.errors import ConfigError, similar

_EXAMPLES = """\
examples:
  chef eval tiny Shapes/ppl                         a model and a recipe of chef
  chef eval my_model.yaml my.yaml mmbench_dev_en my.csv
                                                    files, a benchmark, a table
  chef eval hf:llava-hf/llava-1.5-7b-hf pope        a checkpoint of the hub
  ... scenario_cfg.size=9 model_cfg.dtype=bfloat16  any key of the files
  chef eval tiny privacy/p3-infoflow                a task of MMTrustEval
  chef eval tiny desiderata                         a suite: six scores
  chef eval sweeps/Shapes                           a sweep: what decides?
  chef eval --race Shapes/ppl --model_cfg a b       until the better is known

exit codes: 0 done, 1 some samples failed, 2 bad input, 3 the run failed
"""
#: The options that ``--help`` shows; ``--help-all`` shows all.
_USUAL = ("words", "sample_len", "judge_cfg", "precision", "race", "by", "page", "dry_run",
          "save_dir", "device", "workers", "help", "help_all")  # fmt: skip


def _whole(least: int, most: int, what: str) -> Callable[[str], int]:
    """Reads a whole number within bounds; ``what`` it has to be, for messages."""

    def number(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is {what}")
        return int(text)

    return number


_positive = _whole(1, sys.maxsize, "not a positive number")


def sample_count(text: str) -> int:
    """A number of samples, -1 for all."""
    if text != "-1" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(
            f"'{text}' is neither a positive number nor -1 (all)"
            "\n  -> it counts samples: --limit 100; without it all are asked"
        )
    return int(text)


def _seconds(text: str) -> float:
    try:
        return seconds(float(text), "--timeout")
    except (ValueError, ConfigError):
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number") from None


def _points(text: str) -> float:
    try:
        return points(float(text), "--precision")
    except (ValueError, ConfigError):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0 and below 50") from None


def _batch_size(text: str) -> int | None:
    number = _whole(1, sys.maxsize, "neither 'auto' nor a positive number")
    return None if text == "auto" else number(text)


_NAMES = (
    Input("--model_cfg --model --model-id", "YAML file(s) of the model, names of chef's own, or "
          "hf:owner/name; one is loaded after the other", "FILE", several=True),
    Input("--model-args", "keys of all models: the same as model_cfg.K=V", "K=V,K=V",
          elsewhere.model_args),
    Input("--recipe_cfg --recipe --config", "what is asked, as the words after the model name it: "
          "Shapes/ppl, my.yaml, my.csv", "FILE", several=True),
    Input("--judge_cfg --judge", "model file(s) of the judge(s), names of chef's own, or a file "
          "with the section judge_cfg; judge_cfg.key=value sets its keys (kind, when, wording, "
          "rubric, ...)", "FILE", several=True),
    Input("--allow", "ask a table though no column is known to hold images (text-only) or answers "
          "(unscored), and columns are left over", "WORD", several=True,
          how={"choices": ["text-only", "unscored"]}),
)  # fmt: skip
_WORDS = (
    Input("words", "the model and what it is asked, or a key of the recipes; of the models as "
          "model_cfg.key=value; NAME:key=value is for one of them, for example "
          "Shapes/ppl:scenario_cfg.size=10", "MODEL WHAT|key=value", default=[],
          how={"nargs": "*"}),
    Input("--data-root", "the folder with VLMEvalKit's benchmarks and your own, NAME.tsv "
          "(default: $LMUData, else ~/LMUData), or with MMTrustEval's data (default: "
          "$CHEF_MMTRUST_DATA, else data)", "DIR"),
    Input("--dataset-id", "the data sets of tasks, instead of the one of the file; all: those of "
          "the benchmark", "ID", several=True, how={"dest": "datasets"}),
    Input("--cfg-options", argparse.SUPPRESS, "KEY", several=True),
)  # fmt: skip
#: How many samples are asked.
_SUBSET = (
    Input("--limit --sample-len", "number of samples, drawn at random (-1: all); each of the "
          "--samples K of a question and each rotation of a circular one counts, and questions "
          "are asked whole", "N", sample_count, -1, how={"dest": "sample_len"}),
    Input("--ids", "ask these samples alone: ids, or a file (.txt) with one a line, as "
          "`chef show RUN --wrong --save-ids FILE` writes it", "ID|FILE", several=True),
    Input("--debug", "32 samples, instead of --limit"),
    Input("--samples", "K sampled answers to each question, with pass@k and the majority's "
          "answer: the same as scenario_cfg.samples=K; it needs a temperature", "K", _positive, 0),
    Input("--seed", "random seed of the subset and of sampled generation (default 0)", "SEED",
          _whole(0, 2**32 - 1, "not a number from 0 to 2^32 - 1"), 0),
)  # fmt: skip
#: When a run ends before all its samples are asked.
_PRECISION = (
    Input("--precision", "end the run when the 95%% interval of its first figure is within so "
          "many points to each side; the same command without it goes on", "POINTS", _points),
    Input("--items", "ask N samples, those on which earlier runs disagree first, and estimate the "
          "first figure of all of them", "N", _positive),
    Input("--from", "the earlier runs, or folders of them, by which --items, --precision and "
          "--race draw samples and predict their scores (--items alone: those of other models in "
          "--save-dir)", "RUN", several=True, how={"dest": "earlier"}),
    Input("--plan", "ask nothing; say how many samples tell the score within so many points, and "
          "two models that are so far apart, by earlier runs in --save-dir; of a sweep, whether "
          "more questions, wordings or seeds do", "POINTS", _points),
)  # fmt: skip
_PLACE = (
    Input("--save-dir", "folder of all results (default: results); s3://BUCKET/PREFIX, file:// or "
          "memory://: an object store, which keeps a run in parts of --shard-size samples",
          "DIR|URL", default="results"),
    Input("--shard-size", "samples of a part in an object store, on average (default: 10000)", "N",
          int, 10_000),
    Input("--run-name --time", "name of the run; a run of the same name is resumed (default: go "
          "on with the newest run of the same configuration, or start one named by the date)",
          "NAME", how={"dest": "time"}),
)  # fmt: skip
#: What becomes of results that are there.
_EARLIER = (
    Input("--fresh", "move the folder of this run aside (NAME.old1) and ask everything again"),
    Input("--reuse-answers", "keep the answers in the folder of this run, though a plugin, a key, "
          "weights or data have changed; environment.json records it"),
)  # fmt: skip
_HOW = (
    Input("--batch-size", "samples in a batch (default: auto; a recipe's batch_size counts where "
          "answers depend on it)", "N|auto", _batch_size),
    Input("--device", "cpu, cuda, cuda:1, ... (default: the model file's)", "DEVICE"),
    Input("--dtype", "auto, float32, bfloat16, float16", "DTYPE"),
    Input("--workers", "number of replicas of the model, each in its own process and on its own "
          "GPU", "N", _positive),
    Input("--ray-address", "run the workers on this Ray cluster (or: auto)", "ADDR"),
    Input("--response-cache", "keep generated replies there for later calls (default: for this "
          "call only)", "DIR", Path),
    Input("--timeout", "the most a call of the model may take; the sample at fault is an error. A "
          "call that waits outside of Python stops the run, or with --workers its worker "
          "(default: no limit)", "SECONDS", _seconds),
    Input("--verify", "check the fast scorer against the reference on K samples before the run",
          "K", _positive, 0),
    Input("--log-prompts", "record what is sent to the model, after its chat template, in "
          "predictions.jsonl"),
    Input("--keep-going", "a model or a recipe that fails does not stop the others; the exit code "
          "tells"),
    by(),
    Input("--page", "write report.html in the folder of each run at the end, with every sample; "
          "of several runs also overview.html (`chef show RUN --page` does the same later)"),
    OPEN,
    TRACEBACK,
)  # fmt: skip
_RACE = (
    Input("--race", "ask all models the same samples until one is better; those that are clearly "
          "worse leave. All intervals hold together, at every look"),
    Input("--on", "where the winner is better: on all questions like these, of which the "
          "benchmark is a sample (default), or on the samples of this benchmark, which takes "
          "fewer of them", default="questions",
          how={"action": "store", "choices": ["questions", "benchmark"]}),
)  # fmt: skip
_MEMORY = (
    Input("--one-at-a-time", "free the memory of each model after its turn (default: where "
          "several run on a GPU)"),
    Input("--keep-loaded", "keep all models in memory, also on a GPU"),
)  # fmt: skip
_WRITTEN = (
    Input("--csv", "write the combinations of a sweep to a table", "FILE", Path),
    json("the result of a race, a sweep or a suite"),
    Input("--chef-results", "write the result files of ChEF's desiderata, too, in its key names, "
          "of a suite that says which of its members they are made of"),
)  # fmt: skip
_LOOK = (
    Input("--dry-run", "check everything and show every query of the first sample; no model is "
          "loaded (plugins that the files name are imported, so their code runs)"),
    Input("--list", "the same as `chef list`"),
)  # fmt: skip
COMMAND = Command(
    "Ask a MODEL what is named after it: recipes, benchmarks, tables, tasks, or "
    "a sweep. Every answer is saved at once; the same command goes on where it stopped.",
    _EXAMPLES,
    {
        "what to run": (*_NAMES, *elsewhere.UNDERSTOOD, *_WORDS, *_SUBSET, *_PRECISION),
        "where results go": (*_PLACE, _EARLIER),
        "how to run": _HOW,
        "a race of several models, a sweep and a suite": (*_RACE, _MEMORY, *_WRITTEN),
        "look without running": _LOOK,
    },
    "chef eval MODEL WHAT ... [key=value ...] [options]",
    _USUAL,
)


def eval_options(given: argparse.Namespace, parser: Parser) -> EvalOptions:
    """The options of ``chef eval``, with models, recipes and overrides told apart."""
    elsewhere.expand_evaluation(given, parser.get_default("save_dir"))
    # argparse parses an override right after --model_cfg, --recipe_cfg or --by as part of it.
    files = [*given.model_cfg, *given.recipe_cfg, *given.judge_cfg, *given.by, *given.ids,
             *given.words]  # fmt: skip
    models, recipes, judges, words = (
        [item for item in items if not is_override(item)]
        for items in (given.model_cfg, given.recipe_cfg, given.judge_cfg, given.words)
    )
    overrides = [item for item in (*files, *given.cfg_options) if is_override(item)]
    if "=" in [*models, *recipes, *judges, *words, *overrides]:
        parser.error(
            "an override has no spaces around '='\n  -> write for example scenario_cfg.size=100"
        )
    recipes += elsewhere.recipes(given)
    if not recipes and len(words) < (1 if models else 2):
        recipes = _named_by(overrides, [*models, *words])
    if (
        not (models or given.race)
        and words
        and (words[1:] or recipes)
        and not names_model(words[0])
    ):
        models = [words.pop(place_of_model(words))]
    recipes = [*words, *recipes]
    if not given.list and not (given.race and recipes):  # a race says what it lacks
        _check_what(models, recipes, parser)
    if given.verify and (given.workers is not None or given.ray_address is not None):
        parser.error(
            "--verify runs in one process\n  -> leave out --verify, or --workers and --ray-address"
        )
    _check_overrides(overrides, recipes, parser)
    overrides += [*(given.model_args or []), *elsewhere.overrides(given)]
    overrides += [f"scenario_cfg.samples={given.samples}"] if given.samples else []
    return _options(given, models, recipes, judges, overrides)


def _named_by(overrides: Sequence[str], models: Sequence[str]) -> list[str]:
    """What is asked by ``WHAT:key=value`` alone, where nothing else names it."""
    heads = [item.partition("=")[0].rpartition(":")[0] for item in overrides]
    names = [name for name in dict.fromkeys(heads) if name and name not in models]
    if not names:
        return []
    from chef.config.lookup import is_what

    return [name for name in names if is_what(name)]


def _check_overrides(overrides: Sequence[str], recipes: Sequence[str], parser: Parser) -> None:
    """Refuse an override that is spelt like an option, unless a suite calls a value like that."""
    for item in overrides:
        is_of_task = item.startswith(("dataset_id=", "model_id="))
        if is_of_task or not (option := parser.option_of(item)):
            continue
        from chef.suite.members.file import value_names

        if not any(item.partition("=")[0] in value_names(name) for name in recipes):
            _check_suites(recipes, parser)
            parser.error(f"'{item}' is no key of a recipe\n  -> did you mean {option}?")


def _check_suites(names: Sequence[str], parser: Parser) -> None:
    """Refuse a name that is nothing, and nearly that of a suite, whose values may follow it."""
    from chef.config.lookup import is_what
    from chef.config.shipped import shipped_names

    for name in names:
        near = similar(name, shipped_names("suites"))
        if near and not is_what(name):
            parser.error(f"{name}: no such file\n  -> did you mean '{near}'?")


def _check_what(models: Sequence[str], recipes: Sequence[str], parser: Parser) -> None:
    """Refuse a command without something to ask, or without a model where one is needed."""
    if recipes and (models or all(names_model(item) for item in recipes)):
        return
    from chef.config.lookup import is_model
    from chef.config.name_hints import missing
    from chef.guard.files import problem_of

    for item in () if models else recipes:
        if item.endswith((".yaml", ".yml")) and problem_of(item) == "no such file":
            error = missing(item, ("recipes",))
            parser.error(f"{item}: {error.what}\n  -> {error.hint}")
    if candidates := models or [item for item in recipes if is_model(item)]:
        problem = f"nothing is asked of {candidates[0]}"
        hint = f"name it after the model: chef eval {typed(candidates[0])} Shapes/ppl"
    elif recipes:
        problem = f"no model is named for {recipes[0]}"
        hint = f"name it first: chef eval tiny {' '.join(map(typed, recipes))}"
    else:
        problem, hint = "no model is named", "for example: chef eval tiny Shapes/ppl"
    parser.error(f"{problem}\n  -> {hint}; `chef list` shows what there is")


def place_of_model(words: Sequence[str]) -> int:
    """Where the model stands: first, or last as in ``chef eval Shapes/ppl tiny``."""
    from chef.config.lookup import is_model

    return -1 if len(words) > 1 and not is_model(words[0]) and is_model(words[-1]) else 0


def names_model(word: str) -> bool:
    """Whether something names the models that it is asked of, as tasks and sweeps do."""
    from chef.config.lookup import form_of

    return form_of(word) in ("task", "sweep")


def _options(
    given: argparse.Namespace,
    models: Sequence[str],
    recipes: Sequence[str],
    judges: Sequence[str],
    overrides: Sequence[str],
) -> EvalOptions:
    values: dict[str, Any] = {
        field.name: tuple(value) if isinstance(value, list) else value
        for field in fields(EvalOptions)
        if (value := getattr(given, field.name, None)) is not None
    }
    sample_len = 32 if given.debug else given.sample_len
    values |= {
        "model_cfg": tuple(dict.fromkeys(models)),
        "recipe_cfg": tuple(dict.fromkeys(recipes)),
        "judge_cfg": tuple(dict.fromkeys(judges)),
        "save_dir": Path("results" if "://" in given.save_dir else given.save_dir),
        "store": given.save_dir if "://" in given.save_dir else None,
        "sample_len": None if sample_len < 0 else sample_len,
        "ids": tuple(item for item in given.ids if not is_override(item)),
        "by": tuple(item for item in given.by if not is_override(item)),
        "overrides": tuple(overrides),
        "page": given.page or given.open,
    }
    return EvalOptions(**values)
