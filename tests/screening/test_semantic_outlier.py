"""Far from the others, and only then."""

from __future__ import annotations

from fakes import TableNLI, WordEmbedder
from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.screening.batch import Batch
from ragstone.screening.semantic_outlier import semantic_outlier_findings
from ragstone.settings import ScreeningSettings
from ragstone.types import Finding, as_passages


def findings(*texts: str) -> list[Finding]:
    entailment = Entailment(TableNLI(lambda p, h: (0.0, 1.0, 0.0)))
    return semantic_outlier_findings(
        Batch(as_passages(texts), Encoder(WordEmbedder()), entailment, ScreeningSettings())
    )


def test_a_passage_on_another_topic_is_found_with_weak_severity() -> None:
    near = [f"the bridge over the river was built by the town council {w}" for w in ("early", "late", "again")]
    (finding,) = findings(*near, "bananas contain potassium")
    assert finding.passage_id == "p4"
    assert 0.0 < finding.severity <= 0.3


def test_like_passages_have_no_outlier() -> None:
    assert findings(*["the bridge over the river was built by the town"] * 4) == []


def test_all_different_passages_have_no_outlier() -> None:
    assert findings("alpha beta", "gamma delta", "epsilon zeta", "eta theta") == []


def test_two_passages_are_too_few() -> None:
    assert findings("the bridge over the river", "bananas contain potassium") == []
