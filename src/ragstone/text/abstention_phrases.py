"""Phrases in which an answer declines, as data: regular expressions, matched in any case at the start of a clause.

What they mean together is decided in :mod:`ragstone.text.abstention`. When they are matched, apostrophes are straight
and names of the passages are replaced by a mark.
"""

from __future__ import annotations

from ragstone.text.passage_names import MARK

__all__ = ["ELSEWHERE", "EXPLAINS", "LACKS", "REFUSALS"]

_CANNOT = r"(?:can ?not|can't|could not|couldn't)"
_UNABLE = (
    rf"(?:{_CANNOT}|(?:am|are|is|was|were|'m|'re|remain) (?:currently )?(?:unable to|not able to)"
    r"|do not|don't|did not|didn't|have not|haven't|will not|won't|(?:am|'m|are|was) not)"
)
_STRICT_ANSWER = (
    r"(?:answer|determine|tell|confirm|verify|conclude|say|provide|give|establish|ascertain"
    r"|have (?:enough|sufficient))\b"
)
_ANSWER = (
    rf"(?:{_STRICT_ANSWER}|find|found|identify|locate|know|see|help|assist|comment|offer|respond|decide|judge"
    rf"|infer|deduce"
    r"|specify|state|make (?:a|any)|(?:be )?(?:sure|certain|aware)|have (?:an?|any|access|the|specific|further"
    r"|that)|fulfil|comply"
    r"|discuss|speculate)\b"
)
_ANSWERED = (
    r"(?:answered|determined|found|known|inferred|verified|confirmed|established|said|identified|given|ascertained"
    r"|concluded|deduced)"
)
_TOPIC = (
    rf"(?:{MARK}|info|information|context|evidence|details?|data|answers?|mention|indication|references?|knowledge"
    r"|basis|facts|explanation)"
)
_MORE = (
    r"(?:(?:any|enough|sufficient|specific|further|explicit|direct|relevant|clear|definite|definitive|reliable"
    r"|additional|such|much"
    r"|more|adequate|exact) ){0,3}"
)
_TELLS = (
    r"(?:mention|provid|contain|say|stat|specif|includ|giv|indicat|tell|have|has|answer|reveal|offer|discuss"
    r"|address|describ|identif"
    r"|cover|list|nam|explain|defin|disclos|clarif|refer|supply|elaborat|detail|report|show|make|touch|speak"
    r"|explicit|note|allow|help)"
    r"\w*"
)
_ADVERB = (
    r"(?:(?:actually|clearly|directly|explicitly|specifically|really|even|seem to|appear to|currently|further|yet) )"
    r"{0,2}"
)
_DOES_NOT = r"(?:do|does|did|could|can|would|will|has|have|had)(?:n't| not)|can ?not|can't"
_IS_NOT = r"(?:is|are|was|were|has been|have been)(?:n't| not)"
_ENOUGH = r"(?:not (?:enough|sufficient)|insufficient|too little|inadequate|no sufficient)"

REFUSALS = (
    rf"i(?: |(?='m)){_ADVERB}(?:simply |just |honestly |still |therefore |also )?{_UNABLE} {_ADVERB}{_ANSWER}",
    rf"we (?:simply |just |still |therefore |also )?{_UNABLE} {_ADVERB}{_STRICT_ANSWER}",
    rf"(?:i|we) (?:simply |just |still |also )?(?:have|had|see|find|found|could find) (?:no|{_ENOUGH}|nothing)\b"
    rf"(?: \w+)? ?(?:$|idea|comment|way|clue|access|record|{_TOPIC})",
    rf"(?:i |we )(?:lack|(?:need|require|would need)) {_MORE}(?:information|context|details)",
    rf"(?:unable|not able|impossible|not possible) to {_ADVERB}{_ANSWER}",
    rf"{_CANNOT} (?:be )?(?:answer|determin|say|tell|confirm|verif|find|found|identif)\w*",
    r"(?:do not|don't|did not|didn't) (?:know\b(?! that)|have enough\b)|dunno\b|(?:i have )?no (?:idea|clue"
    r"|comment)\b|idk\b",
    rf"(?:(?:there (?:is|are|was|were)|there's|there (?:isn't|aren't|wasn't|weren't)|due to|because of|with"
    rf"|given|not) )?"
    rf"(?:{_ENOUGH}|enough|sufficient) (?:\w+ )?{_TOPIC}"
    r"(?=$|[.,;:!]| (?:(?:(?:is|are|was|were) )?(?:available|provided|given (?:here|in|by|to (?:me|answer"
    r"|determine))|present|here|at hand)"
    r"|(?:to|for me to) \w+|in|about|on|regarding|concerning|from|within)\b)",
    rf"(?:it|this|that|the (?:\w+ ){{0,2}}(?:answer|question|information|claim|statement|truth|\w+)|(?:this"
    rf"|your) question|whether\b.{{1,80}})"
    rf" {_CANNOT} be (?:\w+ly )?{_ANSWERED}",
    r"it (?:is|was|remains)(?: not|n't)? (?:possible|impossible|difficult|hard) to (?:say|tell|determine"
    r"|answer|know|confirm|identify|conclude"
    r"|establish|ascertain)",
    r"no (?:\w+ )?(?:answer|conclusion) (?:can|could) be\b",
    r"(?:unanswerable|not answerable|n/?a|unknown|not known|unclear|undetermined|not sure|not certain|unsure"
    r"|inconclusive|none given"
    r"|nothing relevant|no answer(?: found| available| given)?|no (?:relevant )?info(?:rmation)?(?: found"
    r"| available| provided)?)$",
    r"(?:nei|not enough info(?:rmation)?)$",
)
"""Saying outright that there is no answer."""

LACKS = (
    rf"{MARK} (?:{_DOES_NOT}) {_ADVERB}{_TELLS}",
    rf"{MARK} (?:only |also |just )?(?:(?:contain|provide|give|offer|include|hold|have|has|make|show|supply"
    rf"|carry|carries)s? (?:no|nothing|neither"
    r"|none|little|not)\b|(?:say|tell|mention|reveal)s? (?:us |me )?(?:no|nothing)\b|lacks?\b|omits?\b"
    r"|fails? to\b|leaves? (?:it )?(?:open|unclear)"
    r"|(?:is|are|remains?)(?: not|n't)? (?:silent|insufficient|unclear|irrelevant|unrelated|sufficient|enough"
    r"|clear|relevant|specific|related"
    r"|inconclusive)\b)",
    rf"(?:none|neither|nothing|not one|no one)(?: \w+)? (?:of|in|from) {MARK}",
    rf"(?:no|neither) (?:\w+ )?{MARK} {_TELLS}",
    rf"(?:there (?:is|are|was|were) (?:no|nothing|not (?:an?|any|enough))|there (?:isn't|aren't|wasn't"
    rf"|weren't)(?: an?| any| enough)?|there's no|no)"
    rf" {_MORE}(?:mention|info|information|details?|answers?|indication|references?|explanation)"
    r"(?=$|[.,;]| (?:of|about|on|as to|regarding|concerning|for|to|in|from|within|here|that|who|which|where"
    r"|when|how|why|what|whether|available"
    r"|provided|given|found|(?:is|are|was|were|has been) (?:available|provided|given|found|included|present"
    r"|mentioned|stated))\b)",
    rf"(?:there (?:is|are|was|were) no(?:thing)?|no|nothing|none)\b[^,;]{{0,100}}\b(?:in|by|within|from) {MARK}",
    rf"[^,;]{{1,160}}\b{_IS_NOT} (?:been )?{_ADVERB}(?:\w+ly )?(?:mention|specifi|stat|provid|giv|discuss"
    rf"|found|includ|availab|disclos|describ"
    r"|cover|address|nam|indicat|list|contain|present|answer|clear|known|explain|identif|detail|defin|record)\w*"
    rf" (?:\w+ )?(?:in|by|within|from|anywhere in) {MARK}",
    rf"[^,;]{{1,160}}\b{_IS_NOT} (?:\w+ly )?(?:mentioned|specified|stated)(?: here| there| anywhere)?$",
    rf"(?:the|this|that|such|any|more|further|updated|correct|requested)(?: \w+){{0,2}} (?:information|answer"
    rf"|detail)s? (?:itself )?{_IS_NOT}"
    r" (?:\w+ )?(?:provided|given|available|included|present|stated|mentioned|specified|there|contained|found)",
    r"(?:it|this)(?: is|'s| remains) (?:not clear|unclear|uncertain|not stated|not specified|not mentioned"
    r"|unspecified)",
    rf"it(?: is|'s| remains) (?:not known|unknown)[^,;]{{0,100}} (?:from|in|based on|given) {MARK}",
    rf"not (?:\w+ly )?(?:mentioned|specified|stated|provided|given|available|found|included|discussed|covered"
    rf"|described|disclosed|clear)"
    rf"(?: (?:in|by|from|within) {MARK})?$",
    rf"not (?:in|from) {MARK}$",
    r"(?:i am|i'm|we are|we're) (?:not (?:sure|certain)|unsure|uncertain)",
)
"""Saying that the passages lack the answer."""

_ES_SAYS = r"(?:menciona|especifica|proporciona|contiene|indica|incluye|dice|ofrece|aparece)\w*"
_PT_SAYS = r"(?:menciona|especifica|fornece|contém|contêm|indica|inclui|diz|informa|oferece)\w*"
_DE_SOURCE = r"(?:kontext|texte?n?|dokumente?n?|passagen?|quellen?|abschnitte?n?)"
_ZH_SOURCE = r"(?:上下文|文档|文件|资料|資料|段落|文中|原文|文本|内容|信息)"
ELSEWHERE = (
    # Spanish
    r"no (?:hay|tengo|dispongo de|contamos con|existe|se dispone de) (?:suficiente|bastante"
    r"|la )?\s?(?:información|datos|contexto)",
    r"informaci[oó]n (?:es )?insuficiente",
    r"^no (?:puedo|podemos|se puede|es posible|soy capaz de) (?:determinar|responder|contestar|saber|encontrar"
    r"|confirmar)",
    rf"^no (?:lo )?(?:sé|sabemos)\b|^(?:no|tampoco) se {_ES_SAYS}",
    rf"(?:contexto|textos?|documentos?|pasajes?|fuentes?|fragmentos?)(?: \w+){{0,2}} no (?:lo |se )?{_ES_SAYS}",
    # French
    r"(?:pas|ni) (?:assez|suffisamment) (?:d'|de )(?:informations?|éléments|données|contexte)"
    r"|informations? (?:est |sont )?insuffisantes?",
    r"^je ne (?:peux|puis|suis|sais|connais|dispose|trouve)\b[^.]{0,30}\b(?:pas\b|en mesure)"
    r"|^(?:il est )?impossible de (?:répondre|déterminer|dire|savoir)",
    r"(?:contexte|textes?|documents?|passages?|sources?|extraits?)(?: \w+){0,2} ne (?:le |la |l')?(?:mentionn"
    r"|précis|fourni|contien|indiqu|donn|di[ts]|permet)\w*",
    # German
    r"nicht (?:genug|genügend|ausreichend\w*) (?:informationen|angaben|daten|kontext)"
    r"|^unzureichende (?:informationen|angaben)",
    r"keine (?:ausreichenden |hinreichenden )?(?:informationen|angaben|antwort) (?:über|zu|zur|zum|dazu"
    r"|darüber|vor|darauf|verfügbar|gefunden)",
    r"^(?:ich|wir) (?:kann|können)\b[^.]{0,80}\bnicht (?:beantworten|bestimmen|sagen|feststellen|beurteilen)"
    r"|^(?:ich weiß|ich weiss|wir wissen)\b(?: es| das)? nicht",
    r"lässt sich [^.]{0,60}\bnicht (?:beantworten|bestimmen|sagen|ermitteln|feststellen|entnehmen)",
    rf"\b{_DE_SOURCE}\b[^.]{{0,30}} (?:erwähn|enth[aä]l|nenn|geb|gib|lief|sag|beinhalt"
    rf"|mach)\w*\b[^.]{{0,60}}\b(?:nicht|keine?n?|nichts)\b",
    # Portuguese
    r"(?:não|nao) (?:há|ha|tenho|temos|existem?|dispomos de) (?:informaç\w+|dados suficientes"
    r"|contexto suficiente)|informaç(?:ão|ões) insuficientes?",
    r"^(?:não|nao) (?:posso|consigo|podemos|é possível|sou capaz de) (?:determinar|responder|dizer|encontrar"
    r"|saber|confirmar)",
    rf"^(?:não|nao) (?:sei|sabemos)\b|^(?:não|nao) se {_PT_SAYS}",
    rf"(?:contexto|textos?|documentos?|trechos?|fontes?)(?: \w+){{0,2}} (?:não|nao) {_PT_SAYS}",
    # Italian
    r"non (?:ci sono|ho|abbiamo|c'è|dispongo di) (?:abbastanza |sufficienti )?(?:informazion\w"
    r"|dati sufficienti|contesto)|informazioni insufficienti",
    r"^non (?:posso|possiamo|è possibile|sono in grado di|riesco a) (?:determinare|rispondere|dire|trovare"
    r"|sapere|stabilire)|^non (?:lo )?so\b",
    r"(?:contesto|testo|documenti?|brani?|passaggi?|font[ei])(?: \w+){0,2} non (?:menziona|specifica|fornisc"
    r"|contien|contengo|indica|dic|include|riporta)\w*",
    # Chinese
    r"(?:信息|資訊|资料|資料|证据)(?:不足|不够|不夠|有限)|(?:没有|沒有|缺乏|无)(?:足够|足夠|相关|相關|提供|任何)的?(?:信息|資訊|资料|資料|证据|数据|内容)",
    rf"{_ZH_SOURCE}[^，。]{{0,8}}(?:未|没有|沒有|并未)(?:提及|提到|说明|提供|給出|给出|包含)",
    r"(?:^|我|我们|因此|所以|，)(?:无法|無法|不能|难以)(?:确定|確定|回答|判断|判斷|得知|找到|提供)|(?:^|我|我们)不(?:知道|清楚|确定|確定)",
)
"""The same in other languages; searched anywhere in a clause."""

EXPLAINS = (
    rf"{MARK} (?:\w+ly )?(?:only |just |merely |simply |mainly |primarily |mostly )*"
    r"(?:discuss|talk|focus|describ|cover|deal|relat|concern|contain|provid|includ|refer|mention|address"
    r"|speak)\w*\b(?! that\b)(?!.*[\"“])",
    rf"{MARK} (?:is|are) (?:only |just |mainly )?(?:about|limited|unrelated|silent)\b",
    r"(?:more|further|additional|other) (?:information|context|details|research|sources|evidence|data)\b",
    r"(?:please|could you|you (?:may|might|could|can|should)|consider|i (?:would )?(?:suggest|recommend)|try"
    r"|if (?:you|more|there)|a (?:different|more))\b",
    r"(?:without|unless|until) (?:more|further|additional|any|this|that|such|it)\b",
)
"""Telling what the passages are about, or what would be needed."""
