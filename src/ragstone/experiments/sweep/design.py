"""What a sweep runs: a factorial of strategies, levels and queries, and the factors that cross it (paper 001, II-E).

A design is a TOML file, a name of those that come along, or the defaults, which are the paper's: three strategies, four
levels and 49 query slots, 588 cells. Each cell is answered twice, from clean and from poisoned passages.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ragstone.attacks import ATTACKS
from ragstone.datasets.sweep_queries import BUILT_IN, SweepQuery
from ragstone.errors import InputError

__all__ = ["Cell", "Configuration", "Decoding", "Strategy", "SweepDesign", "designs", "load_design"]

Decoding = Literal["independent", "locked"]
Positive = Annotated[int, Field(ge=1, le=1000)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Strategy(_Part):
    """An attack with its options, under a name of its own: ``{attack = "entity_swap", consistent = true}``."""

    attack: str
    name: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    consistent: bool = False

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: Any) -> Any:
        if isinstance(given, str):
            given = {"attack": given}
        if isinstance(given, Mapping) and "attack" in given and "name" not in given:
            given = {**given, "name": f"{given['attack']}{'_consistent' if given.get('consistent') else ''}"}
        return given

    @field_validator("attack")
    @classmethod
    def _known(cls, attack: str) -> str:
        if attack not in ATTACKS:
            raise ValueError(f"unknown attack; known: {', '.join(sorted(ATTACKS))}")
        return attack


@dataclass(frozen=True, slots=True, order=True)
class Configuration:
    """What tables are not averaged over: passages retrieved, whether they come from different sources, how answers are
    decoded, and whether the runtime's prompt cache is on."""

    k: int
    diverse: bool
    decoding: Decoding
    prompt_cache: bool

    @property
    def name(self) -> str:
        """``k3``, ``k10-diverse-locked-cached``; parts that are the paper's are left out, except k."""
        marks = (("diverse", self.diverse), (self.decoding, self.decoding != "independent"))
        return "-".join([f"k{self.k}", *(m for m, on in (*marks, ("cached", self.prompt_cache)) if on)])


@dataclass(frozen=True, slots=True)
class Cell:
    """One run: a query slot under a strategy, ``level`` of its k passages poisoned. Draws and seeds count from 0."""

    configuration: Configuration
    strategy: str
    level: int
    slot: int
    draw: int
    seed: int

    @property
    def key(self) -> str:
        """Names the cell in the run folder."""
        place = f"{self.configuration.name}/{self.strategy}/{self.level}/slot{self.slot:03d}"
        return f"{place}/draw{self.draw}/seed{self.seed}"


class SweepDesign(_Part):
    """All that a sweep varies and holds fixed.

    ``levels`` are numbers of poisoned passages, by default 0 to k; those above k are left out. With ``unit = "source"``
    a level counts sources, and poisons every passage of each. ``positions``: ``nested`` adds a passage from level to
    level, so that levels differ in nothing else; ``independent`` draws anew. ``seed`` is of the sweep; each answer has
    a seed derived from it, the same for both answers of a pair when decoding is ``locked``.
    """

    corpus: str = BUILT_IN
    queries: str = BUILT_IN
    strategies: Annotated[tuple[Strategy, ...], Field(min_length=1)] = tuple(
        Strategy.model_validate(name) for name in ("entity_swap", "number_swap", "negation")
    )
    levels: tuple[Annotated[int, Field(ge=0)], ...] | None = None
    k: Annotated[tuple[Annotated[int, Field(ge=1, le=100)], ...], Field(min_length=1)] = (3,)
    source_diversity: Annotated[tuple[bool, ...], Field(min_length=1)] = (False,)
    unit: Literal["passage", "source"] = "passage"
    positions: Literal["nested", "independent"] = "nested"
    decoding: Annotated[tuple[Decoding, ...], Field(min_length=1)] = ("independent",)
    decoding_seeds: Positive = 1
    corruption_draws: Positive = 1
    prompt_cache: Annotated[tuple[bool, ...], Field(min_length=1)] = (False,)
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.1
    max_tokens: Annotated[int, Field(ge=1, le=8192)] = 96
    seed: int = 42
    unanswerable: bool = True

    @model_validator(mode="after")
    def _distinct(self) -> SweepDesign:
        names = [strategy.name for strategy in self.strategies]
        for factor, values in (("strategies", names), *((f, getattr(self, f)) for f in _FACTORS)):
            if values is not None and len(set(values)) < len(values):
                raise ValueError(f"{factor} lists a value twice: {list(values)}")
        return self

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """All combinations, runs of one setting of the prompt cache together."""
        combined = product(self.prompt_cache, self.k, self.source_diversity, self.decoding)
        return tuple(Configuration(k, diverse, decoding, cache) for cache, k, diverse, decoding in combined)

    def levels_of(self, configuration: Configuration) -> tuple[int, ...]:
        wanted = range(configuration.k + 1) if self.levels is None else sorted(self.levels)
        return tuple(level for level in wanted if level <= configuration.k)

    def cells(self, queries: Sequence[SweepQuery]) -> Iterator[Cell]:
        """Every cell, in the order in which they are run: replicates last, so that a part of a sweep is a whole one
        with fewer of them."""
        names = [strategy.name for strategy in self.strategies]
        for seed, draw, configuration in product(
            range(self.decoding_seeds), range(self.corruption_draws), self.configurations
        ):
            for query, name, level in product(queries, names, self.levels_of(configuration)):
                yield Cell(configuration, name, level, query.slot, draw, seed)


_FACTORS = ("levels", "k", "source_diversity", "decoding", "prompt_cache")


def designs() -> tuple[str, ...]:
    """The names of the designs that come along."""
    folder = files("ragstone").joinpath("data", "sweep", "designs")
    return tuple(sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml")))


def load_design(source: str | Path | None = None, overrides: Mapping[str, Any] | None = None) -> SweepDesign:
    """The design in a TOML file or of a name; the paper's by default. ``overrides`` replace its fields.

    Raises InputError that names the field for whatever is unknown or out of range.
    """
    values = {} if source is None else _read(str(source))
    values |= {name: value for name, value in (overrides or {}).items() if value is not None}
    try:
        return SweepDesign.model_validate(values)
    except ValidationError as error:
        raise InputError(f"design {source or 'paper'}: {'; '.join(_problems(error))}") from None


def _read(source: str) -> dict[str, Any]:
    if source in designs():
        text = files("ragstone").joinpath("data", "sweep", "designs", f"{source}.toml").read_text(encoding="utf-8")
        return tomllib.loads(text)
    try:
        return tomllib.loads(Path(source).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        known = ", ".join(designs())
        raise InputError(f"no design {source!r}: neither a file nor one of {known}") from error
    except OSError as error:
        raise InputError(f"cannot read the design {source}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"the design {source} is not valid TOML: {error}") from error


def _problems(error: ValidationError) -> Iterator[str]:
    for item in error.errors():
        field = ".".join(str(part) for part in item["loc"])
        if item["type"] == "extra_forbidden":
            yield f"unknown field {field!r}; known: {', '.join(SweepDesign.model_fields)}"
        else:
            message = item["msg"].removeprefix("Value error, ")
            yield f"{field}: {message}, got {item['input']!r}" if field else message
