"""The order of labels comes from the model, never from habit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ragstone.backends import open_nli
from ragstone.backends.nli.callable import CallableNLI
from ragstone.backends.nli.labels import LABELS, label_order, read_json
from ragstone.errors import BackendError, InputError, ModelError


def test_order_is_read_by_name() -> None:
    bart = {"id2label": {"0": "contradiction", "1": "neutral", "2": "entailment"}}
    assert label_order(bart, "bart") == (2, 1, 0)
    upper = {"id2label": {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}}
    assert label_order(upper, "upper") == (0, 1, 2)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}},
        {"id2label": {"0": "entailment", "1": "not_entailment"}},
        {"id2label": ["entailment", "neutral", "contradiction"]},
    ],
)
def test_a_model_without_the_three_names_is_refused(config: dict[str, object]) -> None:
    with pytest.raises(ModelError, match="id2label"):
        label_order(config, "m")


def test_configs_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="absent"):
        read_json(tmp_path / "absent.json")
    (tmp_path / "list.json").write_text(json.dumps([1]))
    with pytest.raises(ModelError, match="JSON object"):
        read_json(tmp_path / "list.json")


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="tokenizer"):
        open_nli(f"onnx:{tmp_path}")


@pytest.mark.parametrize("name", ["onnx", "transformers", "embedded:other", "bert"])
def test_incomplete_or_unknown_names_say_what_is_known(name: str) -> None:
    with pytest.raises(InputError):
        open_nli(name)


def test_a_callable_must_give_probabilities() -> None:
    good = CallableNLI(lambda pairs: np.tile([0.2, 0.3, 0.5], (len(pairs), 1)), "f")
    assert good.score([("a", "b")]).shape == (1, 3)


@pytest.mark.parametrize("bad", [[[1.0, 1.0, 1.0]], [[0.5, 0.5]], [], "nonsense"])
def test_anything_else_is_a_failure(bad: object) -> None:
    with pytest.raises(BackendError, match="NLI function f"):
        CallableNLI(lambda pairs: bad, "f").score([("a", "b")])


@pytest.mark.parametrize(
    "names",
    [
        {"first": "entailment", "second": "neutral", "third": "contradiction"},
        {"0": "entailment", "1": "neutral", "3": "contradiction"},
        {None: "entailment", "1": "neutral", "2": "contradiction"},
    ],
)
def test_positions_that_are_none_are_refused(names: dict[object, str]) -> None:
    with pytest.raises(ModelError, match="id2label"):
        label_order({"id2label": names}, "m")


def test_a_folder_whose_tokenizer_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"")
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "config.json").write_text(json.dumps({"id2label": dict(enumerate(LABELS))}))
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        open_nli(f"onnx:{tmp_path}")


def test_a_length_limit_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"")
    (tmp_path / "tokenizer.json").write_text("{}")
    config = {"id2label": dict(enumerate(LABELS)), "max_position_embeddings": "many"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="max_position_embeddings"):
        open_nli(f"onnx:{tmp_path}")
