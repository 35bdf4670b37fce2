"""Ingredients from Python files, which ``plugins:`` in a recipe or a model file names."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
from abc import ABC
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from chef.common import front_modules, plugin_package
from chef.common.class_ids import class_ids
from chef.common.digest import content_digest, file_digest
from chef.common.logs import logger
from chef.common.refused import RefusedClass
from chef.common.uncalled import uncalled_in
from chef.config.code_digest import source_digest
from chef.config.document import Document
from chef.config.signature import check_value
from chef.errors import ConfigError, nearest, similar
from chef.guard.files import problem_of, read_bytes
from chef.inferencer import INFERENCERS, Inferencer
from chef.instruction import INSTRUCTIONS, RETRIEVERS, Instruction
from chef.instruction.retriever import Retriever
from chef.method import METHODS, BaseMethod, Method
from chef.metric import METRICS, Metric
from chef.metric.judge_kind import JUDGE_KINDS, JudgeKind
from chef.metric.mmtrusteval import EVALUATORS
from chef.metric.mmtrusteval.base import BaseEvaluator, check_class
from chef.metric.mmtrusteval.metrics import METRICS as TRUST_METRICS
from chef.models import MODELS, Model
from chef.models.hooks.mmtrusteval import CHATS, BaseChat
from chef.models.hooks.mmtrusteval.base_chat import ids_of
from chef.registry import PLUGIN, set_scope
from chef.scenario import SCENARIOS, Scenario
from chef.scenario.hooks.mmtrusteval.base import BaseDataset
from chef.scenario.hooks.packaged import refused_dataset

REGISTRIES: tuple[tuple[type[Any], Any], ...] = (
    (Scenario, SCENARIOS),
    (Inferencer, INFERENCERS),
    (Metric, METRICS),
    (Model, MODELS),
    (Retriever, RETRIEVERS),
    (Instruction, INSTRUCTIONS),
    (JudgeKind, JUDGE_KINDS),
    (BaseEvaluator, EVALUATORS),
    (Method, METHODS),
    (BaseChat, CHATS),
)
#: Ingredients that read answers and decide none.
_READERS = (Metric, JudgeKind, BaseEvaluator)

_log = logger(__name__)
#: The content of each plugin file when it was loaded: an edited file must not pass for the old one.
_loaded: dict[str, str] = {}


def load_plugins(files: Any, document: Document) -> dict[str, str]:
    """Run each Python file and register the ingredients it defines under their class names.

    Args:
        files: the value of ``plugins``: a list of paths, relative to the YAML file. A folder stands
            for the files in it; those of its own folders are there for them to import.
        document: the YAML file.

    Returns:
        For each file that affects answers its name, as the YAML file has it, and its digests (see
        `chef.config.code_digest`). Metrics and judges read answers and decide none: a file of these
        alone is not among them.

    Raises:
        ConfigError: a file is missing, fails to run, or defines no ingredient.
    """
    digests: dict[str, str] = {}
    where = document.where("plugins")
    written = document.raw.get("plugins")
    set_scope(modules_of(files, document))
    for number, name in enumerate(check_value(files or [], list[str], where)):
        shown = str(written[number] if isinstance(written, list) else f"plugin {number + 1}")
        path = document.path.parent / name
        if path.is_dir():
            digests |= _load_folder(path, shown, where)
            continue
        path = path.resolve() if path.is_file() else path
        if problem := problem_of(path):
            what = f"plugin file not found: {path}"
            what = what if problem == "no such file" else f"{what} ({problem})"
            raise ConfigError(what, where=where, hint=_path_hint(path))
        module, bases = _load(path, where)
        if not bases:
            raise ConfigError(
                f"{path} defines no scenario, instruction, inferencer, retriever, metric, "
                "evaluator or model",
                where=where,
                hint=_base_hint(module),
            )
        digests |= _digest_of(path, module, bases, shown)
    return digests


def _load_folder(folder: Path, shown: str, where: str) -> dict[str, str]:
    """Load the files of a folder; a line names each that cannot be imported.

    Raises:
        ConfigError: none of them defines an ingredient.
    """
    digests: dict[str, str] = {}
    files, problem, has_any = _files_of(folder), "", False
    for path in files:
        try:
            module, bases = _load(path, where)
        except ConfigError as error:
            if error.__cause__ is None:  # it was imported
                raise
            problem = problem or f"{error.what} ({error.hint})"
            _log.warning("%s; the other files of its folder are loaded", error.what)
            continue
        has_any = has_any or bool(bases)
        digests |= _digest_of(path, module, bases, f"{shown}/{path.name}")
    if not has_any:
        what = "no file that defines an ingredient" if files else "no .py file"
        hint = problem or "name a folder of files such as those of vlmeval/dataset, or the files"
        raise ConfigError(f"{folder} is a folder that has {what}", where=where, hint=hint)
    return digests


def _files_of(folder: Path) -> list[Path]:
    """The Python files of a folder by name; that which makes it a package has names of others."""
    files = (file.resolve() for file in folder.glob("*.py"))
    return sorted(file for file in files if not file.name.startswith("__"))


def _load(path: Path, where: str) -> tuple[ModuleType, dict[str, type[Any]]]:
    """Run a file; return it, and what each of its ingredients is."""
    is_new = module_name(path) not in sys.modules
    module = _import(path, where)
    bases = _register(module, where)
    if is_new:
        _tell_shadows(module, path)
        _tell_uncalled(module, path)
    return module, bases


def _digest_of(
    path: Path, module: ModuleType, bases: dict[str, type[Any]], shown: str
) -> dict[str, str]:
    """The digest of a file under its name; nothing where it decides no answer."""
    if all(base in _READERS for base in bases.values()):
        return {}
    readers = {name for name, base in bases.items() if base in _READERS}
    return {shown: _digest_without(path, readers, module)}


def _digest_without(path: Path, classes: Collection[str], module: ModuleType) -> str:
    """Return the digests of a Python file without the code that only reads answers.

    That are the definitions of some classes, and the methods of data sets that evaluate.
    """
    from chef.config.datasets import evaluation_methods  # only where there is a plugin

    source = read_bytes(path)
    nodes = [
        node
        for item in ast.parse(source).body
        if isinstance(item, ast.ClassDef)
        for node in ([item] if item.name in classes else evaluation_methods(item, module))
    ]
    return source_digest(source, nodes)


def module_name(path: Path) -> str:
    """The name of the module that a plugin becomes; two files may share a stem."""
    return f"{PLUGIN}{path.stem}_{content_digest(str(path), size=4)}"


def modules_of(files: Any, document: Document) -> list[str]:
    """The modules that the plugins of a document become, whether they are loaded or not."""
    names = files if isinstance(files, list) else []
    paths = [document.path.parent / name for name in names if isinstance(name, str)]
    each = (_files_of(path) if path.is_dir() else [path] for path in paths)
    return [
        module_name(path.resolve() if path.is_file() else path) for group in each for path in group
    ]


def _tell_shadows(module: ModuleType, path: Path) -> None:
    """Say which of chef's names a file has for classes of its own."""
    for _, registry in REGISTRIES:
        for name in registry.shadowed_by(module.__name__):
            _log.warning(
                "%s: the %s '%s' is that of this file in recipes that name it, and not chef's",
                path.name, registry.kind, name,
            )  # fmt: skip


class _Source(SourceFileLoader):
    """Compiles a file as it is now; Python's cache does not see an edit within the same second."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


def _import(path: Path, where: str) -> ModuleType:
    name, content = module_name(path), file_digest(path)
    if name in sys.modules:
        if _loaded.get(name, content) != content:
            raise ConfigError(
                f"plugin {path} has changed since this process loaded it",
                where=where,
                hint="start Python (or the notebook's kernel) again",
            )
        return sys.modules[name]
    loader = _Source(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    if path.suffix != ".py" or spec is None or spec.loader is None:
        raise ConfigError(f"{path} is not a Python file", where=where)
    module = importlib.util.module_from_spec(spec)
    front_modules.install(every=True)
    if package := plugin_package.package_of(read_bytes(path), path):
        # For `from .image_base import ...`: Python compares the two.
        module.__package__, spec.name = package, f"{package}.{name}"
        front_modules.stands_in(package, path.parent)
    sys.modules[name], _loaded[name] = module, content
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ConfigError(
            f"plugin {path} failed to import: {type(error).__name__}: {error}",
            where=where,
            hint=_import_hint(error),
        ) from error
    return module


def _path_hint(path: Path) -> str:
    """What may have been meant by a plugin that is no file."""
    if path.with_name(f"{path.name}.py").is_file():
        return f"did you mean '{path.name}.py'? A plugin is the path of a file"
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder {folder}; paths are relative to the YAML file"
    names = [file.name for file in folder.glob("*.py")]
    known = nearest(path.name, names) if names else "there is no .py file"
    return f"{known} (in {folder}; paths are relative to the YAML file)"


def _base_hint(module: ModuleType) -> str:
    """How the classes of a file without ingredients become some."""
    own = [name for name, value in vars(module).items() if _is_own(value, module)]
    bases = "Scenario, Instruction, Inferencer, Retriever, Metric or Model"
    if not own:
        return f"subclass {bases} in it"
    if unnamed := next((name for name in own if issubclass(vars(module)[name], BaseDataset)), ""):
        return f'write dataset_ids = ["my-data"] into the class {unnamed}'
    return f"let {own[0]} be a subclass of one: class {own[0]}(chef.Model), or of {bases}"


def _tell_uncalled(module: ModuleType, path: Path) -> None:
    """Say which methods of a file's classes have an effect in another system alone."""
    for kind in [item for item in vars(module).values() if _is_own(item, module)]:
        for name, base, instead in uncalled_in(kind):
            _log.warning(
                "%s: %s.%s is never called, because chef's %s has no such step; override %s",
                path.name, kind.__name__, name, base, instead,
            )  # fmt: skip


def _is_own(value: Any, module: ModuleType) -> bool:
    """Whether a value is a class that the module defines."""
    return inspect.isclass(value) and value.__module__ == module.__name__


def _import_hint(error: BaseException) -> str | None:
    """How to correct a file that cannot be imported, such as one with imports of ChEF."""
    if isinstance(error, ImportError) and (hint := _name_hint(error)):
        return hint
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"install it (pip install {error.name.partition('.')[0]}), or correct the import"
    if isinstance(error, SyntaxError):
        return "correct that line; Python 3.11 or later reads the file"
    return "correct the file; it must be importable by itself"


def _name_hint(error: ImportError) -> str:
    """How to write an import of ChEF, VLMEvalKit or MMTrustEval here; empty for other imports."""
    package = (error.name or "").partition(".")[0]
    if plugin_package.is_about(error):
        return plugin_package.hint(error)
    if "relative import" in str(error):
        examples = ", ".join(item.example for item in front_modules.SYSTEMS.values())
        return (
            "the relative imports of a plugin are those of a file of ChEF, MMTrustEval or "
            f"VLMEvalKit, and these fit none of the three; write for example {examples}, and copy "
            "what else it imports into the file"
        )
    if package == "chef":
        page = "docs/background/coming_from_chef.md"
        return f"{page} lists the names; for example {front_modules.CHEF.example}"
    return ""


def _register(module: ModuleType, where: str) -> dict[str, type[Any]]:
    """Register the ingredients of a module; return what each one is, by name."""
    from chef.config.datasets import register_dataset

    found: dict[str, type[Any]] = {}
    own = {name: value for name, value in vars(module).items() if _is_own(value, module)}
    for name, kind in own.items():
        if isinstance(kind, RefusedClass):
            SCENARIOS.register(name, refused_dataset(kind))
            found[kind.__name__] = Scenario
            continue
        if register_dataset(kind):
            found[kind.__name__] = Scenario
        for base, registry in REGISTRIES:
            if not issubclass(kind, base):
                continue
            if base is Model and not _answers(kind) and not _is_base(kind, own.values()):
                raise _incomplete(kind, base, ("generate_one", "score_one"), where)
            if not inspect.isabstract(kind):
                for known_as in _names(name, kind, where):
                    registry.register(known_as, kind)
                found[kind.__name__] = base
            elif not _is_base(kind, own.values()):
                missing = sorted(getattr(kind, "__abstractmethods__", ()))
                raise _incomplete(kind, base, missing, where)
    functions = [item for item in TRUST_METRICS.values() if _is_of(item.compute, module)]
    return found | dict.fromkeys((item.compute.__name__ for item in functions), BaseEvaluator)


def _is_of(function: Any, module: ModuleType) -> bool:
    return getattr(function, "__module__", None) == module.__name__


def _names(name: str, kind: type[Any], where: str) -> Sequence[str]:
    """The names of an ingredient: that of its class, or the ids of one of MMTrustEval's kind."""
    try:
        if issubclass(kind, BaseMethod):
            return class_ids(kind, "method_ids", "my-method")
        if issubclass(kind, BaseChat):
            return ids_of(kind)
        if issubclass(kind, BaseEvaluator):
            check_class(kind)
            return kind.evaluator_ids
    except ConfigError as error:
        raise ConfigError(error.what, where=where, hint=error.hint) from None
    # A class written for ChEF, such as one that extends a scenario of chef's.
    short = name.removesuffix("Dataset").rstrip("_") if issubclass(kind, Scenario) else name
    return tuple(dict.fromkeys((short or name, name)))


def _is_base(kind: type[Any], own: Iterable[type[Any]]) -> bool:
    """Whether an abstract class is meant to be one: it says so, or others of the file use it."""
    declares = any(getattr(value, "__isabstractmethod__", False) for value in vars(kind).values())
    return declares or ABC in kind.__bases__ or any(kind in other.__mro__[1:] for other in own)


def _arguments(method: Callable[..., Any]) -> str:
    """The arguments of a method without their types, as a newcomer would write them."""
    names = inspect.signature(method).parameters
    return f"({', '.join(names)})"


def _answers(kind: type[Model]) -> bool:
    """Whether a class of a model has any of the methods that answer."""
    names = ("generate", "score", "generate_one", "score_one", "do_generate", "do_ppl")
    own = any(getattr(kind, name) is not getattr(Model, name) for name in names)
    return own or hasattr(kind, "batch_generate") or hasattr(kind, "ppl_inference")


def _incomplete(
    kind: type[Any], base: type[Any], missing: Sequence[str], where: str
) -> ConfigError:
    """The error for a class that lacks methods; misspelt ones are recognised."""
    lines = [f"def {method}{_arguments(getattr(kind, method))}" for method in missing]
    own = [item for item, value in vars(kind).items() if inspect.isfunction(value)]
    near = [
        f"is '{given}' meant to be '{method}'?"
        for method in missing
        if (given := similar(method, own))
    ]
    file = inspect.getsourcefile(kind) or kind.__module__
    return ConfigError(
        f"the {base.__name__.lower()} {kind.__name__} of {Path(file).name} lacks "
        f"{', '.join(missing)}",
        where=where,
        hint=" ".join([*near, f"add: {'; '.join(lines)}"]),
    )
