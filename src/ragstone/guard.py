"""The Evaluation Agent: screen -> verify -> Trust Index (paper 000, section III).

The two stages can be used apart: :meth:`Guard.screen` before an answer exists, :meth:`Guard.evaluate` after.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ragstone.backends import open_embedder, open_nli
from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.backends.protocols import NLI, Embedder
from ragstone.errors import BackendError, InputError
from ragstone.screening import screen_passages
from ragstone.screening.aggregate import best_similarity
from ragstone.screening.patterns import load_patterns
from ragstone.settings import Settings
from ragstone.text.abstention import is_abstention
from ragstone.text.claims import claims as split_claims
from ragstone.trust import (
    action_for,
    level_of,
    recommendation_for,
    screening_warnings,
    trust_index,
    warnings_for,
)
from ragstone.types import Action, Claim, Components, Passage, Screening, Verdict, Verification, as_passages, readable
from ragstone.verification import verify

__all__ = ["Guard", "evaluate", "screen"]

Passages = Iterable[Passage | str | Mapping[str, Any]]


class Guard:
    """Screens passages and evaluates answers with one set of settings and models. Safe to share between threads.

    ``settings`` are the defaults unless given; :func:`ragstone.load_settings` reads files and the environment.
    ``embedder`` and ``nli`` may be any object of the protocols' shape; without them the settings' names are opened.
    Raises SettingsError for a pattern file that cannot be used, ModelError and MissingDependencyError for a model.
    """

    def __init__(
        self, settings: Settings | None = None, *, embedder: Embedder | None = None, nli: NLI | None = None
    ) -> None:
        self.settings = Settings() if settings is None else settings
        if embedder is None:
            embedder = open_embedder(self.settings.models.embedder, self.settings)
        if nli is None:
            nli = open_nli(self.settings.models.nli, self.settings)
        self._encoder = Encoder(embedder)
        self._entailment = Entailment(nli, encoder=self._encoder)
        self._patterns = load_patterns(self.settings.screening.patterns)
        # Once: what is in use stays what was read here, also when a pattern file changes or is gone later.
        self._fingerprint = self.settings.fingerprint(embedder.identity, nli.identity, self._patterns.identity)

    @property
    def fingerprint(self) -> str:
        """Two verdicts with the same fingerprint come from the same version, settings, patterns and models."""
        return self._fingerprint

    @property
    def pairs_scored(self) -> int:
        """(premise, hypothesis) pairs the NLI model has run on so far; what its cache answered is not counted."""
        return self._entailment.pairs_scored

    def screen(self, question: str, passages: Passages) -> Screening:
        """Stage 1. Raises InputError for unusable passages, BackendError when a model fails."""
        return self._screen(_question(question), as_passages(passages))

    def evaluate(
        self, question: str, passages: Passages, answer: str, *, screening: Screening | None = None
    ) -> Verdict:
        """Both stages and the Trust Index; ``screening`` may be given when stage 1 has run on these passages.

        What cannot be scored (an empty answer, an abstention, no passages with text, a failed model) gives a verdict
        with action ``unscored`` and the reason, never a number. Raises InputError for unusable input, among it a
        screening of another question or of other passages.
        """
        question, items = _question(question), as_passages(passages)
        if not isinstance(answer, str):
            raise InputError(f"answer: expected a string, got {type(answer).__name__}")
        answer = readable(answer)
        if screening is not None:
            _check_screening(screening, question, items)
        timings: dict[str, float] = {}
        start = time.perf_counter()
        try:
            if screening is None:
                screening = self._screen(question, items)
            timings["screening"] = time.perf_counter() - start
            claims = split_claims(answer)
            reason = _unscorable(items, answer, claims)
            if reason is not None:
                timings["total"] = time.perf_counter() - start
                return self.unscored(reason, screening=screening, timings=timings)
            begun = time.perf_counter()
            verification = verify(
                question,
                items,
                answer,
                claims,
                entailment=self._entailment,
                settings=self.settings,
                screening=screening,
            )
            timings["verification"] = time.perf_counter() - begun
        except BackendError as error:
            timings["total"] = time.perf_counter() - start
            return self.unscored(f"a model failed: {error}", screening=screening, timings=timings)
        timings["total"] = time.perf_counter() - start
        return self._verdict(items, screening, verification, timings)

    def _screen(self, question: str, items: tuple[Passage, ...]) -> Screening:
        return screen_passages(
            question,
            items,
            encoder=self._encoder,
            entailment=self._entailment,
            patterns=self._patterns,
            settings=self.settings,
        )

    def _verdict(
        self,
        items: tuple[Passage, ...],
        screening: Screening,
        verification: Verification,
        timings: Mapping[str, float],
    ) -> Verdict:
        limits = self.settings.trust
        consistency = verification.consistency if verification.consistency is not None else screening.consistency
        components = Components(verification.factuality, consistency, screening.poison)
        best = best_similarity([p.score for p in items if p.text.strip()])
        trust = trust_index(components, best, limits)
        trustworthy = trust >= limits.threshold
        action = action_for(trustworthy, screening, verification, strict=self.settings.preset == "full")
        return Verdict(
            trust=trust,
            level=level_of(trust),
            trustworthy=trustworthy,
            action=action,
            unscored_reason=None,
            components=components,
            warnings=warnings_for(screening, verification, best, limits.low_retrieval),
            recommendation=recommendation_for(action),
            screening=screening,
            verification=verification,
            fingerprint=self.fingerprint,
            timings=timings,
        )

    def unscored(
        self, reason: str, *, screening: Screening | None = None, timings: Mapping[str, float] | None = None
    ) -> Verdict:
        """A verdict without a score, for what a caller knows cannot be scored, e.g. that its generator failed."""
        poison = screening.poison if screening else None
        consistency = screening.consistency if screening else None
        return Verdict(
            trust=None,
            level=None,
            trustworthy=None,
            action=Action.UNSCORED,
            unscored_reason=reason,
            components=Components(None, consistency, poison),
            warnings=(f"Not scored: {reason}", *(screening_warnings(screening) if screening else ())),
            recommendation=recommendation_for(Action.UNSCORED),
            screening=screening,
            verification=None,
            fingerprint=self.fingerprint,
            timings=timings or {},
        )


def _question(question: str) -> str:
    if not isinstance(question, str):
        raise InputError(f"question: expected a string, got {type(question).__name__}")
    return readable(question)


def _check_screening(screening: Screening, question: str, items: tuple[Passage, ...]) -> None:
    if screening.question != question:
        raise InputError(f"screening: it was made for the question {screening.question!r}, not for {question!r}")
    screened, given = ([(p.id, p.text, p.score) for p in passages] for passages in (screening.passages, items))
    if screened != given:
        raise InputError(
            "screening: it was made of other passages than those given (ids, texts, scores and their order must be "
            "the same); leave it out to screen them again"
        )


def _unscorable(passages: tuple[Passage, ...], answer: str, claims: Sequence[Claim]) -> str | None:
    if not any(character.isalnum() for p in passages for character in p.text):
        return "there are no passages with text"
    if not answer.strip():
        return "the answer is empty"
    if is_abstention(answer):
        return "the answer abstains, so it makes no claim to verify"
    if not claims:
        return "the answer makes no statement that could be verified"
    return None


@lru_cache(maxsize=1)
def _default_guard() -> Guard:
    from ragstone.settings import load_settings

    return Guard(load_settings())


def screen(question: str, passages: Passages) -> Screening:
    """:meth:`Guard.screen` with the settings and models of the environment, as they are at the first call."""
    return _default_guard().screen(question, passages)


def evaluate(question: str, passages: Passages, answer: str) -> Verdict:
    """:meth:`Guard.evaluate` with the settings and models of the environment, as they are at the first call."""
    return _default_guard().evaluate(question, passages, answer)
