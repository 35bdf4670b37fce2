"""MMTrustEval's data sets as one scenario, by id, with the keys that only some of them have."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from chef.common.digest import content_digest, digest
from chef.common.keys import flat_keywords, group_keys
from chef.common.mmtrusteval import OPTION_NAMES, ImageTxtSample, TrustSample, TxtSample, to_sample
from chef.common.seeding import sample_rng
from chef.common.writing import write_image
from chef.embedding.cache import cache_folder
from chef.errors import ConfigError, DataError, SampleError
from chef.frozen import Frozen
from chef.guard.files import problem_of, user_path
from chef.scenario.base import Scenario
from chef.scenario.mmtrusteval.families import READERS, Reader
from chef.scenario.mmtrusteval.mapped import mapped, of_kind
from chef.scenario.mmtrusteval.source import (
    TrustFiles,
    TrustItem,
    TrustSettings,
    data_folder,
    missing,
    no_such_key,
    resolved,
    unique,
)
from chef.scenario.mmtrusteval.table import UNRELATED, Dataset, dataset, wording
from chef.scenario.text_image import FONT_SIZE, MAX_WIDTH, font_digest, text_image
from chef.types import Sample


class OtherPaths(Frozen):
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


class TrustOptions(Frozen):
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

    def settings(self, known: Dataset, seed: int) -> TrustSettings:
        """The settings of a data set; ConfigError if it has no such key, or not this value."""
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
        return TrustSettings(**chosen, seed=seed)


_NO_PATHS, _NO_OPTIONS = OtherPaths(), TrustOptions()


#: Increased when the same text is drawn otherwise.
_FORMAT = "1"


class MMTrustEval(Scenario):
    """One of the 133 data sets of MMTrustEval, in its own files and folders.

    The data root is ``data_root``, else ``$CHEF_MMTRUST_DATA``, else ``data`` in the current
    folder; it has the folders truthfulness, safety, robustness, fairness and privacy.
    `chef list datasets` shows all ids. Questions are in chef's own wording. A sample whose picture
    or field is missing is an error of its own, and is never left out.

    Args:
        dataset_id: the data set, such as ``d-basic-object``.
        data_root: the data root; on the command line also ``--data_root DIR``.
        wording_file: a file of wordings that replace chef's own, of the form of wording.yaml.
        seed: draws unrelated pictures and made-up personal data, for each sample id.

    Raises:
        ConfigError: an unknown id, or a key that the data set has not.
        DataError: a file or folder is missing or cannot be read (when the samples are needed).
    """

    wording = "MMTrustEval"  # of its own: see `chef.scenario.mmtrusteval.table`
    has_wordings = False
    metric = "Evaluators"
    paths: ClassVar[Sequence[str]] = (
        "data_root", "wording_file", *(key.name for key in group_keys(OtherPaths)),
    )  # fmt: skip
    groupings: ClassVar[Sequence[str] | Mapping[str, str]] = ("subset",)
    rules_of: ClassVar[Mapping[str, str]] = {"upstream": "MMTrustEval"}
    readers: ClassVar[Mapping[str, Reader]] = READERS

    @flat_keywords
    def __init__(
        self,
        *,
        dataset_id: str,
        data_root: str | None = None,
        wording_file: str | None = None,
        seed: int = 0,
        others: OtherPaths = _NO_PATHS,
        options: TrustOptions = _NO_OPTIONS,
    ) -> None:
        known = dataset(dataset_id)
        root = data_folder(data_root)
        texts = wording(user_path(wording_file) if wording_file else None)
        # Each kind of question has a run and a log of its own.
        kind = options.data_type_id
        self.name, self.dataset = f"{dataset_id}-{kind}" if kind else dataset_id, known
        self.source = TrustFiles(
            known,
            root,
            resolved(known, root, others.given()),
            texts,
            options.settings(known, seed),
        )

    @cached_property
    def items(self) -> list[TrustItem]:
        """The questions in the order of the files; DataError where one is missing, or none asks."""
        read = self.readers.get(self.dataset.family, mapped)
        found = unique(read(self.source))
        if not found:
            where = self.source.paths.get("annotation_file") or self.source.root
            raise DataError(
                f"{self.name} has no samples", where=str(where), hint="download it again"
            )
        self._check_pictures(found)
        return found

    def _check_pictures(self, items: Sequence[TrustItem]) -> None:
        """DataError where there is no folder of pictures, so that not each sample is an error."""
        if self._kinds:
            _ = self._unrelated
        own = [item.image for item in items if item.image] if not self.is_text else []
        folder = self.source.paths.get("image_dir")
        if folder is None or self._kinds or not own or folder.is_dir():
            return
        if not any(path.exists() for path in own):
            raise missing("folder", folder, self.source.root, "image_dir", self.name)

    def __len__(self) -> int:
        return len(self.items)

    def sample_id(self, index: int) -> str:
        return self.items[index].key

    def __getitem__(self, index: int) -> Sample:
        item = self.items[index]
        sample = to_sample(item.key, self.trust_sample(index))
        if not item.options:
            return sample
        names = [list(option) for option in item.options]
        return replace(sample, fields={**sample.fields, OPTION_NAMES: names})

    @property
    def is_text(self) -> bool:
        """Whether its samples have no picture."""
        return self.dataset.is_text

    def trust_sample(self, index: int) -> TrustSample:
        """The sample in MMTrustEval's form; SampleError without its record or picture."""
        item = self.items[index]
        if item.problem:
            raise SampleError(item.problem, hint=item.hint)
        extra = None if item.extra is None else dict(item.extra)
        if self.is_text:
            return TxtSample(item.text, item.target, extra)
        return ImageTxtSample(str(self._picture(item)), item.text, item.target, extra)

    def _picture(self, item: TrustItem) -> Path:
        if item.drawn:
            return drawn_picture(item.drawn, self.source.paths["font_path"])
        if kind := item.unrelated or next(iter(self._kinds), ""):
            rng = sample_rng(
                self.source.settings.seed, "unrelated image", self.dataset.id, kind, item.key
            )
            return rng.choice(self._unrelated[kind])
        if item.image is None:
            folder = self.source.paths.get("image_dir")
            hint = f"put it in {folder}, or correct the annotations"
            raise SampleError("it has no picture", where=f"sample '{item.key}'", hint=hint)
        if problem := problem_of(item.image):
            raise SampleError(
                f"its picture {item.image}: {problem}",
                where=f"sample '{item.key}'",
                hint="put it there, or set image_dir in scenario_cfg",
            )
        return item.image

    @property
    def _kinds(self) -> tuple[str, ...]:
        """The kinds of unrelated pictures that the samples have."""
        image = self.dataset.variant.image
        return UNRELATED if image == "each" else (image,) if image in UNRELATED else ()

    @cached_property
    def _unrelated(self) -> dict[str, list[Path]]:
        """The unrelated pictures of each kind."""
        return {kind: of_kind(self.source, "unrelated_image_dir", kind) for kind in self._kinds}

    def fingerprint(self) -> str:
        """A digest of what is asked: texts with their wording, references, names of pictures."""
        return digest(self.row_digests())

    def row_state(self) -> str:
        return self.fingerprint()

    def row_digests(self) -> dict[str, str]:
        return {item.key: self._digest(item) for item in self.items}

    def _digest(self, item: TrustItem) -> str:
        own = self.dataset.variant.image == "own" and item.image
        shown = os.path.relpath(item.image, self.source.root) if own and item.image else ""
        asked = [self.dataset.variant.image, item.text, shown, item.drawn]
        return digest([*asked, item.target, item.extra, item.options, item.problem])


def drawn_picture(text: str, font: Path) -> Path:
    """The file of a picture that shows a text; it is named by all that it depends on.

    Without the font file, Pillow's own is taken. DataError where the font cannot be read, RunError
    where the picture cannot be written.
    """
    known = font if font.exists() else None
    parts = (_FORMAT, font_digest(known), FONT_SIZE, MAX_WIDTH, text)
    name = content_digest("\x1f".join(map(str, parts)))
    path = cache_folder() / "text_images" / f"{name}.png"
    if not path.is_file():
        write_image(path, text_image(text, font=known), f"make {path.parent} writable")
    return path
