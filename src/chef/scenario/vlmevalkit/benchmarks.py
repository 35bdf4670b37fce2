"""The benchmarks of the table as scenarios: a class for each name, made when it is asked for."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import ClassVar

from chef.scenario.vlmevalkit.roots import check_digest, find_file, root_folder
from chef.scenario.vlmevalkit.scenario import Laid, class_of
from chef.scenario.vlmevalkit.table import Entry, entry, registered_name, table

#: What the kinds of questions are called.
KINDS = {
    "mcq": "multiple choice",
    "yesno": "yes or no",
    "vqa": "open questions",
    "caption": "captions",
    "turns": "conversations",
}


class Named(Laid):
    """A benchmark of VLMEvalKit's table; its file is ``NAME.tsv`` in the data root.

    The data root is ``$LMUData`` if that is a folder, else ``~/LMUData``; images are in the file,
    or in ``images/`` of the data root.

    Args:
        data_root: another data root; on the command line also ``--data_root DIR``.
        image_root: another folder for image files.
        check_md5: compare the file with the digest that VLMEvalKit states, where it is known.
        option_content: score the texts of the options instead of their labels.
        skip_noimg: leave out rows without an image, where the file has a column ``image``.
        split: take only the rows of this split.
        category: take only the rows of this category.

    Raises:
        DataError: the file is missing, has another digest, or cannot be read as a table.
    """

    entry: ClassVar[Entry]

    def __init__(
        self,
        *,
        data_root: str | None = None,
        image_root: str | None = None,
        check_md5: bool = True,
        option_content: bool = False,
        skip_noimg: bool = True,
        split: str | None = None,
        category: str | None = None,
    ) -> None:
        known = self.entry
        root = root_folder(data_root)
        fetch = registered_name(known.name) if known.benchmark.url else None
        file = find_file(root, known.file_names, fetch)
        if check_md5 and known.benchmark.md5:
            again = f": remove it, then `chef prepare {fetch}`" if fetch else ""
            check_digest(file, known.benchmark.md5, "VLMEvalKit's", f"fetch it again{again}")
        super().__init__(
            file,
            known.family,
            name=known.name,
            images=image_folder(root, known.images, image_root),
            option_content=option_content,
            skip_noimg=skip_noimg,
            split=split,
            category=category,
        )

    def column_use(self) -> None:
        """None: the columns of a benchmark of the table are known."""


def image_folder(root: Path, folder: str, given: str | None) -> Path:
    """The folder of image files: the one of the recipe, else that of the data root."""
    return Path(given).expanduser() if given else root / "images" / folder


@cache
def benchmark_class(name: str) -> type[Named]:
    """The scenario of a benchmark of the table.

    Raises:
        KeyError: there is none of that name.
    """
    known = entry(name)
    return class_of(
        Named, __name__, known.name, doc=_described(known), entry=known, name=known.name,
        wording=known.family.wording, metric=known.family.metric,
    )  # fmt: skip


def _described(known: Entry) -> str:
    family, benchmark = known.family, known.benchmark
    facts = [
        f"Its layout is {family.layout}, its wordings are those of the pool {family.wording}",
        *(["its file has the rotations of each question"] if family.circular else []),
        *([f"its answers need a judge ({family.judge}): --judge_cfg"] if family.judge else []),
    ]
    digest = f"its md5 is {benchmark.md5}" if benchmark.md5 else "its digest is not known"
    where = f"from {benchmark.url}" if benchmark.url else "to be brought by hand"
    return (
        f"{KINDS[family.kind].capitalize()}, scored by {family.metric}; "
        f"recipe VLMEvalKit/{family.recipe}.\n\n"
        f"{'; '.join(facts)}.\n\n"
        f"The file {known.file_names[0]} in $LMUData or ~/LMUData, {where}; {digest}."
    )


def __getattr__(name: str) -> type[Named]:
    """The class of a name, so that it is found where a registry or a pickle says it is."""
    if name.startswith("__") or name not in table().benchmarks:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return benchmark_class(name)
