"""The figures of a run, and its samples as the page shows them: listed, in full, or their ids."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from chef.cli.terminal import check_outputs, put_json, tell_written
from chef.common.printing import Style, say, say_styled
from chef.common.text import typed, typed_option
from chef.common.writing import write_atomically
from chef.errors import ConfigError, DataError
from chef.guard.files import read_text

if TYPE_CHECKING:
    from chef.report.sample_view import AnswerView, ImageView, OptionView, SampleView
    from chef.report.views import Views


#: What can become of an answer, as `chef.report.sample_view.VERDICTS` has it.
VERDICTS = ("right", "wrong", "partly", "unread", "error", "refused", "unscored")
#: The same for people.
WHAT_BECAME = {
    "right": "right answers",
    "wrong": "wrong answers",
    "partly": "answers with a score between, or of a metric without right and wrong",
    "unread": "answers that could not be read",
    "error": "samples that failed",
    "refused": "samples that the model refused to answer",
    "unscored": "answers without a score",
}


def show_run(folders: Sequence[Path], given: argparse.Namespace) -> int:
    """Print the figures of runs, and of a single one its first wrong answers."""
    from chef.cli.failures import check_by, print_errors, print_groups
    from chef.cli.terminal import page_width
    from chef.report.load import load_run
    from chef.scoring.result import table

    loaded = [load_run(folder, trust=given.trust) for folder in folders]
    try:
        reports = [run.report for run in loaded]
    except DataError as error:
        if len(loaded) > 1:
            raise
        say(f"note: {error.where}: {error.what}\n  -> {error.hint}", sys.stderr)
        reports = []
    if reports:
        say(table(reports, page_width()))
        print_errors(reports, traceback=given.traceback)
        print_groups(reports, given.by, page_width())
        check_by(given.by, {report.label: report.by for report in reports})
    if len(folders) == 1:
        say()
        given.run = folders[0]
        show_samples(given)
        say(f"its page, with images: chef show {typed(folders[0])} --page --open")
    return 0


def show_samples(given: argparse.Namespace) -> int:
    """Print samples of a run, whole or as a list, and return the exit code."""
    from dataclasses import asdict

    from chef.common.jsonable import to_jsonable
    from chef.report.load import load_run
    from chef.report.views import Views
    from chef.run.reading import is_locked
    from chef.run.session import CUT_OFF, was_cut_off
    from chef.session.replay import RunReplay

    check_outputs(given.json)
    if given.n < 1:
        raise ConfigError(f"-n is {given.n}", hint="give a number of samples, 1 or more")
    run = load_run(given.run, trust=given.trust)
    views = Views(run, RunReplay(run.record))
    if was_cut_off(run.environment) and not is_locked(run.folder):
        say(f"note: {run.folder}: {CUT_OFF}", sys.stderr)
    if given.figures is not None or given.to is not None:
        return _take_out(views, given)
    ids = given.sample
    if ids and given.save_ids is not None:
        raise ConfigError("--sample names the ids already", hint="leave out one of the two")
    if not ids:
        return _list(views, given)
    shown = [views.of(name) for name in ids]
    if given.json:
        put_json(given.json, [to_jsonable(asdict(view)) for view in shown])
        tell_written(given.json)
        return 0
    for number, view in enumerate(shown):
        if number:
            say()
        print_sample(view)
    return 0


def _take_out(views: Views, given: argparse.Namespace) -> int:
    """Write the figures of a run to files, or send its results to a tracker."""
    from chef.report.export.figures import send, write_figures
    from chef.report.page.opened import OpenedRun

    if given.figures is not None:
        for file in write_figures(OpenedRun(views.run.folder.name, views), given.figures):
            say(f"written: {file}")
    if given.to is not None:
        say(f"sent: {send(views.run, given.to)}")
    return 0


def _list(views: Views, given: argparse.Namespace) -> int:
    """Print the first samples of some verdicts, in the order of the journal."""
    from collections import Counter

    from chef.cli.failures import print_errors
    from chef.cli.terminal import page_width
    from chef.document.outline import as_text
    from chef.document.sections import Table
    from chef.report.views.views import listed

    verdicts = views.verdicts
    counts = Counter[str](verdicts.values())
    wanted = given.verdicts or ["wrong"]
    chosen = [name for name, verdict in verdicts.items() if verdict in wanted]
    if given.save_ids is not None:
        save_ids(given.save_ids, chosen)
        say(f"written: {given.save_ids} ({len(chosen)} ids)", sys.stderr)
    rows = [listed(views, name) for name in chosen[: given.n]]
    if given.json:
        put_json(given.json, [row._asdict() for row in rows])
        tell_written(given.json)
        return 0
    totals = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name])
    say(f"{views.run.folder}: {totals or 'no answers yet'}")
    if rows:
        headers = ("sample", "question", "answer", "read as", "truth", "verdict")
        say(as_text([Table("", headers, rows, names=len(headers))], page_width()))
        more = len(chosen) - len(rows)
        say(f"{more} more: -n {len(chosen)} lists all" if more else "these are all of them")
        if "error" in wanted:
            with suppress(DataError):  # without scores: a sample tells its error
                print_errors([views.run.report])
        one = typed_option("--sample", chosen[0])
        say(f"a whole sample: chef show {typed(views.run.folder)} {one}")
    elif counts:
        others = " ".join(f"--{name}" for name in VERDICTS if counts[name])
        one = typed_option("--sample", next(iter(verdicts)))
        none = "scored" if counts.keys() == {"unscored"} else " or ".join(wanted)
        say(f"none is {none}; list others with {others}, or print one with {one}")
    return 0


Parts: TypeAlias = "list[tuple[str, Style]]"
_STYLE: dict[str, Style] = {
    "right": "good", "wrong": "bad", "error": "bad", "unread": "bad",
}  # fmt: skip
_NO_STYLE: Style = ""
#: The length of a full bar, in characters.
_BAR = 20
_KINDS = {"example": "example, ", "reference": "reference, "}


def print_sample(view: SampleView, *, is_blind: bool = False) -> None:
    """Print all of a view; ``is_blind``: to be labelled, without what became of the answer."""
    outcome = () if is_blind else (("  ", _NO_STYLE), *_verdict(view))
    say_styled([("sample ", ""), (view.id, "bold"), *outcome])
    for key, value in [("took", view.effort), *view.fields.items(), ("note", view.note)]:
        if value != "":
            say_styled([(f"  {key}: ", "dim"), (str(value), "")])
    for message in view.messages:
        if message.begins:
            say("--- a conversation of its own ---")
        say_styled([(f"{_KINDS.get(message.kind, '')}{message.role}:", "bold")])
        for part in message.parts:
            text = part if isinstance(part, str) else _image(part, view.images)
            say(indented(text.rstrip("\n")))
    for number, answer in enumerate(view.answers):
        name = f" {number + 1}" if len(view.answers) > 1 else ""
        _print_answer(answer, name, is_blind=is_blind)
    for item in view.judgements:
        reading = f" {item.reading}" if item.reading else ""
        head = f"judge {item.judge} ({item.kind}): {item.status}{reading}"
        say_styled([(head, "bold")])
        if item.reply:
            say(indented(item.reply))
    if view.error:
        say_styled([("error:", "bad")])
        say(indented(view.error))


def _verdict(view: SampleView) -> Iterator[tuple[str, Style]]:
    yield view.verdict, _STYLE.get(view.verdict, _NO_STYLE)
    if view.score is not None:
        yield f", score {view.score:g}", ""
    if view.confidence is not None:
        yield f", confidence {100 * view.confidence:.1f}%", ""
    if view.status not in ("ok", view.verdict):
        yield f", {view.status}", ""


def _image(place: int, images: Sequence[ImageView]) -> str:
    """An image as ``[image 1: photos/3.jpg, 640 x 480]``."""
    image = images[place]
    facts = [image.source] if image.source else []
    if image.width:
        facts.append(f"{image.width} x {image.height}")
    if not image.key:
        facts.append("not shown")
    return f"[image {place + 1}: {', '.join(facts)}]" if facts else f"[image {place + 1}]"


def _print_answer(answer: AnswerView, number: str, *, is_blind: bool) -> None:
    """The options, the answer with what was read of it, and the reference answer."""
    if answer.options:
        say_styled([(f"options{number}:", "bold")])
        width = max(len(_name(option)) for option in answer.options)
        for option in answer.options:
            say_styled(_option(option, min(width, 60)))
    say_styled([(f"answer{number}:", "bold")])
    say_styled(_marked(answer))
    is_known = answer.parsed or answer.rule or not number  # of turns it is not always known
    if is_known and not is_blind:
        rule = f", by the rule '{answer.rule}'" if answer.rule else ""
        say_styled([(f"read{number}: ", "bold"), (f"{answer.parsed or 'nothing'}{rule}", "")])
    if answer.truth:
        say_styled([(f"truth{number}: ", "bold"), (answer.truth, "")])


def _name(option: OptionView) -> str:
    return f"({option.label}) {option.text}" if option.label else option.text


def _option(option: OptionView, width: int) -> Parts:
    """An option: whether it was chosen, its name, its probability, and whether it is right."""
    parts: Parts = [(f"  {'>' if option.is_chosen else ' '} {_name(option).ljust(width)}", "")]
    if option.probability is not None:
        full = round(_BAR * option.probability)
        bar = "█" * full + "░" * (_BAR - full)
        parts.append((f"  {bar} {100 * option.probability:5.1f}%", ""))
    if option.is_right:
        parts.append(("  right", "good"))
    return parts


def _marked(answer: AnswerView) -> Parts:
    """The answer, indented, with its span marked."""
    if answer.span is None:
        return [(indented(answer.text), "")]
    start, end = answer.span
    before, read, after = answer.text[:start], answer.text[start:end], answer.text[end:]
    return [
        (indented(before) if before else "  ", ""),
        (read.replace("\n", "\n  "), "mark"),
        (after.replace("\n", "\n  "), ""),
    ]


def indented(text: str) -> str:
    """A text, each line two columns in."""
    return "  " + text.replace("\n", "\n  ")


def sample_ids(words: Sequence[str]) -> tuple[str, ...] | None:
    """The ids of ``--ids``, also of text files with one a line; None if not written.

    Raises ConfigError.
    """
    if not words:
        return None
    return tuple(name for word in words for name in _ids_of(word))


def _ids_of(word: str) -> list[str]:
    if not word.endswith(".txt"):
        return [word]
    try:
        ids = [line for line in read_text(word, "utf-8-sig").split("\n") if line.strip()]
    except (OSError, ValueError) as error:
        reason = "is no text" if isinstance(error, ValueError) else error.strerror or str(error)
        raise ConfigError(
            f"cannot be read: {reason}",
            where=word,
            hint="name a file with one id a line: `chef show RUN --wrong --save-ids FILE` writes "
            "one; an id that ends with .txt stands in a file, too",
        ) from None
    if not ids:
        raise ConfigError("has no ids", where=word, hint="write one id a line")
    return ids


def save_ids(file: Path, ids: Iterable[str]) -> None:
    """Write ids to a file, one a line. ConfigError: ``--ids`` could not read it."""
    names = [*ids]
    if file.suffix != ".txt":
        raise ConfigError(
            f"'{file}' does not end with .txt",
            where="--save-ids",
            hint=f"write {file.with_suffix('.txt')}; --ids takes another word for an id",
        )
    if broken := [name for name in names if len(name.splitlines()) != 1]:
        raise ConfigError(
            f"the id {broken[0]!r} has no line of its own",
            where=str(file),
            hint="name the samples in Python: chef.evaluate(..., ids=[...])",
        )
    write_atomically(file, "".join(f"{name}\n" for name in names))
