"""The normalisation of answers, rule by rule."""

from __future__ import annotations

import pytest

from chef.reading.rules.vqa_normal import chef_normal


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (" a\tCat\non the mat ", "cat on mat"),
        ("dog-like", "dog like"),
        ("dog-like - thing", "doglike thing"),  # it touches a space elsewhere
        ("cat,dog", "cat dog"),
        ("cat, dog,cow", "cat dogcow"),
        ("(cat)/[dog]", "cat dog"),
        ('say "cat"', "say cat"),
        ("the end.", "end"),
        ("3.5 or .5", "3.5 or .5"),  # before a digit a full stop stays
        ("3.", "3"),
        ("None of Ten", "0 of 10"),
        ("eleven", "eleven"),
        ("dont", "don't"),
        ("cat's", "cat's"),  # an apostrophe is no sign
        ("couldnt've", "couldn't've"),
        ("somebody'd", "somebodyd"),
        ("cat: dog", "cat: dog"),  # neither is a colon
        ("", ""),
    ],
)
def test_the_rules_in_turn(text: str, normal: str) -> None:
    assert chef_normal(text) == normal


def test_at_most_32_full_stops_are_removed() -> None:
    assert chef_normal("x" + "." * 40) == "x" + "." * 8
