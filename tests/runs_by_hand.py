"""Tiny run folders, written from a list of scores without a model."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from chef.common.writing import write_json
from chef.guard.trust import seal
from chef.run.answers import encode
from chef.run.configuration import CONFIG, read_config
from chef.scoring.override import MetricOverride
from chef.scoring.record import RunRecord
from chef.scoring.run_folder import Prepared
from chef.types import Prediction, Status

#: Scores as letters: right, wrong, unread, error.
Outcomes = Mapping[str, str]


def outcomes(text: str, prefix: str = "q") -> dict[str, str]:
    """``{"q0": "R", "q1": "W"}`` of ``"RW"``: R is right, W wrong, U unread, E an error."""
    return {f"{prefix}{number}": letter for number, letter in enumerate(text)}


def prediction(name: str, outcome: str, **sample: Any) -> Prediction:
    """The answer to a question with two options, of which the first is right."""
    record = {
        "id": name, "question": f"What is {name}?", "options": ["yes", "no"],
        "choices": ["yes", "no"], "gt_answers": "yes", "gt_choice": 0, **sample,
    }  # fmt: skip
    if outcome == "E":
        error = {"type": "RuntimeError", "message": "out of order"}
        return Prediction(name, Status.ERROR, sample=record, error=error)
    answer = {"R": "yes", "W": "no", "U": "perhaps a potato"}[outcome]
    images = ({"name": name, "digest": f"digest of {name}"},)
    return Prediction(name, Status.OK, answer, sample=record, images=images)


def write_run(
    folder: Path,
    given: Outcomes,
    *,
    model: str = "one",
    name: str = "ppl-1",
    samples: Mapping[str, Mapping[str, Any]] | None = None,
    settings: Mapping[str, Any] | None = None,
    metric: Mapping[str, Any] | None = None,
    environment: Mapping[str, Any] | None = None,
    also: Sequence[Prediction] = (),
) -> Path:
    """Write a finished run folder, scored by the metric Accuracy or another one.

    Args:
        folder: where results are.
        given: the outcome of each sample.
        model: the name of the model.
        name: the name of the run folder.
        samples: fields of the records of samples, by id.
        settings: keys of config.yaml with dots, such as ``run.seed``.
        metric: the section of the metric.
        environment: keys of environment.json.
        also: lines of the journal besides.
    """
    path = folder / model / "ByHand" / name
    path.mkdir(parents=True)
    config = OmegaConf.create(
        {
            "model_cfg": {"model_name": model},
            "recipe_cfg": {
                "compat": "corrected",
                "scenario_cfg": {"dataset_name": "ByHand"},
                "eval_cfg": {"metric_cfg": dict(metric or {"metric_type": "Accuracy"})},
            },
            "run": {"sample_len": None, "seed": 0},
        }
    )
    for key, value in (settings or {}).items():
        OmegaConf.update(config, key, value)
    (path / "config.yaml").write_text(OmegaConf.to_yaml(config))
    answers = [
        prediction(one, outcome, **(samples or {}).get(one, {})) for one, outcome in given.items()
    ]
    (path / "predictions.jsonl").write_bytes(b"".join(map(encode, [*answers, *also])))
    write_json(path / "environment.json", {"scenario_fingerprint": "f00d", **(environment or {})})
    score_run(path)
    return path


def make_own(path: Path) -> None:
    """Sign a run folder, as that of the user who runs the tests."""
    seal(path, CONFIG, read_config(path))


def score_run(path: Path) -> None:
    """Write results.json and scores.jsonl."""
    record = RunRecord.load(path)
    quiet = logging.getLogger("chef")
    level, _ = quiet.level, quiet.setLevel(logging.ERROR)  # that no scenario is called ByHand
    from chef.report.load import load_run

    answers = {item.sample_id: item for item in load_run(path).predictions}
    prepared = Prepared.of_answers(record, answers, MetricOverride())
    quiet.setLevel(level)
    (made, *_) = prepared.runs
    report = made.score(prepared.answers, None, path)
    made.write_files(
        made.result(report, file=path / "results.json", answer_path="predictions.jsonl")
    )
