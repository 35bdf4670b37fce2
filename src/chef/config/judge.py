"""The ``judge_cfg`` section: which models judge the answers of a run, and how they are asked.

Where a recipe has none, its evaluators may name a judge by ``model_id``: one of MMTrustEval's ids,
a chat class of a plugin, or a model file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from chef.common.yaml_text import within
from chef.config.document import Document, read_document, read_source
from chef.config.installed import register_installed
from chef.config.lookup import find_model
from chef.config.metric import MetricSection
from chef.config.model import ModelSpec, model_of_key
from chef.config.override import Key
from chef.config.spec import check_value
from chef.config.suggest import suggestion
from chef.errors import ConfigError, nearest
from chef.frozen import Frozen
from chef.inferencer.decoding import Decoding
from chef.metric.judge_kind import JUDGE_KINDS
from chef.metric.mmtrusteval import EVALUATORS

AT = ("eval_cfg", "judge_cfg")
_MODEL = "model_cfg"


class JudgeOptions(Frozen):
    """The keys of ``judge_cfg`` besides its models.

    Attributes:
        kind: what judges are asked (`JUDGE_KINDS`); None: what the metric needs.
        when: ``unread`` asks only about answers that the rule of the metric cannot read,
            ``always`` about all; None: as the kind says.
        wording: the name of the wording of the kind.
        rubric: by what answers are rated, for kinds that rate.
        against: the folder of another run with whose answers the answers are compared; None: with
            the references.
        max_new_tokens: the most tokens of a reply.
        temperature: 0 is greedy decoding; above 0, tokens are sampled.
        attempts: how often a question is asked until the reply can be read; at least 1. None: as
            often as the kind says.
        show_images: whether the judge is shown the images of the sample.
    """

    kind: str | None = None
    when: Literal["unread", "always"] | None = None
    wording: str = "default"
    rubric: str | None = None
    against: str | None = None
    max_new_tokens: int = 512
    temperature: float = 0.0
    attempts: int | None = None
    show_images: bool = False

    @property
    def decoding(self) -> Decoding:
        """How replies are generated. ConfigError: a value is out of range."""
        return Decoding(self.max_new_tokens, temperature=self.temperature)


@dataclass(frozen=True, slots=True)
class JudgeSection:
    """A section that was checked.

    Attributes:
        given: the section as given.
        models: the model file of each judge.
        options: its other keys.
        document: the file.
        at: where the section stands in it.
    """

    given: Mapping[str, Any]
    models: Sequence[ModelSpec]
    options: JudgeOptions
    document: Document = field(repr=False)
    at: Key = AT

    @property
    def names(self) -> str:
        """The names of the judges, for messages."""
        return ", ".join(spec.label for spec in self.models)

    def where(self, *key: str) -> str:
        """The place of a key of the section, for messages."""
        return self.document.where(*self.at, *key)

    def effective(self) -> dict[str, Any]:
        """The whole section with defaults filled in and secrets removed."""
        return {_MODEL: [spec.effective() for spec in self.models], **asdict(self.options)}


def judge_section(given: Any, document: Document, at: Key = AT) -> JudgeSection | None:
    """Check a section; None where there is none. Raises ConfigError."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise ConfigError(
            "must be a mapping",
            where=document.where(*at),
            hint=f"write its keys: {at[-1]}: {{model_cfg: {given}}}",
        )
    known = {item.name: item.type for item in fields(JudgeOptions)}
    for key in given:
        if key not in known and key != _MODEL:
            hint = suggestion((*at, str(key)), (_MODEL, *known), document)
            raise ConfigError("unknown key", where=document.where(*at, str(key)), hint=hint)
    options = _options({key: value for key, value in given.items() if key != _MODEL}, document, at)
    models = _models(given.get(_MODEL), document, (*at, _MODEL))
    register_installed()
    _check_kind(options, document, at)
    return JudgeSection(given, models, options, document, at)


def load_judge(
    files: Sequence[str | Path | Mapping[str, Any]],
    overrides: Sequence[str] = (),
    base: Mapping[str, Any] | None = None,
) -> JudgeSection:
    """The judges that ``--judge_cfg`` gives: model files, or one file that has the section.

    Model files replace those of ``base``, the recipe's section, and leave its other keys.
    ``overrides`` are for keys of the section. ConfigError: a wrong file, or files and a section.
    """
    sections = [found for item in files if (found := _section_in(item)) is not None]
    if sections and len(files) > 1:
        raise ConfigError(
            "one file that has the section judge_cfg stands alone",
            where=f"--judge_cfg {' '.join(map(_called, files))}",
            hint="name several judges in its model_cfg: [FILE, FILE]",
        )
    kept = dict(base or {})
    if sections:
        document, at = sections[0]
        if overrides:
            document = read_document(document.source, [f"{'.'.join(at)}.{o}" for o in overrides])
        section = judge_section(within(document.values, at), document, at)
    else:
        named = [item if isinstance(item, Mapping) else str(item) for item in files]
        content = {**kept, **({_MODEL: named} if named else {})}
        document = read_document(
            {"judge_cfg": content}, [f"judge_cfg.{item}" for item in overrides], name="--judge_cfg"
        )
        section = judge_section(document.values["judge_cfg"], document, ("judge_cfg",))
    assert section is not None
    return section


def _section_in(item: str | Path | Mapping[str, Any]) -> tuple[Document, Key] | None:
    """The file and the place of the section in it; None for a model file."""
    path = item if isinstance(item, Mapping) else find_model(item)
    if not isinstance(item, Mapping) and isinstance(path, Mapping):
        return None  # hf:owner/name, or the name of a class
    raw = read_source(path).content
    if isinstance(raw, dict) and _MODEL in raw and "model_name" not in raw:
        if isinstance(item, Mapping):  # the content of the section, without its name
            return read_document({"judge_cfg": dict(item)}, name="judge_cfg"), ("judge_cfg",)
        raise ConfigError(
            "has the keys of judge_cfg, and not the key judge_cfg itself",
            where=_called(item),
            hint="write judge_cfg: on a line of its own, and its keys indented below it",
        )
    for at in (("judge_cfg",), AT):
        if within(raw, at) is not None:
            return read_document(path), at
    if isinstance(raw, dict) and "model_name" not in raw and not {"eval_cfg"}.isdisjoint(raw):
        raise ConfigError(
            "is a recipe without judge_cfg",
            where=_called(item),
            hint="give a model file, or a file with the section judge_cfg",
        )
    return None


def _called(item: str | Path | Mapping[str, Any]) -> str:
    return "(a mapping)" if isinstance(item, Mapping) else str(item)


def _options(values: Mapping[str, Any], document: Document, at: Key) -> JudgeOptions:
    import typing

    kinds = typing.get_type_hints(JudgeOptions)
    checked = {
        key: check_value(value, kinds[key], document.where(*at, key))
        for key, value in values.items()
    }
    options = JudgeOptions(**checked)
    if options.attempts is not None and options.attempts < 1:
        where = document.where(*at, "attempts")
        raise ConfigError(
            f"attempts is {options.attempts}", where=where, hint="it must be 1 or more"
        )
    try:
        _ = options.decoding
    except ConfigError as error:
        key = (error.where or "").rpartition(".")[2]
        raise ConfigError(error.what, where=document.where(*at, key), hint=error.hint) from None
    return options


def _models(given: Any, document: Document, at: Key) -> list[ModelSpec]:
    """The model file of each judge."""
    items = given if isinstance(given, list) else [given]
    if given is None or not items:
        raise ConfigError(
            "needs the key 'model_cfg', the model file of the judge",
            where=document.where(*at[:-1]),
            hint="for example model_cfg: judge.yaml, or a list of several judges; on the command "
            "line --judge_cfg judge.yaml",
        )
    raw = within(document.raw, at)
    written = raw if isinstance(raw, list) else [raw]
    models: list[ModelSpec] = []
    for place, item in enumerate(items):
        here = (*at, str(place)) if isinstance(given, list) else at
        spec = model_of_key(item, written[place], document, here, "judge")
        if any(spec.effective() == other.effective() for other in models):
            raise ConfigError(
                "is the same judge as another one",
                where=document.where(*here),
                hint="remove one of the two",
            )
        models.append(spec)
    return models


def _check_kind(options: JudgeOptions, document: Document, at: Key) -> None:
    """Check the kind of judge, its wording, and the keys that only some kinds have.

    Raises ConfigError.
    """
    if options.kind is None:
        return
    if options.kind not in JUDGE_KINDS:
        raise ConfigError(
            f"unknown kind of judgement '{options.kind}'",
            where=document.where(*at, "kind"),
            hint=nearest(options.kind, JUDGE_KINDS),
        )
    kind = JUDGE_KINDS.get(options.kind, where=document.where(*at, "kind"))
    try:
        kind(wording=options.wording, rubric=options.rubric)
    except ConfigError as error:
        where = document.where(*at, error.where or "kind")
        raise ConfigError(error.what, where=where, hint=error.hint) from None
    if options.against is not None and not kind.compares:
        raise ConfigError(
            f"{options.kind} compares with no other answer",
            where=document.where(*at, "against"),
            hint="remove the key, or write kind: preference",
        )


#: Where evaluators stand in a section, and the key by which one names its judge.
_CHAINS, _JUDGE_ID = "evaluator_seq_cfgs", "model_id"


def named_judge(sections: Sequence[MetricSection], document: Document) -> JudgeSection | None:
    """The judge that the evaluators of a recipe name; None where it is not one that chef knows.

    ``--judge_cfg`` may still give one, and else `chef.judge.fitting.check_metrics` says so.
    """
    named = {name: at for section in sections for at, name in _named(section)}
    if len(named) != 1:
        return None
    ((name, at),) = named.items()
    try:
        if not (document.path.parent / name).is_file():
            find_model(name)
    except ConfigError:
        return None
    try:
        return judge_section({"model_cfg": name}, document, at[:-1])
    except ConfigError as error:
        raise ConfigError(
            f"the judge '{name}' cannot be used: {error.what}",
            where=document.where(*at),
            hint=error.hint,
        ) from None


def _named(section: MetricSection) -> Iterator[tuple[Key, str]]:
    """The key paths and names of the judges in a section."""
    chains = section.values.get(_CHAINS)
    for place, chain in enumerate(chains if isinstance(chains, list) else []):
        for name, keys in chain.items() if isinstance(chain, Mapping) else ():
            given = keys.get(_JUDGE_ID) if isinstance(keys, Mapping) else None
            if given and name in EVALUATORS and EVALUATORS.get(name).needs_judge:
                yield (*section.at, _CHAINS, str(place), str(name), _JUDGE_ID), str(given)
