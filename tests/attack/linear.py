"""Every function that reads text from outside, with the texts that are the worst for it.

A line of the table is a function of one text, by a name of its own, and the texts that make it go
over the same signs again and again if anything does: a piece, which is repeated, or a head, a piece
and a tail. `test_linear_time.py` adds texts of one character each. Functions are named as
``module:function``, so that a module that moves is one line here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

#: A piece that is repeated; or what stands before, the piece, and what stands after.
Worst: TypeAlias = str | tuple[str, str, str]

#: The rooms that hold the readers of answers, and the search for secrets.
READING = "chef.reading"
SECRETS = "chef.guard"

#: Texts of one character: a letter, a digit, blanks, marks of every markup, CJK, a combining mark.
CHARACTERS = (
    "a", "1", " ", "\n", "<", "{", "[", "(", "\\", "'", '"', "`", "*", "$", "-", ".", ",", "/",
    "=", ":", "#", "\u7684", "\u0301",
)  # fmt: skip


@dataclass(frozen=True)
class Reader:
    """A function of one text and its worst patterns."""

    read: Callable[[str], object]
    worst: tuple[Worst, ...] = ()


def of(name: str, *others: Any, room: str = READING, **keys: Any) -> Callable[[str], object]:
    """The function ``module:name`` of a room, with what it takes besides the text."""

    @cache
    def function() -> Any:
        module, _, attribute = name.partition(":")
        return getattr(import_module(f"{room}.{module}"), attribute)

    def read(text: str) -> object:
        try:
            result = function()(text, *others, **keys)
        except ValueError as error:  # a number of too many digits, by the rules of others
            return error
        return list(result) if isinstance(result, Iterator) else result

    return read


ANIMALS = ["a cat", "a dog", "a bird", "a fish"]
LETTERS = {"A": "a cat", "B": "a dog", "C": "a bird", "D": "a fish"}
TOKEN = "sk-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
SPOKEN = "a password of words 77"

#: Runs of answers: lists, corrections, open and closed marks, thoughts, turns, JSON, LaTeX, tables.
ANSWERS: tuple[Worst, ...] = (
    "The answer is A. No, wait, B. ", "(A) a cat (B) a dog ", "not ", "yes no ", "1, 2 and ",
    "1,", "1.", "1/", "-1 ", "twenty ", "one hundred and ", "[0.1,0.2,0.3,0.4] ", "[0.1, ", "[({",
    "<think>", "</think>", ("<think>", "so ", ""), "<answer>", "```", "**", "__", "*a", "~~",
    '{"answer": ', '{"a":[', '"answer": "', "\\boxed{", "\\frac{1}{", "\\text{", "$$", "$a", "\\(",
    "\\begin{a}", "| a ", "|-", "# ", "> ", "- ", "\n\n", " \n", "\t", "Question: ", "USER: ",
    "\nQ: a\nA: ", "a-", "a'", "'a ", '"a ', "\u201ca", "a,b;", "there is no dog but ", "neither ",
    "the answer is ", "Answer: ", "Final answer: ", "if a then b, ", "<object>", "<img>",
    "<patch_index_0001>", "<ref>a</ref><box>", "\u6211\u9009\u4e0d\u662f", "e\u0301", "\u200b",
    "\ud800", "http://a", "a@b.", "5 km ", "%", "1e", "0x", "1:", "A or ", "A, ", "A) ", "**A**",
    "I cannot ", "sorry, ", "is a ", "of the ", "and ", "...", "? ", "&amp;", "&#", "<a href=",
    "<!--", "<b><i>", "a=1&", "\u0661", "\u00bd", "\u2460", ("]", "[", ""),
    (")", "(", ""), ("}", "{", ""), ("</object>", "<object>", ""), ("</think>", "<think>", ""),
    ("</answer>", "<answer>", ""),
)  # fmt: skip

#: For readers of an excerpt that take a second for it: what each takes longest over.
OF_OPTIONS: tuple[Worst, ...] = ("A) ", '{"a":[', "\u6211\u9009\u4e0d\u662f")
OF_NUMBERS: tuple[Worst, ...] = ("1,", "\\frac{1}{")
OF_WORDS: tuple[Worst, ...] = (" \n", "Question: ", "\\text{")
OF_VERDICTS: tuple[Worst, ...] = ("The answer is A. No, wait, B. ", "not ", "neither ")
OF_BOXES: tuple[Worst, ...] = ("1,", "A, ", "[0.1,0.2,0.3,0.4] ", "[({")

#: What looks like the beginning of a secret, or of an escape in one.
SECRET_TEXTS: tuple[Worst, ...] = (
    "sk-", "eyJ-", "eyJa.", "eyJaaaaaaaaa.", "a-", "a=", "a://", "://", ("a://", "@", ""),
    ("a://b:", "c", ""), "a://b:c@", "?a=1", "&key=", "Bearer ", "Basic a ", "Token",
    "-----BEGIN PRIVATE KEY-----", "-----BEGIN A ", "-----END PRIVATE KEY-----", "hf_", "ghp_",
    "xoxb-", "AKIA", "-", "_", "%25", "\\u0041", ("Bearer ", " ", "x"), ("https://", "a", "@"),
)  # fmt: skip
ESCAPES: tuple[Worst, ...] = (
    "\\n", "\\\\n", "%25", "&amp;", "&#", "\\u0073", "73", "0x73, ", "s", "sk-", TOKEN[:-1],
    TOKEN[:-1] + "\n", TOKEN[:-1] + "\\" * 40, "a password" + " \n" * 50, "a password+%20", "c2st",
    "c2stYUIzZEU1Zkc3aEo5a0wx\n", "s\\n\\n\\n", TOKEN + " ",
)  # fmt: skip


def _redacted(text: str) -> object:
    from chef.common import redaction

    redaction.remember([TOKEN, SPOKEN])
    return redaction.redact(f"{text} {TOKEN} {SPOKEN}")  # so that all is looked at


def _yaml(text: str) -> object:
    from yaml import YAMLError

    from chef.common.yaml_text import load

    try:
        return load(text[:1_000_000])
    except (YAMLError, ValueError, RecursionError) as error:
        return error


def _recipe(text: str) -> object:
    from chef.config.document import read_document
    from chef.errors import ConfigError

    try:
        return read_document({"a": "x", "text": text[:999_000]}).public()
    except ConfigError as error:
        return error


def _override(text: str) -> object:
    from chef.config.override import set_override
    from chef.errors import ConfigError

    try:
        return set_override({"a": "x"}, f"a={text[:120_000]}", {})
    except ConfigError as error:
        return error


def _verdict(text: str) -> object:
    from chef.judge.stage import verdict_of
    from chef.types import Generated

    return verdict_of(Generated(text))


def _journal_line(text: str) -> object:
    import json

    import msgspec

    from chef.errors import ChefError
    from chef.run.answers import decode

    found: list[object] = []
    whole = {"id": "s", "status": "ok", "answer": text, "sample": {"question": text}}
    for line in (text.encode("utf-8", "surrogatepass"), json.dumps(whole).encode()):
        try:
            found.append(decode(line))
        except (ChefError, ValueError, msgspec.MsgspecError, RecursionError) as error:
            found.append(error)
    return found


def _table(suffix: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        from chef.errors import DataError
        from chef.scenario.table.columns import find_columns
        from chef.scenario.table.opening import open_table

        with TemporaryDirectory() as folder:
            file = Path(folder) / f"data.{suffix}"
            file.write_text(text, "utf-8", "replace")
            try:
                table = open_table(str(file))
                find_columns(table.columns, {}, str(file))
                return sum(1 for _ in table.scan(table.columns[:3]))
            except DataError as error:
                return error

    return read


def _tsv(text: str) -> object:
    from chef.errors import ChefError
    from chef.scenario.tsv.table import TsvTable

    with TemporaryDirectory() as folder:
        file = Path(folder) / "data.tsv"
        file.write_text(text, "utf-8", "replace")
        try:
            return TsvTable(file)
        except ChefError as error:
            return error


def _similar_errors(text: str) -> object:
    from chef.scoring.errors import group_errors

    entries = [{"id": name, "error": {"type": "E", "message": text}} for name in "ab"]
    return group_errors([{**entry, "status": "error"} for entry in entries])


def _shown(text: str) -> object:
    from chef.common.printing import shown

    return shown(text)


READERS: dict[str, Reader] = {
    # secrets
    "secrets within a text": Reader(of("secrets:within", room=SECRETS), SECRET_TEXTS),
    "a secret": Reader(of("secrets:whole", room=SECRETS), SECRET_TEXTS),
    "secrets of the environment": Reader(
        lambda text: of("secrets:of_environment", room=SECRETS)({"MY_TOKEN": text}),  # type: ignore[arg-type]
        SECRET_TEXTS,
    ),
    "secrets of a command": Reader(
        lambda text: of("secrets:of_arguments", room=SECRETS)([f"api_key={text}", text]),
        SECRET_TEXTS,
    ),
    "names of secrets": Reader(
        of("secrets:is_secret_key", "v", room=SECRETS), ("aA", "_", "a_")
    ),
    "redaction": Reader(_redacted, ESCAPES),
    "what a terminal shows": Reader(_shown, ("\x1b[", "\x1b[1;", "\r", "\x9b", "\ud800")),
    # configurations
    "YAML": Reader(
        _yaml,
        ("a: ", "- ", "[", "{a: ", "&a ", "*a ", "!!a ", "? ", "a: 1\n", "'a' ", "# ", "|\n ",
         "- - ", ("a: ", "1", ""), ("a: ", "1_", ""), "%a\n", "---\n"),
    ),
    "a text of a recipe": Reader(
        _recipe,
        ("${a}", "${", "${a", ("", "${", "}"), "{", "$", "\\$", "${oc.env:HOME,", "a=1 ",
         "http://a:b@c "),
    ),
    "an override": Reader(_override, ("[", "a: ", "a,", "{a: ", "${a}")),
    # answers
    "thoughts": Reader(of("text:strip_reasoning"), ANSWERS),
    "markup": Reader(of("text:strip_markup"), ANSWERS),
    "LaTeX": Reader(of("latex:plain_math"), ANSWERS),
    "fields of JSON": Reader(of("fields:fields"), ANSWERS),
    "invented turns": Reader(of("leaks:answer_body"), ANSWERS),
    "the next question": Reader(of("leaks:before_next_question"), ANSWERS),
    "options": Reader(of("options:extract_option", ANIMALS, question="What is it?"), OF_OPTIONS),
    "options that are colors": Reader(
        of("options:extract_option", ["red", "green"], question="What color is the car?"),
        ("The truck is red and the bus is green, ", "red "),
    ),
    "numbers": Reader(of("numbers:extract_number", "How many dogs are there?"), OF_NUMBERS),
    "verdicts": Reader(of("verdicts:extract_verdict", "Is there a dog?"), OF_VERDICTS),
    "clock": Reader(of("clock:with_clock_times"), ("ten past ", "half past ten ", "twenty-")),
    "concessions": Reader(of("second_reading:concessions"), ("although ", "though it ")),
    "places": Reader(
        of("verdicts:extract_verdict", "Is the cup on the table?"),
        ("The cup is on the ", "it is wrong to say that ", "The cup: red. ", "on and not on "),
    ),
    "boxes": Reader(of("boxes:parse_boxes"), OF_BOXES),
    "points": Reader(of("points:parse_points"), ANSWERS),
    "patches": Reader(of("points:parse_patches"), ANSWERS),
    "free answers": Reader(of("free_answers:compare", ["red"], "What color is it?"), OF_WORDS),
    "answers of other clauses": Reader(
        of("free_answers:compare", ["red"], "What color is the largest bus?"),
        ("the dog is red, and the bus is blue; ", "so the red bus is not the largest, ", "red, "),
    ),
    "quantities": Reader(of("free_answers:compare", ["5 km"], "How long is it?"), OF_NUMBERS),
    "open answers": Reader(of("open_answers:open_matches", ["red"]), ANSWERS),
    "a reference": Reader(of("quantities:quantity"), OF_NUMBERS),
    "quotes": Reader(of("words:quoted"), ANSWERS),
    "labels": Reader(of("names:mentioned_labels", ["cat", "dog"]), ANSWERS),
    "things": Reader(of("listed_things:things_named"), ANSWERS),
    "excerpts": Reader(of("excerpt:excerpt"), ANSWERS),
    "what a judge is shown": Reader(of("harmless:harmless"), ANSWERS),
    "a judge's verdict": Reader(
        _verdict, ("Verdict: [[", "[[", "**", "Verdict: ", "# ", ("Verdict:", " ", "[[1]]"),
                   ("Verdict: [[", "1", "]]"), "\nVerdict: [[1]]", ("", "#", " Verdict: [[1]]"))
    ),
    "sentences of LAMM": Reader(of("metric.detection.lamm:parse_sentences", room="chef"), OF_BOXES),
    # the rules of others
    "ChEF's boxes": Reader(of("rules.chef_boxes:boxes_in"), ANSWERS),
    "ChEF's points": Reader(of("rules.chef_boxes:points_in"), ANSWERS),
    "ChEF's patches": Reader(of("rules.chef_boxes:patch_boxes"), ANSWERS),
    "ChEF's options": Reader(of("rules.chef_options:cascade", ANIMALS), ANSWERS),
    "ChEF's options of LAMM": Reader(of("rules.chef_options:lamm_option", ANIMALS, 1), ANSWERS),
    "ChEF's options of MMMU": Reader(
        of("rules.chef_options:mmmu_option", ANIMALS, random.Random(0)), ANSWERS
    ),
    "ChEF's open answers": Reader(
        of("rules.chef_texts:chef_open_answer", ["red", "5"]), ANSWERS
    ),
    "ChEF's numbers": Reader(of("rules.chef_texts:first_number"), ANSWERS),
    "ChEF's quotes": Reader(of("rules.chef_texts:quoted_by_any"), ANSWERS),
    "ChEF's verdicts": Reader(of("rules.chef_texts:substring_verdict"), ANSWERS),
    "ChEF's verdicts by words": Reader(of("rules.chef_texts:token_verdict"), ANSWERS),
    "ChEF's normal form": Reader(of("rules.vqa_normal:chef_normal"), ANSWERS),
    "LAMM's words": Reader(of("rules.chef_texts:lamm_words"), ("a. ", "can't ", "'", '"a ', "--")),
    "VLMEvalKit's options": Reader(of("rules.vlmevalkit:can_infer", LETTERS), ANSWERS),
    "VLMEvalKit's verdicts": Reader(of("rules.vlmevalkit:yes_no"), ANSWERS),
    "VLMEvalKit's words": Reader(of("rules.vqa_normal:process_answer"), ANSWERS),
    "MMTrustEval's options": Reader(
        of("mmtrusteval_rules.choices:chosen", [["cat"], ["dog"]]), ANSWERS
    ),
    "MMTrustEval's scores": Reader(of("mmtrusteval_rules.scores:first_score"), ANSWERS),
    "MMTrustEval's own scores": Reader(of("rules.mmtrusteval:first_score"), ANSWERS),
    "words of a benchmark": Reader(of("rules.vqa_normal:plain_words"), ANSWERS),
    # files
    "a line of a journal": Reader(
        _journal_line, ('{"id":', "[", '"a",', "\\u0000", "\x00", '{"a":1,')
    ),
    "a TSV": Reader(_tsv, ("a\t", "a\tb\n", '"', '""', '"a\t', "\t", "\r", "index\tquestion\n")),
    "a table of TSV": Reader(_table("tsv"), ("a\t", '"', '""', "\t", "option\t", "image 1\t")),
    "a table of CSV": Reader(_table("csv"), ("a,", '"', '""', '"a,', ",", "A,")),
    "a table of JSON lines": Reader(_table("jsonl"), ('{"a":', "[", '{"a":1}\n', '{"a":1,', "\\")),
    "a table of JSON": Reader(_table("json"), ("[", '{"a":', ("[", '{"a":1},', "1]"), '"', "[1,")),
    "errors by cause": Reader(_similar_errors, ("'a ", '"', "a/", "/", "1", "1.", "'\"")),
}  # fmt: skip


def text_of(worst: Worst, size: int) -> str:
    """The text of a pattern with about so many characters."""
    head, piece, tail = ("", worst, "") if isinstance(worst, str) else worst
    return head + (piece * (size // len(piece) + 1))[: size - len(head) - len(tail)] + tail
