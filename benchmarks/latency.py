"""How long one evaluation takes, by stage, with models loaded: new texts (cold) and texts seen before (cached).

    python benchmarks/latency.py [--k 5] [--threads 2] [--json FILE]

The passages are the secure-coding rules that ship with the package (about 40 words), the answers their first
sentences; nothing is generated. Each stage is timed in the same run, so read ratios between them, not seconds.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragstone import Guard, Passage, Retriever, Settings
from ragstone.backends import open_embedder, open_nli
from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.backends.onnx_session import thread_count
from ragstone.datasets.securecode import load_rules
from ragstone.screening.batch import Batch
from ragstone.screening.cross_document import compare
from ragstone.screening.intra_document import intra_document_findings
from ragstone.screening.linguistic import linguistic_findings
from ragstone.screening.patterns import load_patterns
from ragstone.screening.structure import structure_findings
from ragstone.text.claims import claims
from ragstone.verification import verify

Case = tuple[str, tuple[Passage, ...], str]


def milliseconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def cases(k: int, embedder: Any, settings: Settings) -> list[Case]:
    rules = load_rules()
    retriever = Retriever(embedder, settings)
    retriever.index(rules)
    out = []
    for rule in rules:
        question, _, answer = rule.text.partition("? ")
        out.append((question + "?", retriever.search(question + "?", k), answer.split(". ")[0] + "."))
    return out


def stages(case: Case, embedder: Any, nli: Any, settings: Settings) -> dict[str, float]:
    """Each stage alone, on caches that have seen nothing."""
    question, passages, answer = case
    patterns = load_patterns(settings.screening.patterns)
    batch = Batch(passages, Encoder(embedder), Entailment(nli), settings.screening)
    return {
        "linguistic": milliseconds(lambda: [linguistic_findings(p, patterns) for p in passages]),
        "structure": milliseconds(lambda: [structure_findings(p) for p in passages]),
        "embedding": milliseconds(lambda: (batch.vectors, batch.statement_vectors)),
        "cross_document": milliseconds(lambda: compare(batch, paper=False)),
        "intra_document": milliseconds(lambda: intra_document_findings(batch, paper=False)),
        "verification": milliseconds(
            lambda: verify(question, passages, answer, claims(answer), entailment=Entailment(nli), settings=settings)
        ),
    }


def measure(k: int, threads: int) -> dict[str, Any]:
    settings = Settings.model_validate({"models": {"threads": threads}})
    embedder, nli = open_embedder("minilm", settings), open_nli("embedded", settings)
    found = cases(k, embedder, settings)
    cold, cached, parts, pairs = [], [], [], []
    Guard(settings, embedder=embedder, nli=nli).evaluate(*found[0])
    for case in found:
        guard = Guard(settings, embedder=embedder, nli=nli)
        cold.append(milliseconds(lambda guard=guard, case=case: guard.evaluate(*case)))
        cached.append(milliseconds(lambda guard=guard, case=case: guard.evaluate(*case)))
        pairs.append(guard.pairs_scored)
        parts.append(stages(case, embedder, nli, settings))
    words = [len(p.text.split()) for _, passages, _ in found for p in passages]
    return {
        "machine": f"{platform.machine()}, {thread_count(threads)} threads, Python {platform.python_version()}",
        "k": k,
        "evaluations": len(found),
        "words_per_passage": round(statistics.mean(words), 1),
        "nli_pairs_per_evaluation": round(statistics.mean(pairs), 1),
        "median_ms": {
            "evaluate, new texts": round(statistics.median(cold), 1),
            "evaluate, cached": round(statistics.median(cached), 1),
            **{f"stage {name}": round(statistics.median(p[name] for p in parts), 1) for name in parts[0]},
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--k", type=int, default=5, help="passages a question (default 5)")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    args = parser.parse_args()
    result = measure(args.k, args.threads)
    print(f"{result['evaluations']} evaluations, K = {result['k']}, {result['words_per_passage']} words a passage")
    print(f"{result['nli_pairs_per_evaluation']} NLI pairs an evaluation; {result['machine']}")
    cold = result["median_ms"]["evaluate, new texts"]
    for name, value in result["median_ms"].items():
        print(f"{name:28} {value:8.1f} ms  {value / cold:6.0%}")
    if args.json:
        args.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
