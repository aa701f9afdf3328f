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

__all__ = ["Use", "is_quoted_mention", "is_token_talk", "use_of"]


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
_LABELLED = re.compile(r"[:>] ?to $")
_INFINITIVE = re.compile(r"\bto (?:\w{1,12}ly |also |then |just )?$")
# "to" that turns an order to the reader into an infinitive: "you are to", "make sure to", "do not fail to".
_ADDRESSED = re.compile(
    r"\b(?:you(?:'re| are| need| have| must| will need| will have| ought)?(?: now| all| hereby)?"
    r"(?: instructed| ordered| required| told| asked| expected| directed| supposed| going| commanded| free)?"
    r"|(?:be|make|making) (?:sure|certain)|remember|fail|forget|hesitate"
    r"|(?:is|are|was|becomes) (?:(?:now|important|essential|vital|crucial|necessary|mandatory|imperative|time) )?"
    r"|(?:task|job|goal|role|duty|orders?|instructions?) (?:is|are)(?: now)?) "
    r"to (?:\w{1,12}ly |also |then |just )?$"
)
# "a page that tells you to …" reports an order; "the developer wants you to …" borrows authority for one.
_TOLD_BY_OTHERS = re.compile(
    r"\b(?:tells|told|telling|asks|asked|asking|orders|ordered|ordering|instructs|instructed|instructing|wants|wanted"
    r"|urges|urged|invites|tempts|encourages|commands|requests) you to (?:\w{1,12}ly |also |then |just )?$"
)
_AUTHORITY = re.compile(
    r"\b(?:developers?|administrators?|admins?|system|operators?|user|owner|company|openai|anthropic|google|vendor|we|i"
    r"|creators?|supervisor|management|security team)(?: (?:has|have|had|now|hereby|therefore|team)){0,2} "
    r"\w{4,12} you to "
)
_THIRD_PERSON = re.compile(
    r"(?:\b(?:may|might|can|could|would|will|did|does|must|should|shall|they|we|who|which|that|people|users|models"
    r"|attackers|i|he|she|it)|'d|'ll) (?:\w{1,12}ly |also |just |then |simply )?$"
)
_OBLIGED_READER = re.compile(
    r"\b(?:you(?: now)? (?:must|should|shall|will|can)"
    r"|(?:assistants?|ai|llms?|model|chatbot|bot|system|reader|agent)(?: now)? (?:must|should|shall))"
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
    r"|instructed|tricks?|persuades?|convinces?|makes?|made|wants?|gets?|causes?|leads?"
    r"|(?:if|when|unless)(?! you\b| asked\b| the user\b))\b"
)
# "Ask the customer … and post it": the first of two orders, not a report of one.
_COMMAND_HEAD = re.compile(r"^ ?(?:please |then |now )?(?:ask|tell|instruct|try|get|make|persuade|convince)\b")

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
    r"|exploit\w{0,5}|phish\w{0,5}|threat\w{0,6}|red.?team\w{0,3}|risks?|risky|vulnerab\w{1,6}|trick(?:s|ed|ing)?"
    r"|fool(?:s|ed|ing)?|researchers?|demonstrat\w{1,4}|test(?:s|ed|ers?|ing)|polic(?:y|ies)|security|logged"
    r"|block(?:s|ed|ing)?|reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)|discard(?:s|ed)|quarantin\w{1,4}|filter(?:s|ed|ing)?"
    r"|flag(?:s|ged)?|detect\w{0,5}|report(?:s|ed)|ignored|harmless|override|no effect"
    r"|never (?:obey|follow|act on|comply)|not (?:be )?(?:obey|follow|act|compl)\w{0,4}"
    r"|ataques?|attaques?|angriffe?|attacco|attacchi|inyeccion|injecao|iniezione|schadlich\w{0,3})\b"
    r"|\b(?:if|when|whenever|should)\b[^.!?]{1,60}\b(?:says?|said|reads|contains|asks|tells|includes|writes|claims)\b"
    r"|攻击|注入|拦截|атак|инъекц|攻撃|インジェクション"
)


def use_of(text: str, start: int, *, line_start: bool = False, shouted: bool = False) -> Use:
    """How the imperative that begins at ``start`` of normalised ``text`` is used, quotation marks aside.

    ``line_start``: a line of the original begins here. ``shouted``: it is in capitals amid text that is not.
    """
    before = text[max(0, start - _BEFORE) : start]
    if before and not before.endswith(" ") and (before[-1].isalnum() or before[-1] == "_"):
        return Use.UNCLEAR
    if _LABELLED.search(before):
        return Use.ORDER
    if _INFINITIVE.search(before):
        if _TOLD_BY_OTHERS.search(before) and not _AUTHORITY.search(before):
            return Use.UNCLEAR
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
        clause = _COMMAND_HEAD.sub("", re.split(r"[.!?;:]", before)[-1])
        return Use.UNCLEAR if _REPORTED.search(clause) else Use.ORDER
    return Use.UNCLEAR


_TOKEN_TALK = re.compile(
    r"\b(?:tokens?|delimiters?|markers?|(?:chat |prompt )?(?:templates?|formats?)|chatml|syntax|tags?"
    r"|special strings?)\b"
)
_ROLE_AFTER = re.compile(r"\s{0,2}(?:system|user|assistant|developer|tool|model|ipython|you are|sure)\b")


def is_token_talk(text: str, start: int, end: int) -> bool:
    """Whether the template token ``text[start:end]`` is written about: no role or turn follows it at once, and its
    sentence speaks of tokens, templates or formats."""
    if _ROLE_AFTER.match(text, end):
        return False
    return bool(_TOKEN_TALK.search(_frame(text, max(0, start - _AROUND), start, end, min(len(text), end + _AROUND))))


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
