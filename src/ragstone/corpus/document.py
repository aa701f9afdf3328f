"""One document of a corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragstone.errors import InputError

__all__ = ["Document"]


@dataclass(frozen=True, slots=True)
class Document:
    """A text with an id that no other document of the corpus has. Raises InputError for a blank id or no text.

    ``title`` is kept beside the text, never mixed into it; ``source`` is where the document was read from.
    """

    id: str
    text: str
    title: str | None = None
    source: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id.strip():
            raise InputError(f"document id: expected a string that is not blank, got {self.id!r}")
        if not isinstance(self.text, str):
            raise InputError(f"document {self.id!r}: text must be a string, got {type(self.text).__name__}")
        if not isinstance(self.metadata, Mapping):
            raise InputError(f"document {self.id!r}: metadata must be a mapping, got {type(self.metadata).__name__}")
