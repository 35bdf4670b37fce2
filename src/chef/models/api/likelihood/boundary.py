"""Where an option begins among the tokens of the prompt that ends with it.

The rule is that of the scorer in this process (`huggingface.encoding.encode_scored`): the whole
text is tokenised at once, and a token is scored if its characters reach into the option. So a token
that spans the boundary (a space and a bracket, say) counts. That scorer knows which characters a
token covers; a server only tells the text of each token, decoded alone. From the end of the prompt,
these texts put together are the option, and that settles it for most tokenizers (`first_scored`).

Two things can blur the texts: a token may hold a part of a character, and some tokenizers lose a
leading space. Where that leaves a doubt, the tokens of the same prompt without the option are asked
for: what both begin with lies before the option (`first_scored_after`). What stays in doubt is an
error, because a wrong boundary is a wrong score.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from glob import escape

from chef.errors import ReplyError
from chef.models.api.likelihood.tokens import Token

#: What a part of a character is decoded to.
PART = "\N{REPLACEMENT CHARACTER}"


def first_scored(texts: Sequence[str], option: str) -> int | None:
    """The position of the first token that reaches into the option at the end of the texts.

    None where the texts do not tell.

    >>> first_scored(["The", " answer", " is", " (", "A"], "(A")
    3
    >>> first_scored(["The", "answer", "is", "a", "cat"], "a cat")  # spaces are lost
    3
    """
    found = _reaching(texts, option)
    if found is None and not option[0].isspace() and not option[-1].isspace():
        found = _reaching([_squeezed(text) for text in texts], _squeezed(option))
    # An empty text may be the first part of a character that the next token completes.
    return None if found is not None and found > 0 and not texts[found - 1] else found


def _reaching(texts: Sequence[str], option: str) -> int | None:
    end = ""
    for position in range(len(texts) - 1, -1, -1):
        end = texts[position] + end
        if len(end) >= len(option):
            return position if end.endswith(option) and PART not in end else None
    return None


def first_scored_after(tokens: Sequence[Token], before: Sequence[Token], option: str) -> int:
    """The same, by the tokens of the prompt without the option.

    Args:
        tokens: the prompt with the option at its end.
        before: the prompt without it. Whatever a template writes after it does no harm.
        option: the option.

    Raises:
        ReplyError: the tokens of the option cannot be told from those before it.
    """
    start = 0
    while start < min(len(tokens), len(before)) and tokens[start].key == before[start].key:
        start += 1
    # The end of what stands before the option may be cut into other tokens when the option follows.
    rest = "".join(token.text for token in before[start:])
    while start < len(tokens) and tokens[start].text and rest.startswith(tokens[start].text):
        rest = rest.removeprefix(tokens[start].text)
        start += 1
    end = "".join(token.text for token in tokens[start:])
    spans = not rest or (start < len(tokens) and tokens[start].text.startswith(rest))
    if not spans or not _may_be(end, rest + option):
        raise ReplyError(
            f"the tokens of the option {option!r} cannot be told from those before it: the prompt "
            f"ends with {''.join(token.text for token in tokens)[-40:]!r}",
            hint="the server's chat template may change the option: remove white space at its "
            "ends, or use inferencer_type: Direct",
        )
    return start


def _may_be(decoded: str, text: str) -> bool:
    """Whether text may be what tokens decoded alone stand for: spaces and parts may be lost."""
    known = map(_squeezed, decoded.split(PART))
    return bool(decoded) and fnmatchcase(_squeezed(text), "*".join(map(escape, known)))


def _squeezed(text: str) -> str:
    return "".join(text.split())
