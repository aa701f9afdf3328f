"""Where an OpenAI-compatible endpoint is and with which key it is asked: from the settings, then the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ragstone.errors import SettingsError
from ragstone.settings import GenerationSettings

__all__ = ["DEFAULT_BASE_URL", "Endpoint", "resolve_endpoint", "without_secrets"]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
# Local servers ask for no key, but the client refuses to be made without one.
_NO_KEY = "none"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """``name`` is the URL without what may be secret in it, for identities and messages."""

    base_url: str = field(repr=False)
    api_key: str = field(repr=False)
    name: str


def resolve_endpoint(settings: GenerationSettings) -> Endpoint:
    """``generation.base_url``, else ``$OPENAI_BASE_URL``, else OpenAI's own; the key from the variable that
    ``generation.api_key_variable`` names.

    Raises SettingsError for a URL that is none, and for a missing key at OpenAI's own endpoint.
    """
    base_url = settings.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsError(
            f"generation.base_url: {base_url!r} is not the URL of an endpoint; expected one like http://localhost:11434/v1"
        )
    key = os.environ.get(settings.api_key_variable)
    if not key and base_url.rstrip("/") == DEFAULT_BASE_URL:
        raise SettingsError(
            f"the endpoint {base_url} needs a key: set the environment variable {settings.api_key_variable}, "
            "or generation.base_url to another endpoint"
        )
    return Endpoint(base_url, key or _NO_KEY, without_secrets(base_url))


def without_secrets(url: str) -> str:
    """Scheme, host and path: user information and query may hold a key, and identities are written into files."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"
