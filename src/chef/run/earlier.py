"""Find the folder of a run that the same command began earlier, perhaps on another day."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.errors import ChefError
from chef.guard.folder import state_of
from chef.run.configuration import CONFIG, differences, read_config, sample_len
from chef.run.journal import JOURNAL, KEPT
from chef.run.reading import read_json

#: The end of the name of a folder that ``--fresh`` has moved aside.
_ASIDE = re.compile(r"\.old\d+$")


def newest_run(
    place: Path,
    recipes: Sequence[str],
    config: Mapping[str, Any],
    is_made_with: Callable[[Path, Mapping[str, Any]], bool],
) -> Path | None:
    """Return the folder of the same run that was written last; None if there is none.

    It has the same configuration, number of samples, weights and data. A folder that cannot be
    read is passed over: it belongs to no run that could go on.

    Args:
        place: the folder of the run folders of a model and a scenario.
        recipes: the names that the recipe has or had, with which the names of its folders begin.
        config: the configuration, for config.yaml.
        is_made_with: whether a folder, with its environment.json, is that of the same weights and
            data. It is called when the configuration is the same, because weights take time to
            read.
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
