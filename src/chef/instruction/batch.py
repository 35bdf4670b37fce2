"""Batches as inferencers written for ChEF see them: records of samples in, prompts out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chef.image import Image
from chef.types import Query, Sample

_OWN = ("id", "image_path", "question", "options", "gt_answers", "multi_turn_prefix")


class Prompt(str):
    """The text of a query; an adapter that gets it back unchanged sends the whole query."""

    query: Query
    sample: Sample

    @classmethod
    def of(cls, query: Query, sample: Sample) -> Prompt:
        """The prompt of a query; its text is the text of all turns except the system turn."""
        texts = (turn.text for turn in query.conversation if turn.role != "system")
        prompt = cls("\n".join(text for text in texts if text))
        prompt.query, prompt.sample = query, sample
        return prompt


def record_of(sample: Sample) -> dict[str, Any]:
    """The sample as a flat dict, its images under ``image_path``: one, or a list of several."""
    images = list(sample.images)
    return {**sample.to_record(), "image_path": images[0] if len(images) == 1 else images}


def sample_of(record: Mapping[str, Any]) -> Sample:
    """The sample that a record describes, without its turns."""
    return Sample(
        id=record["id"],
        images=as_images(record.get("image_path")),
        question=record.get("question", ""),
        options=tuple(record.get("options") or ()),
        answer=record.get("gt_answers"),
        fields={key: value for key, value in record.items() if key not in _OWN},
    )


def as_images(shown: Any) -> tuple[Image, ...]:
    """One image or several: `Image`, paths, URLs or PIL images.

    >>> [image.name for image in as_images("a.png")]
    ['a.png']
    """
    if shown is None:
        return ()
    several = shown if isinstance(shown, list | tuple) else [shown]
    return tuple(item if isinstance(item, Image) else Image(item) for item in several)


def collate(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """A list of records as a dict of lists, over the keys of the first.

    >>> collate([{"id": "1", "question": "a"}, {"id": "2", "question": "b"}])
    {'id': ['1', '2'], 'question': ['a', 'b']}
    """
    first = records[0] if records else {}
    return {key: [record.get(key) for record in records] for key in first}


def rows_of(
    batch: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]],
) -> Iterator[Mapping[str, Any]]:
    """The records of a batch, which is a dict of lists or a list of dicts."""
    if isinstance(batch, Mapping):
        for row in range(len(batch["id"])):
            yield {key: values[row] for key, values in batch.items()}
    else:
        yield from batch
