"""The order of a race: what belongs together is drawn whole, so each draw tells something new."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from chef.evaluator import Evaluator
from chef.run.subset import drawn_groups
from chef.session.precision import Drawn
from chef.stats.clusters import components, links
from chef.stats.confidence_sequence import Population


def drawn_clusters(evaluator: Evaluator, limit: int | None) -> Drawn:
    """The samples in the order of the seed; those of one image or question stay together.

    The questions of an image have much in common. Only whole images, or whole questions, are drawn
    independently of each other from all that are like them.

    Args:
        evaluator: of all samples of the benchmark.
        limit: the most samples, as whole clusters, but at least one cluster; None for all.
    """
    ids = evaluator.ids
    clusters = [str(number) for number in components(_links(evaluator))]
    groups = drawn_groups(len(ids), evaluator.options.seed, clusters.__getitem__)
    units: list[list[str]] = []
    asked = 0
    for members in groups:
        asked += len(members)
        if units and limit is not None and asked > limit:
            break
        units.append([ids[index] for index in members])
    return Drawn(units, Population(len(groups), len(ids), max(map(len, groups))))


def _links(evaluator: Evaluator) -> Iterator[list[Hashable]]:
    """What each sample shares with others (`chef.stats.clusters.links`), and its group."""
    for index, job in enumerate(evaluator.jobs(evaluator.ids)):
        try:
            shared = list(links(job.make().to_record()))
        except Exception:  # it is asked like the others, and is an error there
            shared = []
        group = evaluator.scenario.group(index)
        yield shared if group is None else [*shared, ("group", group)]
