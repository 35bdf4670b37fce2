"""Benchmarks of VLMEvalKit that chef has no table for are told by name."""

from chef.cli.listing import list_ingredients
from chef.scenario.vlmevalkit.table import benchmark_names, packaged_names


def test_a_name_is_chefs_or_that_of_the_package():
    names = [name.lower() for name in packaged_names()]
    assert len(set(names)) == len(names) > 200
    assert not {name.lower() for name in benchmark_names()} & set(names)


def test_the_list_has_both_kinds(capsys):
    assert list_ingredients(["benchmarks", "MathV"]) == 0
    lines = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert {"MathVista_MINI", "vlmeval:MathVerse_MINI"} <= set(lines)
