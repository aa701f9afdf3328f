"""The BERT-uncased WordPiece tokenizer that the embedded models share and that chunk sizes are counted in.

It ships as package data (see ``data/tokenizer/NOTICE``), with no truncation and no padding. A word of more than
100 characters is one ``[UNK]`` token to it: that is how the models were trained.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from ragstone.errors import ModelError
from ragstone.types import readable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["TOKENIZER_SHA256", "load_tokenizer", "token_spans"]

TOKENIZER_SHA256 = "5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b"
_LONGEST_ENTRY = 18
_CHARACTERS_PER_TOKEN = 4


def load_tokenizer() -> Tokenizer:
    """A new tokenizer, so that truncation or padding set on it stays with the caller.

    It takes text without lone surrogates (:func:`ragstone.types.readable`). Raises ModelError when the data file
    is absent or is not the pinned one.
    """
    from tokenizers import Tokenizer

    return Tokenizer.from_str(_definition())


def token_spans(text: str) -> list[tuple[int, int]]:
    """Character spans of the tokens of ``text``, in order, special tokens not counted.

    What is one token although it is longer than any entry of the vocabulary, because the tokenizer gave a long word
    up, is counted as a token for every four characters: a text without spaces (a data URL, an unsegmented script)
    still has a size.
    """
    spans: list[tuple[int, int]] = []
    for start, end in _shared().encode(readable(text), add_special_tokens=False).offsets:
        if end - start <= _LONGEST_ENTRY:
            spans.append((start, end))
        else:
            cuts = [*range(start, end, _CHARACTERS_PER_TOKEN), end]
            spans.extend(pairwise(cuts))
    return spans


@cache
def _shared() -> Tokenizer:
    return load_tokenizer()


@cache
def _definition() -> str:
    try:
        data = files("ragstone").joinpath("data", "tokenizer", "tokenizer.json").read_bytes()
    except OSError as error:
        raise ModelError(f"ragstone's tokenizer.json cannot be read ({error}). Install ragstone again") from error
    found = sha256(data).hexdigest()
    if found != TOKENIZER_SHA256:
        raise ModelError(
            f"ragstone's tokenizer.json is not the pinned file: expected SHA-256 {TOKENIZER_SHA256}, found {found}. "
            "Install ragstone again"
        )
    return data.decode("utf-8")
