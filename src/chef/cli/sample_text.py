"""A sample as text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from chef.common.printing import Style, say, say_styled

if TYPE_CHECKING:
    from chef.report.sample_view import AnswerView, ImageView, OptionView, SampleView

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
