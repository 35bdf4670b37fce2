"""Which column of a table holds what, as the recipe says or by its usual name; and templates."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from chef.errors import ConfigError, nearest
from chef.frozen import Frozen
from chef.scenario.table.rows import top_column

_TEMPLATE = "scenario_cfg.template"


class Template(Frozen):
    """Text and names in turn: each part is a text and the name after it, None for none."""

    parts: tuple[tuple[str, str | None], ...]

    @classmethod
    def read(cls, text: str) -> Template:
        r"""Read a template; ``{{`` and ``}}`` are braces.

        >>> Template.read("{context}\nQ: {question} {{x}}").names
        ('context', 'question')

        Raises:
            ConfigError: a brace is not closed, or there is more than a name between braces.
        """
        try:
            parsed = list(string.Formatter().parse(text))
        except ValueError as error:
            raise ConfigError(
                f"the template cannot be read: {error}",
                where=_TEMPLATE,
                hint="close each brace; write {{ and }} for braces of the text",
            ) from None
        for _, name, form, conversion in parsed:
            if name is not None and (not name or form or conversion):
                shown = (
                    f"{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}"
                )
                raise ConfigError(
                    f"the template has {{{shown}}}, which is no name of a column",
                    where=_TEMPLATE,
                    hint="write only the name of a column in the braces, and {{ }} for braces",
                )
        return cls(tuple((before, name) for before, name, _, _ in parsed))

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order of the text."""
        return tuple(name for _, name in self.parts if name is not None)

    def filled(self, value: Callable[[str], str]) -> str:
        """The text with the value of each name. Lines at its ends that are blank are left out."""
        filled = (before + ("" if name is None else value(name)) for before, name in self.parts)
        return "".join(filled).strip()


#: The usual names, the first that a table has is taken: English, then other languages. Case,
#: accents and ``_ -`` do not matter.
_USUAL: Mapping[str, Sequence[str]] = {
    "question": (
        "question", "query", "prompt", "problem", "instruction", "question_text", "q",
        "frage", "fragestellung",
        "pregunta", "pergunta", "domanda", "vraag", "pytanie", "soru", "вопрос", "سؤال",
        "问题", "問題", "質問", "질문", "text", "conversation.question",
    ),
    "images": (
        "images", "image", "image_path", "image_paths", "image_file", "image_url", "img",
        "image_name", "img_path", "file_name", "file", "picture", "file_path", "photo",
        "image_filename", "bild", "bilddatei",
        "imagen", "imagem", "immagine", "afbeelding", "obraz", "resim", "изображение",
        "صورة",
        "图片", "图像", "圖片", "画像", "이미지", "conversation.images",
    ),
    "options": (
        "options", "choices", "candidates",
        "optionen", "opciones", "opções", "opzioni", "opties", "варианты",
        "选项", "選項", "選択肢", "선택지",
    ),
    "answer": (
        "answer", "answers", "label", "gt", "ground_truth", "gt_answer", "correct_answer",
        "answer_idx", "answer_index", "gt_choice", "target", "reference", "references", "gold",
        "correct_choice", "correct_option", "expected_answer", "expected", "truth", "correct",
        "reference_answer", "answer_key", "correct_choice_idx", "correct_index", "correct_idx",
        "multiple_choice_answer", "direct_answers", "a",
        "antwort", "lösung", "richtige_antwort",
        "réponse", "bonne_réponse", "respuesta", "resposta", "risposta", "antwoord",
        "odpowiedź", "cevap", "ответ", "إجابة",
        "答案", "正解", "回答", "정답", "conversation.answer",
    ),
    "id": ("id", "index", "question_id", "qid"),
    "hint": ("hint",),
    "category": ("category",),
    "l2_category": ("l2_category",),
    "split": ("split",),
}  # fmt: skip
#: Of a table without questions. ``text`` is one beside ``file_name``, as of folders of images.
_CAPTIONS = ("caption", "captions", "text")
_NUMBERED_IMAGE = re.compile(r"(?:image|img)[ _-]?\d+", re.IGNORECASE)
_OPTION_WORDS = (
    r"(?:option|choice|choix|opción|opcion|opção|opzione|optie|opcja|antwort|вариант"
    r"|选项|選項|選択肢|선택지)"
)
_OPTION = re.compile(rf"(?:{_OPTION_WORDS})?[ _-]?([a-z])|{_OPTION_WORDS}[ _-]?(\d)", re.IGNORECASE)
_WHERE = "scenario_cfg.columns"


class Columns(Frozen):
    """The columns of each role; several where the role takes several, empty where there is none.

    Attributes:
        images: each holds one image or a list of images.
        options: one with a list, or one for each option.
        id: empty: the number of the row.
        recognized: the roles whose columns the recipe does not name.
    """

    question: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    hint: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    l2_category: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    recognized: tuple[str, ...] = ()

    @property
    def are_captions(self) -> bool:
        """Whether nothing is asked, and the recognized answers are captions."""
        is_recognized = not self.question and "answer" in self.recognized
        return is_recognized and _folded(self.answer[0]) in _CAPTIONS

    def of(self, role: str) -> tuple[str, ...]:
        """The columns of a role."""
        found: tuple[str, ...] = getattr(self, role)
        return found


#: What a column can be, as the recipe writes it with ``l2-category`` for ``l2_category``.
ROLES = tuple(item.name for item in fields(Columns) if item.name != "recognized")
_SEVERAL = ("images", "options")


def find_columns(table: Sequence[str], given: Mapping[str, Any], path: str) -> Columns:
    """The columns by role, as the recipe names them or as usual; ConfigError for others."""
    told = dict(_checked(table, given, path))
    found = Columns(**told)
    taken = {column for columns in told.values() for column in columns}
    usual: dict[str, tuple[str, ...]] = {}
    for role in ROLES:
        free = [name for name in table if name not in taken]
        if role not in told and (columns := _recognized(role, free)):
            usual[role] = columns
            taken.update(columns)
    found = replace(found, **usual, recognized=tuple(usual))
    return (
        found if {"question", "answer"} & {*told} or found.answer else _with_captions(found, table)
    )


def _with_captions(found: Columns, table: Sequence[str]) -> Columns:
    """The columns with one of captions as that of the answer, where nothing is asked."""
    if found.images == ("file_name",) and found.question == ("text",):
        recognized = tuple("answer" if role == "question" else role for role in found.recognized)
        return replace(found, question=(), answer=("text",), recognized=recognized)
    column = next((name for name in table if _folded(name) in _CAPTIONS[:2]), None)
    if column is None or found.question or not found.images:
        return found
    return replace(found, answer=(column,), recognized=(*found.recognized, "answer"))


def check_column(column: Any, table: Sequence[str], path: str, where: str) -> str:
    """A column that the recipe names, or a path within one (``meta.topic``); else ConfigError."""
    if not isinstance(column, str) or not column:
        raise ConfigError(
            f"{column!r} is no name of a column", where=where, hint="write the name as a text"
        )
    if top_column(column, table) not in table:
        raise ConfigError(
            f"{path} has no column '{column}'", where=where, hint=columns_hint(column, table)
        )
    return column


def check_template(template: Template, table: Sequence[str], columns: Columns, path: str) -> None:
    """ConfigError where a template names neither a column of the table nor a role that it has."""
    known = {*table, *(role for role in ROLES if columns.of(role))}
    for name in template.names:
        if name not in known and top_column(name, table) not in table:
            raise ConfigError(
                f"the template names '{name}', and {path} has no such column",
                where=_TEMPLATE,
                hint=columns_hint(name, table),
            )


def columns_hint(name: str, table: Sequence[str]) -> str:
    """The nearest column, and all of them."""
    listed = ", ".join(table[:20]) + (", ..." if len(table) > 20 else "")
    near = nearest(name, table)
    return f"{near} its columns: {listed}" if near.startswith("did") else f"its columns: {listed}"


def _checked(
    table: Sequence[str], given: Mapping[str, Any], path: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The columns that the recipe names, by role."""
    for key, value in given.items():
        role = str(key).replace("-", "_")
        role = "images" if role == "image" else role
        where = f"{_WHERE}.{key}"
        if role not in ROLES:
            known = [name.replace("l2_", "l2-") for name in ROLES]
            raise ConfigError(f"'{key}' is nothing that a column can be", where=where,
                              hint=nearest(str(key), known))  # fmt: skip
        named = [] if value is None else value if isinstance(value, list) else [value]
        if len(named) > 1 and role not in _SEVERAL:
            raise ConfigError(
                f"{len(named)} columns, and {role} takes one",
                where=where,
                hint="join columns with a template" if role == "question" else "name one column",
            )
        if role == "options":
            _check_texts(named, table, path)
        yield role, tuple(check_column(item, table, path, where) for item in named)


def _check_texts(items: Sequence[Any], table: Sequence[str], path: str) -> None:
    """ConfigError where several options are no columns: they are meant as texts."""
    if len(items) > 1 and not any(top_column(str(item), table) in table for item in items):
        raise ConfigError(
            f"{path} has no columns {', '.join(map(repr, items))}",
            where=f"{_WHERE}.options",
            hint=f"for the same options of all rows, scenario_cfg.options: {items}; "
            + columns_hint(str(items[0]), table),
        )


def _recognized(role: str, free: Sequence[str]) -> tuple[str, ...]:
    """The columns with a usual name for a role."""
    plain = {_folded(name): name for name in reversed(free)}
    for usual in _USUAL[role]:
        if (name := plain.get(_folded(usual))) is not None:
            return (name,)
    if role == "images":
        return tuple(sorted((n for n in free if _NUMBERED_IMAGE.fullmatch(n)), key=_natural))
    if role == "options":
        return _option_columns(free)
    return ()


def _option_columns(free: Sequence[str]) -> tuple[str, ...]:
    """The columns A, B, ... (or option_a, choice1, ...) from the first on; at least two."""
    found: dict[str, str] = {}
    for name in free:
        if match := _OPTION.fullmatch(name):
            found.setdefault((match[1] or match[2]).upper(), name)
    for first in ("A", "0", "1"):
        columns: list[str] = []
        while (label := chr(ord(first) + len(columns))) in found:
            columns.append(found[label])
        if len(columns) > 1:
            return tuple(columns)
    return ()


def _folded(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name).casefold()
    return "".join(part for part in parts if part not in " _-" and not unicodedata.combining(part))


def _natural(name: str) -> tuple[int, str]:
    return int("".join(filter(str.isdecimal, name)) or 0), name
