"""Model files as checked, typed objects; also those that a key of a recipe names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec import field

from chef.common.keys import class_keys
from chef.common.logs import logger
from chef.config.document import Document, read_document
from chef.config.installed import register_installed, versions_of
from chef.config.lookup import find_model
from chef.config.override import Key
from chef.config.plugins import load_plugins
from chef.config.spec import Spec, check_value, further_keys, make_spec
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.guard.files import problem_of
from chef.models import MODELS, Model
from chef.models.chef_models import find_chef_model

_log = logger(__name__)
#: Keys of every model file.
_OF_ALL = ("name", "plugins")
#: Keys of model files that tell which model of a class it is.
_NAMING = ("model", "model_id", "model_path")


class NamedModel(Spec[Model]):
    """A model whose class has no key ``name``, called as its file says."""

    title: str = ""

    def effective(self) -> dict[str, Any]:
        return {**Spec.effective(self), "name": self.title}

    def build(self, *given: Any) -> Model:
        model = Spec.build(self, *given)
        model.name = self.title
        return model


class ModelSpec(Frozen):
    """A model file that was checked. The model itself is not loaded."""

    document: Document
    model: Spec[Model]
    plugins: Sequence[str] = ()
    plugin_files: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What the model is called in messages before it is made: as it would name itself."""
        options = self.model.effective()
        if own := options.get("name"):
            return str(own)
        named = (str(options[key]) for key in _NAMING if options.get(key))
        path = next(named, self.model.name).rstrip("/")
        return path.rpartition("/")[2] or path

    @contextmanager
    def naming_file(self) -> Iterator[None]:
        """A block in which errors about a key of the file, or about its server, get the file."""
        try:
            yield
        except ConfigError as error:
            where = error.where or ""
            if where not in {*self.document.values, "device"} and "://" not in where:
                raise
            raise self.document.located(error) from error.__cause__

    def effective(self) -> dict[str, Any]:
        """The whole file with defaults filled in and secrets removed."""
        complete = {"model_name": self.model.name, **self.model.effective()}
        return self.document.shown_publicly(complete)


def model_spec(model: Model) -> ModelSpec:
    """What stands for the model file of a model object: the name of its class."""
    kind = type(model)
    name = f"{kind.__name__} object"
    return ModelSpec(Document(Path(name), {}, {}, {(): name}), Spec(kind.__name__, kind, {}))


def load_model(
    path: str | Path | Mapping[str, Any],
    overrides: Sequence[str] = (),
    *,
    name: str | None = None,
    where: str | None = None,
) -> ModelSpec:
    """Read and check a model file: ``model_name`` and the keys of that model's class.

    Args:
        path: the file; a name (`chef.config.lookup.find_model`); or its content as a mapping.
        overrides: ``key.path=value``, set after reading.
        name: the path that a mapping has in messages; its relative paths begin in that folder.
        where: the place of the key that has the path, for errors.

    Raises:
        ConfigError: what is wrong, with file, line and key.
    """
    content = path if isinstance(path, Mapping) else find_model(path, where)
    name_of_content = name if isinstance(path, Mapping) else str(path)
    document = read_document(content, overrides, name=name_of_content)
    values = dict(document.values)
    if "model_name" not in values and not {"scenario_cfg", "eval_cfg"}.isdisjoint(values):
        raise ConfigError(
            "is a recipe, not a model file",
            where=str(document.path),
            hint="give it with --recipe_cfg, and the model with --model_cfg",
        )
    register_installed()
    files = load_plugins(values.pop("plugins", None), document)
    kind = values.get("model_name")
    if isinstance(kind, str) and kind not in MODELS and (chefs := find_chef_model(kind)):
        raise ConfigError(
            f"'{kind}' is a model of ChEF that chef does not have",
            where=document.where("model_name"),
            hint=chefs.hint,
        )
    spec = _with_paths(_named(values, document), document)
    if not (name_of_results := str(spec.effective().get("name", "model"))).strip(". "):
        raise ConfigError(
            f"'{name_of_results}' cannot be the name of a folder, and the results have one",
            where=document.where("name"),
            hint="give a name of letters and digits, or leave the key out",
        )
    if further := ", ".join(further_keys(spec.kind, spec.options)):
        _log.warning(
            "%s: %s names no argument %s: passed on in its **kwargs",
            document.path, spec.name, further,
        )  # fmt: skip
    plugins = [*files.values(), *versions_of([("model", spec.name)])]
    return ModelSpec(document, spec, plugins, files)


def _with_paths(spec: Spec[Model], document: Document) -> Spec[Model]:
    """The model with those of its paths that lead nowhere from the current folder, and somewhere
    from that of its file, as the latter.
    """
    folder, keys = document.path.parent, spec.kind.paths
    options = {key: spec.options.get(key) for key in keys}
    beside = {
        key: str(folder / path)
        for key, path in options.items()
        if isinstance(path, str) and path and problem_of(path) == "no such file"
        and problem_of(folder / path) != "no such file"
    }  # fmt: skip
    return replace(spec, options={**spec.options, **beside}) if beside else spec


def _named(values: Mapping[str, Any], document: Document) -> Spec[Model]:
    """The model that a file configures; ``name`` is a key of every model, of own classes too."""
    kind = values.get("model_name")
    is_there = isinstance(kind, str) and kind in MODELS
    takes = {key.name for key in class_keys(MODELS.get(str(kind)))} if is_there else {"name"}
    if "name" not in values or "name" in takes:
        return make_spec(values, "model_name", MODELS, document, (), also=_OF_ALL)
    title = check_value(values["name"], str, document.where("name"))
    others = {key: value for key, value in values.items() if key != "name"}
    spec = make_spec(others, "model_name", MODELS, document, (), also=_OF_ALL)
    return NamedModel(spec.name, spec.kind, spec.options, spec.compat, spec.notices, title)


def model_of_key(item: Any, written: Any, document: Document, at: Key, called: str) -> ModelSpec:
    """The checked model file of a key: a path beside the recipe, a shipped name, or its content.

    Raises ConfigError.
    """
    where = document.where(*at)
    if isinstance(item, Mapping):
        # As written, so that what comes from the environment stays a name in config.yaml.
        content = written if isinstance(written, Mapping) else item
        try:
            return load_model(content, name=str(document.path.parent / called))
        except ConfigError as error:
            raise ConfigError(
                f"{error.what} ({error.where})", where=where, hint=error.hint
            ) from None
    if not isinstance(item, str):
        hint = "give a model file, the name of a shipped one, or its content as a mapping"
        raise ConfigError(f"{item!r} is no model file", where=where, hint=hint)
    near = document.path.parent / item
    try:
        return load_model(near if document.given is None and near.is_file() else item)
    except ConfigError as error:
        if error.where != item:
            raise
        raise ConfigError(f"{item}: {error.what}", where=where, hint=error.hint) from None
