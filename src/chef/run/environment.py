"""The provenance of a run for environment.json: versions, machine, fingerprints, its command."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from chef.common import version
from chef.common.redaction import redact, redact_data
from chef.config.code_digest import of_code
from chef.config.document import Document
from chef.config.shipped import Kind, shipped
from chef.errors import ConfigError
from chef.guard.trust import seal
from chef.run.folder import CHANGED, REUSED, RunFolder

#: The key of environment.json for the recipe's file: relative paths in it begin at its folder.
RECIPE_FILE = "recipe_file"
#: The key of environment.json for the judges of a run, and how they are asked.
JUDGING = "judging"
_PACKAGES = (
    "torch",
    "torchvision",
    "transformers",
    "tokenizers",
    "sentence-transformers",
    "open_clip_torch",
    "faiss-cpu",
    "numpy",
    "pillow",
    "omegaconf",
)


#: The key of environment.json for the run that had answers to rows of this one already.
TAKEN = "taken_answers"


def provenance(
    recipe: Path,
    model_fingerprint: str,
    scenario_fingerprint: str,
    folder: RunFolder,
    is_other_data: bool | None = None,
) -> dict[str, Any]:
    """The content of environment.json: versions, machine, fingerprints, earlier sessions.

    ``is_other_data`` is what the rows tell; None: fingerprints are compared. ConfigError: the
    answers in the folder were made with another model or other data.
    """
    made_with = fingerprints(model_fingerprint, scenario_fingerprint)
    model_fingerprint, scenario_fingerprint = made_with.values()
    before = folder.read_json("environment.json")
    model = "the model (its code, its settings or its weights) has"
    refuse_change(model, before.get("model_fingerprint"), model_fingerprint, folder)
    if is_other_data is None:
        recorded = before.get("scenario_fingerprint")
        is_other_data = recorded is not None and recorded != scenario_fingerprint
    refuse_change("the data files have", False, is_other_data, folder)
    after = folder.read_json("environment.json")
    if after != before:  # a change was accepted, and is not to be accepted again
        folder.write_json("environment.json", {**after, **made_with})
    file = {RECIPE_FILE: str(recipe.resolve())} if recipe.is_file() else {}
    earlier = {"sessions": after.get("sessions", [])}
    if file and folder.is_own:
        seal(folder.path, RECIPE_FILE, file[RECIPE_FILE])
    known = {"recipe": recipe.stem, **file, **made_with, **earlier}
    return {**describe_environment(), **known, **reuse_record(folder)}


def reuse_record(folder: RunFolder) -> dict[str, Any]:
    """Return what environment.json says of kept answers and of judges, which outlives a session."""
    before = folder.read_json("environment.json")
    return {key: before[key] for key in (REUSED, JUDGING, TAKEN) if key in before}


def fingerprints(model: str, scenario: str) -> dict[str, str]:
    """Return the fingerprints of weights and data as environment.json has them."""
    return {"model_fingerprint": redact(model), "scenario_fingerprint": redact(scenario)}


def refuse_change(what: str, before: Any, now: Any, folder: RunFolder) -> None:
    """ConfigError where answers would be added to those made with something else.

    ``what`` begins the message: ``the data files have``. Where the folder is opened to reuse its
    answers, the change is recorded instead.
    """
    if not folder.has_answers or before is None or before == now:
        return
    change = f"{what} changed since the answers in this folder were made"
    if not folder.reuse:
        raise ConfigError(change, where=str(folder.path), hint=CHANGED)
    folder.record_reuse([change])


def describe_environment() -> dict[str, Any]:
    """Return the versions of chef, Python and packages that affect answers, and the machine."""
    versions = {"chef": version.VERSION, "python": platform.python_version()}
    machine = {"system": platform.platform(), "processors": os.cpu_count()}
    return {
        "versions": {**versions, **_installed()},
        "machine": {**machine, "accelerator": _accelerator()},
    }


@cache
def _installed() -> Mapping[str, str]:
    """The versions of the packages when they are first asked for: what is imported stays."""
    from importlib import metadata  # which loads forty modules

    found = {}
    for name in _PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def reply_identity(fingerprint: str, plugins: Sequence[str], keys: str = "") -> list[Any]:
    """What cached replies depend on: weights, plugins, versions, and ``keys``, a digest of secrets,
    for a service may answer each key in its own way.
    """
    parts = [fingerprint, of_code(plugins), describe_environment()["versions"]]
    return [*parts, keys] if keys else parts


def _accelerator() -> str | None:
    import sys

    torch = sys.modules.get("torch")  # a model that uses torch has imported it
    if torch is None or not torch.cuda.is_available():
        return None
    name: str = torch.cuda.get_device_name()
    return name


#: The key of environment.json for the words that named the model and the recipe of a run.
ASKED_WITH = "asked_with"


def asked_with(model: Document, recipe: Document, seed: int) -> dict[str, Any]:
    """What environment.json keeps of the command of a run; empty where no files name both."""
    names = _name(model, "models"), _name(recipe, "recipes")
    keys = [*(f"model_cfg.{item}" for item in model.overrides), *recipe.overrides]
    words = [*names, *keys, *(["--seed", str(seed)] if seed else [])]
    # A command without its secrets would ask something else.
    return {ASKED_WITH: words} if all(names) and redact_data(words) == words else {}


def _name(document: Document, kind: Kind) -> str:
    """The name of a file of chef's own, else its path; empty where there is no YAML file."""
    path = document.path.absolute()
    if document.given is not None or path.suffix not in (".yaml", ".yml"):
        return ""
    if path.is_relative_to(root := shipped(kind)):
        return path.relative_to(root).with_suffix("").as_posix()
    return str(path)


def ids_command(environment: Mapping[str, Any]) -> str:
    """``chef eval MODEL WHAT ... --ids``, to which an id is added; empty where it is not known."""
    words = environment.get(ASKED_WITH)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return ""
    return f"chef eval {shlex.join(words)} --ids"
