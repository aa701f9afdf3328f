"""A detection run read back from its folder, whole or as far as it got."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ragstone.errors import InputError
from ragstone.experiments.append_log import read_log
from ragstone.experiments.detection_record import DetectionRecord, Part
from ragstone.experiments.runs import SAMPLES, read_meta
from ragstone.settings import TrustSettings

__all__ = ["StoredRun", "Trial", "load_run"]


@dataclass(frozen=True)
class Trial:
    """One strategy in one repeat: part A and part B, ``2 N`` samples, as paper 000 counts a run."""

    strategy: str
    repeat: int
    records: tuple[DetectionRecord, ...]

    @property
    def part_b(self) -> tuple[DetectionRecord, ...]:
        return tuple(record for record in self.records if record.part is Part.POISONED)


@dataclass(frozen=True)
class StoredRun:
    """``meta`` is the run's identity (see :func:`ragstone.experiments.detection.run_identity`)."""

    name: str
    meta: Mapping[str, Any]
    records: tuple[DetectionRecord, ...]

    @property
    def strategies(self) -> tuple[str, ...]:
        return tuple(self.meta["strategies"])

    @property
    def repeats(self) -> int:
        return int(self.meta["repeats"])

    @property
    def trust_settings(self) -> TrustSettings:
        return TrustSettings.model_validate(self.meta["trust"])

    @property
    def threshold(self) -> float:
        return self.trust_settings.threshold

    @property
    def expected(self) -> int:
        """How many samples the run has when it is complete."""
        per_arm = int(self.meta["n"])
        return per_arm * (self.repeats * (1 + len(self.strategies)) + bool(self.meta["controls"]))

    @property
    def complete(self) -> bool:
        return len(self.records) == self.expected

    @property
    def main_strategy(self) -> str:
        """The mixed strategy where it was run, else the first: what single-run studies look at."""
        return next((name for name in self.strategies if name.endswith("mixed")), self.strategies[0])

    def arm(self, part: Part, strategy: str | None = None, repeat: int | None = 0) -> tuple[DetectionRecord, ...]:
        """The samples of one arm by index; of all repeats when ``repeat`` is None."""
        return tuple(
            record
            for record in self._ordered
            if record.part is part
            and (strategy is None or record.strategy == strategy)
            and (repeat is None or record.repeat == repeat)
        )

    def trial(self, strategy: str, repeat: int = 0) -> Trial:
        """Part A and B of one strategy; raises InputError when the run has not asked any of part B yet."""
        part_b = self.arm(Part.POISONED, strategy, repeat)
        if not part_b:
            raise InputError(f"run {self.name!r} has no samples of strategy {strategy!r} in repeat {repeat}")
        return Trial(strategy, repeat, (*self.arm(Part.CLEAN, None, repeat), *part_b))

    def trials(self) -> tuple[Trial, ...]:
        """Every strategy and repeat that has samples."""
        present = {(record.strategy, record.repeat) for record in self.records if record.part is Part.POISONED}
        return tuple(
            self.trial(strategy, repeat)
            for strategy in self.strategies
            for repeat in range(self.repeats)
            if (strategy, repeat) in present
        )

    @cached_property
    def _ordered(self) -> tuple[DetectionRecord, ...]:
        return tuple(sorted(self.records, key=lambda record: (record.repeat, record.index)))


def load_run(path: str | Path) -> StoredRun:
    """Read the run in folder ``path``.

    Raises InputError for a folder that holds no detection run, a line that does not fit, or a sample stored twice.
    """
    folder = Path(path)
    meta = read_meta(folder)
    if meta.get("kind") != "detection":
        raise InputError(f"{folder} holds a run of kind {meta.get('kind')!r}, expected a detection run")
    records = tuple(_records(folder / SAMPLES))
    if not records:
        raise InputError(f"{folder} holds no samples yet; run `ragstone bench detect --out {folder}` first")
    return StoredRun(folder.name, meta, records)


def _records(path: Path) -> Iterable[DetectionRecord]:
    seen: set[str] = set()
    for place, row in read_log(path):
        try:
            record = DetectionRecord.model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise InputError(f"{place}: {where}: {first['msg']}; the file is of another version") from error
        if record.key in seen:
            raise InputError(f"{place}: sample {record.key!r} is stored twice")
        seen.add(record.key)
        yield record
