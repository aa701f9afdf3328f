"""NLI by any function of pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ragstone.backends.protocols import Vectors
from ragstone.errors import BackendError

__all__ = ["CallableNLI"]


class CallableNLI:
    """Wraps ``function(pairs) -> (len(pairs), 3)`` probabilities: entailment, neutral, contradiction.

    ``identity`` must change when the function's answers do: it goes into the fingerprint. Texts are given whole
    unless ``max_tokens`` (counted in white-space separated words) is set.
    """

    def __init__(
        self,
        function: Callable[[Sequence[tuple[str, str]]], object],
        identity: str,
        *,
        max_tokens: int | None = None,
    ) -> None:
        self._function = function
        self._identity = identity
        self._max_tokens = max_tokens

    @property
    def identity(self) -> str:
        return self._identity

    @property
    def max_tokens(self) -> int | None:
        return self._max_tokens

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def score(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """See :class:`ragstone.backends.protocols.NLI`. Raises BackendError for anything but probabilities."""
        try:
            rows = np.asarray(self._function(pairs), dtype=np.float32)
        except Exception as error:
            raise BackendError(f"NLI function {self._identity} failed: {error}") from error
        valid = (
            rows.shape == (len(pairs), 3) and bool(np.all(rows >= 0)) and np.allclose(rows.sum(axis=1), 1, atol=1e-3)
        )
        if not valid:
            raise BackendError(
                f"NLI function {self._identity} must return one row of three probabilities that sum to 1 for each of "
                f"the {len(pairs)} pairs, got an array of shape {rows.shape}"
            )
        return rows
