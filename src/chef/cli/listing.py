"""The ``list`` command: ingredients, recipes and model files, a line on each; of one its keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.cli.options import Command, Input
from chef.common.printing import say
from chef.common.yaml_text import shipped
from chef.errors import ConfigError, nearest, similar
from chef.guard.files import user_path

if TYPE_CHECKING:
    from chef.config.shipped import Kind
    from chef.registry import Registry


#: What can be listed; the kinds of ingredients come first.
KINDS = (
    "scenarios", "benchmarks", "datasets", "instructions", "retrievers", "inferencers", "metrics",
    "judges", "evaluators", "methods", "models", "model_files", "recipes", "tasks",
    "sweeps", "suites",
)  # fmt: skip
#: The kinds of files whose first comment tells what they are.
_FILES: dict[str, Kind] = {
    "recipes": "recipes",
    "model_files": "models",
    "sweeps": "sweeps",
    "suites": "suites",
}
#: The kinds of files that are shown by their names.
_DESCRIBED: tuple[Kind, ...] = ("recipes", "models", "tasks", "sweeps")
_SOURCE = Path(__file__).parents[1]
#: A class at the left margin, and the first paragraph of what it says of itself.
_CLASS = re.compile(r'^class (\w+)[^:]*:\n    """((?:(?!\n\n|""").)*)', re.MULTILINE | re.DOTALL)
_EXAMPLES = """\
examples:
  chef list                     everything; of the recipes only their folders
  chef list metrics             the metrics alone
  chef list benchmarks          the benchmarks of VLMEvalKit by name
  chef list datasets            the data sets of MMTrustEval by id
  chef list tasks               its tasks, for `chef eval MODEL TASK`
  chef list recipes Shapes      the recipes whose name contains Shapes
  chef list mme                 everything whose name contains mme
  chef list PPL                 an ingredient: its keys, defaults and an example
  chef list Shapes/ppl          a recipe; also a model file, a task, a file of yours
  chef list my.csv              which columns of a table became what, and its first question
  chef list Shapes/ppl --items results
                                its items by all runs there: which all have right, which none
"""


_OPTIONS = (
    Input("words", f"a table of yours; or only this kind ({', '.join(KINDS)}); only names that "
          "contain PART; of one name: its keys", "KIND|NAME|PART|TABLE", how={"nargs": "*"}),
    Input("--items", "of a benchmark or a recipe: the items that all of these runs have right, "
          "those that none has (often their labels are wrong), and the fifty that carry the order "
          "of the models (default: all runs in results)", "RUN", Path, how={"nargs": "*"}),
)  # fmt: skip
COMMAND = Command(
    "List what a recipe or a model file can name, and the files of chef; or show "
    "the keys of one of them.",
    _EXAMPLES,
    {"": _OPTIONS},
)


def list_ingredients(words: Sequence[str] = ()) -> int:
    """Print names and first lines.

    Args:
        words: a kind, in the singular or the plural, and a part of the names; each may be missing.

    Returns:
        The exit code.

    Raises:
        ConfigError: nothing is called like that; the error has the nearest name.
    """
    if len(words) == 1 and words[0] not in KINDS and (texts := texts_of(words[0])):
        say("\n".join(texts))
        return 0
    if (code := _table(words)) is not None:
        return code
    kinds = [kind for word in words if (kind := _kind(word))]
    parts = [word.lower() for word in words if not _kind(word)]
    found = {
        kind: [
            row for row in _rows(kind, brief=not words) if all(x in row[0].lower() for x in parts)
        ]
        for kind in (kinds or KINDS)
    }
    if not any(found.values()):
        if kinds or len(parts) > 1:
            names = {row[0].lower(): row[0] for kind in kinds for row in _rows(kind, brief=False)}
            near = similar(parts[-1], names) if parts else None
            hint = f"did you mean '{names[near]}'?" if near else "`chef list` shows all"
            raise ConfigError(f"no name contains '{' '.join(parts)}'", hint=hint)
        raise unknown_name(words[0], KINDS)
    for kind, rows in found.items():
        if rows:
            say(f"{kind.replace('_', ' ')}:")
            width = min(40, max(len(name) for name, _ in rows))
            say("\n".join(f"  {name:<{width}}  {line}".rstrip() for name, line in rows) + "\n")
    if not words:
        say(
            "`chef list NAME` shows the keys of one; `chef list recipes` shows all recipes, "
            "`chef list tasks` all tasks."
        )
    return 0


def list_items(words: Sequence[str], runs: Sequence[Path]) -> int:
    """Print what runs say about the items of a benchmark, and return the exit code.

    Raises:
        ConfigError: there is not one name, or there are fewer than two runs of it.
    """
    from chef.cli.terminal import terminal_width
    from chef.document.outline import as_text
    from chef.report.items import item_report

    if len(words) != 1:
        raise ConfigError(
            "--items is of one benchmark", hint="for example: chef list Shapes/ppl --items results"
        )
    report = item_report(words[0], runs or [Path("results")])
    say(as_text(report.sections(), terminal_width()))
    return 0


def _table(words: Sequence[str]) -> int | None:
    """Show the table that is the first word, where it is the path of one; else None."""
    if not words or _kind(words[0]) or not user_path(words[0]).exists():
        return None
    from chef.config.lookup import find_what

    try:
        what = find_what(words[0], ("tables",))
    except ConfigError:
        return None
    if what.name is None:  # a file of another kind
        return None
    from chef.cli.preview import show_table

    return show_table(str(what.name), words[1:])


def _kind(word: str) -> str | None:
    """``metrics`` of ``metric``, ``Metrics``; None of a word that is no kind."""
    folded = word.lower().replace("-", "_")
    return next((kind for kind in KINDS if folded in {kind, kind.removesuffix("s")}), None)


def _rows(kind: str, *, brief: bool) -> Iterator[tuple[str, str]]:
    from chef.config.shipped import shipped_names

    if kind in ("recipes", "tasks") and brief:
        return _folders(shipped_names("tasks" if kind == "tasks" else "recipes"))
    if kind == "benchmarks":
        return _benchmarks(brief=brief)
    if kind == "datasets":
        return _datasets(brief=brief)
    if kind in _FILES:
        return _files(_FILES[kind])
    if kind == "tasks":
        return _tasks()
    return _classes(registries()[kind])


def _classes(registry: Registry[Any]) -> Iterator[tuple[str, str]]:
    for name in registry:
        # An installed package is imported when a recipe names it, not to be listed.
        package = registry.packages.get(name)
        yield name, f"(of {package})" if package else _sentence(registry, name)


def _benchmarks(*, brief: bool) -> Iterator[tuple[str, str]]:
    """VLMEvalKit's benchmarks by name, or their numbers by recipe."""
    from chef.scenario.vlmevalkit.table import PACKAGED, entry, packaged_names, table

    if brief:
        recipes: dict[str, list[str]] = {}
        for name in table().benchmarks:
            recipes.setdefault(f"VLMEvalKit/{entry(name).family.recipe}", []).append(name)
        for recipe, names in recipes.items():
            more = f", and {len(names) - 4} more" if len(names) > 4 else ""
            yield recipe, f"{', '.join(names[:4])}{more}"
        yield f"{PACKAGED}NAME", f"{len(packaged_names())} more, where VLMEvalKit is installed"
        return
    registry = registries()["scenarios"]
    for name in registry.further:
        yield name, _sentence(registry, name)
    for name in packaged_names():
        yield f"{PACKAGED}{name}", "As VLMEvalKit has it, where that is installed."


def _datasets(*, brief: bool) -> Iterator[tuple[str, str]]:
    """MMTrustEval's data sets by id, or the number of each family."""
    from chef.scenario.mmtrusteval.table import datasets, families

    if brief:
        total = f"the {len(datasets())} data sets of MMTrustEval: `chef list datasets`"
        yield "MMTrustEval", f"{total}; {len(families())} families"
        return
    yield from ((name, known.line) for name, known in datasets().items())


def _tasks() -> Iterator[tuple[str, str]]:
    """The tasks of MMTrustEval in the order of the benchmark, with the number of data sets."""
    from chef.config.tasks import shipped_tasks

    sentences = dict(_files("tasks"))
    for name, known in shipped_tasks().items():
        many = len(list(known.runs()))
        sets = f" {many} data sets." if many > 1 else ""
        yield name, f"{sentences[name]}{sets}"


def _sentence(registry: Registry[Any], name: str) -> str:
    """What the class of a name says of itself, from its file: to import all takes a second."""
    target = registry.target(name)
    if isinstance(target, str):
        module, _, attribute = target.partition(":")
        if paragraph := _paragraphs(module).get(attribute):
            return _on_one_line(paragraph)
    return first_line(registry.get(name))


@cache
def _paragraphs(module: str) -> Mapping[str, str]:
    """The first paragraphs of the classes in a file of chef's, or the table beside it, by name."""
    path = _SOURCE.joinpath(*module.split(".")[1:])
    # In a checkout that was updated, a folder of caches may stand beside a file of its name.
    file = init if (init := path / "__init__.py").is_file() else path.with_suffix(".py")
    if not module.startswith("chef.") or not file.is_file():
        return {}
    paragraphs = {match[1]: match[2] for match in _CLASS.finditer(file.read_text("utf-8"))}
    if file.with_suffix(".yaml").is_file():  # classes of which each is a row
        rows = shipped(module.rpartition(".")[0], f"{file.stem}.yaml")
        paragraphs |= {name: row["about"] for name, row in rows.items() if "about" in row}
    return {name: text.partition("\n\n")[0] for name, text in paragraphs.items()}


def first_line(kind: type[Any]) -> str:
    """The first sentence of a class, on one line; that of its base where it has none."""
    import inspect

    return _on_one_line((inspect.getdoc(kind) or "").partition("\n\n")[0])


def _on_one_line(paragraph: str) -> str:
    return " ".join(paragraph.replace("``", "`").split())


def _files(kind: Kind) -> Iterator[tuple[str, str]]:
    """Each file with the first sentence of the comment that it begins with."""
    from chef.config.shipped import shipped, shipped_names

    for name in shipped_names(kind):
        text = (shipped(kind) / f"{name}.yaml").read_text(encoding="utf-8")
        comments = takewhile(_is_comment, text.splitlines())
        comment = " ".join(item.strip("# ") for item in comments)
        sentence = re.match(r".*?[.;](?=\s|$)", comment)
        yield name, sentence[0].rstrip(";") if sentence else comment


def _is_comment(line: str) -> bool:
    return line.startswith("#")


def _folders(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    folders: dict[str, list[str]] = {}
    for name in names:
        folder, _, inner = name.partition("/")
        folders.setdefault(folder, []).append(inner)
    for folder, items in folders.items():
        shown = ", ".join(items[:4])
        yield f"{folder}/", f"{shown}, and {len(items) - 4} more" if len(items) > 4 else shown


def registries() -> dict[str, Registry[Any]]:
    """The registries by the plural of their kind, with the ingredients of installed packages."""
    from chef.config.installed import REGISTRIES, register_installed

    register_installed()
    return {f"{registry.kind}s": registry for registry in REGISTRIES}


def texts_of(name: str) -> list[str]:
    """The descriptions of what has a name as `chef list` shows it, or of a file.

    ConfigError: a plugin fails.
    """
    from chef.cli.description import dataset_description, description
    from chef.config.shipped import shipped, shipped_names
    from chef.scenario.mmtrusteval.table import datasets

    texts = [description(registry, name) for registry in registries().values() if name in registry]
    texts += [
        _shown(shipped(kind) / f"{name}.yaml") for kind in _DESCRIBED if name in shipped_names(kind)
    ]
    texts += [dataset_description(datasets()[name])] if name in datasets() else []
    if not texts and name.endswith(".py") and Path(name).is_file():
        texts = _texts_of(Path(name))
    if not texts and name.endswith((".yaml", ".yml")) and Path(name).is_file():
        texts = [_shown(Path(name))]
    return texts


def all_names() -> list[str]:
    """The names that `chef list` describes, without those of data sets."""
    from chef.config.shipped import shipped_names

    ingredients = [name for registry in registries().values() for name in registry.all_names()]
    return [*ingredients, *(name for kind in _DESCRIBED for name in shipped_names(kind))]


def unknown_name(name: str, kinds: Iterable[str]) -> ConfigError:
    """The error for a name that nothing has; ``kinds``: what can be listed."""
    from chef.config.name_hints import looks_like_file
    from chef.scenario.mmtrusteval.table import datasets

    for registry in registries().values():
        if name in registry.refused:
            return registry.refused[name]
    path = user_path(name)
    if path.is_dir():
        hint = f"it is a folder: `chef show {name}` lists the runs in it"
        return ConfigError(f"nothing is called '{name}'", hint=hint)
    if looks_like_file(path):
        files = sorted(str(item) for item in path.parent.glob("[!.]*") if looks_like_file(item))
        hint = nearest(name, files) if files else "check its path"
        return ConfigError("no such file", where=name, hint=hint)
    if near := similar(name.lower(), kinds):
        return ConfigError(f"nothing is called '{name}'", hint=f"did you mean `chef list {near}`?")
    near = similar(name, {*all_names(), *datasets()})
    hint = f"did you mean '{near}'?" if near else "`chef list` shows all names;"
    hint += " `chef list FILE.py` shows what a file of yours defines"
    if owners := _owners(registries().values(), name):
        hint = f"it is a key of {', '.join(owners)}: `chef list {owners[0]}`"
    return ConfigError(f"nothing is called '{name}'", hint=hint)


def _shown(file: Path) -> str:
    """The path and the text of a YAML file."""
    from chef.config.document import yaml_text

    return f"# {file}\n{yaml_text(file)}"


def _owners(registries: Iterable[Registry[Any]], key: str) -> list[str]:
    """The ingredients that have a key of that name."""
    from chef.cli.description import keys_in_files

    # To import every ingredient takes seconds. A group of keys may begin with a word of its own.
    written = re.compile(rf"\b{re.escape(key)}: |\b{re.escape(key.partition('_')[2] or key)}: ")
    if not any(written.search(file.read_text("utf-8")) for file in _SOURCE.rglob("*.py")):
        return []
    return [
        name
        for registry in registries
        for name, _ in registry.classes()
        if key in {item.name for item in keys_in_files(registry, name)}
    ]


def _texts_of(file: Path) -> list[str]:
    """The descriptions of what a file of plugins registers; it runs.

    ConfigError: it fails or has none.
    """
    from chef.cli.description import description
    from chef.config.document import read_document
    from chef.config.plugins import load_plugins, module_name

    path = file.resolve()
    document = read_document({"plugins": [str(path)]}, name=str(file))
    load_plugins(document.values["plugins"], document)
    return [
        description(registry, name, str(file))
        for registry in registries().values()
        for name in registry.registered_in(module_name(path))
    ]
