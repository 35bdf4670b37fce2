"""A sample in one line of a list, without its images and its conversation."""

from __future__ import annotations

from typing import NamedTuple

from chef.common.options import letters, unlettered
from chef.document.outline import shorten_end
from chef.report.views.answers import answers_of, plain
from chef.report.views.views import Views
from chef.scoring.sample_line import exchange_of, option_texts

#: So many characters of a text are shown.
_SHOWN = 60


class ListTexts(NamedTuple):
    """The beginnings of what a sample is about; several turns have a stroke between them."""

    id: str
    question: str
    answer: str
    parsed: str
    truth: str
    verdict: str


def listed(views: Views, sample_id: str) -> ListTexts:
    """The line of a sample; DataError if the run has no answer to such a sample."""
    verdict, prediction = views.verdict(sample_id), views.predictions[sample_id]
    answers = answers_of(prediction, views.entries.get(sample_id, {}))
    record = prediction.to_record()
    question, texts = exchange_of(record).question, option_texts(record)
    options = dict(zip(letters(len(texts)), texts, strict=True))
    asked = [
        unlettered(plain(one), options)[1] if options else plain(one)
        for one in (question if isinstance(question, list) else [question])
    ]
    message = str((prediction.error or {}).get("message", ""))
    return ListTexts(
        sample_id,
        _short(" | ".join(asked)),
        _short(" | ".join(item.text for item in answers) or message),
        _short(" | ".join(filter(None, (item.parsed for item in answers)))),
        _short(" | ".join(item.truth for item in answers)),
        verdict,
    )


def _short(text: str) -> str:
    return shorten_end(" ".join(text.split()), _SHOWN)
