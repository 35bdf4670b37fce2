"""The second generation: 58 recipes of scenarios and 11 of desiderata; ``../data`` is the root."""

from __future__ import annotations

from typing import Any

from upstream.parts import (
    DIRECT,
    LAMM,
    LAMM3D,
    MMB,
    MULTI_DIRECT,
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
    multi,
    recipe,
    single,
)


def second_generation() -> dict[str, Recipe]:
    """58 recipes of scenarios and 11 of desiderata."""
    up = "../data"

    def data(name: str, folder: str = LAMM, **keys: Any) -> Section:
        return data_(up, name, folder, **keys)

    table: dict[str, Recipe] = {
        "CIFAR10/direct": recipe(
            data("CIFAR10"), single(0, 0), infer(DIRECT, 32, 16), measured()
        ),
        "CIFAR10/ppl": recipe(
            data("CIFAR10", ppl=True), single(0, 0), infer(PPL, 4), measured()
        ),
        "Flickr30k/direct": recipe(
            data("Flickr30k"), single(), infer(DIRECT, 16, 64), measured(strategy="direct")
        ),
        "Flickr30k/random_ppl": recipe(
            data("Flickr30k", ppl_cfg={**PPLCFG, "strategy": "random"}),
            single(), infer(PPL, 4), measured(strategy="acc"),
        ),
        "Flickr30k/topp_ppl": recipe(
            data("Flickr30k", ppl_cfg={
                **PPLCFG,
                "strategy": "top_similarity",
                "model_path": "../model_zoo/all-MiniLM-L6-v2",
            }),
            single(), infer(PPL, 4), measured(strategy="acc"),
        ),
        "FSC147/direct": recipe(
            data("FSC147"), single(), infer(DIRECT, 32, 256), measured(inference_type="direct")
        ),
        "FSC147/ppl": recipe(
            data("FSC147", ppl_cfg={"heatmap_width": 2}),
            single(), infer(PPL, 8), measured(inference_type="ppl"),
        ),
    }  # fmt: skip

    def voc(**keys: Any) -> Section:
        return data("VOC2012", **keys)

    shikra, kosmos = {"option_template": "shikra"}, {"option_template": "kosmos"}
    by_score = {"inference_type": "ppl"}
    table |= {
        "VOC2012/singleturn_direct": recipe(
            voc(multi_turn=False), single(), infer(DIRECT, 16, 64), measured()
        ),
        "VOC2012/multiturn_direct": recipe(
            voc(), multi(), infer(MULTI_DIRECT, 16, 64), measured()
        ),
        "VOC2012/multiturn_ppl": recipe(
            voc(ppl_cfg=PPLCFG), multi(), infer(MULTI_PPL, 8), measured(**by_score)
        ),
        "VOC2012/shikra_singleturn_direct": recipe(
            voc(multi_turn=False), single(1), infer(DIRECT, 8, 512), measured()
        ),
        "VOC2012/shikra_multiturn_direct": recipe(
            voc(), multi(0, 0), infer(MULTI_DIRECT, 16, 64), measured()
        ),
        "VOC2012/shikra_multiturn_ppl": recipe(
            voc(**shikra, ppl_cfg=PPLCFG),
            multi(1, 1), infer(MULTI_PPL, 8), measured(**by_score),
        ),
        "VOC2012/kosmos2_singleturn_direct": recipe(
            voc(), single(1), infer(DIRECT, 8, 512), measured("KOSMOS")
        ),
        "VOC2012/kosmos2_multiturn_direct": recipe(
            voc(), multi(2, 2), infer(MULTI_DIRECT, 8, 512), measured("KOSMOS")
        ),
        "VOC2012/kosmos2_multiturn_ppl": recipe(
            voc(**kosmos, ppl_cfg=PPLCFG),
            multi(2, 2), infer(MULTI_PPL, 8), measured("KOSMOS", **by_score),
        ),
    }  # fmt: skip

    bamboo = bamboo_(up)

    def omni(**keys: Any) -> Section:
        return data("Omnibenchmark", OMNI, **bamboo, **keys)

    def fine(inference_type: str, *, ppl: bool) -> Section:
        return measured(inference_type=inference_type, ppl=ppl, **bamboo)

    table |= {
        "Omnibenchmark/multiturn_direct": recipe(
            omni(ppl_cfg=PPLCFG), multi(), infer(MULTI_DIRECT, 8), fine("multiturn", ppl=False)
        ),
        "Omnibenchmark/multiturn_ppl": recipe(
            omni(ppl_cfg=PPLCFG), multi(), infer(MULTI_PPL, 8), fine("multiturn", ppl=True)
        ),
        "Omnibenchmark/singleturn_direct": recipe(
            omni(multi_turn=False), single(), infer(DIRECT, 8), fine("singleturn", ppl=False)
        ),
        "Omnibenchmark/singleturn_ppl": recipe(
            omni(ppl_cfg=PPLCFG, multi_turn=False),
            single(), infer(PPL, 8), fine("singleturn", ppl=True),
        ),
        "ScienceQA/direct": recipe(
            data("ScienceQA"), single(), infer(DIRECT, 8, 256, CoT=False), measured()
        ),
        "ScienceQA/direct_CoT": recipe(
            data("ScienceQA"), single(), infer(DIRECT, 8, 256, CoT=True), measured()
        ),
        "ScienceQA/ppl": recipe(
            data("ScienceQA", **SQA), single(0, 0), infer(PPL, 8, 256, CoT=False), measured()
        ),
        "ScienceQA/ppl_CoT": recipe(
            data("ScienceQA", **SQA), single(0, 0), infer(PPL, 2, 128, CoT=True), measured()
        ),
        "MMBench/direct": recipe(
            data("MMBench", "MMBench", split="dev", hint=True),
            single(1, 1), infer(DIRECT, 2, 256, CoT=False), measured(),
        ),
        "MMBench/ppl": recipe(
            data("MMBench", "MMBench", **MMB),
            single(1, 1), infer(PPL, 1, 256, CoT=False), measured(),
        ),
        "MME/direct": recipe(data("MME", "MME"), single(2, 0), infer(DIRECT, 8), measured()),
        "MME/ppl": recipe(
            data("MME", "MME", ppl_cfg=True, option_lower=True),
            single(2, 0), infer(PPL, 8), measured(),
        ),
        "SEEDBench/default": recipe(
            data("SEEDBench", "SEED-Bench"), single(4, 0), infer(PPL, 8), measured()
        ),
        "SEEDBench-2/ppl": recipe(
            data("SEEDBench2", "SEEDBench2"), single(2, 0), infer(PPL, 1), measured()
        ),
        "MMMU/default": recipe(
            data("MMMU", "MMMU", img_folder=f"{up}/MMMU_images"),
            single(), infer(DIRECT, 1, 256), measured("MMMU"),
        ),
        "Winoground/default": recipe(
            data("Winoground", "Winoground", ppl=True),
            SQ, infer(PPL, 16, 32, multi_img=True), measured("Winoground"),
        ),
    }  # fmt: skip
    for dimension, batch in (("Helpful", 1), ("Honest", 2), ("Harmless", 1)):
        table[f"Ch3Ef/{dimension}"] = recipe(
            data("Ch3Ef", "Ch3Ef", dimension=dimension),
            single(), infer(DIRECT, 8, 256), measured("Ch3Ef"),
        )  # fmt: skip
        table[f"Ch3Ef/{dimension}_ppl"] = recipe(
            data("Ch3Ef", "Ch3Ef", dimension=dimension, ppl=True),
            single(), infer(PPL, batch, 256), measured("Ch3Ef", ppl=True),
        )  # fmt: skip
    return {**table, **_lamm(), **_point_clouds(), **desiderata()}


def _lamm() -> dict[str, Recipe]:
    """LAMM's own tasks on images."""
    rows: list[tuple[str, str, Section]] = [
        ("CIFAR10", "CIFAR10_LAMM", infer(DIRECT, 32)),
        ("Flickr30k", "Flickr30k_LAMM", infer(DIRECT, 32)),
        ("VOC2012", "VOC2012_LAMM", infer(DIRECT, 32)),
        ("ScienceQA", "ScienceQA_LAMM", infer(DIRECT, 1, 256, CoT=True)),
        ("AI2D", "AI2D", infer(DIRECT, 8, 256, CoT=True)),
        ("SVT", "SVT", infer(DIRECT, 16)),
        ("UCMerced", "UCMerced", infer(DIRECT, 16)),
        ("CelebA_hair", "CelebA(Hair)", infer(DIRECT, 32)),
        ("CelebA_smile", "CelebA(Smile)", infer(DIRECT, 32)),
        ("locating_VOC2012", "Locating_VOC2012", infer(DIRECT, 32, 256)),
        ("locating_LSP", "Locating_LSP", infer(DIRECT, 32, 256)),
    ]
    table = {
        f"LAMM/{file}": recipe(data_("../data", name, LAMM), SQ, asked, measured("LAMM"))
        for file, name, asked in rows
    }
    table["LAMM/FSC147"] = recipe(
        data_("../data", "FSC147_LAMM", LAMM),
        SQ, infer(DIRECT, 32, 256), measured(inference_type="direct"),
    )  # fmt: skip
    return table


def _point_clouds() -> dict[str, Recipe]:
    """Recipes about point clouds, of LAMM and of Octavius."""
    asked = infer("Direct3D", 1)
    table = {
        f"LAMM/{file}": recipe(
            data_("../data", f"{file}_LAMM", LAMM3D), SQ, asked, measured("LAMM")
        )
        for file in ("ScanQA", "ScanNet", "ScanRefer")
    }
    for file, task, dataset in (
        ("scan_caption", "Caption", "scannet"),
        ("scan_cls", "Classification", "scannet"),
        ("scan_vqa", "VQA", "scannet"),
        ("nr3d_caption", "Caption", "nr3d"),
        ("shapenet_cls", "Classification", "shapenet"),
    ):
        scenario = data_(
            "../data", "OctaviusPCLDataset", "Octavius/3D_Benchmark/meta_file",
            vision_root_path="../data/Octavius/3D_Instruct",
            task_name=task, inference_dataset_name=dataset,
        )  # fmt: skip
        table[f"Octavius3D/{file}_direct3d"] = recipe(scenario, SQ, asked, measured("Octavius3D"))
    return table


def desiderata() -> dict[str, Recipe]:
    mmbench = data_("../data", "MMBench", "MMBench", **MMB)
    scienceqa = data_("../data", "ScienceQA", LAMM, **SQA)

    def pool(**ids: int) -> Section:
        return {"query_type": "query_pool", **ids}

    def pope(name: str, asked: Section) -> Recipe:
        scenario = data_("../data", f"POPE_COCO_{name}", "coco_pope", **SQA)
        return recipe(scenario, SQ, asked, measured("Hallucination"))

    def corrupted(scenario: Section, folder: str) -> Section:
        more = {"img_crp": True, "text_crp": True, "data_c_path": f"../data/ChEF/{folder}"}
        return {**scenario, **more}

    calibration, follow = measured("Calibration"), measured("Instruct_Follow")
    random = {"retriever_type": "random", "random_seed": 1}
    return {
        "Calibration/MMBench": recipe(
            mmbench, pool(prompt_assigned_ids=1, template_assigned_ids=1),
            infer("Calibration", 6, 256, CoT=True), calibration,
        ),
        "Calibration/ScienceQA": recipe(
            scienceqa, pool(query_assigned_ids=1, template_assigned_ids=1),
            infer("Calibration", 8, 256, CoT=True), calibration,
        ),
        "Hallucination/POPE_random": pope("random", infer(PPL, 16, 256)),
        "Hallucination/POPE_popular": pope("popular", infer(PPL, 8, 256, CoT=True)),
        "Hallucination/POPE_adversarial": pope("adversarial", infer(PPL, 8, 256, CoT=True)),
        "ICL/MMBench": recipe(
            mmbench, {**single(1, 1), "incontext_cfg": {**random, "ice_num": 1}},
            infer(PPL, 1, 256, CoT=False), measured(),
        ),
        "ICL/ScienceQA": recipe(
            scienceqa, {**SQ, "incontext_cfg": {**random, "ice_num": 3, "ice_with_image": False}},
            infer("ICL_PPL", 4, 256, CoT=True), measured(),
        ),
        "Insfollow/MMBench": recipe(
            {**mmbench, "option_map": ""}, pool(prompt_assigned_ids=1, template_assigned_ids=1),
            infer(PPL, 6, 256, CoT=True), follow,
        ),
        "Insfollow/ScienceQA": recipe(
            {**scienceqa, "option_map": ""}, pool(query_assigned_ids=0, template_assigned_ids=0),
            infer(PPL, 8, 256, CoT=True), follow,
        ),
        "Robust/MMBench": recipe(
            corrupted(mmbench, "MMBench_C"), pool(query_assigned_ids=1, template_assigned_ids=1),
            infer(PPL, 4, 256, CoT=True), measured(),
        ),
        "Robust/ScienceQA": recipe(
            corrupted(scienceqa, "ScienceQA_C"),
            pool(query_assigned_ids=0, template_assigned_ids=0),
            infer(PPL, 8, 256, CoT=True), measured(),
        ),
    }  # fmt: skip
