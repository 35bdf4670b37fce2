"""Where the runs of a model are written: the folder of each, or the earlier one that goes on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from chef.common.redaction import redact
from chef.config import ModelSpec
from chef.config.mapping_name import earlier_name
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.models import Model, lifecycle
from chef.models.base import unseen_attributes
from chef.run.earlier import newest_run
from chef.run.environment import fingerprints
from chef.run.rows import has_same_rows
from chef.run.subset import ids_digest
from chef.session.settings import Settings


def run_folders(
    spec: ModelSpec, model: Model, evaluators: Sequence[Evaluator], settings: Settings
) -> list[Path]:
    """Return the run folder of each recipe: ``<save_dir>/<model>/<scenario>/<recipe>-<name>``.

    Without a name it is the newest folder of the same run; the name of a new one is the date.

    Args:
        spec: the model file.
        model: the model.
        evaluators: of the recipes.
        settings: how they are run.

    Raises:
        ConfigError: two recipes would share a folder.
    """
    today = datetime.now().astimezone().strftime("%Y%m%d")
    if (ids := settings.options.ids) is not None:  # not the folder of the whole run
        today += f"_{ids_digest(ids)[:8]}"
    run_name = settings.name or today
    taken: dict[Path, Evaluator] = {}
    for evaluator in evaluators:
        place = settings.save_dir / _folder("model", model.name)
        place /= _folder("scenario", evaluator.scenario.name)
        path = place / _folder("run", f"{evaluator.recipe.name}-{run_name}")
        is_chosen = settings.name or settings.fresh or (settings.reuse_answers and path.exists())
        earlier = None if is_chosen else _earlier(spec, model, evaluator, place)
        if earlier is not None and earlier not in taken:
            path = earlier
        if path in taken:
            raise ConfigError(
                f"this recipe has the same run folder as {taken[path].recipe.label}",
                where=str(evaluator.recipe.document.path),
                hint="rename one of the recipes, or run each one with its own --run_name NAME "
                "(Python: name=)",
            )
        taken[path] = evaluator
    return list(taken)


def _earlier(spec: ModelSpec, model: Model, evaluator: Evaluator, place: Path) -> Path | None:
    """Return the folder in which the same command left answers, today or on another day."""
    if not spec.document.values and unseen_attributes(model):
        return None  # whether this object is the one of yesterday cannot be known

    scenario, name = evaluator.scenario, evaluator.recipe.name

    def is_made_with(folder: Path, known: Mapping[str, object]) -> bool:
        made = fingerprints(lifecycle.fingerprint(model), scenario.fingerprint())
        made["recipe"] = name  # "ppl-" also begins "ppl-CoT-"
        if known.get("recipe") == earlier_name(name):
            made["recipe"] = earlier_name(name)
        others = [key for key, value in made.items() if known.get(key) not in (None, value)]
        rows_tell = others == ["scenario_fingerprint"] and has_same_rows(folder, scenario)
        return not others or rows_tell

    names = [_folder("run", one) for one in (name, earlier_name(name)) if one]
    return newest_run(place, names, evaluator.config(spec), is_made_with)


def _folder(kind: str, name: str) -> str:
    """Return ``name`` as the name of a folder.

    Raises:
        ConfigError: the name would lead out of its place.
    """
    safe = re.sub(r"[^\w.+()-]", "_", redact(name))
    if not safe.strip("."):
        raise ConfigError(f"{name!r} cannot be the name of a {kind}: its results have a folder")
    return safe
