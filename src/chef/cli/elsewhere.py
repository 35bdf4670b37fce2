"""Options of other tools: those that are understood, and what stands here for the others."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from chef.cli.options import Input

#: Options of other tools, and what stands for them here.
INSTEAD = {
    "cfg": "--recipe_cfg",
    **dict.fromkeys(
        ("output_path", "output_dir", "output", "work_dir", "log_dir", "out"), "--save-dir"
    ),
    **dict.fromkeys(("max_samples", "num_samples", "n_samples", "sample", "n"), "--limit"),
    **dict.fromkeys(("gpus", "num_gpus", "num_processes", "nproc"), "--workers"),
    **dict.fromkeys(("use_cache", "cache"), "--response-cache"),
    "pretrained": "--model_cfg hf:owner/name",
    "max_new_tokens": "eval_cfg.inferencer_cfg.max_new_tokens=N",
    **dict.fromkeys(
        ("answer", "question", "image", "images", "columns", "answer_column", "question_column"),
        "'scenario_cfg.columns={answer: COLUMN}' for a column of a table; `chef list TABLE` shows "
        "what became of each",
    ),
    "metric": "eval_cfg.metric_cfg.metric_type=NAME, or `chef score RUN --metric NAME` later",
    "temperature": "eval_cfg.inferencer_cfg.temperature=T",
    **dict.fromkeys(("report", "html"), "--page"),
    "budget": "--limit",
    "trust_remote_code": "model_cfg.trust_remote_code=true",
    "apply_chat_template": "the chat template of the checkpoint; it is always applied",
    **dict.fromkeys(("wandb_args", "hf_hub_log_args"), "chef show RUN --export csv, after the run"),
    **dict.fromkeys(("recipes", "metrics", "benchmarks"), "it without hyphens: chef list recipes"),
    **dict.fromkeys(("last", "latest"), "chef show, which lists the runs by date"),
    **dict.fromkeys(
        ("verbose", "debug_level", "verbosity"),
        "the command without it; --traceback tells more of an error",
    ),
    "resume": "the same command again; it goes on where it stopped",
    # Not the beginning of --reuse-answers, which keeps the answers of another configuration.
    "reuse": "the same command without it goes on where it stopped",
    "mode": "the command without it asks and scores; `chef score RUN` scores again",
    "write_out": "--dry-run",
    "predict_only": "the command without it; a metric can be changed later: `chef score RUN`",
    "include_path": "the path of the file in the place of its name: chef eval MODEL my.yaml",
    **dict.fromkeys(("shots", "num_shots", "few_shot", "fewshot"), "--num_fewshot N"),
    **dict.fromkeys(("api_nproc", "num_concurrent"), "model_cfg.max_in_flight=N"),
    **dict.fromkeys(("retry", "max_retries"), "model_cfg.max_attempts=N"),
    "ignore": "--keep-going",
    "sort": "the command without it; the newest run comes first",
}
#: What arguments of generation are called in lm-eval, and here.
_GENERATION = {"max_gen_toks": "max_new_tokens", "max_tokens": "max_new_tokens"}
_INFERENCER = "eval_cfg.inferencer_cfg."
_EXAMPLES = "eval_cfg.instruction_cfg.incontext_cfg"


def recipes(given: argparse.Namespace) -> list[str]:
    """What ``--tasks a,b`` and ``--data A B`` ask."""
    return [name for item in given.tasks for name in item.split(",") if name]


def expand_evaluation(given: argparse.Namespace, save_dir: str) -> None:
    """Put what ``evaluation.yaml`` of ChEF's first generation names in its place, after options.

    Its keys are ``model``, ``recipe``, ``save_dir``; paths begin in the current folder, else its
    own.
    """
    if len(given.words) != 1 or given.recipe_cfg:
        return
    file = Path(given.words[0])
    if file.suffix not in (".yaml", ".yml"):
        return
    from chef.config.document import read_document
    from chef.guard.files import problem_of

    if problem_of(file) is not None:
        return
    values = read_document(file).values
    if not {"model", "recipe"} <= {*values} <= {"model", "recipe", "save_dir"}:
        return
    models, recipes = (_listed(values[key], file.parent) for key in ("model", "recipe"))
    given.model_cfg, given.recipe_cfg, given.words = given.model_cfg or models, recipes, []
    if given.save_dir == save_dir:
        given.save_dir = str(values.get("save_dir", save_dir))


def _listed(value: object, folder: Path) -> list[str]:
    """The files or names that a key holds, one or a list; a file beside the one that names it."""
    items: Sequence[object] = value if isinstance(value, list | tuple) else [value]
    names = [str(item) for item in items]
    return [
        str(folder / name) if not Path(name).exists() and (folder / name).exists() else name
        for name in names
    ]


def overrides(given: argparse.Namespace) -> Iterator[str]:
    """What ``--num_fewshot`` and ``--gen_kwargs`` are as overrides."""
    if given.num_fewshot is not None:
        examples = f"{{retriever_type: random, ice_num: {given.num_fewshot}}}"
        yield f"{_EXAMPLES}={examples if given.num_fewshot else 'null'}"
    yield from given.gen_kwargs


def model_args(text: str) -> list[str]:
    """``k=v,k=v`` of ``--model_args`` as overrides; ``pretrained`` is the path of the model.

    >>> model_args("pretrained=o/n,dtype=float16")
    ['model_cfg.model_path=o/n', 'model_cfg.dtype=float16']
    >>> model_args("size={at: [1,2]}")
    ['model_cfg.size={at: [1,2]}']

    Raises:
        argparse.ArgumentTypeError: an item is not ``key=value``.
    """
    return [
        f"model_cfg.{'model_path' if key == 'pretrained' else key}={value}"
        for key, value in _pairs(text)
    ]


def _generation(text: str) -> list[str]:
    """The same of ``--gen_kwargs``, whose keys are those of the inferencer; sampling is implied."""
    return [
        f"{_INFERENCER}{_GENERATION.get(key, key)}={value}"
        for key, value in _pairs(text)
        if key != "do_sample"
    ]


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for item in filter(None, map(str.strip, _split(text))):
        key, equals, value = item.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"'{item}' is not key=value")
        yield key, value


def _split(text: str) -> list[str]:
    """Split at commas, but not at those within brackets."""
    items, depth = [""], 0
    for letter in text:
        depth += (letter in "[{(") - (letter in "]})")
        if letter == "," and depth == 0:
            items.append("")
        else:
            items[-1] += letter
    return items


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of examples")
    return int(text)


def folded(option: str) -> str:
    """An option as it is compared: hyphens and underscores are alike."""
    return option.replace("-", "_").lower()


#: The options of lm-eval and VLMEvalKit that mean something here.
UNDERSTOOD = (
    Input("--tasks --task --data --dataset", argparse.SUPPRESS, "NAME", several=True,
          how={"dest": "tasks"}),
    Input("--num_fewshot", argparse.SUPPRESS, "N", _number),
    Input("--gen_kwargs", argparse.SUPPRESS, "K=V", _generation, [], how={"action": "extend"}),
    Input("--log_samples", argparse.SUPPRESS),  # they always are
)  # fmt: skip
