"""Where the runs of a model are written: the folder of each, or the earlier one that goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from chef.common.logs import logger
from chef.common.redaction import redact
from chef.config import ModelSpec
from chef.errors import ChefError, ConfigError
from chef.evaluator import Evaluator
from chef.guard.folder import state_of
from chef.models import Model, lifecycle
from chef.models.base import unseen_attributes
from chef.run.asked_data import has_same_rows
from chef.run.configuration import CONFIG, differences, read_config, sample_len
from chef.run.environment import fingerprints
from chef.run.journal import JOURNAL, KEPT
from chef.run.reading import is_there, read_json
from chef.run.subset import ids_digest
from chef.scoring.result import RESULTS
from chef.scoring.stopping import Stopping
from chef.session.settings import Settings

_log = logger(__name__)
#: The end of the name of a folder that has no other name than the date.
_DATED = r"-\d{8}(_[0-9a-f]{8})?(-\d+)?$"


def run_folders(
    spec: ModelSpec, model: Model, evaluators: Sequence[Evaluator], settings: Settings
) -> list[Path]:
    """The run folder of each recipe: ``<save_dir>/<model>/<scenario>/<recipe>-<name>``.

    Without a name it is the newest folder of the same run; the name of a new one is the date, with
    a number where a run of other settings has that name.
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
        earlier = None if is_chosen else _earlier(spec, model, evaluator, place, settings)
        if earlier is not None and earlier not in taken:
            path = earlier
        elif not is_chosen:
            path = _free(path, evaluator.config(spec), settings)
        if path in taken:
            raise ConfigError(
                f"this recipe has the same run folder as {taken[path].recipe.label}",
                where=str(evaluator.recipe.document.path),
                hint="rename one of the recipes, or run each one with its own --run_name NAME "
                "(Python: name=)",
            )
        taken[path] = evaluator
    return list(taken)


def _earlier(
    spec: ModelSpec, model: Model, evaluator: Evaluator, place: Path, settings: Settings
) -> Path | None:
    """Return the folder in which the same command left answers, today or on another day."""
    if not spec.document.values and unseen_attributes(model, with_state=False):
        return None  # whether this object is the one of yesterday cannot be known

    scenario, name = evaluator.scenario, evaluator.recipe.name

    def is_made_with(folder: Path, known: Mapping[str, object]) -> bool:
        if not _asks_alike(folder, settings):
            return False
        made = fingerprints(lifecycle.fingerprint(model), scenario.fingerprint())
        made["recipe"] = name  # "ppl-" also begins "ppl-CoT-"
        if known.get("recipe") == earlier_name(name):
            made["recipe"] = earlier_name(name)
        others = [key for key, value in made.items() if known.get(key) not in (None, value)]
        rows_tell = others == ["scenario_fingerprint"] and has_same_rows(folder, scenario)
        return not others or rows_tell

    names = [_folder("run", one) for one in (name, earlier_name(name)) if one]
    return newest_run(place, names, evaluator.config(spec), is_made_with)


def _asks_alike(folder: Path, settings: Settings) -> bool:
    """Whether the samples of a folder's results are those of a call, or the first of them.

    Of a run with a name nothing else becomes; others go on to more samples of the same draw, or to
    all of them.
    """
    options, stop = settings.options, Stopping.read(folder)
    if stop is None:  # all samples, or not finished
        return options.items is None or not is_there(folder / RESULTS)
    here = (stop.items is not None, stop.precision is not None)
    call = (options.items is not None, options.precision is not None)
    if is_named(folder, None):
        return here == call if any(call) or settings.is_race else True
    same = (stop.items, stop.precision) == (options.items, options.precision)
    return same and (any(call) or settings.is_race)


def _free(path: Path, config: Mapping[str, object], settings: Settings) -> Path:
    """The path, or with the first number by which no run of other settings is called."""
    free = next(
        place
        for place in _numbered(path)
        if not _other_settings(place, config) and _asks_alike(place, settings)
    )
    if free != path:
        _log.info("%s has a run of other settings; this one is in %s", path, free.name)
    return free


def _numbered(path: Path) -> Iterator[Path]:
    yield path
    for number in count(2):
        yield path.with_name(f"{path.name}-{number}")


def is_named(folder: Path, run_name: str | None) -> bool:
    """Whether the folder of a run ends with that name, or without one with a date."""
    if run_name is None:
        return re.search(_DATED, folder.name) is not None
    return folder.name.endswith(f"-{_folder('run', run_name)}")


def _other_settings(folder: Path, config: Mapping[str, object]) -> bool:
    """Whether a folder has a run whose model file or recipe says something else, plugins aside."""
    if not folder.exists():
        return False
    try:
        changes = differences(read_config(folder), config)
    except (ChefError, OSError, AttributeError):
        return False  # opening it says what is wrong
    return any(change.startswith(("model_cfg", "recipe_cfg")) for change in changes)


#: So many bytes the name of a folder may have: of the 255 of a file system some are left for
#: an end such as ``.old1``.
_LONGEST = 240


def _folder(kind: str, name: str) -> str:
    """``name`` as the name of a folder; `ConfigError` where it would lead out of its place."""
    safe = re.sub(r"[^\w.+()-]", "_", redact(name))
    if not safe.strip("."):
        what = f"{name!r} cannot be the name of a {kind}: its results have a folder"
        raise ConfigError(what, hint="give it a name with a letter or a digit")
    if (length := len(safe.encode())) > _LONGEST:
        raise ConfigError(
            f"'{safe[:40]}...' is too long for the name of a {kind}: {length} bytes",
            hint=f"its results have a folder: give at most {_LONGEST} bytes",
        )
    return safe


#: The end of the name of a mapping; the second part is of overrides.
_DIGEST = re.compile(r"-([0-9a-f]{8}(?:-[0-9a-f]{4})?)$")


def earlier_name(name: str) -> str:
    """What earlier versions called the mapping of that name; empty for other names.

    >>> earlier_name("MME-PPL-9f6b3b0d"), earlier_name("ppl")
    ('dict-9f6b3b0d', '')
    """
    match = _DIGEST.search(name)
    return f"dict-{match[1]}" if match else ""


#: The end of the name of a folder that ``--fresh`` has moved aside.
_ASIDE = re.compile(r"\.old\d+$")


def newest_run(
    place: Path,
    recipes: Sequence[str],
    config: Mapping[str, Any],
    is_made_with: Callable[[Path, Mapping[str, Any]], bool],
) -> Path | None:
    """The folder of the same run that was written last; None if there is none.

    ``recipes`` begin the names of its folders. ``is_made_with`` says whether weights and data are
    the same; it is called where the configuration is, as weights take time to read.
    """
    for folder in _by_last_answer(place, recipes):
        try:
            before = read_config(folder)
            if sample_len(before) != sample_len(config) or differences(before, config):
                continue
            if is_made_with(folder, read_json(folder / "environment.json")):
                return folder
        except (ChefError, OSError, AttributeError):
            continue
    return None


def _by_last_answer(place: Path, recipes: Sequence[str]) -> Iterator[Path]:
    begins = tuple(f"{name}-" for name in recipes)
    found = []
    for folder in place.iterdir() if place.is_dir() else ():
        if not folder.name.startswith(begins) or _ASIDE.search(folder.name):
            continue
        try:
            states = [state_of(folder / name) for name in (JOURNAL, KEPT, CONFIG)]
        except OSError:  # a link, or no file
            continue
        *journals, config = states
        if config is not None and (journal := next(filter(None, journals), None)):
            found.append((journal.st_mtime_ns, folder.name, folder))
    return (folder for *_, folder in sorted(found, reverse=True))
