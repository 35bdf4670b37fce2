"""Older spellings of recipe keys, and what chef does not have of ChEF: point clouds.

Recipes of both generations of ChEF are read (see docs/background/compat.md). Every older spelling
gives one notice that says how it is understood.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.common.yaml_text import within
from chef.config.document import Document
from chef.config.metric import MetricSection, metric_sections
from chef.config.spec import check_value
from chef.errors import ConfigError, nearest
from chef.inferencer import INFERENCERS
from chef.metric import METRICS
from chef.registry import Registry
from chef.scenario import SCENARIOS
from chef.types import Compat

#: ``inferencer_type`` of the first generation, and as ChEF's design names it -> today's.
SPELLED = {
    "Calibration": "PPL",
    "ICL_Direct": "Direct",
    "ICL_PPL": "PPL",
    "CoT": "Direct",
    "ICL": "Direct",
    "ICL_CoT": "Direct",
}

_QUERY_TYPES = {
    "standard_query": "singleturn",
    "query_pool": "singleturn",
    "multiturn": "multiturn",
}

#: ``inference_type`` of the first generation for Omnibenchmark -> ``inference_type``, ``ppl``.
_FINE_GRAINED = {
    "multi_ppl": ("multiturn", True),
    "single_ppl": ("singleturn", True),
    "direct": ("singleturn", False),
}

_FIRST_GENERATION = ("standard_query", "query_pool")


def upgrade_legacy_keys(recipe: dict[str, Any], document: Document, compat: Compat) -> list[str]:
    """Rewrite older spellings in place, and return a sentence for each.

    With ``upstream``, keys of the first generation that choose a wording are ignored, as ChEF's
    second generation does. ConfigError: an older and a current spelling disagree.
    """
    evaluation = recipe["eval_cfg"]
    notices = _scenario(recipe["scenario_cfg"], document)
    if compat == "upstream":
        notices += _ignored_query(evaluation["instruction_cfg"])
    notices += _query_type(evaluation["instruction_cfg"], document)
    notices += _inferencer(evaluation["inferencer_cfg"], document)
    examples = evaluation["instruction_cfg"].get("incontext_cfg")
    if isinstance(examples, dict):
        where = document.where("eval_cfg", "instruction_cfg", "incontext_cfg", "use_pic")
        notices += _rename(examples, "use_pic", "ice_with_image", where)
    for metric in metric_sections(evaluation["metric_cfg"], document):
        where = document.where(*metric.at, "protocol")
        notices += _rename(metric.values, "protocol", "metric_type", where)
        if recipe["scenario_cfg"].get("dataset_name") == "Omnibenchmark":
            notices += _fine_grained(metric, document)
    return notices


def _scenario(section: dict[str, Any], document: Document) -> list[str]:
    notices = []
    options = section.get("ppl_cfg")
    if isinstance(options, dict) and "single_turn" in options:
        where = document.where("scenario_cfg", "ppl_cfg", "single_turn")
        single = check_value(options["single_turn"], bool, where)
        if section.get("multi_turn", not single) is single:
            raise ConfigError(
                f"ppl_cfg.single_turn: {single} and multi_turn: {single} disagree",
                where=where,
                hint="keep 'multi_turn'",
            )
        section["ppl_cfg"] = {key: options[key] for key in options if key != "single_turn"}
        section["multi_turn"] = not single
        notices.append(f"ppl_cfg.single_turn: {single} -> multi_turn: {not single}")
    return notices


def _ignored_query(section: dict[str, Any]) -> list[str]:
    keys = [key for key in ("query_type", "query_assigned_ids") if key in section]
    return [f"{key}: {section.pop(key)} -> ignored, as by ChEF (compat: upstream)" for key in keys]


def _fine_grained(metric: MetricSection, document: Document) -> list[str]:
    section = metric.values
    old = section.get("inference_type")
    if not isinstance(old, str) or old not in _FINE_GRAINED:
        return []
    new, ppl = _FINE_GRAINED[old]
    if section.get("ppl", ppl) != ppl:
        raise ConfigError(
            f"inference_type: {old} and ppl: {section['ppl']} disagree",
            where=document.where(*metric.at, "inference_type"),
            hint=f"write inference_type: {new} and the ppl that you mean",
        )
    section.update(inference_type=new, ppl=ppl)
    return [f"inference_type: {old} -> inference_type: {new}, ppl: {ppl}"]


_IDS = "query_assigned_ids"


def _query_type(section: dict[str, Any], document: Document) -> list[str]:
    at = ("eval_cfg", "instruction_cfg")
    where = document.where(*at, "query_assigned_ids")
    if "query_type" not in section and section.get("prompt_type") in _FIRST_GENERATION:
        section["query_type"] = section.pop("prompt_type")
    if "query_type" not in section:
        return _rename(section, "query_assigned_ids", "prompt_assigned_ids", where)
    query_type = section.pop("query_type")
    if not isinstance(query_type, str) or query_type not in _QUERY_TYPES:
        raise ConfigError(
            f"unknown query_type '{query_type}'",
            where=document.where(*at, "query_type"),
            hint=nearest(str(query_type), _QUERY_TYPES),
        )
    taken = _QUERY_TYPES[query_type]
    if section.get("prompt_type", taken) != taken:
        raise ConfigError(
            f"query_type: {query_type} and prompt_type: {section['prompt_type']} disagree",
            where=document.where(*at, "query_type"),
            hint="keep one of them",
        )
    old = f", query_assigned_ids: {section[_IDS]}" if _IDS in section else ""
    _rename(section, _IDS, "prompt_assigned_ids", where)
    ids = section.get("prompt_assigned_ids", 0)
    if query_type == "standard_query":
        ids = 0  # a standard query is the first wording of the pool, whatever the id says
    section.update(prompt_type=taken, prompt_assigned_ids=ids)
    return [f"query_type: {query_type}{old} -> prompt_type: {taken}, prompt_assigned_ids: {ids}"]


def _inferencer(section: dict[str, Any], document: Document) -> list[str]:
    name = section.get("inferencer_type")
    if not isinstance(name, str) or name not in SPELLED:
        return []
    section["inferencer_type"] = taken = SPELLED[name]
    chain = ""
    if name.endswith("CoT"):
        if section.setdefault("CoT", True) is not True:
            raise ConfigError(
                f"inferencer_type: {name} and CoT: {section['CoT']} disagree",
                where=document.where("eval_cfg", "inferencer_cfg", "CoT"),
                hint="leave 'CoT' out, or write inferencer_type: Direct",
            )
        chain = ", CoT: True"
    return [f"inferencer_type: {name} -> {taken}{chain}"]


def _rename(section: dict[str, Any], old: str, new: str, where: str) -> list[str]:
    if old not in section:
        return []
    if new in section:
        raise ConfigError(
            f"'{old}' is an older spelling of '{new}', and both are given",
            where=where,
            hint=f"keep '{new}'",
        )
    section[new] = section.pop(old)
    return [f"{old} -> {new}: {section[new]}"]


_NAMES = frozenset({
    "Direct3D",
    "LAMM_3D_Caption",
    "LAMM_3D_Classification",
    "LAMM_3D_Detection",
    "LAMM_3D_Grounding",
    "Octavius3D",
    "OctaviusPCLDataset",
    "ScanNet_LAMM",
    "ScanQA_LAMM",
    "ScanRefer_LAMM",
})  # fmt: skip

_PLACES: tuple[tuple[tuple[str, ...], Registry[Any]], ...] = (
    (("scenario_cfg", "dataset_name"), SCENARIOS),
    (("eval_cfg", "inferencer_cfg", "inferencer_type"), INFERENCERS),
    (("eval_cfg", "metric_cfg", "metric_type"), METRICS),
)


def refuse_point_clouds(recipe: Mapping[str, Any], document: Document) -> None:
    """Refuse a recipe for point clouds, unless a plugin has its ingredients. Raises ConfigError."""
    for place, registry in _PLACES:
        name = within(recipe, place)
        if isinstance(name, str) and name in _NAMES and name not in registry:
            raise ConfigError(
                f"'{name}' is about point clouds, and chef reads images only",
                where=document.where(*place),
                hint="choose another recipe; --list shows all ingredients",
            )
