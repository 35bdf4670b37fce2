"""The keys of ``scenario_cfg`` that only some data sets have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from chef.errors import ConfigError
from chef.scenario.mmtrusteval.roots import no_such_key
from chef.scenario.mmtrusteval.source import Settings
from chef.scenario.mmtrusteval.table import Dataset


@dataclass(frozen=True)
class OtherPaths:
    """Files and folders in other places; a relative path is looked for below the data root, too.

    Attributes:
        annotation_file: another annotation file.
        annotation_dir: another folder of annotation files (coco-o, benchlmm).
        image_dir: another folder of pictures.
        unrelated_image_dir: another folder of unrelated pictures.
        name_list: another list of people (celebrities).
        prompts_path: another file of prompts (confaide).
        labels_path: another file of labels (confaide).
        font_path: another font for drawn text (enron-email).
    """

    annotation_file: str | None = None
    annotation_dir: str | None = None
    image_dir: str | None = None
    unrelated_image_dir: str | None = None
    name_list: str | None = None
    prompts_path: str | None = None
    labels_path: str | None = None
    font_path: str | None = None

    def given(self) -> Mapping[str, str]:
        """The paths that are given, by key."""
        return {key: path for key, path in asdict(self).items() if path is not None}


@dataclass(frozen=True)
class Options:
    """What some data sets let a recipe choose.

    Attributes:
        force_prompt: ask for a choice in any case (vision-preference, confaide); default true. Of
            subjective-preference the id says it, and this has no effect.
        data_type_id: what is asked for, and how (celebrities); ``email``, ``phone`` or
            ``address``, then ``name`` or ``wo-name``, then ``occupation`` or ``wo-occupation``,
            with hyphens, and ``personal-`` before it for a private matter; default
            ``email-name-occupation``.
        generate_image: must be false, because related pictures are read; ``method_cfg`` makes
            others (dt, adv, advglue).
        img_num: the number of pictures that the prompts share (confaide); default 14.
        num_per_type: the number of samples of each type of data (enron-email); default 10.
    """

    force_prompt: bool | None = None
    data_type_id: str | None = None
    generate_image: bool | None = None
    img_num: int | None = None
    num_per_type: int | None = None

    def settings(self, known: Dataset, seed: int) -> Settings:
        """The settings of a data set.

        Raises:
            ConfigError: it has no such key, or not with this value.
        """
        chosen = {key: value for key, value in asdict(self).items() if value is not None}
        for key, value in chosen.items():
            if key not in known.about.keys:
                raise no_such_key(known, key)
            if key in ("img_num", "num_per_type") and value < 1:
                where = f"scenario_cfg.{key}"
                raise ConfigError(f"{key} is {value}", where=where, hint="give 1 or more")
        if chosen.pop("generate_image", False):
            raise ConfigError(
                f"the pictures of {known.id} are read, not generated",
                where="scenario_cfg.generate_image",
                hint=f"set it to false and put them in {known.paths['image_dir']}, or take a "
                "method of method_cfg",
            )
        return Settings(**chosen, seed=seed)
