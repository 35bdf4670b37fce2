"""Answers of an earlier run of other data of the session, for the rows that both have.

A table of the running session is a file named by its content, so with a row more it is another
file, with a run folder of its own. What was answered of the other rows is not asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chef.common.logs import logger
from chef.common.yaml_text import within
from chef.errors import ChefError
from chef.evaluator import Evaluator
from chef.guard.folder import state_of
from chef.models import Model, lifecycle
from chef.models.base import unseen_attributes
from chef.run.asked_data import ROWS, store_rows
from chef.run.configuration import CONFIG, differences, read_config
from chef.run.environment import TAKEN
from chef.run.folder import RunFolder
from chef.run.journal import JOURNAL, load_predictions
from chef.run.reading import read_json
from chef.scenario.table.session import is_stored
from chef.session.folders import is_named
from chef.types import Prediction, Status

_log = logger(__name__)
_AT = ("recipe_cfg", "scenario_cfg")
#: So many runs, the newest first, are looked at.
_MOST = 30


def take_answers(
    folder: RunFolder,
    evaluator: Evaluator,
    model: Model,
    config: Mapping[str, Any],
    run_name: str | None,
) -> None:
    """Journal, in a new folder, the answers of the newest run that asked the same of equal rows.

    It is one of the same ``run_name``: another name asks everything again.

    Not with in-context examples, which may be any rows; nor of a model object that may be another
    one than then.
    """
    section = within(config, _AT)
    if folder.finished or not is_stored(section) or evaluator.recipe.incontext is not None:
        return
    if not config["model_cfg"].keys() - {"model_name"} and unseen_attributes(
        model, with_state=False
    ):
        return
    fingerprint, now = lifecycle.fingerprint(model), evaluator.scenario.row_digests()
    wanted = set(evaluator.ids)
    for place in _runs(folder.path, run_name):
        try:
            answers = list(_same(place, config, fingerprint, now, wanted))
        except (ChefError, OSError, AttributeError):
            continue
        if answers:
            break
    else:
        return
    for answer in answers:
        folder.append(answer)
    store_rows(folder, evaluator.scenario, now)
    folder.write_json("environment.json", {TAKEN: {"from": str(place), "answers": len(answers)}})
    _log.info(
        "%s: %d answers are those of %s, whose rows are the same", folder.path, len(answers), place
    )


def _same(
    place: Path,
    config: Mapping[str, Any],
    fingerprint: str,
    now: Mapping[str, str],
    wanted: set[str],
) -> Iterator[Prediction]:
    """The answers of a run, asked in the same way of the same model, whose rows are as now."""
    before = read_config(place)
    section = within(before, _AT)
    path = within(config, _AT)["path"]
    if not is_stored(section) or section["path"] == path:
        return
    section["path"] = path
    if differences(before, config):
        return
    if read_json(place / "environment.json").get("model_fingerprint") != fingerprint:
        return
    rows = read_json(place / ROWS).get("rows", {})
    for name, answer in load_predictions(place / JOURNAL).items():
        is_same = name in wanted and rows.get(name) == now.get(name)
        if is_same and answer.status is not Status.ERROR:
            yield answer


def _runs(folder: Path, run_name: str | None) -> list[Path]:
    """The other runs of the model and of that name, or without one, the newest first."""
    places = [
        (state.st_mtime_ns, place)
        for data in folder.parent.parent.iterdir()
        if data.is_dir()
        for place in data.iterdir()
        if place != folder
        and is_named(place, run_name)
        and (state := state_of(place / CONFIG)) is not None
    ]
    return [place for _, place in sorted(places, reverse=True)[:_MOST]]
