"""What judges say about answers: the types that the judge, the metrics and the results exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal

import msgspec

from chef.frozen import Frozen


class JudgementStatus(StrEnum):
    """How a judgement ended. Only ``OK`` has a reading; the others lower the coverage."""

    OK = "ok"
    UNPARSED = "unparsed"
    ERROR = "error"
    #: It was not asked for, because the group of its sample is decided: one rotation is wrong.
    SKIPPED = "skipped"


class Judgement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of judgements.jsonl: what one judge says about one answer.

    Attributes:
        kind: ``option``, ``equivalence``, ``grade``, ``rating``, ``preference``, or a plugin's.
        fingerprint: that of the judge's model, 32 hex digits.
        reading: plain JSON data: of ``option`` the index of the option, or -1 for none of them;
            of ``equivalence`` true or false; of ``grade`` 0..1; of ``rating`` 1..10; of
            ``preference`` 1 where the judged answer is better, 0 where the other one is, 0.5 for
            a tie; of ``extraction`` the value that the answer comes to, a text.
        order: 0; of ``preference`` 1 where the other answer is shown first.
        request: a digest of everything that decides the reply: prompt and decoding.
        reply: what it replied; of several attempts, the last one.
        error: when status is ``error``: ``type`` and ``message``.
        answer: a digest of the answer and the sample that it is about.
    """

    sample_id: str = msgspec.field(name="id")
    kind: str
    judge: str
    fingerprint: str
    status: JudgementStatus
    reading: Any = None
    order: int = 0
    request: str = ""
    prompt: str = ""
    reply: str = ""
    attempts: int = 1
    error: Mapping[str, str] | None = None
    answer: str = ""


class Judging(Frozen):
    """What judges say about the answers of a run.

    Attributes:
        when: ``unread``: only answers that the metric's rule cannot read are judged; ``always``.
        judges: the name and fingerprint of each judge, in the order of the recipe.
        judgements: by sample id, in the order of the judges; of samples that were to be judged.
    """

    when: Literal["unread", "always"]
    judges: Sequence[tuple[str, str]]
    judgements: Mapping[str, Sequence[Judgement]]
