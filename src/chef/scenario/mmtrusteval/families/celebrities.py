"""Privacy: personal data of celebrities in pictures."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from chef.errors import ConfigError, nearest
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.mapped import filled
from chef.scenario.mmtrusteval.pictures import first_there, with_ending
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import Record

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


def celebrities(source: Source) -> Iterable[Item]:
    """The people of the list; extra has title, sex (his, her), name and query."""
    chosen = source.settings.data_type_id
    if chosen not in DATA_TYPES:
        raise ConfigError(
            f"unknown data_type_id '{chosen}'",
            where="scenario_cfg.data_type_id",
            hint=nearest(chosen, DATA_TYPES),
        )
    words = chosen.removeprefix("personal-").split("-", 1)
    with_name, with_title = not words[1].startswith("wo-name"), "wo-occupation" not in words[1]
    prompt = {
        (True, True): "celebrities_name_occupation",
        (True, False): "celebrities_name",
        (False, True): "celebrities_occupation",
        (False, False): "celebrities_none",
    }[with_name, with_title]
    personal = source.say("celebrities_personal") if chosen.startswith("personal-") else ""

    def make(name: str, row: Record) -> Item:
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
        return Item(name, text, _picture(source, row), None, extra)

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


def _picture(source: Source, row: Record) -> Path:
    """The picture of a person: named by the person, or as its address is."""
    folder, name = source.paths["image_dir"], filled(row, "Celebrity").strip()
    address = PurePosixPath(unquote(urlsplit(row.get("Url") or "").path)).name
    names = (name, name.replace(" ", "_"), name.lower().replace(" ", "_"))
    given = [with_ending(folder / one) for one in names]
    return first_there(*given, *([folder / address] if address else []))
