"""Named data sets, one module each. Nothing that screens or verifies imports them, so labels stay out of its sight.

    dataset = load_dataset("truthfulqa", split="tune", data="downloads/")
    dataset.samples[0].question, dataset.samples[0].document.text

A new data set is one file and one line in :data:`DATASETS`, which points at ``load(argument, data)``.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ragstone.errors import InputError

if TYPE_CHECKING:
    from ragstone.datasets.samples import Dataset, Loader

__all__ = ["DATASETS", "load_dataset"]

DATASETS: dict[str, str] = {
    "fever": "ragstone.datasets.fever:load_enriched",
    "fever-bare": "ragstone.datasets.fever:load_bare",
    "fever-evidence": "ragstone.datasets.fever:load_evidence",
    "jsonl": "ragstone.datasets.jsonl:load",
    "poisonedrag": "ragstone.datasets.poisonedrag:load",
    "ramdocs": "ragstone.datasets.ramdocs:load",
    "securecode": "ragstone.datasets.securecode_samples:load",
    "truthfulqa": "ragstone.datasets.truthfulqa:load",
}


def load_dataset(name: str, *, split: str = "all", data: str | Path | None = None) -> Dataset:
    """The samples of ``split`` of the data set called ``name`` (``jsonl:PATH`` for a file of one's own).

    ``data`` is a folder or file that holds it, or ``samples`` for a dozen invented rows; by default the folder in
    ``RAGSTONE_DATA``, then the set's public home. Raises InputError for an unknown name or split and for data that is
    not to be had or cannot be read, BackendError for a failed download.
    """
    key, _, argument = name.partition(":")
    if key not in DATASETS or (argument and key != "jsonl"):
        known = ", ".join("jsonl:PATH" if known == "jsonl" else known for known in sorted(DATASETS))
        raise InputError(f"unknown data set {name!r}; known: {known}")
    module, _, function = DATASETS[key].partition(":")
    load = cast("Loader", getattr(import_module(module), function))
    return load(argument or None, data).only(split)
