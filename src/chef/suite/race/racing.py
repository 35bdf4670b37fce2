"""A race: the models take turns, chunk by chunk, on the same samples in the same order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import get_args

from chef.common.device import free_memory
from chef.common.logs import logger
from chef.common.printing import progress_bar, shown
from chef.errors import ConfigError, DataError, RunError
from chef.evaluator import Evaluator
from chef.guard.folder import remove
from chef.metric.mean_scores import ScoresSoFar
from chef.models import lifecycle
from chef.models.api.server_model import ServerModel
from chef.run.plan import Runner, RunOptions
from chef.run.session import traceback_in
from chef.run.subset import drawn_groups
from chef.scoring.result import RunResult
from chef.scoring.stopping import Guided, Stopping, stopped_file
from chef.session.drawing import GROWTH, Drawn, check_mean, expectations, keep, kept, ordered
from chef.session.inputs import ModelLike, RecipeLike, as_recipe, ready
from chef.session.model_runs import ModelRuns
from chef.session.recipe_run import RecipeRun
from chef.session.runners import InChunks
from chef.session.session import Session
from chef.session.settings import Settings
from chef.stats.clusters import components, links
from chef.stats.confidence_sequence import Population
from chef.stats.guide import Expected, first
from chef.suite.race.result import Duel, On, Race, duels
from chef.types import Prediction

_log = logger(__name__)
#: Models that are loaded anew for every turn have fewer, longer ones.
_GROWTH_ANEW = 2.0


@dataclass(slots=True)
class _Racer:
    """One model in the race, and what asks it.

    ``asked`` is the number of units that it was asked when it, or the race, was over.
    """

    model: ModelRuns
    run: RecipeRun
    runner: Runner
    asked: int = 0
    is_out: bool = False
    _scores: ScoresSoFar = field(init=False)

    def __post_init__(self) -> None:
        self._scores = ScoresSoFar(self.run.evaluator.metric)

    @property
    def name(self) -> str:
        return self.model.name

    def ask(self, names: Sequence[str], on_answer: Callable[[Prediction], None]) -> None:
        """Ask those of the samples that have no answer."""
        evaluator, folder = self.run.evaluator, self.run.folder
        todo = folder.todo(names)
        if not todo:
            return
        remove(stopped_file(folder.path))
        with traceback_in(folder):
            made_with = evaluator.admit(self.model.model, folder)
            self.runner.prepare()
            evaluator.ask(
                self.model.model,
                folder,
                InChunks(self.runner, iter([todo])),
                environment=made_with,
                on_prediction=on_answer,
            )

    def scores(self, asked: Sequence[Sequence[str]]) -> Mapping[str, float]:
        """The score of each scored sample of these units; RunError if the figure is no mean."""
        try:
            return self._scores.of(self.run.folder.finished, chain.from_iterable(asked))
        except DataError as error:
            raise RunError(
                f"the race cannot go on: {error.what}",
                where=str(self.run.folder.path),
                hint="`chef eval` finishes the runs, and `chef compare` compares them",
            ) from error

    def report(self, drawn: Drawn, guided: Guided | None, *, is_over: bool) -> RunResult:
        """Score the samples that it was asked, and note that these are not all."""
        if self.asked < drawn.population.units and self.run.todo():
            asked = drawn.units[: self.asked]
            if guided is not None:
                guided = replace(guided, guide=first(guided.guide, self.asked))
            over = is_over or self.is_out
            stopping = Stopping(None, over, drawn.population, asked, guided)
            stopping.keep(self.run.folder.path)
        return self.run.report(self.name)


def _raced(
    session: Session, limit: int | None, on: On, one_at_a_time: bool | None, earlier: Sequence[Path]
) -> Race:
    """The race of several models on one recipe with all its samples; arguments as of `race`."""
    ones = session.models
    if len(ones) < 2:
        raise ConfigError("a race needs two models or more", where="model_cfg",
                          hint="name them: --model_cfg A B")  # fmt: skip
    for one in ones:
        evaluator = one.runs[0].evaluator
        check_mean(evaluator.recipe, evaluator.metric, "a race")
        one.settings = replace(one.settings, is_race=True)
    anew = _are_on_gpu(ones) if one_at_a_time is None else one_at_a_time
    expected = _expected(ones, earlier) if earlier else None
    with ExitStack() as stack:
        racers = []
        for one in ones:
            run = one.open_folders(stack)[0]
            runner = one.runner(stack)
            stack.callback(lifecycle.close, one.model)
            racers.append(_Racer(one, run, runner))
        drawn, guided = drawn_clusters(racers[0].run.evaluator, limit), None
        if expected is not None:
            drawn, guided = _by_earlier(racers, drawn_clusters(racers[0].run.evaluator), expected)
            drawn = drawn.within(limit)
        found = _run(racers, drawn, on, is_anew=anew)
        stayed = [racer.name for racer in racers if not racer.is_out]
        reports = [racer.report(drawn, guided, is_over=len(stayed) == 1) for racer in racers]
    return Race(
        label=racers[0].run.evaluator.metrics.label,
        on=on,
        total=drawn.population.samples,
        asked=len(drawn.ids(max(racer.asked for racer in racers))),
        limit=len(drawn.ids(len(drawn.units))),
        winner=stayed[0] if len(stayed) == 1 else None,
        duels=found,
        reports=reports,
    )


def _run(racers: list[_Racer], drawn: Drawn, on: On, *, is_anew: bool) -> list[Duel]:
    """Let the models take turns until the end; the pairs as they stand, or stood when one left."""
    start, racing, found, final = 0, list(racers), [], []
    looks = drawn.looks(_GROWTH_ANEW if is_anew else GROWTH)
    for racer in () if is_anew else racers:  # before the bar, as loading shows its own
        if racer.run.folder.todo(drawn.ids(looks[0])):
            racer.runner.prepare()
    total, questions = len(racers) * len(drawn.ids(len(drawn.units))), 0
    with _bar(racers[0].run.evaluator.metrics.label, total) as (on_answer, on_look):
        for units in looks:
            for racer in racing:
                racer.ask(drawn.ids(units, start), on_answer)
                racer.asked = units
                if is_anew:
                    lifecycle.close(racer.model.model)
                    free_memory()
            questions += len(racing) * len(drawn.ids(units, start))
            start, asked = units, drawn.units[:units]
            scores = {racer.name: racer.scores(asked) for racer in racing}
            guide = None if drawn.guide is None else first(drawn.guide, units)
            final = duels(asked, scores, drawn.population, len(racers), on, guide=guide)
            left = [item for item in final if item.is_decided]
            out = {item.second for item in left}
            for racer in racing:
                racer.is_out = racer.name in out
            found += left
            racing = [racer for racer in racing if not racer.is_out]
            on_look(questions, final)
            if len(racing) == 1:
                return found
            for name in sorted(out):
                _log.info("%s leaves the race at %d samples", name, len(drawn.ids(units)))
    names = {racer.name for racer in racing}
    return found + [item for item in final if {item.first, item.second} <= names]


def _expected(models: Sequence[ModelRuns], earlier: Sequence[Path]) -> Expected:
    """What earlier runs say about the samples, before the race has a folder."""
    run, settings = models[0].runs[0], models[0].settings
    own = [one.places()[0] for one in models]
    known = () if settings.fresh else map(kept, own)
    return next(filter(None, known), None) or expectations(
        run.label, run.evaluator.ids, earlier, settings.save_dir, own
    )


def _by_earlier(racers: Sequence[_Racer], drawn: Drawn, expected: Expected) -> tuple[Drawn, Guided]:
    """The samples in the order that earlier runs decide, and what these say of the differences."""
    for racer in racers:
        keep(expected, racer.run.folder)
    run = racers[0].run
    seed = run.evaluator.options.seed
    of_scores = ordered(drawn.units, expected, expected.scores, seed).guide
    assert of_scores is not None
    by_differences = ordered(drawn.units, expected, expected.differences, seed)
    return by_differences, Guided(expected.runs, of_scores)


def _are_on_gpu(models: Sequence[ModelRuns]) -> bool:
    """Whether the models together may be too large for the memory of a GPU."""
    settings = models[0].settings
    if settings.workers is not None or settings.ray_address is not None:
        return False  # replicas have their own processes
    local = [one for one in models if not isinstance(one.model, ServerModel)]
    devices = [str(one.spec.model.options.get("device", "")) for one in local]
    if len(local) < 2 or not any(devices):
        return False
    import torch

    return torch.cuda.is_available() and any(device != "cpu" for device in devices)


@contextmanager
def _bar(
    label: str, total: int
) -> Iterator[tuple[Callable[[Prediction], None], Callable[[int, Sequence[Duel]], None]]]:
    """A progress bar of the questions to all models."""
    bar = progress_bar(f"race {label}", total, "question", dynamic_ncols=True)

    def on_answer(prediction: Prediction) -> None:
        del prediction
        bar.update()

    def on_look(questions: int, found: Sequence[Duel]) -> None:
        closest = min(found, key=lambda item: item.low)
        bar.set_postfix_str(
            shown(f"{closest.first} {closest.by()}, {closest.second}"), refresh=False
        )
        bar.update(questions - bar.n)

    with bar:
        yield on_answer, on_look


def drawn_clusters(evaluator: Evaluator, limit: int | None = None) -> Drawn:
    """The samples in the order of the seed; those of one image or question stay together.

    The questions of an image have much in common. Only whole images, or whole questions, are drawn
    independently of each other from all that are like them. ``limit`` is the most samples, as whole
    clusters, but at least one.
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


def race(
    models: Sequence[ModelLike],
    recipe: RecipeLike,
    *,
    limit: int | None = None,
    seed: int = 0,
    batch_size: int | None = None,
    save_dir: str | Path = "results",
    name: str | None = None,
    fresh: bool = False,
    workers: int | None = None,
    ray_address: str | None = None,
    timeout: float | None = None,
    on: On = "questions",
    one_at_a_time: bool | None = None,
    earlier: Sequence[str | Path] = (),
) -> Race:
    """Ask several models the same samples until one is better than all others.

    Args:
        models: two or more; each as in `evaluate`.
        recipe: a recipe whose first figure is the mean of the scores of its samples.
        limit: the most samples that each model is asked; None for all. `evaluate` without a limit
            finishes its runs.
        seed: random seed of the order of the samples and of sampled generation.
        batch_size: as in `evaluate`.
        save_dir: as in `evaluate`.
        name: as in `evaluate`.
        fresh: as in `evaluate`.
        workers: number of replicas of each model, in Ray worker processes; those of all models
            that are still in the race run at once.
        ray_address: as in `evaluate`.
        timeout: as in `evaluate`.
        on: where one is to be better: on ``questions`` like these, of which the benchmark is a
            sample; or on this ``benchmark``, which takes fewer samples, but also finds the small
            difference that two models which are equal in general have here by chance.
        one_at_a_time: free the memory of each model after its turn; None does so where several
            models run on a GPU of this machine.
        earlier: runs, or folders of runs, that say which samples tell most, and are drawn first;
            of a race on this benchmark.

    Raises:
        ConfigError: a model or the recipe is wrong; nothing was asked.
        RunError: a run failed; the same call goes on.
    """
    if on not in get_args(On):
        raise ConfigError(f"'{on}' is no such place", where="on", hint="write questions, benchmark")
    if earlier and on != "benchmark":
        raise ConfigError(
            "what earlier runs say about these samples tells nothing of other questions",
            where="earlier (--from)",
            hint="decide the race on the samples of this benchmark: on='benchmark' (--on "
            "benchmark), or leave the earlier runs out",
        )
    options = RunOptions(limit, seed, batch_size, timeout=timeout)
    # The limit ends the race. The runs are those of the whole benchmark, which `evaluate` finishes.
    whole = replace(options, sample_len=None)
    settings = Settings(whole, Path(save_dir), name, workers, ray_address, fresh=fresh)
    session = ready(list(models), [as_recipe(recipe)], settings)
    return _raced(session, limit, on, one_at_a_time, [Path(one) for one in earlier])
