"""Turn a trained checkpoint into the model that ships: calibrate, export, quantise, score, describe.

    python export.py --checkpoint DIR --data DIR --out ../../src/ragstone/data/nli [--float-scores]

1. The temperature is fitted on pairs held out of the *training* sets and folded into the last layer.
2. The network goes to ONNX and its weights to int8, per output channel. Activations are quantised at run time; the
   package runs every pair alone, so a pair's score cannot depend on its batch.
3. Both networks are scored on every dev set, on the pairs as the package would read them, and ``MODEL_CARD.md`` and
   ``manifest.json`` (SHA-256, tokens, labels) are written beside the weights.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from card import model_card
from data import LABELS, mixture, read
from onnxruntime.quantization import QuantType, quantize_dynamic
from scores import Scores, softmax, table
from tokenizers import Tokenizer
from transformers import BertForSequenceClassification

MAX_TOKENS = 112
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class Logits(torch.nn.Module):
    def __init__(self, model: BertForSequenceClassification) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        return self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).logits


def load(checkpoint: Path, base: Path) -> tuple[BertForSequenceClassification, int]:
    """The model of a training folder (its ``checkpoint.pt``), and the step it was written at."""
    saved = torch.load(checkpoint / "checkpoint.pt", weights_only=True)
    model = BertForSequenceClassification.from_pretrained(
        base,
        num_labels=3,
        attn_implementation="eager",
        id2label=dict(enumerate(LABELS)),
        label2id={name: i for i, name in enumerate(LABELS)},
    )
    model.load_state_dict(saved["model"])
    return model.eval(), int(saved["step"])


def export(model: BertForSequenceClassification, path: Path) -> None:
    ids = torch.randint(1000, 2000, (2, 16))
    axes = {name: {0: "batch", 1: "sequence"} for name in INPUTS} | {"logits": {0: "batch"}}
    torch.onnx.export(
        Logits(model),
        (ids, torch.ones_like(ids), torch.zeros_like(ids)),
        str(path),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )


def quantise(source: Path, target: Path) -> None:
    """Weights to int8 per channel, of which 7 bits are used, so that the 16-bit sums of AVX2 cannot overflow."""
    quantize_dynamic(
        str(source),
        str(target),
        op_types_to_quantize=["MatMul", "Gather"],
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        extra_options={"MatMulConstBOnly": True},
    )


def logits(model: Path, tokenizer: Tokenizer, rows: list[dict[str, str]]) -> np.ndarray:
    """Of shape (rows, 3); each pair runs alone, two at a time."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])

    def one(encoding) -> np.ndarray:
        feed = {
            "input_ids": np.array([encoding.ids]),
            "attention_mask": np.array([encoding.attention_mask]),
            "token_type_ids": np.array([encoding.type_ids]),
        }
        return session.run(None, feed)[0][0]

    encodings = tokenizer.encode_batch([(r["premise"], r["hypothesis"]) for r in rows])
    with ThreadPoolExecutor(2) as pool:
        return np.array(list(pool.map(one, encodings)))


def fit_temperature(values: np.ndarray, labels: np.ndarray) -> float:
    """The temperature in [0.5, 4] with the least negative log-likelihood."""
    candidates = np.linspace(0.5, 4.0, 351)
    losses = [-np.log(softmax(values / t)[np.arange(len(labels)), labels] + 1e-12).mean() for t in candidates]
    return float(candidates[int(np.argmin(losses))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True, help="the --out folder of train.py")
    parser.add_argument("--base", type=Path, required=True, help="the same --base as for train.py")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sample", type=int, help="score only so many pairs of each dev set")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(args.base / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    tokenizer.no_padding()
    model, step = load(args.checkpoint, args.base)
    _, held = mixture(args.data)
    held_labels = np.array([LABELS.index(r["label"]) for r in held])
    dev = read(args.data / "dev.jsonl.gz")
    if args.sample:
        seen: dict[str, int] = {}
        dev = [
            r
            for r in dev
            if (seen.__setitem__(r["source"], seen.get(r["source"], 0) + 1) or seen[r["source"]]) <= args.sample
        ]
    with tempfile.TemporaryDirectory() as folder:
        raw, final = Path(folder) / "raw.onnx", Path(folder) / "float.onnx"
        export(model, raw)
        temperature = fit_temperature(logits(raw, tokenizer, held), held_labels)
        with torch.no_grad():
            model.classifier.weight /= temperature
            model.classifier.bias /= temperature
        export(model, final)
        quantise(final, args.out / "model.onnx")
        scores = {
            "float": Scores.of(logits(final, tokenizer, dev), dev),
            "int8": Scores.of(logits(args.out / "model.onnx", tokenizer, dev), dev),
        }
        held_accuracy = float((logits(args.out / "model.onnx", tokenizer, held).argmax(1) == held_labels).mean())
    weights = (args.out / "model.onnx").read_bytes()
    manifest = {
        "name": "ragstone-nli-minilm-l6",
        "sha256": hashlib.sha256(weights).hexdigest(),
        "size": len(weights),
        "labels": list(LABELS),
        "max_tokens": MAX_TOKENS,
        "training_steps": step,
        "temperature": round(temperature, 4),
        "held_out_accuracy": round(held_accuracy, 4),
        "scores": {name: s.summary() for name, s in scores.items()},
    }
    (args.out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    (args.out / "config.json").write_text(
        json.dumps({"model_type": "bert", "id2label": {str(i): n for i, n in enumerate(LABELS)}}, indent=2) + "\n",
        encoding="utf-8",
    )
    (args.out / "MODEL_CARD.md").write_text(model_card(manifest, scores), encoding="utf-8")
    print(table(scores))


if __name__ == "__main__":
    main()
