"""Is a phrase used as an order, or only mentioned?

A manual that says "never ignore the earlier instructions" and a policy that quotes "disregard your rules" contain the
words of an attack without making one. Words alone cannot tell, since an attacker can write them too; grammar can:

- an order stands where an order can stand: at the start of a clause, or after "you must", "please", "and then";
- a negated, conditional or third-person verb, or the infinitive after "attackers ask the model …", is no order;
- a phrase in quotation marks is a mention only when the sentence around it, outside the marks, both speaks about
  wording ("phrases such as", "the text says") and about attacks or what is done to them ("logged", "injection").

All windows are bounded, so the cost at each phrase is constant.
"""

from __future__ import annotations

import re
from enum import Enum

__all__ = ["Use", "is_quoted_mention", "use_of"]


class Use(Enum):
    """How a phrase is used; the value is the share of its severity that remains."""

    ORDER = 1.0
    UNCLEAR = 0.5
    MENTION = 0.3


_BEFORE = 140
_AROUND = 240

_NEGATED = re.compile(
    r"(?:\bnot|n't|\bnever|\bcannot|\bwithout|\bneither|\bnor|\brather than|\binstead of)(?: \w{1,12})? $"
)
_INFINITIVE = re.compile(r"\bto (?:\w{1,12}ly |also |then |just )?$")
# "to" that turns an order to the reader into an infinitive: "you are to", "make sure to", "do not fail to".
_ADDRESSED = re.compile(
    r"\b(?:you(?:'re| are| need| have| must| will need| will have| ought)?(?: now| all)?"
    r"(?: instructed| ordered| required| told| asked| expected| directed| supposed| going| commanded| free)?"
    r"|(?:be|make|making) (?:sure|certain)|remember|fail|forget|hesitate|need|have|ought|proceed|try|attempt"
    r"|(?:is|are|was|becomes) (?:(?:now|important|essential|vital|crucial|necessary|mandatory|imperative|time) )?"
    r"|(?:task|job|goal|role|duty|orders?|instructions?) (?:is|are)(?: now)?) "
    r"to (?:\w{1,12}ly |also |then |just )?$"
)
_THIRD_PERSON = re.compile(
    r"(?:\b(?:may|might|can|could|would|will|did|does|must|should|shall|they|we|who|which|that|people|users|models"
    r"|attackers|i|he|she|it)|'d|'ll) (?:\w{1,12}ly |also |just |then |simply )?$"
)
_OBLIGED_READER = re.compile(
    r"\b(?:you|assistants?|ai|llms?|model|chatbot|bot|system|reader|agent)(?: now)? (?:must|should|shall|will|can)"
    r"(?: now| always| also| then| simply| just| please)? $"
)
_CONDITION = re.compile(r"\b(?:if|when|unless|before|after|once|while|because|since|as|whether|why|how) you $")
_LEAD_IN = re.compile(
    r"\b(?:please|now|then|but|so|just|instead|kindly|simply|also|therefore|thus|hence|immediately|first|next|finally"
    r"|always|hey|ok|okay|stop|attention|i repeat|i say|i order you|you|from (?:now|here|this point) on|henceforth) $"
    r"|(?:^|[.!?:;>] ?)(?:dear |hey |the )?(?:ai|llm|assistant|model|chatgpt|chatbot|bot|reader|system) $"
)
# "make the model forget", "lets an assistant drop": a causative takes the bare verb.
_CAUSED = re.compile(r"\b(?:make|makes|making|made|lets?|letting|having|helps?|helping) (?:\w{1,14} ){1,4}$")
_COORDINATED = re.compile(r"(?:\b(?:and|or)|,) $")
_CLAUSE_START = re.compile(r"(?:^|[.!?;:)\]}>|#*_~=\-/\\\"'`…。！？；：，、]) ?$")
_REPORTED = re.compile(
    r"\b(?:attackers?|adversar\w{1,6}|hackers?|users|models?|assistants?|someone|anyone|people|payloads?|prompts?"
    r"|inputs?|which|that|who|tr(?:y|ies|ied)|attempts?|asks?|asked|asking|tells?|told|telling|instructs?"
    r"|instructed|tricks?|persuades?|convinces?|makes?|made|wants?|gets?|causes?|leads?|(?:if|when|unless)(?! you\b| asked\b| the user\b))\b"
)

_OPENING = re.compile(r"""(?:^|(?<=[\s(\[{:,;>=]))["'`“‘«]+(?=[^\s"'`])""")
_CLOSING = re.compile(r"""["'`”’»](?=$|[\s.,;:!?)\]}<])""")
_SENTENCE_END = re.compile(r"[.!?。！？](?=[\s\"'”’`]|$)|\n\s?\n")
_QUOTED = re.compile(r"""["“«`'‘][^"“”«»`\n]{1,240}["”»`'’]""")
_WORDING = re.compile(
    r"\b(?:phrases?|sentences?|wordings?|words?|strings?|texts?|messages?|passages?|prompts?|payloads?|commands?"
    r"|instructions?|orders?|requests?|inputs?|comments?|examples?|such as|like|e\.g\.|for instance|says?|said|saying"
    r"|writ(?:e|es|ing|ten)|wrote|reads?|contain(?:s|ed|ing)?|includ(?:e|es|ed|ing)|typ(?:e|es|ed|ing)|means?|called"
    r"|titled|labell?ed|frases?|phrases?|satze?|formulierung(?:en)?|frasi|fras(?:e|es)|expres\w{1,8})\b"
    r"|短语|语句|词句|字样|文字|фраз|слов|文言|語句|フレーズ|という"
)
_ATTACKS = re.compile(
    r"\b(?:attack\w{0,5}|inject\w{0,5}|jailbreak\w{0,5}|malicious|hostile|adversar\w{1,6}|untrusted|suspicious"
    r"|exploit\w{0,5}|phish\w{0,5}|threat\w{0,6}|red.?team\w{0,3}|polic(?:y|ies)|security|logged|block(?:s|ed|ing)?"
    r"|reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)|discard(?:s|ed)|quarantin\w{1,4}|filter(?:s|ed|ing)?|flag(?:s|ged)?"
    r"|detect\w{0,5}|report(?:s|ed)|no effect|never (?:obey|follow|act on|comply)|ignored|harmless|override"
    r"|not (?:be )?(?:obey|follow|act|compl)\w{0,4}|ataques?|attaques?|angriffe?|attacco|attacchi|inyeccion|injecao|iniezione|schadlich\w{0,3})\b"
    r"|攻击|注入|拦截|атак|инъекц|攻撃|インジェクション"
)


def use_of(text: str, start: int, *, line_start: bool = False, shouted: bool = False) -> Use:
    """How the imperative that begins at ``start`` of normalised ``text`` is used, quotation marks aside.

    ``line_start``: a line of the original begins here. ``shouted``: it is in capitals amid text that is not.
    """
    before = text[max(0, start - _BEFORE) : start]
    if before and not before.endswith(" ") and (before[-1].isalnum() or before[-1] == "_"):
        return Use.UNCLEAR
    infinitive = _INFINITIVE.search(before)
    if infinitive:
        return Use.ORDER if _ADDRESSED.search(before) else Use.MENTION
    if _NEGATED.search(before):
        return Use.MENTION
    if _OBLIGED_READER.search(before):
        return Use.ORDER
    if _CONDITION.search(before) or _THIRD_PERSON.search(before):
        return Use.MENTION
    if line_start or shouted or _CLAUSE_START.search(before):
        return Use.ORDER
    if _CAUSED.search(before):
        return Use.MENTION
    if _LEAD_IN.search(before):
        return Use.ORDER
    if _COORDINATED.search(before):
        clause = re.split(r"[.!?;:]", before)[-1]
        return Use.UNCLEAR if _REPORTED.search(clause) else Use.ORDER
    return Use.UNCLEAR


def is_quoted_mention(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` is quoted in a sentence that speaks about the wording of attacks."""
    floor, ceiling = max(0, start - _AROUND), min(len(text), end + _AROUND)
    openings = list(_OPENING.finditer(text, floor, start + 1))
    if not openings:
        return False
    opening = openings[-1]
    if _CLOSING.search(text, opening.end(), start):
        return False
    closing = _CLOSING.search(text, max(start, end - 1), ceiling)
    if closing is None:
        return False
    frame = _frame(text, floor, opening.start(), closing.end(), ceiling)
    return bool(_WORDING.search(frame) and _ATTACKS.search(frame))


def _frame(text: str, floor: int, opening: int, closing: int, ceiling: int) -> str:
    """The sentence around a quotation, the quotation and any others in it left out."""
    begin = floor
    for stop in _SENTENCE_END.finditer(text, floor, opening):
        begin = stop.end()
    stop_after = _SENTENCE_END.search(text, closing, ceiling)
    after = text[closing : stop_after.start() if stop_after else ceiling]
    return _QUOTED.sub(" ", f"{text[begin:opening]} {after}".casefold())
