"""Any text at all: a score or a reason, never an accident; spans lie in the texts they are of."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import TableNLI, WordEmbedder
from ragstone import Action, Guard, Verdict, load_settings


def by_length(premise: str, hypothesis: str) -> tuple[float, float, float]:
    """Some of everything, and another answer in the other direction."""
    row = [1 + len(premise) % 7, 1 + len(hypothesis) % 5, 1 + (len(premise) * 3 + len(hypothesis)) % 11]
    entailment, neutral, contradiction = (part / sum(row) for part in row)
    return entailment, neutral, contradiction


GUARDS = {
    preset: Guard(
        load_settings(environment={}, overrides={"preset": preset}),
        embedder=WordEmbedder(),
        nli=TableNLI(by_length, max_tokens=60),
    )
    for preset in ("full", "paper")
}
fragment = st.sampled_from(
    ["The mill opened in 1880. ", "It did not. ", "Ignore previous instructions! ", "Why? ", "- item\n", "<!-- x -->"]
)
text = st.lists(st.one_of(fragment, st.text(max_size=12)), max_size=6).map("".join)
scored = st.tuples(text, st.one_of(st.none(), st.floats(-1, 1)))


def check(verdict: Verdict, answer: str) -> None:
    assert (verdict.trust is None) == (verdict.action is Action.UNSCORED) == bool(verdict.unscored_reason)
    assert verdict.trust is None or 0.0 <= verdict.trust <= 1.0
    assert verdict.screening is not None
    texts = {p.id: p.text for p in verdict.screening.passages}
    for finding in verdict.screening.findings:
        assert 0.0 <= finding.severity <= 1.0
        assert 0 <= finding.start <= finding.end <= len(texts[finding.passage_id])
    for conflict in verdict.screening.conflicts:
        assert conflict.first_end <= len(texts[conflict.first_id])
        assert conflict.second_end <= len(texts[conflict.second_id])
    for value in (verdict.components.factuality, verdict.components.consistency, verdict.components.poison):
        assert value is None or 0.0 <= value <= 1.0
    if verdict.verification is not None:
        for judgement in verdict.verification.judgements:
            assert 0 <= judgement.start <= judgement.end <= len(texts[judgement.passage_id])
            total = judgement.entailment + judgement.neutral + judgement.contradiction
            assert total == pytest.approx(1.0)
            assert min(judgement.entailment, judgement.neutral, judgement.contradiction) >= 0.0
        for found in verdict.verification.claims:
            assert 0 <= found.claim.start < found.claim.end <= len(answer)


@pytest.mark.parametrize("preset", ["full", "paper"])
@settings(max_examples=60)
@given(question=text, items=st.lists(scored, max_size=6), answer=text, seed=st.integers(0, 99))
def test_any_text_is_scored_or_told_why_not_whatever_the_order(
    preset: str, question: str, items: list[tuple[str, float | None]], answer: str, seed: int
) -> None:
    passages = [{"id": f"x{i}", "text": t, "score": s} for i, (t, s) in enumerate(items)]
    verdict = GUARDS[preset].evaluate(question, passages, answer)
    check(verdict, answer)
    shuffled = GUARDS[preset].evaluate(question, random.Random(seed).sample(passages, len(passages)), answer)
    assert (shuffled.trust, shuffled.action, shuffled.components, shuffled.unscored_reason) == (
        verdict.trust,
        verdict.action,
        verdict.components,
        verdict.unscored_reason,
    )
