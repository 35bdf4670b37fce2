"""A cache of generated replies, so that two recipes share a chain of thought, for example.

Every generated reply can be cached, as it is repeatable: greedy, or sampled with the request's own
seed. Scores are not cached.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from chef.common.digest import digest
from chef.common.redaction import redact_data
from chef.errors import ConfigError
from chef.image import Image
from chef.types import Generate, Generated, Part, Request

#: The most pages of 4 KiB of replies kept in memory; after that no more are kept.
PAGES = 65_536
#: How many seconds a write waits for another process that writes to the same file.
LOCK_TIMEOUT = 30.0
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    model TEXT, request TEXT, text TEXT, finish_reason TEXT, tokens INTEGER,
    PRIMARY KEY (model, request)
) WITHOUT ROWID
"""
#: The digests of so many requests are kept until their replies come.
_MISSED = 4096


class ResponseCache:
    """The replies of one model, by request; a ConfigError if the folder cannot be written.

    Args:
        identity: everything about the model that decides its replies, as plain data.
        folder: that of ``responses.sqlite``; None keeps replies in memory.
    """

    def __init__(self, identity: Any, folder: Path | None = None) -> None:
        self.model = digest(identity)
        self._writable, self._on_disk = True, folder is not None
        #: Requests that had no reply, with their digests, which are needed again for the reply.
        self._missed: dict[int, tuple[Generate, str]] = {}
        path = ":memory:" if folder is None else str(folder / "responses.sqlite")
        try:
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
            # It is used by one thread at a time, though not always by the same one.
            self._database = sqlite3.connect(
                path, LOCK_TIMEOUT, isolation_level=None, check_same_thread=False
            )
            if folder is None:
                self._database.execute(f"PRAGMA max_page_count = {PAGES}")
            else:  # readers do not wait for a writer, and a crash loses at most the last replies
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(
                f"the response cache cannot be opened ({error})",
                where=path,
                hint="give --response_cache a folder that can be written, or remove the file",
            ) from error

    def get(self, request: Request) -> Generated | None:
        """The reply to an equal request, if there is one."""
        if not isinstance(request, Generate):
            return None
        name = request_digest(request)
        try:
            row = self._database.execute(
                "SELECT text, finish_reason, tokens FROM replies WHERE model = ? AND request = ?",
                (self.model, name),
            ).fetchone()
        except sqlite3.DatabaseError:  # damaged on disk: the model answers instead
            return None
        if row is not None:
            return Generated(*row)
        if len(self._missed) >= _MISSED:  # of requests that failed
            self._missed.clear()
        self._missed[id(request)] = request, name
        return None

    def put(self, request: Request, reply: object) -> None:
        """Keep a reply, unless it is a refusal, shows a secret, or the cache is full."""
        if not isinstance(request, Generate) or not isinstance(reply, Generated):
            return
        missed, name = self._missed.pop(id(request), (None, ""))
        if reply.finish_reason == "refused" or reply.replaced or not self._writable:
            return
        if self._on_disk and redact_data(reply.text) != reply.text:
            return  # neither the secret may be kept, nor a reply that is not the model's
        name = name if missed is request else request_digest(request)
        values = (self.model, name, reply.text, reply.finish_reason)
        try:
            self._database.execute(
                "INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?)", (*values, reply.tokens)
            )
        except sqlite3.DatabaseError:  # full, damaged, or locked for too long: no more is kept
            self._writable = False

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def request_digest(request: Generate) -> str:
    """A digest of everything that decides the reply: text, pixels and decoding options."""
    turns = [[turn.role, *map(_part, turn.parts)] for turn in request.conversation]
    sampling = [request.temperature, request.top_p, request.seed] if request.temperature else []
    options: list[Any] = [request.max_new_tokens, request.stop, request.answer_prefix]
    if request.dataset:
        options.append(request.dataset)
    return digest([turns, options, sampling])


def _part(part: Part) -> list[Any]:
    return ["image", part.digest] if isinstance(part, Image) else ["text", part.text]
