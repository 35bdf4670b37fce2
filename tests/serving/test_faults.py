"""The proxy of the tests does what it says, and the client notices each of its faults."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

import pytest
from serving.faulty_proxy import FAULTS, HARMLESS, FaultyProxy
from serving.stub_server import StubServer

from chef.models.api.client import Client
from chef.models.api.failures import Failure, RequestFailedError

#: What each fault means to the client; a request without a reply is ended by the engine's limit.
MEANT = {
    "429": Failure.RATE_LIMITED,
    "429 with Retry-After": Failure.RATE_LIMITED,
    "500": Failure.SERVER,
    "502": Failure.SERVER,
    "503": Failure.OVERLOADED,
    "no answer": TimeoutError,
    "cut before": Failure.CONNECTION,
    "cut within": Failure.CONNECTION,
    "half a JSON": Failure.BROKEN_BODY,
    "slow drip": TimeoutError,
    "body twice": Failure.BROKEN_BODY,
}


def echo(messages: object) -> str:
    assert isinstance(messages, list)
    return str(messages[-1]["content"])


async def ask(client: Client, text: str, proxy: FaultyProxy | None = None) -> str | object:
    """The text of the reply, or the kind of failure.

    Args:
        client: asks.
        text: is asked.
        proxy: where it is given, the reply has some time from when the proxy has the request on.
    """
    body = {"model": "tiny", "messages": [{"role": "user", "content": text}]}
    before = len(proxy.passed) if proxy is not None else 0
    asking = asyncio.ensure_future(client.post("/chat/completions", body))
    try:
        while proxy is not None and len(proxy.passed) == before:
            await asyncio.sleep(0.001)
        reply = await asyncio.wait_for(asking, 1000 if proxy is None else 0.2)
    except RequestFailedError as error:
        return error.failure
    except TimeoutError:
        return TimeoutError
    return str(reply["choices"][0]["message"]["content"]) if reply["choices"] else "no choices"


def asked(proxy: FaultyProxy, texts: list[str], *, waits_long: bool = True) -> list[str | object]:
    """The replies to questions that are asked one after another."""
    limited = None if waits_long else proxy

    async def all_of_them() -> list[str | object]:
        client = Client(proxy.base_url, None)
        try:
            return [await ask(client, text, limited) for text in texts]
        finally:
            await client.close()

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("fault", FAULTS)
def test_the_client_notices(fault: str) -> None:
    with (
        StubServer(echo) as stub,
        FaultyProxy(stub.base_url, rate=1, faults=(fault,)) as proxy,
    ):
        waits_long = MEANT.get(fault) is not TimeoutError
        got = asked(proxy, ["(A)", "(B)"], waits_long=waits_long)
        assert proxy.faults() == {fault: 2}
        assert sorted(proxy.counts().values()) == [1, 1]
        assert stub.asked == {"asked twice": 4, "no answer": 0}.get(fault, stub.asked)
    if fault in HARMLESS:
        assert got == ["(A)", "(B)"]
    else:
        assert got == [MEANT.get(fault, fault)] * 2


@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_a_second_reply_is_never_taken_for_that_of_the_next_request(pause: float) -> None:
    texts = [f"answer {number}" for number in range(20)]

    async def several_at_once(url: str) -> list[str | object]:
        client = Client(url, None)
        got: list[str | object] = []
        for place in range(0, len(texts), 4):
            got += await asyncio.gather(*(ask(client, x) for x in texts[place : place + 4]))
            await asyncio.sleep(pause)
        await client.close()
        return got

    with (
        StubServer(echo) as stub,
        FaultyProxy(stub.base_url, rate=0.5, faults=("reply twice",)) as proxy,
    ):
        assert asyncio.run(several_at_once(proxy.base_url)) == texts
        assert proxy.faults()["reply twice"] > 3


def test_faults_do_not_depend_on_the_order() -> None:
    texts = [f"question {number}" for number in range(40)]
    quick = tuple(item for item in FAULTS if item not in {"no answer", "slow drip"})
    seen = []
    for order in (texts, texts[::-1]):
        with (
            StubServer(echo) as stub,
            FaultyProxy(stub.base_url, faults=quick, seed=3) as proxy,
        ):
            asked(proxy, order + order)
            faults: dict[str, list[str | None]] = {}
            for item in proxy.passed:
                text = json.loads(proxy.bodies[item.digest])["messages"][0]["content"]
                faults.setdefault(text, []).append(item.fault)
            seen.append(faults)
    assert seen[0] == seen[1]
    spoilt = Counter(fault is not None for faults in seen[0].values() for fault in faults)
    assert 0.15 < spoilt[True] / 80 < 0.45
