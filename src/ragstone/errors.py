"""Every exception Ragstone raises on purpose.

    RagstoneError
    ├── InputError            what the caller gave cannot be used (also a ValueError)
    │   └── SettingsError     an unknown setting, or a value out of range
    ├── MissingDependencyError  an optional package is not installed (also an ImportError)
    ├── ModelError            a model cannot be found, or its file is not the pinned one
    ├── IndexMismatchError    an index built by another embedder, or a damaged one
    └── BackendError          a model or an endpoint failed while it worked
        └── EmptyAnswerError  a generator returned no text, or only its reasoning

A message says what was wrong, what was expected and what to do.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = [
    "BackendError",
    "EmptyAnswerError",
    "IndexMismatchError",
    "InputError",
    "MissingDependencyError",
    "ModelError",
    "RagstoneError",
    "SettingsError",
]


class RagstoneError(Exception):
    """Base of all errors of this package."""


class InputError(RagstoneError, ValueError):
    """A value given by the caller cannot be used."""


class SettingsError(InputError):
    """A setting is unknown or its value is not allowed."""


class MissingDependencyError(RagstoneError, ImportError):
    """An optional package is needed for what was asked."""


class ModelError(RagstoneError):
    """A model is absent, or its file differs from the pinned one."""


class IndexMismatchError(RagstoneError):
    """A stored index does not fit the embedder, or cannot be read."""


class BackendError(RagstoneError):
    """A model or an endpoint failed."""


class EmptyAnswerError(BackendError):
    """A generator returned nothing that can be read as an answer."""


def optional_import(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import ``module`` or raise :class:`MissingDependencyError` with the line that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        absent = isinstance(error, ModuleNotFoundError) and error.name in (package, module)
        state = "is not installed" if absent else f"cannot be imported ({error})"
        raise MissingDependencyError(
            f"{purpose} needs the package {package!r}, which {state}. Install it with: pip install 'ragstone[{extra}]'"
        ) from error
