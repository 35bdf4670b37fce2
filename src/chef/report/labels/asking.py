"""A person who labels the answers of a run: what is shown, what comes next, what was said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

from chef.common.seeding import sample_rng
from chef.errors import DataError
from chef.judge.fitting import answers_of
from chef.judge.kinds import RUBRIC
from chef.judge.stored import settings_of
from chef.metric.records import references_of
from chef.report.compare.side import Side
from chef.report.labels.scales import RATING, Label, LabelChoice, Labels, drawn, scale_of
from chef.report.sample_view import AnswerView, MessageView, SampleView
from chef.report.views import Views
from chef.report.views.answers import plain

#: The key of a person who cannot tell.
SKIP = "s"


class Asking:
    """One person, and the answers of a run that are shown.

    ``against`` is the folder of the run that answers are compared with, where they are; None: that
    of the recipe's judge, else the references. ``ids`` are in the order in which they are shown,
    ``rubric`` is by what answers are rated. ConfigError if the metric scores nothing that people
    are asked about or the name cannot be one, DataError if an answer cannot be compared.
    """

    def __init__(
        self,
        side: Side,
        views: Views,
        person: str,
        *,
        number: int,
        by_verdict: bool = False,
        against: str | None = None,
    ) -> None:
        self.side, self.scale, self._views = side, scale_of(side), views
        given = against if against is not None else _against(views)
        self.rubric = rubric_of(side, views) if self.scale is RATING else ""
        self._labels = Labels(side.place, person)
        draw = drawn(side, self.scale.name, by_verdict=by_verdict, against=given)
        self._seed, self._against = draw.seed, draw.against
        there = draw.still(side)
        self.ids = [name for name in draw.order() if name in there][:number]

    def view(self, name: str) -> SampleView:
        """What is shown of a sample; DataError if there is no answer to compare with."""
        view = self._views.of(name)
        if not self.scale.compares:
            return blind(view)
        return paired(view, self._other(name), is_second=self._is_swapped(name))

    def choices(self, name: str) -> Sequence[LabelChoice]:
        """The replies that can be given of a sample."""
        return self.scale.swapped() if self._is_swapped(name) else self.scale.choices

    def replies(self) -> dict[str, str]:
        """The keys of the replies that are stored, by sample id."""
        stored = self._labels.replies(self.scale.name)
        return {name: self._key(name, stored[name]) for name in self.ids if name in stored}

    def take(self, name: str, key: str) -> None:
        """Store the key of a choice, or `SKIP`, for a sample; DataError for another id or key."""
        if name not in self.ids:
            raise DataError(
                f"the sample '{name}' is not to be labelled", where=self._labels.path.name
            )
        values: dict[str, float | None] = {item.key: item.value for item in self.choices(name)}
        values[SKIP] = None
        if key not in values:
            raise DataError(f"'{key}' is no reply", where=f"sample '{name}'")
        self._labels.add(Label(self.scale.name, name, values[key]))

    def close(self) -> None:
        """Close the file of the person."""
        self._labels.close()

    def _key(self, name: str, value: float | None) -> str:
        """The key of a reply; of one that no key gives, that of none."""
        if value is None:
            return SKIP
        return next((item.key for item in self.choices(name) if item.value == value), SKIP)

    def _is_swapped(self, name: str) -> bool:
        return self.scale.compares and sample_rng(self._seed, "order", name).random() < 0.5

    @cached_property
    def _others(self) -> Mapping[str, Any] | None:
        if not self._against:
            return None
        self._views.run.record.check({"against": self._against})
        return answers_of(Path(self._against))

    def _other(self, name: str) -> str:
        """The answer that a sample's is compared with; DataError if there is none."""
        if self._others is None:
            references = references_of(self.side.predictions[name].to_record())
            other = references[0] if references else None
        else:
            other = self._others.get(name)
        if other is None:
            raise DataError(
                "there is no answer to compare with",
                where=f"sample '{name}'",
                hint="judge_cfg.against=RUN names the run with the other answers",
            )
        return plain(other)


def rubric_of(side: Side, views: Views) -> str:
    """By what the judge of a run rated its answers; where none did yet, by what one would."""
    settings = settings_of(side.place, [RATING.name]).get("judge_cfg")
    section = settings or views.run.record.judge_cfg or {}
    return str(section.get("rubric") or RUBRIC).strip()


def _against(views: Views) -> str:
    """The run that the recipe's judge compares with; empty where it names none."""
    section = views.run.record.judge_cfg or {}
    return str(section.get("against") or "")


_REPLIES = ("reply", "chosen")


def blind(view: SampleView, *, with_truth: bool = True) -> SampleView:
    """A view without verdict, score, reading, judgements and confidence."""
    return SampleView(
        id=view.id,
        status="ok",
        verdict="unscored",
        score=None,
        messages=view.messages,
        images=[
            replace(image, received="", boxes=[box for box in image.boxes if box.is_reference])
            for image in view.images
        ],
        answers=[_unread(answer, with_truth=with_truth) for answer in view.answers],
    )


def paired(view: SampleView, other: str, *, is_second: bool) -> SampleView:
    """A view of two answers to one question, of which no one can see whose they are."""
    anonymous = blind(view, with_truth=False)
    own = AnswerView("\n\n".join(answer.text for answer in anonymous.answers))
    both = [AnswerView(other), own] if is_second else [own, AnswerView(other)]
    # A reply in the conversation would tell which of them is the model's.
    return replace(anonymous, messages=asked(view.messages), answers=both)


def asked(messages: Sequence[MessageView]) -> list[MessageView]:
    """The messages before the model's first reply."""
    return list(takewhile(lambda message: message.kind not in _REPLIES, messages))


def _unread(answer: AnswerView, *, with_truth: bool) -> AnswerView:
    options = [
        replace(option, probability=None, is_chosen=False, is_right=option.is_right and with_truth)
        for option in answer.options
    ]
    return AnswerView(answer.text, truth=answer.truth if with_truth else "", options=options)
