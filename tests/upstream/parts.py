"""What recipes of ChEF are made of."""

from __future__ import annotations

from typing import Any, TypeAlias

Section: TypeAlias = dict[str, Any]
Recipe: TypeAlias = dict[str, Any]


def recipe(scenario: Section, instruction: Section, inferencer: Section, metric: Section) -> Recipe:
    sections = {
        "instruction_cfg": instruction,
        "inferencer_cfg": inferencer,
        "metric_cfg": metric,
    }
    return {"scenario_cfg": scenario, "eval_cfg": sections}


def data_(root: str, name: str, folder: str, **keys: Any) -> Section:
    return {"dataset_name": name, "base_data_path": f"{root}/{folder}", **keys}


def infer(kind: str, batch: int | None = None, tokens: int | None = None, **keys: Any) -> Section:
    given = {"batch_size": batch, "max_new_tokens": tokens}
    return {
        "inferencer_type": kind,
        **keys,
        **{key: value for key, value in given.items() if value is not None},
    }


def single(prompt: int | None = None, template: int | None = None) -> Section:
    return wording("singleturn", prompt, template)


def multi(prompt: int | None = None, template: int | None = None) -> Section:
    return wording("multiturn", prompt, template)


def wording(kind: str, prompt: int | None, template: int | None) -> Section:
    ids = {"prompt_assigned_ids": prompt, "template_assigned_ids": template}
    return {"prompt_type": kind, **{key: value for key, value in ids.items() if value is not None}}


def measured(protocol: str = "basic", **keys: Any) -> Section:
    return {"metric_type": protocol, **keys}


LAMM, LAMM3D = "LAMM/2D_Benchmark", "LAMM/3D_Benchmark"
OMNI = "ChEF/OmniBenchmark_Bamboo"
SQ: Section = {"query_type": "standard_query"}
PPLCFG: Section = {"negative_opt_num": 3, "random_seed": 0}
DIRECT, PPL, MULTI_DIRECT, MULTI_PPL = "Direct", "PPL", "Multi_Direct", "Multi_PPL"
SQA: Section = {"ppl": True, "option_content": False}
MMB: Section = {"ppl_cfg": {"content_only": False}, "split": "dev", "hint": True}


def bamboo_(root: str) -> Section:
    name = "sensexo_visual_add_academic_add_state_V4.visual.json"
    return {"bamboo_tree_path": f"{root}/Bamboo/{name}"}
