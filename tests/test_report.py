"""What reports promise: rounded finite values, nothing of an untrusted text acted on, misses called misses."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ragstone.report import Case, Run, Tampering, outcome, render_html, render_terminal, to_dict
from ragstone.report.spans import Mark, excerpt, segments, visible
from ragstone.settings import Settings
from ragstone.types import Action, ClaimStatus, Conflict, Verdict
from verdicts import CLEAN, FINGERPRINT, HOSTILE, finding, scored, screening, unscored, verification

SUPPORTED, CONTRADICTED, UNSUPPORTED = ClaimStatus.SUPPORTED, ClaimStatus.CONTRADICTED, ClaimStatus.UNSUPPORTED
TRUST = Settings().trust
RAW_CONTROL = re.compile("[\x00-\x08\x0b-\x1a\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")


def poisoned_verdict() -> Verdict:
    start = HOSTILE.index("Ignore")
    screened = screening(
        findings=[finding("p2", start, start + 30, note=float("nan")), finding("p2", 0, len(HOSTILE), 0.2)],
        poison={"p2": 0.95},
        conflicts=[Conflict("p1", 0, 10, "p2", 0, 10, 0.91)],
    )
    return scored(
        screened, verification("MD5 it is. Truly.", CONTRADICTED, UNSUPPORTED), trust=0.41, action=Action.REJECT
    )


def terminal(verdict: Verdict, *, colours: bool = False) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=100, force_terminal=colours, color_system="truecolor" if colours else None)
    render_terminal(verdict, verdict.screening.passages if verdict.screening else (), console, TRUST)
    return stream.getvalue()


def page(*cases: Case) -> str:
    return render_html(cases, "Report & more", trust=TRUST)


def run(verdict: Verdict, answer: str = "MD5 it is. Truly.", poisoned: Mapping[str, Tampering] | None = None) -> Run:
    return Run("Poisoned", verdict, verdict.screening.passages if verdict.screening else (), answer, poisoned or {})


def test_values_are_rounded_here_and_only_here() -> None:
    verdict = poisoned_verdict()
    values = to_dict(verdict)
    assert values["components"] == {"factuality": 0.6667, "consistency": None, "poison": 0.3333}
    assert values["passages"][0] == {"id": "p1", "poison": 0.0, "flagged": False, "score": 0.8123, "source": "handbook"}
    assert values["timings"] == {"total": 0.1235}
    assert verdict.components.factuality == 2 / 3


def test_values_hold_every_documented_field_and_are_json() -> None:
    values = to_dict(poisoned_verdict())
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert values["findings"][0] | {"evidence": None} == {
        "passage_id": "p2",
        "signal": "linguistic",
        "rule": "override",
        "severity": 0.9,
        "start": HOSTILE.index("Ignore"),
        "end": HOSTILE.index("Ignore") + 30,
        "message": "It overrides <instructions>",
        "evidence": None,
    }
    assert values["findings"][0]["evidence"] == {"note": None}
    assert values["claims"][0]["status"] == "contradicted"
    assert values["claims"][0]["best"]["entailment"] == 0.6667
    assert values["conflicts"][0]["contradiction"] == 0.91
    assert (values["level"], values["action"], values["fingerprint"]) == ("LOW", "reject", FINGERPRINT)
    assert values["flagged"] == [1]


def test_an_unscored_verdict_has_no_number_and_a_reason() -> None:
    values = to_dict(unscored(screening(poison={"p1": 0.9})))
    assert values["trust"] is None
    assert values["level"] is None
    assert values["trustworthy"] is None
    assert values["unscored_reason"] == "the answer is empty"
    assert values["flagged"] == [0]
    assert values["answer_flagged"] is False


@pytest.mark.parametrize(
    ("statuses", "flagged"),
    [
        ((SUPPORTED, SUPPORTED), False),
        ((SUPPORTED, UNSUPPORTED), False),
        ((SUPPORTED, CONTRADICTED), True),
        ((UNSUPPORTED, UNSUPPORTED), True),
    ],
)
def test_an_answer_is_flagged_when_contradicted_or_wholly_unsupported(
    statuses: tuple[ClaimStatus, ...], flagged: bool
) -> None:
    assert to_dict(scored(screening(), verification("a b c d", *statuses)))["answer_flagged"] is flagged


@pytest.mark.parametrize("colours", [False, True])
def test_a_passage_cannot_write_to_the_terminal(colours: bool) -> None:
    shown = terminal(poisoned_verdict(), colours=colours)
    own = re.sub("\x1b\\[[0-9;]*m", "", shown) if colours else shown
    assert not RAW_CONTROL.search(own.replace("\n", ""))
    assert "⟨U+001B⟩[31mprevious⟨U+0007⟩" in own
    assert "[bold red]now[/bold red]" in own
    assert "\x1b[31mprevious" not in shown


def test_the_terminal_names_what_matters() -> None:
    shown = terminal(poisoned_verdict())
    for text in (
        "0.41 LOW",
        "REJECT",
        "threshold 0.50",
        "weight 0.35",
        "FLAGGED",
        "linguistic/override",
        "contradicted",
    ):
        assert text in shown
    assert "not measured" in shown
    assert FINGERPRINT in shown


def test_a_trust_index_is_never_shown_as_a_level_it_did_not_reach() -> None:
    for trust, shown in ((0.7999, "0.79 MEDIUM"), (0.8, "0.80 HIGH"), (0.29 + 0.3, "0.59 MEDIUM"), (1.0, "1.00 HIGH")):
        verdict = scored(screening(), verification("x", SUPPORTED), trust=trust)
        assert shown in terminal(verdict)
        assert f"Trust Index {shown.replace(' ', ', ')}" in page(Case("Q?", (run(verdict, "x"),)))


def test_a_finding_is_coloured_where_it_is() -> None:
    shown = terminal(poisoned_verdict(), colours=True)
    assert re.search(r"\x1b\[[0-9;]*m" + "Ignore all", shown)


def test_an_unscored_verdict_can_be_shown_without_a_screening() -> None:
    shown = terminal(unscored(reason="the generator failed: \x1b[2J"))
    assert "Not scored: the generator failed: ⟨U+001B⟩[2J" in shown


class Outline(HTMLParser):
    """Elements that are open at the end, headings, ids, links and every address."""

    VOID = frozenset({"meta", "link", "br", "img", "input", "hr"})

    def __init__(self, document: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[int] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.tags: set[str] = set()
        self.feed(document)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        for name, value in attributes:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "aria-labelledby"):
                self.references.append(f"#{value}" if name == "aria-labelledby" else value or "")

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def demo_page() -> str:
    clean = Run("Clean", scored(screening(), verification(CLEAN, SUPPORTED)), screening().passages, CLEAN)
    bad = run(poisoned_verdict(), poisoned={"p2": Tampering("contradiction", ((22, 40),))})
    return page(Case("First <b>question</b>?", (clean, bad)), Case("Second?", (clean, run(unscored(), ""))))


def test_the_page_is_well_formed_and_needs_nothing_from_outside() -> None:
    document = demo_page()
    outline = Outline(document)
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert all(reference[1:] in outline.ids for reference in outline.references)
    assert not outline.tags & {"script", "img", "link", "iframe", "object", "form"}
    assert "http" not in document.replace("http-equiv", "")
    assert "@import" not in document
    assert "url(" not in document


def test_headings_leave_out_no_level() -> None:
    headings = Outline(demo_page()).headings
    assert headings[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))


def test_a_passage_cannot_write_markup_into_the_page() -> None:
    document = demo_page()
    assert "&lt;script&gt;alert(" in document
    assert "First &lt;b&gt;question&lt;/b&gt;?" in document
    assert not RAW_CONTROL.search(document)


def test_the_page_shows_spans_bars_and_what_the_attacker_wrote() -> None:
    document = demo_page()
    assert '<mark class="s3' in document
    assert 'class="tampered"' in document or " tampered" in document
    assert 'aria-label="Trust Index 0.41, LOW"' in document
    assert "flagged p2; answer rejected" in document
    assert "prefers-color-scheme: dark" in document


def test_a_page_without_cases_is_still_a_page() -> None:
    assert Outline(page()).headings == [1]


POISONED = {"p2": Tampering("entity_swap")}


def test_a_missed_poison_is_called_not_detected() -> None:
    result = outcome(run(scored(screening(), verification("x", SUPPORTED)), poisoned=POISONED))
    assert (result.detected, result.summary) == (False, "not detected")


def test_a_conflict_without_a_culprit_is_no_detection() -> None:
    screened = screening(conflicts=[Conflict("p1", 0, 4, "p2", 0, 4, 0.9)])
    result = outcome(run(scored(screened, verification("x", SUPPORTED)), poisoned=POISONED))
    assert result.detected is False
    assert result.summary == "conflict reported for p2, but no culprit named"


def test_a_flag_on_a_clean_passage_is_a_false_alarm() -> None:
    result = outcome(run(scored(screening(poison={"p1": 0.9}), verification("x", SUPPORTED)), poisoned=POISONED))
    assert result.false_alarms == ("p1",)
    assert result.detected is False


def test_nothing_is_detected_where_nothing_poisoned_was_retrieved() -> None:
    result = outcome(
        run(scored(screening(), verification("x", SUPPORTED)), poisoned={"elsewhere": Tampering("contradiction")})
    )
    assert (result.detected, result.summary) == (None, "no poisoned passage was retrieved")


def test_a_rejected_answer_counts_as_detection() -> None:
    result = outcome(run(scored(screening(), verification("x", CONTRADICTED), trust=0.3), poisoned=POISONED))
    assert (result.detected, result.summary) == (True, "answer rejected")


def test_what_could_not_be_scored_says_so() -> None:
    result = outcome(run(replace(unscored(screening()), unscored_reason="it failed"), poisoned=POISONED))
    assert (result.detected, result.summary) == (False, "not scored: it failed")


UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff\ud800-\udfff]")


@given(st.text())
def test_visible_text_has_nothing_unseen_but_newlines_and_joiners(text: str) -> None:
    shown = visible(text)
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff\ud800-\udfff]", shown
    )
    shown.encode()


@pytest.mark.parametrize("text", ["می‌خواهم", "👩‍🔬", "❤️", "plain", "naïve\nlines"])
def test_what_scripts_and_emoji_need_is_left(text: str) -> None:
    assert visible(text) == text


def test_hidden_runs_are_spelled_out_with_their_length() -> None:
    assert visible("a\u200b\u200b\u200bb\tc\r\nd") == "a⟨U+200B ×3⟩b    c\nd"


marks = st.builds(
    Mark, st.integers(-5, 60), st.integers(-5, 60), st.one_of(st.none(), st.floats(0, 1)), st.integers(0, 9)
)


@given(st.text(st.characters(codec="ascii", categories=["L", "N"]), max_size=50), st.lists(marks, max_size=8))
def test_segments_give_back_the_text_under_the_right_marks(text: str, given_marks: list[Mark]) -> None:
    parts = segments(text, given_marks)
    assert "".join(part.text for part in parts) == text
    position = 0
    for part in parts:
        over = [m for m in given_marks if m.start <= position < m.end]
        weights = [m.weight for m in over if m.weight is not None]
        assert part.weight == max(weights, default=None)
        assert part.tampered == (len(weights) < len(over))
        position += len(part.text)


def test_a_long_stretch_loses_its_middle_and_says_how_much() -> None:
    (part,) = excerpt(segments("word " * 1000, []), 100)
    assert len(part.text) < 200
    left_out = re.search(r"\[… ([\d,]+) characters …\]", part.text)
    assert left_out is not None
    assert int(left_out[1].replace(",", "")) > 4800
