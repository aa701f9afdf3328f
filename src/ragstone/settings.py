"""Settings: defaults, then a TOML file, then ``RAGSTONE_…`` variables, then explicit values, in rising order.

    settings = load_settings("ragstone.toml", overrides={"trust.threshold": 0.6})

A variable names a section and a key with a double underscore: ``RAGSTONE_TRUST__THRESHOLD=0.6``;
``RAGSTONE_PRESET=paper``; an empty one counts as not set. Unknown keys and bad values raise :class:`SettingsError`
naming them and where they stood.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ragstone.errors import SettingsError

__all__ = [
    "GenerationSettings",
    "ModelSettings",
    "RetrievalSettings",
    "ScreeningSettings",
    "Settings",
    "TrustSettings",
    "VerificationSettings",
    "load_settings",
]

Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]
ENVIRONMENT_PREFIX = "RAGSTONE_"
# Variables with the prefix that are not settings: where data sets, and a settings file, are found.
RESERVED_VARIABLES = frozenset({"RAGSTONE_DATA", "RAGSTONE_CONFIG", "RAGSTONE_MODELS"})
Signal = Literal["linguistic", "structure", "intra_document", "cross_document", "semantic_outlier"]
SIGNALS: tuple[Signal, ...] = get_args(Signal)


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TrustSettings(_Section):
    """The Trust Index (paper 000, section III-C)."""

    factuality_weight: Share = 0.40
    consistency_weight: Share = 0.35
    poison_weight: Share = 0.25
    threshold: Share = Field(0.5, description="tau: trustworthy when T >= tau")
    dampener_start: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.70
    dampener_strength: Share = Field(0.40, description="share taken off T at P = 1")
    low_retrieval: Annotated[float, Field(gt=0.0, le=1.0)] = Field(0.30, description="best score below it lowers T")

    @model_validator(mode="after")
    def _some_weight(self) -> TrustSettings:
        if self.factuality_weight + self.consistency_weight + self.poison_weight <= 0:
            raise ValueError("at least one of the three weights must be above 0")
        return self


class ScreeningSettings(_Section):
    """Stage 1: the five poison signals and the consistency estimator (paper 000, section III-B)."""

    signals: tuple[Signal, ...] = SIGNALS
    flag_threshold: Share = Field(0.70, description="a passage whose P_i is above it is flagged")
    contradiction: Share = Field(0.50, description="K above it makes a pair contradicting")
    same_topic: Share = Field(0.50, description="cosine from which two sentences are compared")
    patterns: tuple[Path, ...] = Field((), description="further pattern files (TOML)")


class VerificationSettings(_Section):
    """Stage 2: NLI of the passages against the answer (paper 000, section III-A)."""

    meaningful: Share = Field(0.40, description="E above it is a meaningful entailment")
    supported: Share = Field(0.50, description="E above it supports")
    contradicted: Share = Field(0.50, description="K above it contradicts")


class RetrievalSettings(_Section):
    """Chunks and search."""

    top_k: Annotated[int, Field(ge=1, le=1000)] = 5
    chunk_tokens: Annotated[int, Field(ge=16, le=8192)] = 512
    chunk_overlap: Annotated[int, Field(ge=0)] = 50

    @model_validator(mode="after")
    def _overlap_below_size(self) -> RetrievalSettings:
        if self.chunk_overlap >= self.chunk_tokens:
            raise ValueError("chunk_overlap must be below chunk_tokens")
        return self


class ModelSettings(_Section):
    """Names of backends, ``NAME`` or ``NAME:ARGUMENT``; ``ragstone models`` lists them."""

    embedder: str = "minilm"
    nli: str = "embedded"
    generator: str = "smollm2"
    threads: Annotated[int, Field(ge=0)] = Field(
        0, description="threads of the local models; 0: all cores (generator: all idle ones)"
    )


class GenerationSettings(_Section):
    """How answers are generated."""

    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.1
    max_tokens: Annotated[int, Field(ge=1)] = 512
    seed: int = 42
    base_url: str | None = Field(None, description="of an OpenAI-compatible endpoint")
    api_key_variable: str = Field("OPENAI_API_KEY", description="environment variable that holds the key")
    timeout: Positive = Field(120.0, description="seconds")
    retries: Annotated[int, Field(ge=0, le=10)] = 2


class Settings(_Section):
    """All settings. Frozen; :meth:`fingerprint` identifies what a verdict depends on.

    Made directly, a bad value raises pydantic's ``ValidationError`` (a ValueError); :func:`load_settings` tells it as
    a :class:`SettingsError` that names where it came from.
    """

    preset: Literal["full", "paper"] = "full"
    trust: TrustSettings = TrustSettings()
    screening: ScreeningSettings = ScreeningSettings()
    verification: VerificationSettings = VerificationSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    models: ModelSettings = ModelSettings()
    generation: GenerationSettings = GenerationSettings()

    def fingerprint(self, *identities: str) -> str:
        """16 hex digits over what a verdict depends on: Ragstone's version, the preset, the sections trust, screening
        (with the content of its pattern files) and verification, and the models' ``identities``.

        Raises :class:`SettingsError` when a pattern file cannot be read.
        """
        from ragstone import __version__

        relevant = self.model_dump(mode="json", include={"preset", "trust", "screening", "verification"})
        relevant["screening"]["patterns"] = [_digest(path) for path in self.screening.patterns]
        text = json.dumps([__version__, relevant, *identities], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise SettingsError(f"screening.patterns: cannot read {path}: {error.strerror}") from error


def load_settings(
    path: str | Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """Settings from ``path`` (TOML; default: ``$RAGSTONE_CONFIG`` if set), the environment and ``overrides``.

    ``overrides`` maps dotted keys (``"trust.threshold"``) to values; None values are skipped.
    """
    variables = os.environ if environment is None else environment
    if path is None and variables.get("RAGSTONE_CONFIG"):
        path = variables["RAGSTONE_CONFIG"]
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    if path is not None:
        _merge(values, _read_toml(Path(path)), origins, f"file {path}")
    for name in sorted(variables):
        # Empty is how deployment files leave a variable out; as a list it would switch every signal off.
        if name.startswith(ENVIRONMENT_PREFIX) and name not in RESERVED_VARIABLES and variables[name].strip():
            key = name.removeprefix(ENVIRONMENT_PREFIX).lower().replace("__", ".")
            _merge(values, _nested(key, _plain(key, variables[name])), origins, f"variable {name}")
    for key, value in (overrides or {}).items():
        if value is not None:
            _merge(values, _nested(key, value), origins, "argument")
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise SettingsError(_explain(error, origins)) from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"cannot read the settings file {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"the settings file {path} is not valid TOML: {error}") from error


def _plain(key: str, value: str) -> Any:
    """Lists come from the environment as comma-separated text; all else is converted by the section's types."""
    return [part.strip() for part in value.split(",") if part.strip()] if key in _LIST_KEYS else value


_LIST_KEYS = frozenset({"screening.signals", "screening.patterns"})


def _nested(dotted: str, value: Any) -> dict[str, Any]:
    for part in reversed(dotted.split(".")):
        value = {part: value}
    return dict(value)


def _merge(
    target: dict[str, Any], source: Mapping[str, Any], origins: dict[str, str], origin: str, at: str = ""
) -> None:
    for key, value in source.items():
        dotted = f"{at}.{key}" if at else key
        if isinstance(value, Mapping) and isinstance(target.get(key, {}), dict):
            _merge(target.setdefault(key, {}), value, origins, origin, dotted)
        else:
            target[key] = value
            origins[dotted] = origin


def _explain(error: ValidationError, origins: Mapping[str, str]) -> str:
    lines = []
    for item in error.errors():
        key = ".".join(str(part) for part in item["loc"] if not isinstance(part, int))
        origin = next((o for k, o in origins.items() if k == key or k.startswith(f"{key}.")), None)
        where = f" (from {origin})" if origin else ""
        if item["type"] == "extra_forbidden":
            lines.append(f"unknown setting {key!r}{where}; known here: {', '.join(_known(item['loc']))}")
        else:
            lines.append(f"setting {key!r}{where}: {item['msg']}, got {item['input']!r}")
    return "; ".join(lines)


def _known(location: tuple[int | str, ...]) -> list[str]:
    model: type[BaseModel] = Settings
    for part in location[:-1]:
        field = model.model_fields.get(str(part))
        if field is None or not isinstance(field.annotation, type) or not issubclass(field.annotation, BaseModel):
            break
        model = field.annotation
    return sorted(model.model_fields)
