from __future__ import annotations

from typing import Any

import pytest

from ragstone.corpus import Document
from ragstone.errors import InputError


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": " ", "text": "a"}, "document id: expected a string that is not blank, got ' '"),
        ({"id": 3, "text": "a"}, "got 3"),
        ({"id": "a", "text": None}, "document 'a': text must be a string, got NoneType"),
        ({"id": "a", "text": "a", "metadata": ["x"]}, "document 'a': metadata must be a mapping, got list"),
    ],
)
def test_bad_fields_are_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Document(**fields)
