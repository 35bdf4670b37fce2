"""VLMEvalKit's module names, and where the classes and functions of chef are that they stand for.

`NAMES` is also what ``from chef.vlmevalkit import ...`` knows. Every module name has every name, as
files written for VLMEvalKit import many things from many places.
"""

from __future__ import annotations

_DATASETS = "chef.scenario.hooks.vlmevalkit"
_HELPERS = f"{_DATASETS}.helpers"
_FILES = f"{_DATASETS}.files"
_MODELS = "chef.models.hooks.vlmevalkit"

#: The place of each name, as ``module:attribute``.
NAMES: dict[str, str] = {
    "ImageBaseDataset": f"{_DATASETS}.base:ImageBaseDataset",
    "ImageMCQDataset": f"{_DATASETS}.families:ImageMCQDataset",
    "ImageYORNDataset": f"{_DATASETS}.families:ImageYORNDataset",
    "ImageVQADataset": f"{_DATASETS}.families:ImageVQADataset",
    "ImageCaptionDataset": f"{_DATASETS}.families:ImageCaptionDataset",
    "TextMCQDataset": f"{_DATASETS}.families:TextMCQDataset",
    "TextBaseDataset": f"{_DATASETS}.families:TextBaseDataset",
    "MTDataset": f"{_DATASETS}.families:MTDataset",
    "ImageMTDataset": f"{_DATASETS}.families:MTDataset",
    "build_judge": f"{_DATASETS}.judge:build_judge",
    "gpt_key_set": f"{_DATASETS}.judge:gpt_key_set",
    "DEBUG_MESSAGE": f"{_DATASETS}.judge:DEBUG_MESSAGE",
    "report_acc": f"{_DATASETS}.accuracy:report_acc",
    "can_infer": "chef.reading.rules.vlmevalkit:can_infer",
    "can_infer_option": "chef.reading.rules.vlmevalkit:option_rule",
    "can_infer_text": "chef.reading.rules.vlmevalkit:text_rule",
    "img_root_map": f"{_DATASETS}.images:img_root_map",
    "BaseModel": f"{_MODELS}.base_model:BaseModel",
    "BaseAPI": f"{_MODELS}.base_api:BaseAPI",
    "DATASET_TYPE": "chef.vlmevalkit.dataset_types:DATASET_TYPE",
    "DATASET_MODALITY": "chef.vlmevalkit.dataset_types:DATASET_MODALITY",
}

#: What ``from vlmeval.smp import *`` gives.
SMP: dict[str, str] = {
    **{name: f"{_FILES}:{name}" for name in ("load", "dump", "md5")},
    **{
        name: f"{_HELPERS}:{name}"
        for name in (
            "LMUDataRoot",
            "d2df",
            "decode_base64_to_image",
            "decode_base64_to_image_file",
            "encode_image_file_to_base64",
            "encode_image_to_base64",
            "get_file_extension",
            "get_intermediate_file_path",
            "get_logger",
            "get_pred_file_format",
            "istype",
            "listinstr",
            "read_ok",
            "toliststr",
        )
    },
    "gpt_key_set": f"{_DATASETS}.judge:gpt_key_set",
    "track_progress_rich": f"{_DATASETS}.tasks:track_progress_rich",
    **{
        name: f"{_MODELS}.helpers:{name}"
        for name in (
            "auto_split_flag",
            "cn_string",
            "get_rank_and_world_size",
            "isimg",
            "splitlen",
            "version_cmp",
        )
    },
    **{name: name for name in ("copy", "json", "math", "os", "re", "string", "sys", "time")},
    **{name: name for name in ("base64", "io", "random", "warnings")},
    "cp": "copy",
    "defaultdict": "collections:defaultdict",
    "osp": "os.path",
    "partial": "functools:partial",
    "rd": "random",
    "np": "numpy",
    "pd": "pandas",
    "Image": "PIL.Image",
    "tqdm": "tqdm:tqdm",
}
NAMES |= {name: place for name, place in SMP.items() if place.startswith("chef.")}

#: The modules that exist, without the leading ``vlmeval``.
MODULES = frozenset(
    {
        "",
        *("dataset", "dataset.image_base", "dataset.image_mcq", "dataset.image_yorn"),
        *("dataset.image_vqa", "dataset.image_caption", "dataset.image_mt", "dataset.text_base"),
        *("dataset.text_mcq", "dataset.utils", "dataset.utils.judge_util"),
        *("dataset.utils.multiple_choice", "utils.matching_util"),
        *("vlm", "vlm.base", "vlm.family", "api", "api.base"),
        *("smp", "smp.file", "smp.misc", "smp.vlm", "smp.log", "utils", "utils.mp_util"),
    }
)
#: The packages that a file of VLMEvalKit may stand in, for relative imports such as ``.base``;
#: ``vlm.family`` stands for the folders of models in ``vlm``, which import ``..base``.
PACKAGES = ("dataset", "vlm", "api", "vlm.family")


#: What modules have besides.
FURTHER = SMP


def exported(module: str) -> list[str]:
    """What ``import *`` from a module gives."""
    return [*SMP, *NAMES] if module.startswith("dataset") else [*SMP]
