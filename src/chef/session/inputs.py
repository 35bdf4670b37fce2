"""Models, recipes and runs as Python gives them, and the reports that it gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, overload

from chef.config import ModelSpec, Recipe, load_model, load_recipe
from chef.config.model import model_spec
from chef.document.outline import shown_in_notebook
from chef.errors import ConfigError, nearest
from chef.models import Model
from chef.report.load import Run
from chef.run.configuration import run_place
from chef.scenario import Scenario
from chef.scoring.result import RunResult, table
from chef.session.checking import RecipeFailure
from chef.session.session import Built, Session
from chef.session.settings import Settings
from chef.shards.store import is_url

if TYPE_CHECKING:
    from chef.models.hooks.mmtrusteval import BaseChat

#: A model file, its content, the result of `load_model`, or a model object, also of MMTrustEval's.
ModelLike: TypeAlias = "str | Path | Mapping[str, Any] | ModelSpec | Model | BaseChat"
#: A recipe file, its content, or the result of `load_recipe`.
RecipeLike: TypeAlias = str | Path | Mapping[str, Any] | Recipe
#: So much of what is no recipe is shown.
_SHOWN = 80


def ready(
    models: Sequence[ModelLike], recipes: Sequence[RecipeLike], settings: Settings
) -> Session:
    """Check the models, the recipes and the settings; `Session.run` then runs them."""
    refused: list[RecipeFailure] = []
    built: list[Built] = []
    loaded: list[Recipe] = []
    for model in models:
        try:
            built.append(build(model, settings))
        except Exception as error:
            refused.append(RecipeFailure(_called(model), error))
    for recipe in recipes:
        try:
            loaded.append(as_recipe(recipe))
        except Exception as error:
            refused.append(RecipeFailure(_called(recipe), error))
    return Session(built, loaded, settings, refused)


def build(model: ModelLike, settings: Settings) -> Built:
    """The model and what is checked of its file; `ConfigError` where workers cannot have it."""
    if is_chat(model):
        from chef.models.hooks.mmtrusteval.model import ChatObject

        return build(ChatObject(model), settings)
    if isinstance(model, Model):
        if settings.workers is not None or settings.ray_address is not None:
            raise ConfigError(
                "a model object cannot be sent to workers",
                where="workers",
                hint="write a model file that names its class, and pass the path of the file",
            )
        return model_spec(model), model
    if not isinstance(model, str | Path | Mapping | ModelSpec):
        raise ConfigError(f"{model!r} is no model", where="model", hint=_model_hint(model))
    spec = model if isinstance(model, ModelSpec) else load_model(model)
    return spec, spec.model.build()


def _model_hint(value: object) -> str:
    """What to give in place of what is no model."""
    if isinstance(value, FunctionType):
        return (
            "let a class call it: class Mine(chef.Model): def generate_one(self, conversation, "
            "max_new_tokens): return ...; and give Mine()"
        )
    return (
        "give a model file, its content as a mapping, or an object of a subclass of chef.Model (an "
        "object, not the class)"
    )


def _called(item: object) -> str:
    """What a model or a recipe is called in messages."""
    if isinstance(item, ModelSpec | Recipe):
        return str(item.document.path)
    return str(item) if isinstance(item, str | Path) else type(item).__name__


def is_chat(model: object) -> bool:
    """Whether an object is one of a class of MMTrustEval's kind, chef's `BaseChat` or its own."""
    is_object = not isinstance(model, type)
    return is_object and hasattr(model, "model_family") and callable(getattr(model, "chat", None))


def is_model(given: object) -> bool:
    """Whether one model is given, and not several."""
    return isinstance(given, str | Path | Mapping | ModelSpec | Model) or is_chat(given)


def is_recipe(given: object) -> bool:
    """Whether one recipe is given, and not several."""
    return isinstance(given, str | Path | Mapping | Recipe)


def as_recipe(recipe: Any) -> Recipe:
    """Load and check a recipe, or data of the session, if it is not loaded already."""
    if not isinstance(recipe, str | Path | Recipe):
        from chef.scenario.table.session import with_data  # which commands do not need

        recipe = with_data(recipe)
    if not is_recipe(recipe):
        hint = "give a recipe file, its content as a mapping, or what chef.load_recipe returns"
        kind = recipe if isinstance(recipe, type) else type(recipe)
        if issubclass(kind, Scenario):
            hint = f"a recipe names its class, '{kind.__name__}', and its file: plugins: [FILE.py]"
        raise ConfigError(f"{repr(recipe)[:_SHOWN]} is no recipe", where="recipe", hint=hint)
    return recipe if isinstance(recipe, Recipe) else load_recipe(recipe)


def as_list(given: Any) -> list[Any]:
    """Return the models or recipes as a list, whatever holds them."""
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        return [given]  # refused as no model or recipe
    return list(given)


class Reports(list[RunResult]):
    """The reports of several runs: all recipes of the first model, then of the next.

    Attributes:
        failures: the models and recipes without a report, each with its ``error``; only with
            ``keep_going`` there are any.
    """

    failures: Sequence[RecipeFailure] = ()

    @overload
    def __getitem__(self, place: SupportsIndex | str) -> RunResult: ...
    @overload
    def __getitem__(self, place: slice) -> list[RunResult]: ...
    def __getitem__(self, place: SupportsIndex | slice | str) -> RunResult | list[RunResult]:
        """The report at a place, or the only one of a recipe: ``reports["Shapes/ppl"]``."""
        if not isinstance(place, str):
            return super().__getitem__(place)
        names = [(one.label, f"{one.model}/{one.label}", one.recipe) for one in self]
        places = [number for number, called in enumerate(names) if place in called]
        if len(places) == 1:
            return super().__getitem__(places[0])
        whole = [of_model for _, of_model, _ in names]
        hint = f"there are {', '.join(whole)}" if places else nearest(place, whole)
        raise ConfigError(f"{len(places) or 'no'} reports are of '{place}'", hint=hint)

    def __str__(self) -> str:
        return table(self)

    _repr_html_ = shown_in_notebook


def place_of(answers: str | Path | Run | RunResult) -> Path:
    """Return the run folder, also where the end of its path is given, or the file of answers."""
    if isinstance(answers, RunResult) and not answers.of_run:
        return Path(answers.model)
    if isinstance(answers, Run | RunResult):
        return answers.folder
    if not isinstance(answers, str | Path):
        raise ConfigError(
            f"{answers!r} holds no answers",
            where="answers",
            hint="give a run folder, a file of answers, a run or its report",
        )
    if is_url(answers):
        raise ConfigError(
            "a run in an object store is scored by chef.score(ADDRESS) alone",
            where=str(answers),
            hint="`chef show ADDRESS` and `chef compare ADDRESS ADDRESS` take them too",
        )
    return run_place(Path(answers))
