"""What paper 001 prints, for comparison: Tables I to III and figures of its text. Proportions in per cent."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PUBLISHED", "Published", "PublishedRates"]


@dataclass(frozen=True, slots=True)
class PublishedRates:
    """A row of Table I or III; ``interval`` is of the fooled rate (Table II)."""

    clean_accuracy: float
    poisoned_accuracy: float
    fooled: float
    abstention: float
    runs: int
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Published:
    """``number_swap`` is the fooled rate by level (section III-E); ``jump`` its rise from one to two passages."""

    by_level: tuple[PublishedRates, ...]
    by_strategy: dict[str, PublishedRates]
    number_swap: tuple[float, ...]
    jump: tuple[float, float, float]
    identical: float


PUBLISHED = Published(
    by_level=(
        PublishedRates(78.2, 69.4, 9.5, 21.1, 147, (5.4, 14.3)),
        PublishedRates(77.6, 63.9, 15.0, 29.3, 147, (8.8, 21.8)),
        PublishedRates(78.2, 53.1, 25.9, 38.8, 147, (18.4, 33.3)),
        PublishedRates(77.6, 43.5, 34.0, 51.7, 147, (24.5, 44.2)),
    ),
    by_strategy={
        "entity_swap": PublishedRates(78.1, 54.6, 23.5, 43.4, 196),
        "number_swap": PublishedRates(77.6, 57.7, 20.4, 30.1, 196),
        "negation": PublishedRates(78.1, 60.2, 19.4, 32.1, 196),
    },
    number_swap=(10.2, 10.2, 26.5, 34.7),
    jump=(16.3, 2.0, 30.6),
    identical=76.9,
)
"""Llama 3.1 8B (Q4_K_M), k = 3, temperature 0.1, 588 runs."""
