"""The first generation, behind the published figures; ``data`` is the root."""

from __future__ import annotations

from typing import Any

from upstream.parts import (
    DIRECT,
    LAMM,
    MMB,
    MULTI_PPL,
    OMNI,
    PPL,
    PPLCFG,
    SQ,
    SQA,
    Recipe,
    Section,
    bamboo_,
    data_,
    infer,
    measured,
    recipe,
)
from upstream.second import desiderata


def first_generation() -> dict[str, Recipe]:
    """The recipes behind the published figures."""
    up = "data"

    def data(name: str, folder: str = LAMM, **keys: Any) -> Section:
        return data_(up, name, folder, **keys)

    def pool(query: int, template: int) -> Section:
        return {
            "query_type": "query_pool",
            "query_assigned_ids": query,
            "template_assigned_ids": template,
        }

    def misnamed(prompt: int, template: int) -> Section:
        return {
            "query_type": "query_pool",
            "prompt_assigned_ids": prompt,
            "template_assigned_ids": template,
        }

    def turns(query: int | None = None, template: int | None = None) -> Section:
        ids = {"query_assigned_ids": query, "template_assigned_ids": template}
        given = {key: value for key, value in ids.items() if value is not None}
        return {"query_type": "multiturn", **given}

    def examples(retriever: str) -> Section:
        return {
            "retriever_type": retriever, "ice_num": 3, "random_seed": 1,
            "use_pic": False, "add_sysmsg": True, "mult_conversations": False,
        }  # fmt: skip

    mme = "MME_Benchmark_release_version"
    by_score = {"inference_type": "ppl"}
    shikra, kosmos = {"option_template": "shikra"}, {"option_template": "kosmos"}
    thought = infer(PPL, 8, 256, CoT=True)
    table: dict[str, Recipe] = {
        "CIFAR10/default": recipe(
            data("CIFAR10", ppl=True), pool(0, 0), infer(PPL, 4), measured()
        ),
        "CIFAR10/default (standard query)": recipe(
            data("CIFAR10", ppl=True), SQ, infer(PPL, 8), measured()
        ),
        "CIFAR10/icl_ppl": recipe(
            data("CIFAR10", ppl=True), {**SQ, "incontext_cfg": examples("topk_text")},
            infer("ICL_PPL", 8), measured(),
        ),
        "CIFAR10/direct": recipe(data("CIFAR10"), SQ, infer(DIRECT, 32, 16), measured()),
        "Flickr30k/default": recipe(
            data("Flickr30k", ppl_cfg={**PPLCFG, "strategy": "random"}),
            SQ, infer(PPL, 8, 64), measured(strategy="acc"),
        ),
        "Flickr30k/direct": recipe(
            data("Flickr30k"), SQ, infer(DIRECT, 16, 64), measured(strategy="direct")
        ),
        "FSC147/default": recipe(
            data("FSC147", ppl_cfg={"heatmap_width": 2}),
            SQ, infer(PPL, 8), measured(**by_score),
        ),
        "FSC147/direct": recipe(
            data("FSC147"), SQ, infer(DIRECT, 32, 256), measured(inference_type="direct")
        ),
        "VOC2012/default": recipe(
            data("VOC2012", ppl_cfg=PPLCFG), turns(), infer("Det_PPL", 8), measured(**by_score)
        ),
        "VOC2012/direct": recipe(data("VOC2012"), turns(), infer("Det", 16, 512), measured()),
        "VOC2012/shikra_default": recipe(
            data("VOC2012", **shikra, ppl_cfg=PPLCFG),
            turns(1, 1), infer("Det_PPL", 8), measured(**by_score),
        ),
        "VOC2012/shikra_direct": recipe(
            data("VOC2012"), turns(1), infer("Det", 8, 512), measured()
        ),
        "VOC2012/kosmos2_default": recipe(
            data("VOC2012", **kosmos, ppl_cfg=PPLCFG),
            turns(2, 2), infer("Det_PPL", 8), measured("KOSMOS", **by_score),
        ),
        "VOC2012/kosmos2_direct": recipe(
            data("VOC2012", ppl_cfg=PPLCFG), turns(2, 2), infer("Det", 8, 512), measured("KOSMOS")
        ),
        "ScienceQA/default": recipe(data("ScienceQA", **SQA), pool(0, 0), thought, measured()),
        "ScienceQA/direct": recipe(
            data("ScienceQA"), SQ, infer(DIRECT, 8, 256, CoT=False), measured()
        ),
        "ScienceQA/direct_CoT": recipe(
            data("ScienceQA"), SQ, infer(DIRECT, 8, 256, CoT=True), measured()
        ),
        "ScienceQA/generative": recipe(
            data("ScienceQA", ppl=True, generative=True), pool(0, 0), thought, measured()
        ),
        "MMBench/default": recipe(
            data("MMBench", "MMBench", **MMB),
            pool(1, 1), infer(PPL, 4, 256, CoT=True), measured(),
        ),
        "MMBench/direct": recipe(
            data("MMBench", "MMBench", split="dev", hint=True),
            misnamed(1, 1), infer(DIRECT, 4, 256, CoT=False), measured(),
        ),
        "MMBench/generative": recipe(
            data("MMBench", "MMBench", **MMB, generative=True),
            pool(0, 0), infer(PPL, 4, 256, CoT=True), measured(),
        ),
        "MME/default": recipe(
            data("MME", mme, ppl_cfg=True, option_lower=True),
            pool(2, 0), infer(PPL, 8), measured(),
        ),
        "MME/direct": recipe(data("MME", mme), misnamed(2, 0), infer(DIRECT, 8), measured()),
        "MME/generative": recipe(
            data("MME", mme, ppl_cfg=True, generative=True),
            pool(2, 0), infer(PPL, 8), measured(),
        ),
        "SEEDBench/default": recipe(
            data("SEEDBench", "SEED-Bench"), pool(4, 0), infer(PPL, 8), measured()
        ),
    }  # fmt: skip
    bamboo = bamboo_(up)
    for file, options, wording, asked, kind in (
        ("default", {**PPLCFG, "single_turn": False}, turns(), infer(MULTI_PPL, 8), "multi_ppl"),
        ("single_ppl", {**PPLCFG, "single_turn": True}, SQ, infer(PPL, 8), "single_ppl"),
        ("direct", None, SQ, infer(DIRECT, 8), "direct"),
    ):
        given = {} if options is None else {"ppl_cfg": options}
        table[f"Omnibenchmark/{file}"] = recipe(
            data("Omnibenchmark", OMNI, **bamboo, **given),
            wording, asked, measured(inference_type=kind, **bamboo),
        )  # fmt: skip
    mmbench, scienceqa = data("MMBench", "MMBench", **MMB), data("ScienceQA", **SQA)
    for file, scenario, wording in (
        ("MMBench", mmbench, misnamed(1, 1)),
        ("ScienceQA", scienceqa, SQ),
    ):
        shown = {**wording, "incontext_cfg": examples("random")}
        asked = infer("Calibration", 8, 256, CoT=True)
        table[f"Calibration/{file}"] = recipe(scenario, wording, asked, measured("Calibration"))
        asked = infer("ICL_PPL", 4, 256, CoT=True)
        table[f"ICL/{file}"] = recipe(scenario, shown, asked, measured())
    for name, asked in (
        ("random", infer(PPL, 16, 256)),
        ("popular", thought),
        ("adversarial", thought),
    ):
        scenario = data(f"POPE_COCO_{name}", "coco_pope")
        table[f"Hallucination/POPE_{name}"] = recipe(scenario, SQ, asked, measured("Hallucination"))
    same = desiderata().items()
    return table | {name: it for name, it in same if name.startswith(("Insfollow/", "Robust/"))}
