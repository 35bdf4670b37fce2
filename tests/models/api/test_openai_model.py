"""What a model behind a server is sent, and what becomes of its replies."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import PIL.Image
import pytest
from models.api.scripted_server import Answer, Asked, ScriptedServer, completion, serve

from chef.config import load_model
from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.openai_model import OpenAIModel
from chef.types import Conversation, Generate, Generated, Score, Text, Turn

ASKED: Conversation = (Turn("user", (Text("Which?"),)),)


@contextmanager
def model(script: Any = None, **keys: Any) -> Iterator[tuple[OpenAIModel, ScriptedServer]]:
    """A model built from its keys, as a model file has them, behind a scripted server."""
    with serve(script or Answer(completion())) as server:
        file = {"model_name": "OpenAI", "model": "some", "base_url": server.base_url, **keys}
        made = load_model(file).model.build()
        assert isinstance(made, OpenAIModel)
        try:
            yield made, server
        finally:
            made.close()


def generated(request: Generate, script: Any = None, **keys: Any) -> tuple[Generated, Any]:
    """The reply to one request, and the body that was sent for it."""
    with model(script, **keys) as (made, server):
        [reply] = made.generate([request])
    return reply, server.bodies[-1]


def picture(kind: str) -> bytes:
    file = io.BytesIO()
    PIL.Image.new("RGB", (9, 7), (200, 30, 30)).save(file, kind)
    return file.getvalue()


def url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def test_a_whole_conversation() -> None:
    one, two = picture("JPEG"), picture("PNG")
    conversation = (
        Turn("system", (Text("Be short."),)),
        Turn("user", (Text("First "), Image(one), Text(" then "), Text("this: "), Image(two))),
        Turn("assistant", (Text("A"),)),
        Turn("user", (Text("And now?"),)),
    )
    _, body = generated(Generate(conversation, max_new_tokens=5, stop=("\n",)))
    assert body == {
        "model": "some",
        "messages": [
            {"role": "system", "content": "Be short."},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "First "},
                    {"type": "image_url", "image_url": {"url": url(one, "image/jpeg")}},
                    {"type": "text", "text": " then this: "},
                    {"type": "image_url", "image_url": {"url": url(two, "image/png")}},
                ],
            },
            {"role": "assistant", "content": "A"},
            {"role": "user", "content": "And now?"},
        ],
        "max_tokens": 5,
        "temperature": 0.0,
        "stop": ["\n"],
    }


def test_sampling_is_seeded() -> None:
    _, body = generated(Generate(ASKED, temperature=0.7, top_p=0.9, seed=3_000_000_000))
    assert (body["temperature"], body["top_p"], body["seed"]) == (0.7, 0.9, 3_000_000_000)


def test_what_a_server_refuses_is_left_out() -> None:
    keys = {"send_temperature": False, "send_seed": False, "system_role": "developer"}
    request = Generate((Turn("system", (Text("s"),)), *ASKED), temperature=0.7, top_p=0.9, seed=3)
    _, body = generated(request, max_tokens_key="max_completion_tokens", **keys)
    assert body["messages"][0] == {"role": "developer", "content": "s"}
    assert set(body) == {"model", "messages", "max_completion_tokens"}


def test_image_detail_and_further_fields() -> None:
    request = Generate((Turn("user", (Image(picture("PNG")),)),))
    extra = {"top_k": 1, "provider": {"order": ["x"]}}
    _, body = generated(request, image_detail="low", extra_body=extra)
    [part] = body["messages"][0]["content"]
    assert part["image_url"]["detail"] == "low"
    assert (body["top_k"], body["provider"]) == (1, {"order": ["x"]})


@pytest.mark.parametrize("field", ["messages", "model", "max_tokens", "temperature", "seed", "n"])
def test_extra_body_holds_nothing_that_chef_writes(field: str) -> None:
    with pytest.raises(ConfigError, match=rf"extra_body.*{field}"), model(extra_body={field: 1}):
        pass


def test_extra_body_may_hold_a_temperature_that_chef_does_not_send() -> None:
    _, body = generated(Generate(ASKED), send_temperature=False, extra_body={"temperature": 1})
    assert body["temperature"] == 1


BEGUN = "It has four sides.\n"


def test_a_server_continues_a_reply() -> None:
    script = Answer(completion(" So it is B. "))
    reply, body = generated(Generate(ASKED, answer_prefix=BEGUN), script, continues=True)
    assert body["messages"][1:] == [{"role": "assistant", "content": BEGUN}]
    assert (body["continue_final_message"], body["add_generation_prompt"]) == (True, False)
    assert reply.text == " So it is B."  # what it goes on with may begin with a space


def test_without_that_the_question_is_asked_again_in_its_own_words() -> None:
    image = Image(picture("PNG"))
    conversation = (Turn("user", (image, Text("Which?"))),)
    with model() as (made, server):
        made.generate([Generate(conversation, answer_prefix=BEGUN)])
        [notice] = made.notices
    first, *rest = server.bodies[-1]["messages"]
    assert [part["type"] for part in first["content"]] == ["image_url", "text"]
    assert rest == [
        {"role": "assistant", "content": BEGUN},
        {"role": "user", "content": "Which?"},
    ]
    assert "continue_final_message" not in server.bodies[-1]
    assert "continues: false" in notice


def test_a_conversation_that_ends_with_the_assistant_goes_on() -> None:
    conversation = (*ASKED, Turn("assistant", (Text("It is "),)))
    request = Generate(conversation, answer_prefix="(")
    _, body = generated(request, continues=True)
    assert body["messages"][1:] == [{"role": "assistant", "content": "It is ("}]


def test_an_image_of_the_assistant_is_an_error_of_its_sample() -> None:
    image = Turn("assistant", (Image(picture("PNG")),))
    with model() as (made, server), pytest.raises(SampleError, match="assistant has an image"):
        made.generate([Generate((*ASKED, image, *ASKED))])
    assert server.asked == []


@pytest.mark.parametrize(
    ("said", "reason", "stop", "text", "end"),
    [
        ("B. And", "stop", (".",), "B", "stop"),
        ("B", "stop", (".",), "B", "stop"),
        ("B\n\nQ: more", "length", ("\nQ",), "B", "stop"),
        ("  B and", "length", (), "B and", "length"),
        ("", "length", (), "", "length"),
        ("No.", "content_filter", (), "No.", "refused"),
    ],
)
def test_replies_end_as_those_of_other_models(
    said: str, reason: str, stop: tuple[str, ...], text: str, end: str
) -> None:
    reply, _ = generated(Generate(ASKED, stop=stop), Answer(completion(said, reason)))
    assert (reply.text, reply.finish_reason, reply.tokens) == (text, end, 2)


def test_openai_takes_four_stop_strings_and_replies_are_cut_at_all() -> None:
    stop = ("a", "b", "c", "d", "e")
    reply, body = generated(Generate(ASKED, stop=stop), Answer(completion("yes", "length")))
    assert body["stop"] == ["a", "b", "c", "d"]
    assert (reply.text, reply.finish_reason) == ("y", "stop")


def test_tokens_are_told() -> None:
    with model() as (made, _):
        received = made.submit(made.attempt(Generate(ASKED))).result(30)
    assert (received.prompt_tokens, received.completion_tokens, received.requests) == (11, 2, 1)


def test_a_limit_reached_while_reasoning_is_told_once() -> None:
    script = Answer(completion(None, "length", reasoning_content="hm"))
    with model(script) as (made, _):
        replies = made.generate([Generate(ASKED)] * 3)
        assert {(item.text, item.finish_reason) for item in replies} == {("", "length")}
        [notice] = made.notices
    assert "max_new_tokens" in notice


def refuse(kind: str, message: str) -> Callable[[Asked], Answer]:
    """A server that refuses images of one type."""

    def answer(asked: Asked) -> Answer:
        if f"data:image/{kind}" in json.dumps(asked.body):
            return Answer({"error": {"message": message}}, 400)
        return Answer(completion())

    return answer


def test_a_refused_format_is_converted_once_and_for_all() -> None:
    webp, jpeg = Image(picture("WEBP")), Image(picture("JPEG"))
    request = Generate((Turn("user", (webp, jpeg, Text("Which?"))),))
    with model(refuse("webp", "Unsupported image type: image/webp")) as (made, server):
        received = made.submit(made.attempt(request)).result(30)
        assert received.requests == 2
        made.generate([request])
        [notice] = made.notices
    assert "WEBP" in notice
    assert len(server.bodies) == 3
    for body in server.bodies[1:]:
        first, second, _ = body["messages"][0]["content"]
        assert first["image_url"]["url"].startswith("data:image/png;")
        assert second["image_url"]["url"] == url(picture("JPEG"), "image/jpeg")


def test_another_bad_request_is_not_put_down_to_the_format() -> None:
    request = Generate((Turn("user", (Image(picture("WEBP")), Text("Which?"))),))
    script = Answer({"error": {"message": "the image is too large"}}, 400)
    with model(script) as (made, server):
        with pytest.raises(RequestFailedError, match="too large") as error:
            made.generate([request])
        assert made.notices == ()
    assert error.value.failure is Failure.BAD_REQUEST
    assert len(server.bodies) == 2


def test_a_bad_request_that_is_not_about_images_is_sent_once() -> None:
    request = Generate((Turn("user", (Image(picture("WEBP")), Text("Which?"))),))
    script = Answer({"error": {"message": "the prompt is too long"}}, 400)
    with model(script) as (made, server), pytest.raises(RequestFailedError, match="too long"):
        made.generate([request])
    assert len(server.bodies) == 1


def test_options_without_log_probabilities_are_refused_before_anything_is_asked() -> None:
    request = Score(ASKED, ("A", "B"))
    with model() as (made, server):
        with pytest.raises(ConfigError, match="Direct") as error:
            made.check_request(request)
        assert error.value.where == made.name
        with pytest.raises(ConfigError, match="Direct"):
            made.score([request])
        made.check_request(Generate(ASKED))
    assert server.asked == []


def test_options_by_the_likeliest_tokens() -> None:
    listed = [{"token": token, "logprob": value} for token, value in (("A", -0.1), ("B", -2.5))]
    data = completion("A")
    data["choices"][0]["logprobs"] = {"content": [{**listed[0], "top_logprobs": listed}]}
    with model(Answer(data), logprobs="top") as (made, server):
        [[first, second]] = made.score([Score(ASKED, ("A", "B"))])
    assert (first.logprob_sum, second.logprob_sum) == (-0.1, -2.5)
    assert server.bodies[0]["logprobs"] is True


def test_the_prompt_is_shown_with_marks_for_images() -> None:
    image = Image(picture("JPEG"))
    conversation = (Turn("user", (image, Text("Größe?"))),)
    with model() as (made, server):
        text = made.prompt_text(Generate(conversation))
    assert json.loads(text)[0]["content"][0]["image_url"]["url"] == f"<image {image.digest}>"
    assert "Größe?" in text
    assert "base64" not in text
    assert server.asked == []


def fingerprint(**keys: Any) -> str:
    file = {"model_name": "OpenAI", "model": "some", "base_url": "http://there/v1", **keys}
    return load_model(file).model.build().fingerprint()


@pytest.mark.parametrize(
    "keys",
    [
        {"model": "other"},
        {"base_url": "http://here/v1"},
        {"base_url": "http://there/v1?version=2"},
        {"continues": True},
        {"system_role": "developer"},
        {"extra_body": {"top_k": 1}},
        {"image_detail": "low"},
        {"send_temperature": False},
        {"max_images": 1},
        {"logprobs": "top"},
    ],
)
def test_what_decides_answers_is_in_the_fingerprint(keys: Any) -> None:
    assert fingerprint(**keys) != fingerprint()


@pytest.mark.parametrize(
    "keys",
    [
        {"api_key_env": "OTHER_KEY"},
        {"base_url": "http://me:secretpass@there/v1/"},
        {"base_url": "http://there/v1?key=the-secret-parameter"},
        {"max_in_flight": 3},
        {"request_timeout": 5},
        {"max_requests": 7},
        {"price_input": 1.0},
        {"name": "another-folder"},
    ],
)
def test_keys_traffic_and_names_are_not(keys: Any) -> None:
    assert fingerprint(**keys) == fingerprint()


def test_the_name_is_the_last_part_of_the_model() -> None:
    with model(model="Qwen/Qwen2.5-VL-7B-Instruct") as (made, _):
        assert made.name == "Qwen2.5-VL-7B-Instruct"


def test_a_closed_model_may_be_used_again() -> None:
    with model() as (made, server):
        made.generate([Generate(ASKED)])
        made.close()
        made.generate([Generate(ASKED)])
    assert len(server.bodies) == 2


def test_it_is_built_in_python_from_its_keys() -> None:
    made = OpenAIModel("some", base_url="http://there/v1", continues=True, max_in_flight=2)
    assert (made.server.base_url, made.dialect.continues) == ("http://there/v1", True)
    assert made.traffic.max_in_flight == 2
