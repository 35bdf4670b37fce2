"""Which column holds what: usual names, the recipe's mapping, templates, and typos in them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scenario.records_table.conftest import png

from chef.errors import ConfigError, DataError, SampleError
from chef.scenario.table.scenario import Records

Make = Callable[..., Records]


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        ({"question": "q", "choices": ["x", "y"], "gt": "x"},
         "question: question; options: choices; answer: gt"),
        ({"Query": "q", "Label": "x", "idx": 1}, "question: Query; answer: Label"),
        ({"prompt": "q", "A": "x", "B": "y", "D": "z", "index": 1},
         "question: prompt; options: A, B; id: index"),
        ({"question": "q", "option_a": "x", "option_b": "y"},
         "question: question; options: option_a, option_b"),
        ({"question": "q", "choice1": "x", "choice2": "y"},
         "question: question; options: choice1, choice2"),
        ({"question": "q", "image_1": None, "image_10": None, "image_2": None},
         "question: question; images: image_1, image_2, image_10"),
        ({"question": "q", "answer": "x", "answers": ["x"], "query": "r", "A": "lone"},
         "question: question; answer: answer"),
        ({"question": "q", "hint": "h", "category": "c", "l2-category": "d", "split": "dev"},
         "question: question; hint: hint; category: category; l2-category: l2-category; "
         "split: split"),
    ],
)  # fmt: skip
def test_usual_names_are_recognized_and_said(
    records: Make, row: dict[str, Any], columns: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "chef"):
        scenario = records([row])
    assert str(replace(scenario.column_use(), unused=())) == columns
    (message,) = [item.getMessage() for item in caplog.records if "rows" in item.getMessage()]
    assert columns in message


def test_the_recipe_names_columns(records: Make) -> None:
    row = {
        "question": "no", "ask": "q", "alt": ["x", "y"], "meta": {"reply": ["no", "B"]},
        "key": 7, "topic": "t", "id": "no", "hint": "no",
    }  # fmt: skip
    columns = {"question": "ask", "options": "alt", "answer": "meta.reply.1", "id": "key",
               "category": "topic", "hint": None}  # fmt: skip
    sample = records([row], columns=columns)[0]
    assert sample.question == "Question: q\nOptions:\n(A) x\n(B) y"
    assert (sample.id, sample.answer, sample.fields["category"]) == ("7", "(B)", "t")
    assert records([row], columns={**columns, "id": None}).sample_id(0) == "1"


@pytest.mark.parametrize(
    ("keys", "where", "words"),
    [
        ({"columns": {"question": "aks"}}, "columns.question",
         r"has no column 'aks'(.|\n)*did you mean 'ask'\? its columns: ask, reply"),
        ({"columns": {"questions": "ask"}}, "columns.questions", "did you mean 'question'"),
        ({"columns": {"question": ["ask", "reply"]}}, "columns.question", "with a template"),
        ({"columns": {"question": 5}}, "columns.question", "5 is no name of a column"),
        ({}, "columns", r"to hold the question(.|\n)*columns: \{question: ...\}; its columns: ask"),
        ({"template": "{aks}"}, "template", "did you mean 'ask'"),
        ({"template": "{ask"}, "template", "cannot be read"),
        ({"template": "{ask!r}"}, "template", "no name of a column"),
        ({"template": "{ask:>9}"}, "template", "no name of a column"),
        ({"template": "{}"}, "template", "no name of a column"),
        ({"template": "{ask}", "kind": "mcq"}, "columns", "to hold the options"),
        ({"template": "{ask}", "keep": ["repyl"]}, "keep", "did you mean 'reply'"),
        ({"template": "{ask}", "where": {"repyl": 1}}, "where", "did you mean 'reply'"),
        ({"template": "{ask}", "rows": 0}, "rows", "give 1 or more"),
        ({"template": "{ask}", "revision": "v1"}, "revision", "set source: hub"),
    ],
)  # fmt: skip
def test_typos_are_one_error_with_the_nearest_name(
    records: Make, keys: dict[str, Any], where: str, words: str
) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        records([{"ask": "q", "reply": "x"}], **keys)
    assert caught.value.where == f"scenario_cfg.{where}"


def test_a_template_makes_the_question(records: Make) -> None:
    rows = [
        {"context": "It barks.", "ask": "What?", "n": 3, "ok": True, "meta": {"by": ["Ann"]}},
        {"context": None, "ask": "Who?", "n": 2.5, "ok": False, "meta": None},
    ]
    template = "{context}\nQ{n} ({ok}, {meta.by.0}): {ask} {{x}}"
    scenario = records(rows, template=template)
    assert scenario[0].question == "It barks.\nQ3 (True, Ann): What? {x}"
    assert scenario[1].question == "Q2.5 (False, ): Who? {x}"
    scenario = records(rows, columns={"question": "ask"}, template="{context} {question}")
    assert scenario[0].question == "It barks. What?"
    # A name is looked up in the row, and is never an attribute.
    scenario = records(rows, template="{ask} {ask.__class__}")
    assert scenario[0].question == "What?"


def test_a_template_says_where_hint_and_options_stand(records: Make) -> None:
    row = {"question": "What?", "options": ["cat", "dog"], "answer": "B", "hint": "It barks."}
    assert records([row])[0].question == (
        "Hint: It barks.\nQuestion: What?\nOptions:\n(A) cat\n(B) dog"
    )
    sample = records([row], template="{hint}\n{options}\nSo: {question}")[0]
    assert sample.question == "It barks.\n(A) cat\n(B) dog\nSo: What?"
    assert (sample.options, sample.answer) == (("(A", "(B"), "(B)")
    sample = records([row], template="{question}", option_content=True)[0]
    assert (sample.options, sample.answer) == (("cat", "dog"), "dog")


def test_rows_are_chosen_by_their_values(records: Make) -> None:
    rows = [
        {"question": "a", "split": "dev", "level": 1, "hard": True},
        {"question": "b", "split": "test", "level": 2.0, "hard": False},
        {"question": "c", "split": "test", "level": 3, "hard": True},
    ]

    def chosen(**keys: Any) -> str:
        scenario = records(rows, **keys)
        return "".join(scenario[n].question for n in range(len(scenario)))

    assert chosen() == "abc"
    assert chosen(split="test") == "bc"
    assert chosen(where={"level": [1, 2]}) == "ab"
    assert chosen(where={"hard": True, "split": "test"}) == "c"
    assert chosen(rows=2) == "ab"
    assert records(rows, split="test").sample_id(0) == "2"  # the number in the file
    with pytest.raises(DataError, match=r"no row with split 'tset'(.|\n)*did you mean 'test'"):
        chosen(split="tset")
    with pytest.raises(DataError, match=r"no row with split .test. and level"):
        chosen(where={"level": 1, "split": "test"})


def test_rows_that_are_not_taken_are_no_errors(records: Make) -> None:
    rows = [
        {"id": 1, "question": "q", "split": "dev"},
        {"id": 1, "question": "q", "split": "test"},
        {"id": None, "question": "q", "split": "test"},
    ]
    scenario = records(rows, split="dev")
    assert [scenario[index].id for index in range(len(scenario))] == ["1"]


def test_columns_are_kept_for_grouping(records: Make) -> None:
    rows = [{"question": "q", "level": 3, "meta": {"by": "Ann"}, "split": "dev", "unused": 1}]
    keys = {"keep": ["level", "meta.by"]}
    assert records(rows, **keys)[0].fields == {"split": "dev", "level": "3", "meta.by": "Ann"}
    assert {"category", "split", "level", "meta.by"} <= Records.grouped_by(keys).keys()
    assert "level" not in Records.grouped_by()
    with pytest.raises(ConfigError, match="'choices' is a name that metrics read"):
        records([{"question": "q", "choices": None}], keep=["choices"])


def test_a_question_within_a_column_is_named(records: Make) -> None:
    """Where no column is the question, the message has what a recipe writes for those within."""
    chat = [{"role": "user", "content": [{"type": "text", "text": "What?"}]}]
    with pytest.raises(ConfigError) as caught:
        records([{"id": 1, "dialog": chat, "note": {"by": "me"}}])
    assert "within them: dialog.0.role, dialog.0.content.0.type, " in (caught.value.hint or "")
    assert "dialog.0.content.0.text, note.by;" in (caught.value.hint or "")
    assert records([{"m": chat}], columns={"question": "m.0.content.0.text"})[0].question == "What?"


def test_a_picture_within_a_column_is_not_forgotten(records: Make, tmp_path: Path) -> None:
    """A column of which a part is used counts as used, but not for the picture in it."""
    (tmp_path / "red.png").write_bytes(png("red"))
    rows = [{"item": {"img": "red.png", "q": "What?", "a": "red"}}]
    columns = {"question": "item.q", "answer": "item.a"}
    use = records(rows, columns=columns).column_use()
    assert (use.unused, use.lacking) == (("item.img",), {"images": "item.img"})
    for images in ("item.img", None):
        use = records(rows, columns={**columns, "images": images}).column_use()
        assert (use.unused, use.lacking) == ((), {})


def test_a_list_is_no_question(records: Make) -> None:
    rows = '[{"body": {"messages": [{"role": "user", "content": "Red?"}]}, "answer": "yes"}]'
    scenario = records(rows, "a.json", columns={"question": "body.messages"})
    with pytest.raises(SampleError, match=r"'body.messages' holds a list") as caught:
        scenario[0]
    assert "columns: {question: body.messages.0}, or deeper" in (caught.value.hint or "")
    deeper = records(rows, "a.json", columns={"question": "body.messages.0.content"})
    assert deeper[0].question == "Red?"
