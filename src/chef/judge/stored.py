"""``judgements.jsonl`` of a run folder: what judges said, one line for each judgement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from chef.common.digest import digest
from chef.common.jsonable import to_jsonable
from chef.common.judgements import Judgement, Judging
from chef.common.text import encodable_data
from chef.common.writing import json_line
from chef.run.environment import JUDGING
from chef.run.journal import load_lines
from chef.run.reading import read_json
from chef.types import Prediction

#: The folder of the judges' replies, in that of all results.
REPLIES = "judge_replies"
JUDGEMENTS = "judgements.jsonl"
#: In the record of environment.json: who gave the judgements of other kinds, before.
EARLIER = "earlier"


_DECODER = msgspec.json.Decoder(Judgement)


def encode(judgement: Judgement) -> bytes:
    """The line of a judgement."""
    line = to_jsonable(msgspec.to_builtins(judgement, enc_hook=to_jsonable))
    return json_line(encodable_data(line), keep="status")


def decode(line: bytes) -> Judgement:
    """What a line says; raises msgspec.DecodeError."""
    return _DECODER.decode(line)


def key_of(item: Judgement) -> tuple[str, str, str, int]:
    """What a line is about: sample, kind, judge and order; the last line of each counts."""
    return item.sample_id, item.kind, item.fingerprint, item.order


def answer_digest(prediction: Prediction) -> str:
    """A digest of what is judged of a prediction: its answer and the fields of its sample."""
    return digest([prediction.answer, prediction.sample])


def load_judging(
    folder: Path, predictions: Iterable[Prediction], wanted: Iterable[str] = ()
) -> Judging | None:
    """What judges said about these answers, unless they have changed since; None if none was asked.

    Those made last of a ``wanted`` kind count, else of any; no judge is asked now. Raises
    ConfigError.
    """
    settings = settings_of(folder, wanted)
    if not settings:
        return None
    stored = load_lines(folder / JUDGEMENTS, decode, key_of).values()
    answers = {item.sample_id: answer_digest(item) for item in predictions}
    current = [item for item in stored if answers.get(item.sample_id) == item.answer]
    judges = [(item["name"], item["fingerprint"]) for item in settings["judges"]]
    kinds: list[str] = settings["kinds"]
    return judging_of(settings["when"], judges, current, kinds)


def settings_of(folder: Path, wanted: Iterable[str] = ()) -> Mapping[str, Any]:
    """How judges of a run were asked (as `load_judging`): ``when``, ``kinds``, ``judges`` and the
    whole ``judge_cfg``; empty where none was. Raises ConfigError.
    """
    last: dict[str, Any] = read_json(folder / "environment.json").get(JUDGING) or {}
    names = set(wanted)
    every = [last, *last.get(EARLIER, [])]
    return next((item for item in every if names & set(item.get("kinds", ()))), last)


def judging_of(
    when: Literal["unread", "always"],
    judges: list[tuple[str, str]],
    judgements: Iterable[Judgement],
    kinds: Iterable[str],
) -> Judging:
    """The judgements of some judges, of some kinds, by sample and in the order of the judges."""
    places = {fingerprint: place for place, (_, fingerprint) in enumerate(judges)}
    wanted = set(kinds)
    found: dict[str, list[Judgement]] = {}
    for item in judgements:
        if item.fingerprint in places and item.kind in wanted:
            found.setdefault(item.sample_id, []).append(item)
    for items in found.values():
        items.sort(key=lambda item: (places[item.fingerprint], item.kind, item.order))
    return Judging(when, judges, found)
