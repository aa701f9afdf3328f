"""A bounded cache keyed by content, safe to share between threads."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

__all__ = ["ContentCache", "content_key"]


def content_key(*texts: str) -> bytes:
    """16 bytes that stand for ``texts``: a cache of them stays small however long its texts are."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.digest()


class ContentCache(Generic[K, V]):
    """Least-recently-used values; ``fetch`` computes what is missing, each distinct key once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()
        self.hits = 0
        self.misses = 0

    def fetch(self, keys: Sequence[K], compute: Callable[[list[K]], Sequence[V]]) -> list[V]:
        """The values of ``keys``, in order; ``compute`` gets the distinct missing ones."""
        found: dict[K, V] = {}
        with self._lock:
            for key in keys:
                if key in self._values:
                    self._values.move_to_end(key)
                    found[key] = self._values[key]
        missing = list(dict.fromkeys(key for key in keys if key not in found))
        if missing:
            found.update(zip(missing, compute(missing), strict=True))
        with self._lock:
            self.hits += len(keys) - len(missing)
            self.misses += len(missing)
            for key in missing:
                self._values[key] = found[key]
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return [found[key] for key in keys]
