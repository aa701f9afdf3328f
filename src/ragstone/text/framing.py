"""Words around a statement that are no part of it: framing, hedges, connectives, pleasantries.

The lists are data; :func:`without_framing` takes such words off both ends of a sentence until nothing changes.
"""

from __future__ import annotations

import re
from functools import cache

from ragstone.text.markup import Plain
from ragstone.text.passage_names import MARK, with_marks

__all__ = ["is_filler", "without_framing"]

_SAID = (
    r"(?:stated|mentioned|noted|described|indicated|shown|given|reported|specified|explained|outlined|seen|written"
    r"|said)"
)
_FROM = (
    r"(?:according to|(?:based|relying)(?: solely| only| purely| strictly| entirely)?(?: up)?(?: on)|as per"
    r"|per|from|given|in"
    rf"|considering|judging (?:by|from)|using|going by|in line with|as {_SAID} (?:in|by))"
)
_SAYS = (
    r"(?:stat|say|mention|not|indicat|show|suggest|report|explain|confirm|tell us|reveal|impl|assert|specif|conclud)"
)
_ENDING = r"(?:e|es|s|ed|d|y|ies|ied)?"
_ADVERB = r"(?:(?:also|clearly|explicitly|further|directly|specifically|simply|then) )?"
_NEW_CLAUSE = (
    r"(?=(?:the|an?|it|its|there|he|she|they|we|you|this|these|those|his|her|their|our|my|no|all)\b|\d|(?-i:[A-Z]))"
)

_PREFIXES = (
    # Framing by the passages.
    rf"{_FROM} {MARK}(?:\s?[,:]\s?|\s{_NEW_CLAUSE})",
    rf"as {MARK} {_ADVERB}{_SAYS}{_ENDING},\s?",
    rf"{MARK} {_ADVERB}(?:{_SAYS}{_ENDING}|makes? (?:it )?clear)(?:,? that\s|\s?[:,]\s?)",
    rf"{MARK} {_ADVERB}(?:states?|says?) {_NEW_CLAUSE}",
    rf"it (?:is|was|has been) {_ADVERB}{_SAID} (?:(?:in|by) {MARK} )?that\s",
    rf"(?:(?:i|we|one) can|(?:it|this) can be) (?:see|say|conclude|infer|seen|said|concluded"
    rf"|inferred)d?(?: from {MARK})? that\s",
    r"(?:to answer|in response to|in answer to|regarding|as for|concerning) (?:the|your|this) question[,:]\s?",
    r"(?:according to|based on|from) (?:my|the available|available) (?:knowledge|information"
    r"|understanding)\s?[,:]\s?",
    # Replies, announcements and labels.
    r"(?:(?:sure|certainly|of course|absolutely|great|okay|ok|yes)[,!. —–-]+)?"
    r"(?:here(?:'s| is| are)|below (?:is|are)) (?:the|an?|your|my|some|what)\b[^:.]{0,100}:\s",
    r"(?:yes|no|yeah|yep|nope|correct|right|true|false|sure|certainly|absolutely|definitely|of course|indeed"
    r"|exactly|ok|okay"
    r"|well|oh)\s?[,—–!:]\s?",
    r"(?-i:A):\s?",
    r"(?:the )?(?:(?:final|short|correct|direct|best|quick|simple|full) )?(?:answer|response|reply|summary|conclusion"
    r"|explanation|reasoning|result|output|note|tl;dr)(?: (?:to|for|of) (?:the|your"
    r"|this) question)?(?: is)?(?:\s?:\s?| that\s)",
    r"as an? (?:ai|artificial intelligence|large language model|language model|assistant)[^,]{0,40},\s?",
    # Hedges.
    r"it (?:seems|appears|would seem|would appear|looks|is (?:quite |very |highly |most )?(?:likely|probable"
    r"|possible|plausible))"
    rf"(?: to me)?(?: that\s| like\s| as if\s| as though\s|\s{_NEW_CLAUSE})",
    r"i(?:'d| would)? (?:think|believe|guess|suppose|assume|suspect|feel|say)(?: that\s|,\s?|\s(?!so\b|not\b"
    rf"|in (?!my\b|conclusion\b|summary\b|fact\b|short\b|addition\b|{MARK})|about\b|of\b|to (?!the best)))",
    r"i(?:'m| am) (?:fairly |pretty |quite |almost )?(?:sure|confident|certain)(?: that\s|,\s?|\s(?=the\b|it\b))",
    r"(?:apparently|probably|presumably|possibly|supposedly|seemingly|evidently|(?:most |very "
    r"|quite )?likely"
    r"|in all likelihood|in my (?:view|opinion)|to (?:the best of )?my knowledge|as far as i (?:know|can tell"
    r"|can see|understand)"
    r"|from what i (?:know|understand|can tell|can see)|if i(?:'m| am) not mistaken)(?:,\s?|\s(?=(?:the|an?|it"
    r"|he|she|they)\b))",
    r"(?:perhaps|maybe)[,\s]\s?",
    # Connectives.
    r"(?:therefore|thus|hence|so|consequently|accordingly|as a result|in conclusion|to conclude|in summary"
    r"|to summari[sz]e"
    r"|to sum up|overall|in short|in other words|in fact|in essence|essentially|additionally|furthermore"
    r"|moreover|also|besides"
    r"|in addition|however|nevertheless|nonetheless|finally|lastly|first|second|third|firstly|secondly|thirdly"
    r"|next|then"
    r"|for example|for instance|specifically|notably|importantly|interestingly|meanwhile|similarly|likewise"
    r"|by contrast"
    r"|in contrast|conversely|on the other hand|that said|unfortunately|i\.e\.|e\.g\.),\s?",
    r"(?:and|but) (?=\S+ \S)",
    r"(?:please )?(?:note|keep in mind|be aware|remember|bear in mind) that\s",
    r"it (?:is|'s|should be) (?:also )?(?:important|worth|worthwhile|crucial|essential|useful)?\s?(?:to )?"
    r"(?:note|noting|noted|mention|mentioning|mentioned|remember|point out|emphasi[sz]e) that\s",
    # The same in other languages.
    r"(?:según|de acuerdo con|basándose en|en base a) (?:el|la|los|las) [^,]{0,15}(?:contexto|textos?"
    r"|documentos?|pasajes?|información)"
    r"[^,]{0,20},\s?",
    r"(?:selon|d['’]après|sur la base de) (?:le|la|les|l['’]) ?[^,]{0,15}(?:contexte|textes?|documents?"
    r"|passages?|informations?)[^,]{0,20},\s?",
    r"(?:segundo|de acordo com|com base n)(?: ?[oa]s?)? [^,]{0,15}(?:contexto|textos?|documentos?|trechos?"
    r"|informaç\w+)[^,]{0,20},\s?",
    r"(?:secondo|in base a) (?:il|i|la|le|l['’]) ?[^,]{0,15}(?:contesto|testo|documenti|documento|brani"
    r"|brano)[^,]{0,20},\s?",
    r"(?:根据|根據|基于|依据)[^，。,]{0,12}(?:上下文|文档|资料|信息|段落|内容|文本)[^，。,]{0,6}[，,]\s?",
    r"(?:sí|oui|ja|sim|是的|对)[,，]\s?",
)
_SUFFIXES = (
    rf",?\s\(?(?:according to|based on|as per|as {_SAID} (?:in|by)|as (?:seen|found) in) {MARK}\)?",
    rf",?\s\(?as {MARK} {_ADVERB}{_SAYS}{_ENDING}\)?",
    r",\s(?:i (?:think|believe|guess|suppose)|apparently|presumably|it seems|it appears|probably|perhaps"
    r"|as far as i (?:know|can tell)"
    r"|if i(?:'m| am) not mistaken|in my opinion)",
)
_PARENTHESES = (
    rf",\s?(?:according to|as per|as {_SAID} (?:in|by)) {MARK}\s?,(?=\s)",
    rf"\s\((?:according to|as per|as {_SAID} in) {MARK}\)",
)


@cache
def _any_of(phrases: tuple[str, ...], after: str = "") -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(phrases) + ")" + after, re.IGNORECASE)


# Framing is short; a window keeps the search linear in long sentences.
_REACH = 200


def without_framing(text: Plain) -> Plain:
    """The statement in a sentence: without framing, reply words, labels, hedges and connectives around it.

    What would leave nothing is kept: "Yes." and "Apparently." stay as they are.
    """
    body = text.text
    begin, stop = 0, len(body) - (body[-1:] in {".", "!"})
    end = stop
    while True:
        head = with_marks(body[begin : min(begin + _REACH, end)])
        match = _any_of(_PREFIXES).match(head.text)
        if match and match.end() < len(head.text) and _says_something(body, begin + head.origin[match.end()], end):
            begin += head.origin[match.end()]
            continue
        offset = max(begin, end - _REACH)
        tail = with_marks(body[offset:end])
        match = _any_of(_SUFFIXES, r"\s?$").search(tail.text)
        if match is None or not _says_something(body, begin, offset + tail.origin[match.start()]):
            break
        end = offset + tail.origin[match.start()]
    core, final = text.part(begin, end), text.part(stop, len(body))
    return _without_parentheses(Plain(core.text + final.text, core.origin + final.origin))


def _says_something(body: str, begin: int, end: int) -> bool:
    return any(body[index].isalnum() for index in range(begin, end))


def _without_parentheses(text: Plain) -> Plain:
    marked = with_marks(text.text[: 10 * _REACH])
    for match in reversed(list(_any_of(_PARENTHESES).finditer(marked.text))):
        a, b = marked.origin[match.start()], marked.origin[match.end() - 1] + 1
        text = Plain(text.text[:a] + text.text[b:], text.origin[:a] + text.origin[b:])
    return text


_FILLERS = (
    rf"{_FROM} {MARK}",
    r"(?:sure|certainly|of course|absolutely|great|okay|ok|thanks|thank you|hello|hi|hey|greetings"
    r"|good question|great question"
    r"|you(?:'re| are) welcome|no problem|my pleasure|understood|got it|alright)(?: there| so much| very much"
    r"| for \w+ \w+)?",
    r"(?:(?:sure|certainly|of course|absolutely|great|okay|ok|yes)[,!. —–-]+)?(?:here(?:'s| is| are)"
    r"|below (?:is|are)) (?:the|an?|your|my"
    r"|some|what)\b[^:]{0,100}\b(?:answers?|summary|response|information|details|list|breakdown|overview"
    r"|explanation|results?|steps|points"
    r"|reply|key \w+|main \w+)\b[^:]{0,60}",
    r"(?:(?:sure|certainly|of course)[,!. —–-]+)?here(?:'s| is| are)\b[^:]{0,120}:",
    r"(?:i )?(?:really )?hope (?:this|that|it|these|the)\b.{0,60}\b(?:helps?|helpful|useful|clarif\w+"
    r"|answers?)\b.{0,60}",
    r"(?:please )?(?:let me know|feel free|don't hesitate|do not hesitate)\b.{0,160}",
    r"if you (?:have|need|want|would like|'d like|are looking)\b.{0,120}\b(?:ask|know|help|assist|happy"
    r"|reach out)\b.{0,60}",
    r"(?:i(?:'m| am|'d be| would be|'ll be) )?(?:happy|glad|here) to (?:help|assist|answer)\b.{0,80}",
    r"(?:let's|let me|let us|i will|i'll) (?:break|look|take|dive|examine|explain|answer|summari[sz]e|help|see"
    r"|go through|think)\b.{0,100}",
    r"i(?:'m| am) (?:very |so |really )?sorry(?: for .{0,60}| about .{0,60})?|i apologi[sz]e\b.{0,80}"
    r"|(?:my )?apologies|sorry",
    r"as an? (?:ai|artificial intelligence|large language model|language model)(?: language model| model"
    r"| assistant)?",
    rf"(?:{MARK}|sources?|references?|citations?|further reading|footnotes?)\s?:"
    rf"[\s\d\[\]()【】,;.{MARK}-]{{0,40}}(?:https?://\S{{1,300}})?",
    r"https?://\S{1,300}|(?:the )?(?:final )?(?:answer|note|explanation|response|summary|conclusion|reasoning)\s?:",
)


def is_filler(sentence: str) -> bool:
    """Whether a whole sentence only greets, announces, apologises or offers help: it states nothing to verify."""
    if len(sentence) > 2 * _REACH:
        return False
    text = with_marks(sentence.strip(" (")).text
    return _any_of(_FILLERS, r"[\s.!,:;…)😀-🙏]*").fullmatch(text) is not None
