"""The statements of an answer, each as a claim that can be verified by itself.

What states nothing is left out (questions, greetings, announcements), and so is what stands around a statement without
changing it (framing, hedges, citation marks, markup): an answer with and without them makes the same claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ragstone.text.abstention import declines
from ragstone.text.blocks import Block, Kind, blocks
from ragstone.text.clauses import has_verb, split_clauses, stands_alone
from ragstone.text.framing import is_filler, without_framing
from ragstone.text.markup import Plain, plain, without_citations
from ragstone.text.sentences import is_question, sentences_of
from ragstone.types import Claim, readable

__all__ = ["claims", "contextual_claim"]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A cleaned sentence. ``introduces``: it ends in a colon; ``minor``: of no weight where others are claims."""

    content: Plain
    kind: Kind
    introduces: bool = False
    minor: bool = False


def claims(answer: str) -> list[Claim]:
    """The claims of ``answer`` in order; spans are in ``answer`` and do not overlap.

    ``text`` is cleaned, starts in upper case and may hold words from elsewhere in the answer: a list item that is no
    sentence is read after the line that introduces the list, a table row under its header, a second predicate after
    its subject. Sentences that decline to answer are left out unless there is nothing else. An answer without any
    statement has no claims.
    """
    answer = readable(answer)
    found = [item for lead, sentence in _introduced(list(_sentences(answer))) for item in _split(sentence, lead)]
    weighty = [claim for claim, minor in found if not minor]
    return weighty or [claim for claim, _ in found]


def _sentences(answer: str) -> Iterator[_Sentence]:
    header: list[Plain] | None = None
    listed = blocks(answer)
    for index, block in enumerate(listed):
        following = listed[index + 1] if index + 1 < len(listed) else None
        if block.kind is Kind.ROW:
            cells = _cells(answer, block)
            if header is None and following is not None and _underlines(answer, following):
                header = cells
            elif row := _row(header or [], cells):
                yield _Sentence(row, Kind.ROW)
        elif block.kind is not Kind.DIVIDER:
            header = None
            for span in sentences_of(answer, block):
                # A list item's marker stands before its body.
                if sentence := _sentence(answer, max(span.start, block.body), span.end, block.kind):
                    yield sentence


def _sentence(answer: str, start: int, end: int, kind: Kind) -> _Sentence | None:
    text = plain(answer, start, end)
    if _says_nothing(text.text):
        return None
    framed = _unquoted(_core(text))
    bare = without_framing(framed)
    cited = without_citations(bare)
    text = _unquoted(_core(cited if cited.text == bare.text else without_framing(cited)))
    if text.text != framed.text and _says_nothing(text.text):
        return None
    introduces = text.text.endswith((":", "："))
    if introduces:
        text = text.part(0, len(text.text) - 1)
    minor = declines(text.text) or ((introduces or kind is Kind.HEADING) and not has_verb(text.text))
    return _Sentence(text, kind, introduces, minor)


def _says_nothing(text: str) -> bool:
    return not any(map(str.isalnum, text)) or is_filler(text) or is_question(text)


def _core(text: Plain) -> Plain:
    """Without separators at its ends, and without a bracket that the other end lacks or that encloses all of it."""
    leading = re.match(r"[\s,;:|•]*(?:[–—-]\s+)?", text.text)
    trailing = re.search(r"[\s,;|–—]*$", text.text[-20:])
    start = leading.end() if leading else 0
    end = len(text.text) - (len(trailing[0]) if trailing else 0)
    text = text.part(start, max(start, end))
    body = text.text
    if body.startswith("(") and body.find(")") in (-1, len(body) - 1):
        text = text.part(1, len(body) - (1 if body.endswith(")") else 0))
    elif body.endswith(")") and "(" not in body:
        text = text.part(0, len(body) - 1)
    return text


_QUOTES = {'"': '"', "“": "”", "‘": "’", "«": "»", "「": "」", "'": "'"}


def _unquoted(text: Plain) -> Plain:
    body = text.text
    closing = _QUOTES.get(body[:1])
    if closing is None or len(body) < 3:
        return text
    last = len(body.rstrip(".!")) - 1
    if body.find(closing, 1) not in (last, len(body) - 1) or body.find(closing, 1) < 2:
        return text
    inner = body.find(closing, 1)
    return Plain(body[1:inner] + body[inner + 1 :], text.origin[1:inner] + text.origin[inner + 1 :])


_CELL_BORDER = re.compile(r"(?<!\\)\|")


def _cells(answer: str, block: Block) -> list[Plain]:
    start = block.start + 1
    borders = [match.start() for match in _CELL_BORDER.finditer(answer, start, block.end)]
    cells = []
    for border in [*borders, block.end]:
        if start < border:
            cells.append(_core(without_citations(plain(answer, start, border))))
        start = border + 1
    return cells


def _underlines(answer: str, block: Block) -> bool:
    return block.kind is Kind.DIVIDER and answer[block.start : block.end].startswith(("|", ":"))


def _row(header: list[Plain], cells: list[Plain]) -> Plain | None:
    """A row as a statement: "Tarn mill: Opened 1874, Floors 5"; the first column's header is left out."""
    filled = [(index, cell) for index, cell in enumerate(cells) if cell.text]
    if not any(any(map(str.isalnum, cell.text)) for _, cell in filled):
        return None
    text, origin = "", list[int]()
    for position, (index, cell) in enumerate(filled):
        name = header[index].text if position and index < len(header) else ""
        joint = ("", ": ", ", ")[min(position, 2)] + (f"{name} " if name else "")
        text += joint + cell.text
        # Words from elsewhere stand, for want of a place, where the cell starts.
        origin += [cell.origin[0]] * len(joint) + cell.origin
    return Plain(text, origin)


def _introduced(found: list[_Sentence]) -> Iterator[tuple[str, _Sentence]]:
    """Each sentence with the line that introduces it, when it is a fragment and would say nothing without."""
    lead: _Sentence | None = None
    for index, sentence in enumerate(found):
        following = found[index + 1] if index + 1 < len(found) else None
        if sentence.introduces:
            used = following is not None and not following.introduces and not has_verb(following.content.text)
            lead = sentence if used else None
            if not used:
                yield "", sentence
        elif lead is not None and not has_verb(sentence.content.text):
            yield lead.content.text, replace(sentence, minor=False)
            lead = lead if sentence.kind is Kind.ITEM else None
        else:
            lead = lead if sentence.kind is Kind.ITEM else None
            yield "", sentence


def _split(sentence: _Sentence, lead: str) -> Iterator[tuple[Claim, bool]]:
    """The claims of a sentence, each with whether it is of no weight where others are claims."""
    content = sentence.content
    if lead or sentence.kind is Kind.ROW:
        text = f"{_capitalised(lead)}: {content.text}" if lead else content.text
        yield Claim(text, *content.span()), sentence.minor
        return
    clauses = split_clauses(content.text)
    for clause in clauses:
        part = content.part(clause.start, clause.end)
        minor = sentence.minor or (len(clauses) > 1 and declines(part.text))
        yield Claim(_capitalised(f"{clause.subject} {part.text}".strip()), *part.span()), minor


def _capitalised(text: str) -> str:
    """A first letter in upper case, but for names such as "iPhone" or "pH"."""
    first = text.split(maxsplit=1)[0] if text else ""
    return text[:1].upper() + text[1:] if first.islower() else text


_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’.,-][^\W_]+)*"
)
_ASKS = re.compile(
    r"(?:who|whom|whose|what|when|where|why|how|which|is|are|was|were|do|does|did|can|could|has|have|had|should|will)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\W*(?:he|she|it|they|we|you|i|this|that|these|those|there)\b", re.IGNORECASE)
_FEW_WORDS = 4
# Verbs are only known in English: longer texts without one may be sentences of another language.
_LONGEST_FRAGMENT = 8


def contextual_claim(question: str, claim: str) -> str:
    """The hypothesis to verify: ``claim``, after its question when it says too little alone ("Who wrote it? Ann.").

    That is a claim of at most 4 words (of as many CJK characters) unless it is a whole English sentence with a noun as
    its subject, or one of at most 8 words without an English verb. Others, and all when ``question`` is blank, are
    returned unchanged.
    """
    words = len(_WORD.findall(claim[:200]))
    whole = stands_alone(claim) and not _PRONOUN.match(claim)
    fragment = (words <= _FEW_WORDS and not whole) or (words <= _LONGEST_FRAGMENT and not has_verb(claim))
    question, claim_text = " ".join(question.split()), " ".join(claim.split())
    if not question or not claim_text or not fragment:
        return claim
    if question[-1].isalnum():
        question += "?" if _ASKS.match(question) else ":"
    return f"{question} {claim_text}" + (
        "" if claim_text[-1] in ".!?。！？" else "。" if claim_text[-1] >= "\u3040" else "."
    )
