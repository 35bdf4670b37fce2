"""What reads the files of families that are no tables, and why.

The others have a mapping in ``table.yaml``, which `chef.scenario.mmtrusteval.mapped` reads.
``risk`` asks each picture all questions of its class, which stand in ``wording.yaml``; the
preferences split one file in two and draw the picture of a side; ``confaide`` pairs two files of
text; ``celebrities`` words its questions as a key of the recipe says; ``enron`` makes up the data
that it asks for.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from pathlib import Path, PurePosixPath
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from chef.common.seeding import sample_rng
from chef.errors import ConfigError, DataError, SampleError, nearest
from chef.scenario.mmtrusteval.mapped import filled, inner_folders
from chef.scenario.mmtrusteval.source import (
    TrustFiles,
    TrustItem,
    each,
    first_there,
    missing,
    numbered,
    with_ending,
)
from chef.scenario.records.files import Record

#: So many items ask plainly, and those after them for a choice in any case.
_PLAIN = 120
#: So many questions on a class of risky pictures are on its objects; the others are on risks.
_OBJECTS = 3


def risk(source: TrustFiles) -> Iterable[TrustItem]:
    """Every picture of every class, with the questions on objects or on risks."""
    there = inner_folders(source)
    for kind, questions in source.wording.risk.items():
        if kind not in there:
            folder = source.paths["image_dir"] / kind
            raise missing("folder", folder, source.root, "image_dir", source.dataset.id)
        asked = slice(_OBJECTS) if source.part == "object" else slice(_OBJECTS, None)
        for path in source.pictures(inner=kind):
            for number, one in enumerate(questions[asked], start=1):
                extra = {"QUESTION": one.question, "EXPECTED_KEYWORDS": one.keywords}
                yield TrustItem(f"{kind}/{path.name}/{number}", one.question, path, extra=extra)


def vision_preference(source: TrustFiles) -> Iterable[TrustItem]:
    """The plain items about their pictures; the subset is the topic."""
    pictures = numbered(source.pictures())
    ending = source.say("vision_preference_force") if source.settings.force_prompt else ""

    def make(name: str, one: Record) -> TrustItem:
        text = source.say("vision_preference", topic=topic_of(one)) + ending
        path = picture_of(pictures, int(name) - 1, source.paths["image_dir"])
        return TrustItem(name, text, path, extra={"subset": topic_of(one)})

    return each(plain(source.records()), source.annotations, number, make)


def subjective_preference(source: TrustFiles) -> Iterable[TrustItem]:
    """The plain or the forcing items; the subset is the topic.

    The picture is that of either choice, drawn by the seed and the id.
    """
    records = source.records()
    chosen = plain(records) if source.part == "plain" else records[_PLAIN:]
    folder = source.paths["image_dir"]
    shown = source.dataset.variant.image == "own"
    sides = {
        side: numbered(source.pictures(inner=f"choice_{side}_images")) if shown else {}
        for side in ("a", "b")
    }

    def make(name: str, one: Record) -> TrustItem:
        side = sample_rng(source.settings.seed, "subjective-preference", name).choice(("a", "b"))
        inner = folder / f"choice_{side}_images"
        path = picture_of(sides[side], int(name) - 1, inner) if shown else None
        return TrustItem(name, filled(one, "prompt"), path, extra={"subset": topic_of(one)})

    return each(chosen, source.annotations, number, make)


def plain(records: list[Record]) -> list[Record]:
    """The items that ask plainly: the first 120."""
    return records[:_PLAIN]


def number(place: int, _: Record) -> str:
    """Items have no ids: each is named by its number among its kind."""
    return str(place + 1)


def topic_of(one: Record) -> str:
    """The topic of an item."""
    return str(one["topic"])


def picture_of(pictures: dict[int, Path], place: int, folder: Path) -> Path:
    """The picture at a position of those that their names number."""
    if place not in pictures:
        raise SampleError(f"picture number {place + 1} is missing in {folder}", hint="put it there")
    return pictures[place]


#: What each kind of data is called in questions.
QUERIES = {"email": "email address", "phone": "phone number", "address": "home address"}
#: The values of ``data_type_id``.
DATA_TYPES = tuple(
    "-".join(filter(None, parts))
    for parts in product(
        ("", "personal"), QUERIES, ("name", "wo-name"), ("occupation", "wo-occupation")
    )
)
#: Titles that say who somebody is; others end in them (``businesswoman``).
_FEMALE = ("mrs", "ms", "miss", "madam", "lady", "queen", "actress", "princess", "duchess",
           "empress", "hostess", "woman", "she", "her", "female", "f")  # fmt: skip
_SEX_COLUMNS = ("Sex", "sex", "Gender", "gender")
#: A person of the file: email address and name.
Person: TypeAlias = tuple[str, str]
_DIGITS, _LETTERS = string.digits, string.ascii_letters
_EITHER = _DIGITS + _LETTERS
_STREETS = ("Birch", "Canal", "Harbour", "Juniper", "Meadow", "Orchard", "Quarry", "Station")
_TOWNS = ("Ashford Falls", "Brindle Bay", "Eastmere", "Port Larkin", "Sandholm", "Westbrook")


def _of(alphabet: str, length: int) -> Callable[[random.Random], str]:
    return lambda rng: "".join(rng.choices(alphabet, k=length))


def _address(rng: random.Random) -> str:
    return f"{rng.randint(1, 999)} {rng.choice(_STREETS)} Road, {rng.choice(_TOWNS)}"


#: How the value of each type is drawn; an email address is the one of the file.
TYPES: Mapping[str, Callable[[random.Random], str] | None] = {
    "phone number": _of(_DIGITS, 10),
    "email address": None,
    "address": _address,
    "password": _of(_EITHER, 10),
    "credit card number": _of(_DIGITS, 16),
    "passport number": _of(_EITHER, 10),
    "ssh private key": _of(_EITHER, 12),
    "secret key": _of(_EITHER, 12),
    "canary number": _of(_DIGITS, 10),
    "canary code": _of(_LETTERS, 10),
}


def confaide(source: TrustFiles) -> Iterable[TrustItem]:
    """The prompts; the target is a number, the picture number ``place % img_num``."""
    prompts_file, labels_file = source.paths["prompts_path"], source.paths["labels_path"]
    labels = _lines(source.text(labels_file, "labels_path"))
    text = source.text(prompts_file, "prompts_path")
    # A prompt is a line, or a paragraph of several.
    prompts = next((found for found in (_lines(text), _paragraphs(text))
                    if len(found) == len(labels)), None)  # fmt: skip
    if prompts is None:
        raise DataError(
            f"has {len(_lines(text))} prompts, and {labels_file} has {len(labels)} labels",
            where=str(prompts_file),
            hint="write one prompt a line, or with an empty line after each, and a label for each",
        )
    pictures = source.pictures() if source.dataset.variant.image == "own" else []
    ending = source.say("confaide_force") if source.settings.force_prompt else ""
    for place, (prompt, label) in enumerate(zip(prompts, labels, strict=True)):
        name, number = str(place + 1), place % source.settings.img_num
        try:
            target = float(label)
        except ValueError:
            problem = f"{labels_file}: line {place + 1} is '{label}', not a number"
            yield TrustItem(name, problem=problem, hint="write a number from -100 to 100")
            continue
        path = pictures[number] if number < len(pictures) else None
        yield TrustItem(name, prompt + ending, path, target)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]


def celebrities(source: TrustFiles) -> Iterable[TrustItem]:
    """The people of the list; extra has title, sex (his, her), name and query."""
    data_type_id = source.settings.data_type_id
    if data_type_id not in DATA_TYPES:
        raise ConfigError(
            f"unknown data_type_id '{data_type_id}'",
            where="scenario_cfg.data_type_id",
            hint=nearest(data_type_id, DATA_TYPES),
        )
    words = data_type_id.removeprefix("personal-").split("-", 1)
    with_name, with_title = not words[1].startswith("wo-name"), "wo-occupation" not in words[1]
    prompt = {
        (True, True): "celebrities_name_occupation",
        (True, False): "celebrities_name",
        (False, True): "celebrities_occupation",
        (False, False): "celebrities_none",
    }[with_name, with_title]
    personal = source.say("celebrities_personal") if data_type_id.startswith("personal-") else ""

    def make(name: str, row: Record) -> TrustItem:
        title, sex = filled(row, "Title"), sex_of(row)
        query = QUERIES[words[0]]
        text = source.say(
            "celebrities",
            shown=source.say(prompt, name=name, occupation=title),
            personal=personal,
            query=query,
            person=name if with_name else "this person",
        )
        extra = {"title": title, "sex": sex, "name": name, "query": query}
        return TrustItem(name, text, _picture(source, row), None, extra)

    return each(source.rows("name_list"), source.paths["name_list"], _name, make)


def sex_of(row: Record) -> str:
    """``her`` where a column or the title says so, else ``his``, as MMTrustEval has one of both.

    >>> sex_of({"Title": "Actress"}), sex_of({"Title": "Footballer"})
    ('her', 'his')
    """
    given = next((row[name] for name in _SEX_COLUMNS if row.get(name)), row.get("Title") or "")
    words = str(given).casefold().replace(".", " ").split()
    is_female = any(word in _FEMALE or word.endswith(("woman", "tress", "ncess")) for word in words)
    return "her" if is_female else "his"


def _name(_: int, row: Record) -> str:
    return filled(row, "Celebrity").strip()


def _picture(source: TrustFiles, row: Record) -> Path:
    """The picture of a person: named by the person, or as its address is."""
    folder, name = source.paths["image_dir"], filled(row, "Celebrity").strip()
    address = PurePosixPath(unquote(urlsplit(row.get("Url") or "").path)).name
    names = (name, name.replace(" ", "_"), name.lower().replace(" ", "_"))
    given = [with_ending(folder / one) for one in names]
    return first_there(*given, *([folder / address] if address else []))


def enron(source: TrustFiles) -> Iterable[TrustItem]:
    """For each type of data, so many people with their context; the target lists the true value.

    The context tells the data of five people, and the question is on the first. Values are drawn
    by seed, sample and person, so all seven data sets have the same. A picture shows the asked
    value (``oneinfo``), those of all five people (``typeinfo``), or all of the asked person.
    """
    contexts = list(source.mapping().items())
    if not contexts:
        raise DataError("has no people", where=str(source.annotations), hint="download it again")
    for number, kind in enumerate(TYPES):
        for place in range(source.settings.num_per_type):
            nth = number * source.settings.num_per_type + place
            email, given = contexts[nth % len(contexts)]
            name = f"{kind.replace(' ', '-')}/{place + 1}/{email}"
            try:
                yield _item(source, name, kind, _people(given))
            except SampleError as error:
                where = f"{source.annotations}: {email}"
                yield TrustItem(name, problem=f"{where}: {error.what}", hint=error.hint or "")


def _item(source: TrustFiles, name: str, kind: str, people: list[Person]) -> TrustItem:
    def fact(person: Person, what: str) -> str:
        value = _value(source.settings.seed, name, what, person)
        return source.say("enron_fact", type=what, name=person[1], value=value)

    asked = people[0]
    told = [fact(person, kind) for person in people]
    text = "\n".join(
        [
            source.say("enron_note"),
            *told,
            source.say("enron_question", type=kind, name=asked[1]),
        ]
    )
    drawn = {
        "oneinfo": told[:1],
        "typeinfo": told,
        "allinfo": [fact(asked, what) for what in TYPES],
    }.get(source.part, [])
    target = [_value(source.settings.seed, name, kind, asked)]
    return TrustItem(name, text, target=target, drawn="\n".join(drawn))


def _value(seed: int, name: str, kind: str, person: Person) -> str:
    draw = TYPES[kind]
    if draw is None:
        return person[0]
    return draw(sample_rng(seed, "enron", name, kind, *person))


def _people(given: object) -> list[Person]:
    if not isinstance(given, list) or not given:
        raise SampleError("its people are no list", hint="write [email, name] for each person")
    for person in given:
        if not (isinstance(person, list) and len(person) >= 2 and all(map(_is_text, person[:2]))):
            raise SampleError(f"{person!r} is no person", hint="write [email, name]")
    return [(person[0], person[1]) for person in given]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


Reader: TypeAlias = Callable[[TrustFiles], Iterable[TrustItem]]

#: The reader of each family whose mapping is no data.
READERS: Mapping[str, Reader] = {
    reader.__name__: reader
    for reader in (
        risk,
        vision_preference,
        subjective_preference,
        confaide,
        celebrities,
        enron,
    )
}
