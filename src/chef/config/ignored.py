"""Recipe keys without effect, and why. Recipes of ChEF give them; each gets one notice."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from typing import Any

from chef.common.keys import class_keys
from chef.common.yaml_text import within

_CHEF = "as in ChEF"
_OPTIONS = "the samples have options in any case"
_SEEN = "the answers show whether options were scored"
_SCORED = "options are scored"
_TURNS = "turns have no chain of thought, as in ChEF"

#: Kind of ingredient and its name (`ANY`: of whatever name) -> its keys without effect -> why.
ANY = "*"
IGNORED: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("scenario", "MME"): {"option_lower": _CHEF},
    ("scenario", "ScienceQA"): {"ppl": _OPTIONS, "split": _CHEF},
    ("scenario", "POPE_COCO_random"): {"ppl": _OPTIONS, "option_content": _CHEF},
    ("scenario", "POPE_COCO_popular"): {"ppl": _OPTIONS, "option_content": _CHEF},
    ("scenario", "POPE_COCO_adversarial"): {"ppl": _OPTIONS, "option_content": _CHEF},
    ("scenario", "Winoground"): {"ppl": _OPTIONS},
    ("scenario", "Winoground_Cap"): {"ppl": _OPTIONS},
    ("inferencer", ANY): {"multi_img": _CHEF, "CoT_split": _CHEF, "calib": _CHEF},
    # The chain of thought before the scores has a length of its own.
    ("inferencer", "PPL"): {"max_new_tokens": _SCORED},
    ("inferencer", "Multi_PPL"): {"max_new_tokens": _SCORED, "CoT": _TURNS},
    ("inferencer", "Det_PPL"): {"max_new_tokens": _SCORED, "CoT": _TURNS},
    ("inferencer", "Multi_Direct"): {"CoT": _TURNS},
    ("inferencer", "Det"): {"CoT": _TURNS},
    # ChEF cut and re-spelt questions with this tokenizer before it encoded them.
    ("retriever", "topk_text"): {"tokenizer_name": "questions are encoded as they are"},
    ("metric", "Ch3Ef_Metric"): {"ppl": _SEEN},
    ("metric", "MMMU_Metric"): {"ppl": _SEEN},
}

#: Where the section of each kind stands in config.yaml, and the key of its name.
_SECTIONS = {
    "model": ("model_cfg", "model_name"),
    "scenario": ("recipe_cfg.scenario_cfg", "dataset_name"),
    "instruction": ("recipe_cfg.eval_cfg.instruction_cfg", "instruction_type"),
    "inferencer": ("recipe_cfg.eval_cfg.inferencer_cfg", "inferencer_type"),
    "retriever": ("recipe_cfg.eval_cfg.instruction_cfg.incontext_cfg", "retriever_type"),
    "metric": ("recipe_cfg.eval_cfg.metric_cfg", "metric_type"),
}


def drop_ignored(
    kind: str, name: str, options: dict[str, Any], taken: Collection[str] = ()
) -> list[str]:
    """Remove from ``options`` the keys without effect, which its class has not ``taken``; a
    sentence for each.
    """
    reasons = {**IGNORED.get((kind, ANY), {}), **IGNORED.get((kind, name), {})}
    return [
        f"{key}: {options.pop(key)} -> not used, {reason}"
        for key, reason in reasons.items()
        if key in options and key not in taken
    ]


def comparable(config: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a config.yaml without what changes no answer, also as earlier versions wrote
    it.
    """
    found = copy.deepcopy(dict(config))
    for kind, (place, name_key) in _SECTIONS.items():
        if (section := _section(found, place)) is not None:
            drop_ignored(kind, str(section.get(name_key)), section)
            if section.get("compat") == "corrected":
                del section["compat"]
            if kind == "instruction" and section.get("prompt") == "recipe":
                del section["prompt"]
    return found


def with_new_keys(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The `comparable` configuration of an earlier run, with the keys that ingredients have got
    since at their defaults.
    """
    complete = copy.deepcopy(dict(before))
    for kind, (place, name_key) in _SECTIONS.items():
        one, other = _section(complete, place), _section(now, place)
        if one is None or other is None or not (new := other.keys() - one.keys()):
            continue
        if isinstance(name := other.get(name_key), str) and name == one.get(name_key):
            one |= _at_default(kind, name, other, new)
    return complete


def _section(config: Mapping[str, Any], place: str) -> dict[str, Any] | None:
    """The section of a configuration that stands at a place; None where there is no mapping."""
    section = within(config, place.split("."))
    return section if isinstance(section, dict) else None


def _at_default(
    kind: str, name: str, section: Mapping[str, Any], keys: Collection[str]
) -> dict[str, Any]:
    """Those of some keys of a section whose values are the defaults of the ingredient's class."""
    from chef.config.installed import REGISTRIES  # they import this room's neighbours

    registry = next(one for one in REGISTRIES if one.kind == kind)
    if name not in registry:
        return {}
    compat = section.get("compat", "corrected")
    defaults = {key.name: key.default for key in class_keys(registry.get(name, compat=compat))}
    return {key: section[key] for key in keys if key in defaults and section[key] == defaults[key]}
