"""One YAML file with the lines of its keys, its overrides and its secrets."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, cast

from chef.common.logs import logger
from chef.common.text import count_replaced, encodable_data
from chef.common.yaml_text import MAX_BYTES, YamlTooLargeError, built, compose, plain
from chef.config import interpolations, secrets
from chef.config.override import Key, check_listed, no_text, set_override, syntax_error
from chef.config.shipped import mapping_name, overridden_name
from chef.errors import ConfigError, first_line, similar
from chef.guard import folder
from chef.guard.files import NotAFileError, TooLargeError, read_text

if TYPE_CHECKING:
    import yaml

_log = logger(__name__)
#: What to do about a file without a key.
_FILL = (
    "a model file begins 'model_name: NAME', a recipe 'scenario_cfg: {dataset_name: Tsv, path: "
    "my.tsv}'; `chef list NAME` shows all keys"
)
_LOST = "give it back from a copy"


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file as read.

    Attributes:
        path: the file; of a mapping given in Python a name made of its content.
        values: its content with overrides applied and interpolations resolved.
        raw: the same with interpolations as written, so ``${oc.env:API_KEY}`` stays a name.
        places: where each key was given, ``file:line`` or the override.
        overrides: as given; source and overrides are enough to read it again elsewhere.
        given: the mapping, where there is no file.
        spelled: how keys are spelled in the file, by their beginning, where it has another form.
    """

    path: Path
    values: dict[str, Any]
    raw: dict[str, Any]
    places: Mapping[Key, str] = field(repr=False)
    overrides: tuple[str, ...] = field(default=(), repr=False)
    given: Mapping[str, Any] | None = field(default=None, repr=False)
    spelled: Mapping[Key, Key] = field(default_factory=dict, repr=False)

    @property
    def source(self) -> Path | Mapping[str, Any]:
        """What it was read from: a file, or a mapping."""
        return self.path if self.given is None else self.given

    def where(self, *key: str) -> str:
        """``file:line: a.b.c``, with the line of the nearest enclosing key that has one."""
        for depth in range(len(key), -1, -1):
            if (place := self.places.get(key[:depth])) is not None:
                break
        else:
            place = str(self.path)
        for depth in range(len(key), 0, -1):
            if (spelled := self.spelled.get(key[:depth])) is not None:
                key = (*spelled, *key[depth:])
                break
        return f"{place}: {'.'.join(key)}" if key else place

    def located(self, error: ConfigError) -> ConfigError:
        """The same error with file and line; its ``where`` may be a key path without them."""
        where = error.where or ""
        if str(self.path) in where or where.startswith("override "):
            return error
        key = where.split(".")
        if key[0] == "method_cfg":  # a method knows no section around it
            key = ["scenario_cfg", *key]
        known = key[0] in self.values
        place = self.where(*key) if known else f"{self.path}: {where}".removesuffix(": ")
        return ConfigError(error.what, where=place, hint=error.hint)

    def public(self) -> dict[str, Any]:
        """The content without secrets; interpolations stay as written."""
        return cast("dict[str, Any]", secrets.public(self.raw, self.values))

    def shown_publicly(self, complete: dict[str, Any]) -> dict[str, Any]:
        """``complete``, where values that are secret or interpolated have their public form.

        Args:
            complete: the content with the defaults of its keys filled in.
        """
        return cast("dict[str, Any]", _overlay(complete, self.values, self.public()))

    def secret_digest(self) -> str:
        """A digest of the secrets, which is slow to guess them by; empty if there are none."""
        return secrets.slow_digest(self.raw, self.values)

    def from_environment(self) -> dict[str, Any]:
        """Values that came from the environment, by key path, without secrets."""
        return dict(secrets.from_environment(self.raw, self.values))


def _overlay(complete: Any, given: Any, public: Any) -> Any:
    if isinstance(complete, dict):
        return {
            key: _overlay(value, _at(given, key), _at(public, key))
            for key, value in complete.items()
        }
    if isinstance(complete, list) and isinstance(given, list) and len(complete) == len(given):
        return [_overlay(*parts) for parts in zip(complete, given, public, strict=True)]
    return complete if given == public else public


def _at(node: Any, key: str) -> Any:
    return node.get(key) if isinstance(node, dict) else None


def read_document(
    source: str | Path | Mapping[str, Any],
    overrides: Sequence[str] = (),
    *,
    name: str | None = None,
) -> Document:
    """Read one YAML file, or a mapping of the same form, and apply ``key.path=value`` overrides in
    order; ``name`` is what errors call a mapping. Raises ConfigError.
    """
    return read_source(source, name=name).document(overrides)


@dataclass(frozen=True, slots=True)
class YamlSource:
    """A parsed YAML file as plain data, of which documents are made; ``given`` is the mapping where
    no file is.
    """

    path: Path
    content: dict[str, Any]
    places: Mapping[Key, str] = field(repr=False)
    given: Mapping[str, Any] | None = field(default=None, repr=False)

    def document(
        self, overrides: Sequence[str] = (), within: Sequence[str] = (), only: str | None = None
    ) -> Document:
        """The document, or what stands under the key path ``within``, or its key ``only``.

        What stands elsewhere need not resolve. Raises ConfigError.
        """
        check_listed(overrides)
        path, places = self.path, dict(self.places)
        content: Any = self.content
        for name in within:
            content = content.get(name) if isinstance(content, dict) else None
            places = {key[1:]: place for key, place in places.items() if key[:1] == (name,)}
        if not isinstance(content, dict):
            inside = f" under '{'.'.join(within)}'" if within else ""
            hint = "write 'key: value' lines"
            raise ConfigError(f"holds no mapping{inside}", where=str(path), hint=hint)
        if only is not None:
            content = {key: value for key, value in content.items() if key == only}
        for override in overrides:
            content = set_override(content, override, places)
        if self.given is not None and overrides:  # a mapping with overrides is another recipe
            path = Path(overridden_name(str(path), overrides))
        document = _resolved(path, content, places, overrides)
        return replace(document, given=self.given)


def read_source(
    source: str | Path | Mapping[str, Any], *, name: str | None = None, of_run: bool = False
) -> YamlSource:
    """Parse a YAML file, of which no link is followed where it is of a run folder, or take a
    mapping. Raises ConfigError.
    """
    if isinstance(source, Mapping):
        return _from_mapping(source, name)
    path = Path(source)
    text = yaml_text(path, folder.read_text if of_run else read_text)
    try:
        parsed = _parsed(text, path)
    except Exception:
        secrets.remember_written(text)  # an error may quote it
        raise
    if not parsed.content:
        what = "holds no key" if text.strip() else "is empty"
        raise ConfigError(what, where=str(path), hint=_LOST if of_run else _FILL)
    return parsed


def _resolved(
    path: Path, raw: dict[str, Any], places: Mapping[Key, str], overrides: Sequence[str]
) -> Document:
    secrets.remember_within(text for _, text in strings(raw))  # an error may quote one
    _check_keys(raw, path, places)
    _check_environment(raw, path, places)
    try:
        interpolations.check(raw)
        values = interpolations.resolved(raw)
    except interpolations.InterpolationError as error:
        place = Document(path, {}, raw, places).where(*error.key)
        raise ConfigError(str(error), where=place, hint=error.hint) from None
    except RecursionError:
        what, hint = "interpolations refer to one another too often", "write the values themselves"
        raise ConfigError(what, where=str(path), hint=hint) from None
    if number := count_replaced(values):
        _log.warning("%s: %d characters that no encoding has are now U+FFFD", path, number)
    raw, values = encodable_data(raw), encodable_data(values)
    try:
        secrets.remember(raw, values)
    except ValueError as error:
        hint = "name environment variables instead: ${oc.env:NAME}"
        raise ConfigError(str(error), where=str(path), hint=hint) from None
    return Document(path, values, raw, places, tuple(overrides))


def _parsed(text: str, path: Path) -> YamlSource:
    from yaml import YAMLError

    try:
        interpolations.check_number(text)
        root = compose(text)
        places = _lines(root, path)
        content = built(root) or {}
        interpolations.check_grammar(content)
        return YamlSource(path, content, places)
    except YAMLError as error:
        raise syntax_error(path, error) from None
    except YamlTooLargeError as error:
        place = f"{path}:{error.line}" if error.line else str(path)
        raise ConfigError(str(error), where=place, hint="write a smaller file") from None
    except interpolations.InterpolationError as error:
        raise ConfigError(str(error), where=str(path), hint="write the values") from None
    except ConfigError:
        raise
    except Exception as error:  # a value that is none of its tag (!!float x) raises whatever it may
        what = f"not valid YAML: {first_line(error)}"
        raise ConfigError(what, where=str(path), hint="correct the value of that kind") from None


def yaml_text(path: Path, read: Callable[..., str] = read_text) -> str:
    """The text of a YAML file, which ``read`` opens; ConfigError where there is none."""
    try:
        return read(path, limit=MAX_BYTES)
    except FileNotFoundError:
        raise ConfigError("no such file", where=str(path), hint=_neighbours(path)) from None
    except folder.LinkError as error:
        hint = "put the file itself in its place, if you know that it belongs there"
        raise ConfigError(str(error.strerror), where=str(path), hint=hint) from None
    except NotAFileError as error:
        hint = "give one of the files in it" if path.is_dir() else "give a .yaml file"
        raise ConfigError(str(error.strerror), where=str(path), hint=hint) from None
    except TooLargeError as error:
        hint = "is it a recipe or a model file? They have a few kB"
        raise ConfigError(str(error.strerror), where=str(path), hint=hint) from None
    except (OSError, UnicodeDecodeError) as error:
        raise no_text(path, error) from None


def _from_mapping(content: Mapping[str, Any], name: str | None = None) -> YamlSource:
    given = cast("dict[str, Any]", to_yaml_data(content))
    name = name or mapping_name(given)
    try:
        interpolations.check_number("".join(text for _, text in strings(given)))
        raw = plain(given)
        interpolations.check_grammar(raw)
    except (ValueError, RecursionError) as error:
        for key, value in _objects(given):
            raise _no_data(key, value, name) from None
        raise ConfigError(first_line(error), where=name) from None
    return YamlSource(Path(name), raw, {(): name}, given)


def _objects(node: Any, key: Key = ()) -> Iterator[tuple[Key, Any]]:
    """The values that YAML cannot have, with the key of each."""
    if isinstance(node, dict | list):
        pairs = node.items() if isinstance(node, dict) else enumerate(node)
        for name, value in pairs:
            yield from _objects(value, (*key, str(name)))
    elif node is not None and not isinstance(node, bool | int | float | str):
        yield key, node


def _no_data(key: Key, value: Any, name: str) -> ConfigError:
    """The error for an object in a mapping: data of the session stands at one key alone."""
    near = similar(key[0], ("scenario_cfg", "eval_cfg"))
    if near is not None and near != key[0]:
        hint = f"did you mean '{near}'?"
    elif key[:2] == ("scenario_cfg", "path"):
        hint = (
            "give a mapping with data to chef.evaluate, chef.race, chef.sweep or chef.score "
            "themselves"
        )
    elif isinstance(value, type):
        hint = f"name it, '{value.__name__}', and its file: plugins: [FILE.py]"
    else:
        hint = "write texts, numbers, lists and mappings; data in memory is scenario_cfg.path"
    what = f"an object of type {type(value).__name__} is no text, number, list or mapping"
    return ConfigError(what, where=f"{name}: {'.'.join(key)}", hint=hint)


def to_yaml_data(value: Any) -> Any:
    """The same as YAML would have it: paths are text, tuples lists, NumPy's numbers numbers.

    ConfigError: a key is no text.
    """
    if isinstance(value, Mapping):
        if wrong := [key for key in value if not isinstance(key, str)]:
            raise ConfigError(f"the key {wrong[0]!r} is no text", hint="put it in quotes")
        return {key: to_yaml_data(item) for key, item in value.items()}
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return value.item()
    if isinstance(value, list | tuple):
        return [to_yaml_data(item) for item in value]
    return str(value) if isinstance(value, PurePath) else value


def _neighbours(path: Path) -> str:
    siblings = sorted(path.parent.glob("*.yaml")) if path.parent.is_dir() else []
    if siblings:
        return "there is: " + ", ".join(str(item) for item in siblings[:12])
    return f"the folder {path.parent} has no .yaml files; check the path"


def _lines(root: yaml.Node | None, path: Path) -> dict[Key, str]:
    """The line of each key, from the YAML nodes, without constructing any value."""
    import yaml

    places: dict[Key, str] = {(): str(path)}

    def walk(node: yaml.Node | None, key: Key) -> None:
        if isinstance(node, yaml.MappingNode):
            for name, value in node.value:
                inner = (*key, str(name.value))
                places[inner] = f"{path}:{name.start_mark.line + 1}"
                walk(value, inner)
        elif isinstance(node, yaml.SequenceNode):
            for number, item in enumerate(node.value):
                places[(*key, str(number))] = f"{path}:{item.start_mark.line + 1}"
                walk(item, (*key, str(number)))

    if root is not None and not isinstance(root, yaml.MappingNode):
        hint = "write 'key: value' lines"
        raise ConfigError("holds no mapping", where=str(path), hint=hint)
    walk(root, ())
    return places


def _check_keys(node: Any, path: Path, places: Mapping[Key, str], key: Key = ()) -> None:
    """Refuse keys that are no strings: YAML reads ``1``, ``yes`` and dates as other types."""
    if isinstance(node, dict):
        for name, value in node.items():
            if not isinstance(name, str):
                raise ConfigError(
                    f"the key {name!r} is not a string",
                    where=Document(path, {}, {}, places).where(*key),
                    hint="put it in quotes, or correct it",
                )
            _check_keys(value, path, places, (*key, name))
    elif isinstance(node, list):
        for value in node:
            _check_keys(value, path, places, key)


def _check_environment(raw: Any, path: Path, places: Mapping[Key, str]) -> None:
    """Name a missing variable and the key that needs it; the error of the resolver does not."""
    for key, text in strings(raw):
        for match in secrets.ENVIRONMENT.finditer(text):
            name, has_default = match[1], text.startswith(",", match.end())
            if name not in os.environ and not has_default:
                raise ConfigError(
                    f"environment variable {name} is not set",
                    where=Document(path, {}, {}, places).where(*key),
                    hint=f"export {name}=...",
                )


def strings(node: Any, key: Key = ()) -> Iterator[tuple[Key, str]]:
    """The texts among values, each with its key; those of a list have the key of the list."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from strings(value, (*key, str(name)))
    elif isinstance(node, list):
        for value in node:
            yield from strings(value, key)
    elif isinstance(node, str):
        yield key, node
