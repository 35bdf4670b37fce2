"""The judge that evaluators name by ``model_id``, where the recipe has no ``judge_cfg``.

It is one of MMTrustEval's ids, a chat class of a plugin, or a model file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chef.config.document import Document
from chef.config.judge import JudgeSection, judge_section
from chef.config.lookup import find_model
from chef.config.metric import MetricSection
from chef.config.override import Key
from chef.config.task import model_content
from chef.config.tasks.models import model_of
from chef.errors import ConfigError
from chef.metric.mmtrusteval import EVALUATORS
from chef.models.hooks.mmtrusteval import CHATS

_CHAINS, _MODEL = "evaluator_seq_cfgs", "model_id"


def named_judge(sections: Sequence[MetricSection], document: Document) -> JudgeSection | None:
    """The judge that the evaluators of a recipe name.

    None where they name none, or several, or one that chef does not know: ``--judge_cfg`` may still
    give one, and where it does not, `chef.judge.fitting.check_metrics` says so.

    Args:
        sections: the metrics, which were checked.
        document: the recipe.

    Raises:
        ConfigError: the model file is wrong.
    """
    named = {name: at for section in sections for at, name in _named(section)}
    if len(named) != 1:
        return None
    ((name, at),) = named.items()
    try:
        here = document.path.parent.resolve()
        content = model_content(name, here=here) if name in CHATS else model_of(name)
        if content is None and not (document.path.parent / name).is_file():
            find_model(name)
    except ConfigError:
        return None
    try:
        return judge_section({"model_cfg": content or name}, document, at[:-1])
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
            given = keys.get(_MODEL) if isinstance(keys, Mapping) else None
            if given and name in EVALUATORS and EVALUATORS.get(name).needs_judge:
                yield (*section.at, _CHAINS, str(place), str(name), _MODEL), str(given)
