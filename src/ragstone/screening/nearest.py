"""Which of many vectors are nearest each other: exact, within bounded memory, and few pairs of many groups.

Vectors are unit rows, so the product of two is their cosine. Ties stand in order of position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ragstone.backends.protocols import Vectors

__all__ = ["nearest_groups", "nearest_rows"]

BLOCK = 1 << 20  # similarities held at a time


def nearest_rows(first: Vectors, second: Vectors, count: int, least: float) -> list[tuple[int, int]]:
    """At most ``count`` pairs (row of ``first``, row of ``second``) of cosine >= ``least``, the most similar first."""
    best: list[tuple[float, int, int]] = []
    for start, similarity in _blocks(first, second):
        flat = similarity.ravel()
        bound = np.partition(flat, -count)[-count] if flat.size > count else flat.min()
        above = np.flatnonzero(flat > bound)
        level = np.flatnonzero(flat == bound)[: count - len(above)]
        for position in map(int, np.concatenate((above, level))):
            row, column = divmod(position, similarity.shape[1])
            if flat[position] >= least:
                best.append((-float(flat[position]), start + row, column))
        best = sorted(best)[:count]
    return [(row, column) for _, row, column in best]


def nearest_groups(groups: Sequence[Vectors], most: int, least: float) -> tuple[list[tuple[int, int]], int]:
    """Pairs (i < j) of groups to compare, in order, and how many pairs of cosine >= ``least`` were left out.

    Up to ``most`` + 1 groups, all pairs. Of more, each group with those ``most`` others whose nearest row is nearest
    to one of its own, if that has a cosine >= ``least``: the number of pairs grows with the number of groups only.
    """
    n = len(groups)
    if n <= most + 1:
        return list(combinations(range(n), 2)), 0
    filled = [i for i, rows in enumerate(groups) if len(rows)]
    if not filled:
        return [], 0
    table = np.concatenate([groups[i] for i in filled])
    starts = np.cumsum([0, *(len(groups[i]) for i in filled)])[:-1]
    chosen: set[tuple[int, int]] = set()
    similar = 0
    for place, i in enumerate(filled):
        near = np.maximum.reduceat(_largest(groups[i], table), starts)
        near[place] = -np.inf
        similar += int((near[place + 1 :] >= least).sum())
        for other in np.argsort(-near, kind="stable")[:most]:
            if other != place and near[other] >= least:
                j = filled[int(other)]
                chosen.add((min(i, j), max(i, j)))
    return sorted(chosen), max(0, similar - len(chosen))


def _largest(rows: Vectors, table: Vectors) -> NDArray[np.float32]:
    """For each row of ``table`` its largest cosine with any of ``rows``."""
    largest = np.full(len(table), -np.inf, dtype=np.float32)
    for _, similarity in _blocks(rows, table):
        np.maximum(largest, similarity.max(axis=0), out=largest)
    return largest


def _blocks(first: Vectors, second: Vectors) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Rows of the table of all cosines, with the position of the first; none when there is nothing to compare."""
    if not len(second):
        return
    step = max(1, BLOCK // len(second))
    for start in range(0, len(first), step):
        yield start, first[start : start + step] @ second.T
