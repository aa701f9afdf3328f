"""Shows the cross-reference roles of the docstrings (``:class:`X```) as plain code, as mkdocstrings reads Markdown."""

from __future__ import annotations

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:attr|class|exc|func|meth|mod):`~?([^`]+)`")


class Roles(griffe.Extension):
    """Griffe extension: drops the role and keeps its target."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _ROLE.sub(r"`\1`", obj.docstring.value)
