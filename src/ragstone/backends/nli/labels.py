"""Which output of a classifier is entailment, neutral and contradiction: read from the model's own config."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ragstone.errors import ModelError

__all__ = ["LABELS", "label_order", "read_json"]

LABELS = ("entailment", "neutral", "contradiction")


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from ``path``; raises ModelError naming the file when it is absent or is none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise ModelError(f"{path} is not valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise ModelError(f"{path} must hold a JSON object, got {type(value).__name__}")
    return value


def label_order(config: Mapping[str, Any], where: str) -> tuple[int, int, int]:
    """Positions of entailment, neutral and contradiction among the outputs, from ``id2label``.

    Raises ModelError for a config without these three names: guessing an order would silently invert verdicts.
    """
    named = config.get("id2label")
    places = {str(name).lower(): str(place) for place, name in named.items()} if isinstance(named, Mapping) else {}
    if set(places) != set(LABELS) or set(places.values()) != {"0", "1", "2"}:
        raise ModelError(
            f"{where}: id2label must give entailment, neutral and contradiction the places 0, 1 and 2, found "
            f"{places or 'none'}; this is not a three-class NLI model, or its config lacks the names"
        )
    return int(places["entailment"]), int(places["neutral"]), int(places["contradiction"])
