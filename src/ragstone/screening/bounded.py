"""A check that a regular expression cannot run away on hostile text.

The standard library's engine backtracks: one unbounded repeat makes a search quadratic, nested ones exponential. With
every repeat bounded, the work at each position is bounded too, so a search is linear in the length of the text. A
linear engine would make this needless, but google-re2 has no wheel for musl-based Linux.
"""

from __future__ import annotations

import re

__all__ = ["LONGEST_NEST", "LONGEST_REPEAT", "check_bounded"]

LONGEST_REPEAT = 250
LONGEST_NEST = 1500

_TOKEN = re.compile(
    r"""(?P<escape>\\(?:[xuU][0-9a-fA-F]+|N\{[^}]*\}|.))
    |(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])
    |(?P<open>\((?:\?(?:P?<\w+>|[:>]|<?[=!]|[aiLmsux-]+:|P=\w+|\(\w+\)))?)
    |(?P<close>\))
    |(?P<repeat>(?:[*+?]|\{\d*,?\d*\})[?+]?)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_BOUNDS = re.compile(r"\{(\d*)(,?)(\d*)\}")


def check_bounded(pattern: str) -> str | None:
    """What makes ``pattern`` unsafe, in words; None when every repeat is bounded and no backreference is used."""
    nests = [1]  # per open group, the largest number of rounds inside it
    closed = 1  # the same for the item that a repeat would apply to
    for token in _TOKEN.finditer(pattern):
        text, kind = token.group(), token.lastgroup
        if kind == "escape" and text[1:2].isdigit() and text != r"\0":
            return f"backreference {text} at {token.start()}"
        if kind == "open":
            if text.startswith(("(?P=", "(?(")):
                return f"backreference {text}…) at {token.start()}"
            nests.append(1)
            closed = 1
        elif kind == "close" and len(nests) > 1:
            closed = nests.pop()
            nests[-1] = max(nests[-1], closed)
        elif kind == "repeat":
            most = _most(text)
            if most is None:
                return f"unbounded repeat {text!r} at {token.start()}; write {{0,N}} with N up to {LONGEST_REPEAT}"
            if most > LONGEST_REPEAT:
                return f"repeat {text!r} at {token.start()} is above {LONGEST_REPEAT}"
            rounds = closed * max(most, 1)
            if rounds > LONGEST_NEST:
                return f"repeats nested up to {rounds} rounds at {token.start()}; at most {LONGEST_NEST}"
            nests[-1] = max(nests[-1], rounds)
        else:
            closed = 1
    return None


def _most(repeat: str) -> int | None:
    """The upper bound of a quantifier; None when it has none. Braces that are no quantifier count as one round."""
    if repeat[0] in "*+":
        return None
    if repeat[0] == "?":
        return 1
    bounds = _BOUNDS.match(repeat)
    if bounds is None or not (bounds[1] or bounds[3]):
        return None if bounds is not None and bounds[2] else 1
    if not bounds[2]:
        return int(bounds[1])
    return int(bounds[3]) if bounds[3] else None
