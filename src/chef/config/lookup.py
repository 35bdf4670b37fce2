"""The one resolver of names: what a MODEL and a WHAT are, on the command line and in Python.

An existing file comes first, then the names of what chef ships, in any case of letters. What is
nothing is answered with the nearest names of the right kind (`chef.config.name_hints`).
"""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from chef.config import name_hints
from chef.config.installed import register_installed
from chef.config.plugins import module_name
from chef.config.shipped import (
    SUFFIXES,
    Form,
    Kind,
    plain_name,
    shipped,
    shipped_file,
)
from chef.config.tasks import model_of
from chef.errors import ConfigError, same_name
from chef.frozen import Frozen
from chef.guard.files import open_file, user_path
from chef.models import MODELS
from chef.models.hooks.mmtrusteval import CHATS
from chef.scenario.vlmevalkit.table import PACKAGED, benchmark_names, entry, root_folder

#: What can be asked as one recipe.
ASKED: tuple[Kind, ...] = ("recipes", "tasks", "benchmarks", "tables")
#: The names of files with rows of data.
TABLES = (".tsv", ".jsonl", ".ndjson", ".csv", ".parquet", ".pq", ".arrow", ".feather", ".xlsx")
_IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")
#: The columns of a TSV that is laid out as VLMEvalKit's.
_OF_TSV = {"index", "question"}
#: So many files of inner folders are looked at.
_LOOKED_AT = 1000
#: The longest header of a TSV that is looked at, in bytes.
_HEADER = 1 << 16
#: Longer cells are images, not names of files.
_NAME = 256
#: How long replies may be where no recipe says it, in tokens: to own tables, and to packaged sets.
_TOKENS, _TOKENS_PACKAGED = 512, 2048
_OPENAI = {
    "model_name": "OpenAI",
    "base_url": "https://api.openai.com/v1",
    "api_key_env": "OPENAI_API_KEY",
}


class What(Frozen):
    """Something that can be asked: its kind, YAML or content, overrides, and name in messages."""

    kind: Kind
    source: Path | dict[str, Any]
    overrides: tuple[str, ...] = ()
    name: str | None = None


def beside(name: str, folder: Path) -> str | Path:
    """The file or folder that a file of ``folder`` names relative to itself; else the name."""
    path = folder / name
    return path if path.is_file() or path.is_dir() else name


def find_what(given: str | Path, kinds: Sequence[Kind] = ASKED) -> What:
    """What of ``kinds`` a path or a name stands for, whatever the current folder is.

    A recipe (``Shapes/ppl``), a task (``privacy/p3-infoflow``), a benchmark (``pope``,
    ``vlmeval:NAME``), a table or a folder of tables. ConfigError, with the nearest names of these
    kinds: it is none.
    """
    path, text = user_path(given), str(given)
    if path.is_file():
        if "tables" in kinds and (path.suffix.lower() in TABLES or _is_json_data(path)):
            return _table(path, text)
        name_hints.refuse_other_files(path, kinds[0])
        return What(kinds[0], path)
    for kind in kinds:
        found = _named(text, kind) if not path.is_absolute() else None
        if found is not None:
            return found
    if "tables" in kinds and path.is_dir() and _has_data(path):
        return _table(path, text)
    raise name_hints.missing(given, kinds)


def form_of(given: str) -> Form:
    """How something is asked; what is nothing counts as a recipe, which tells what it may be.

    Args:
        given: as in `find_what`, or a sweep: its file, ``sweeps/Shapes``, or the folder of one that
            has run.
    """
    path = user_path(given)
    try:
        if path.is_file():
            return name_hints.form_of_file(path) if path.suffix in SUFFIXES else "recipe"
        if (path / "sweep.json").is_file():
            return "sweep"
    except (OSError, ValueError):  # no file can have that name
        return "recipe"
    if given.startswith(("sweeps/", "configs/sweeps/")):
        return "sweep"
    if _shipped(given, "recipes") is None and _shipped(given, "suites") is not None:
        return "suite"
    is_task = _shipped(given, "tasks") is not None and _shipped(given, "recipes") is None
    return "task" if is_task else "recipe"


def is_model(word: str) -> bool:
    """Whether a word is a model file or another name of a model, and no recipe."""
    path = user_path(word)
    if path.is_file():
        return name_hints.is_model_file(path)
    try:
        return bool(find_model(word))
    except ConfigError:
        return False


def is_what(word: str) -> bool:
    """Whether a word is a file or a folder, or the name of something that can be asked."""
    return Path(word).exists() or any(_named(word, kind) for kind in (*ASKED, "sweeps", "suites"))


def find_model(given: str | Path, where: str | None = None) -> Path | dict[str, Any]:
    """The model file that a path or a name stands for, or its content.

    Besides files: ``hf:owner/name[@revision]`` or a folder with a checkpoint (transformers),
    ``openai:NAME``, a model class, a chat class of a plugin, an id of MMTrustEval. ConfigError
    names similar ones.
    """
    path, text = user_path(given), str(given)
    if path.is_file():
        name_hints.refuse_other_files(path, "models")
        return path
    found = _shipped(text, "models") or _model(path, text, where)
    if found is None:
        raise name_hints.missing(given, ("models",), where)
    return found


def _model(path: Path, text: str, where: str | None) -> dict[str, Any] | None:
    """The content of a model file for a name that is none of chef's files."""
    if text.startswith("hf:") or (path / "config.json").is_file():
        return _checkpoint(text)
    if text.startswith("openai:") and (name := text.removeprefix("openai:")):
        return {**_OPENAI, "name": name, "model": name}
    register_installed()
    name = "HuggingFace" if text.lower() in {"hf", "hf-multimodal"} else text
    if (known := same_name(name, MODELS.all_names())) is not None:
        return {"model_name": known}
    return _own_chat(text) if text in CHATS else model_of(text, where)


def _named(text: str, kind: Kind) -> What | None:
    """What a name of a kind stands for; None where nothing of that kind has it."""
    if kind == "tables":
        return None
    if kind != "benchmarks":
        file = _shipped(text, kind)
        return None if file is None else What(kind, file)
    if text.startswith(PACKAGED):
        return What(kind, _recipe({"dataset_name": text}, _TOKENS_PACKAGED), name=text)
    if (name := same_name(text, benchmark_names())) is not None:
        file = shipped("recipes") / "VLMEvalKit" / f"{entry(name).family.recipe}.yaml"
        return What(kind, file, (f"scenario_cfg.dataset_name={name}",))
    if "/" not in text and (root_folder() / f"{text}.tsv").is_file():
        return What(kind, _recipe({"dataset_name": text}), name=text)
    return None


def _shipped(text: str, kind: Kind) -> Path | None:
    return None if Path(text).is_absolute() else shipped_file(plain_name(text, kind), kind)


def _table(path: Path, text: str) -> What:
    """The recipe of a table of one's own."""
    head, first = _first_rows(path) if path.suffix.lower() == ".tsv" else ([], [])
    image = dict(zip(head, first, strict=False)).get("image", "")
    # VLMEvalKit has the bytes of images in that column; names of files are of one's own table.
    names_file = 0 < len(image) < _NAME and (path.parent / image).is_file()
    is_laid_out = {*head} >= _OF_TSV and not (names_file and Path(image).suffix)
    section = {"dataset_name": "Tsv" if is_laid_out else "Records", "path": text}
    return What("tables", _recipe(section), name=text)


def _first_rows(path: Path) -> tuple[list[str], list[str]]:
    """The names of the columns of a TSV, and the beginning of its first row."""
    with open_file(path) as file:
        lines = [file.readline(_HEADER).decode("utf-8-sig", "replace") for _ in range(2)]
    head, first = ([cell.strip() for cell in line.split("\t")] for line in lines)
    return head, first


def _is_json_data(path: Path) -> bool:
    """Whether a file is a list in JSON, or a mapping without the keys of what chef reads itself."""
    if path.suffix.lower() != ".json":
        return False
    with open_file(path) as file:
        start = file.read(_HEADER).removeprefix(BOM_UTF8).lstrip()
    return start[:1] in (b"[", b"") or (start.startswith(b"{") and not name_hints.is_chefs(path))


def _has_data(folder: Path) -> bool:
    """Whether a folder, or folders of classes or splits in it, hold tables or images, and no
    recipes.
    """
    files = [*folder.iterdir()]
    if any(file.suffix in SUFFIXES for file in files):
        return False
    inner = [file for file in islice(folder.glob("*/*"), _LOOKED_AT) if file.name[0] != "."]
    endings = (*TABLES, *_IMAGES)
    is_classes = bool(inner) and all(file.suffix.lower() in endings for file in inner)
    return is_classes or any(
        file.suffix.lower() in endings or file.name == "dataset_dict.json" or _is_json_data(file)
        for file in files
    )


def _recipe(section: dict[str, Any], tokens: int = _TOKENS) -> dict[str, Any]:
    """The recipe of what has none: answered in words, scored as the scenario says."""
    return {
        "scenario_cfg": section,
        "eval_cfg": {
            "inferencer_cfg": {"inferencer_type": "Direct", "max_new_tokens": tokens},
            "metric_cfg": {"metric_type": "basic"},
        },
    }


def _checkpoint(text: str) -> dict[str, Any]:
    """The content of a model file for ``hf:owner/name@revision``, or a folder."""
    path = text.removeprefix("hf:")
    revision = ""
    if not user_path(path).exists():
        path, _, revision = path.partition("@")
    if not path or text.endswith("@"):
        raise ConfigError(
            "names no checkpoint",
            where=text,
            hint="write hf:owner/name, hf:owner/name@revision or hf:path/to/folder",
        )
    content = {"model_name": "HuggingFace", "model_path": path}
    return {**content, "revision": revision} if revision else content


def _own_chat(model_id: str) -> dict[str, Any]:
    """The content of a model file for a user's chat model, with the file of its class."""
    name = CHATS.get(model_id).__module__
    file = getattr(sys.modules.get(name), "__file__", None)
    content = {"model_name": "MMTrustEval", "model_id": model_id}
    if file is None or name != module_name(Path(file)):
        return content  # a class of a notebook or a script
    here = Path.cwd()  # where the paths of a mapping begin
    path = Path(file).relative_to(here) if Path(file).is_relative_to(here) else file
    return {**content, "plugins": [str(path)]}
