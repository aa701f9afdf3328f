"""The model card written beside the weights."""

from __future__ import annotations

from typing import Any

from scores import Scores, table

SOURCES = """\
Human-written or human-checked pairs, train splits only: lingnli, new_protocols, wanli (part), mnli (parts),
taxinli, cad_nli (counterfactual SNLI), healthver, covidfact, scifact, check-covid, citint, folio, cb. Template-made
or mapped pairs, a part of each: inli, conjnli, monli, help, semantic fragments. And pairs that `pairs.py` makes from
the sentences of those sets. Their licences are mostly CC BY, CC BY-SA, MIT and Apache-2.0; the repositories of
lingnli, healthver and covidfact state none.
"""


def model_card(manifest: dict[str, Any], scores: dict[str, Scores]) -> str:
    return f"""\
# {manifest["name"]}

A natural language inference cross-encoder: premise and hypothesis in, probabilities of entailment, neutral and
contradiction out. all-MiniLM-L6-v2 (Apache-2.0; 6 layers, 384 wide) fine-tuned; int8 ONNX,
{manifest["size"] / 1e6:.1f} MB; at most {manifest["max_tokens"]} tokens a pair
(the package windows longer texts by sentences).

SHA-256 `{manifest["sha256"]}`

Made by `training/nli/` of the Ragstone repository: {manifest["training_steps"]} steps of 32 pairs,
word embeddings frozen, no dropout. Temperature {manifest["temperature"]}, fitted on 3,000 pairs
held out of the training sets, is folded into the weights; accuracy on those
pairs {100 * manifest["held_out_accuracy"]:.1f} %.

## Scores

Accuracy in %, on dev sets that were never trained on and by which nothing was chosen. fever_symmetric has no neutral
pair and is judged between the other two labels. The label columns are recall of the int8 model.

{table(scores)}

## Training data

{SOURCES}
## What it cannot do

It reads English. It has no knowledge of the world beyond its pairs: an edited fact that no passage contradicts looks
as good as a true one. Arithmetic, long chains of reasoning and health jargon are weak (see healthver, anli_dev).
Questions are not statements; scores on them mean little.
"""
