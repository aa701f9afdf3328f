"""What a benchmark's page says before its tables: the command, the circumstances, cautions and the main figures."""

from __future__ import annotations

from pathlib import Path

from ragstone.experiments.answers import EXPECTED, NONE
from ragstone.experiments.detection_detectors import score_controls
from ragstone.experiments.detection_scores import Share, clean_trust, score_trial, share_of
from ragstone.experiments.overhead import overhead_of
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.value_rows import title_of

__all__ = ["command_of", "facts_of", "notices_of", "tiles_of"]


def command_of(run: StoredRun) -> str:
    """The command that makes such a run."""
    meta = run.meta
    names = meta.get("names", {})
    kinds = [kind for kind in ("generator", "embedder", "nli") if kind in names]
    parts = [
        "ragstone bench detect",
        f"--dataset {meta['dataset']} --split {meta['split']} --n {meta['n']} --k {meta['retrieval']['top_k']}",
        f"--strategy {','.join(run.strategies)} --share {meta['share']} --seed {meta['seed']}",
        f"--repeats {run.repeats} --preset {meta['preset']}",
        *(f"--{kind} {_without_folder(str(names[kind]))}" for kind in kinds),
        "" if meta["controls"] else "--no-controls",
        f"--out {run.name}",
    ]
    return " ".join(part for part in parts if part)


def _without_folder(name: str) -> str:
    kind, colon, argument = name.partition(":")
    return f"{kind}{colon}{Path(argument).name}" if "/" in argument or "\\" in argument else name


def facts_of(run: StoredRun) -> list[tuple[str, str]]:
    meta, time = run.meta, overhead_of(run)
    sampling = meta["generation"]
    factor = "" if time.factor is None else f", {time.factor:.1f} times retrieval and generation"
    generator = str(meta["generator"])
    if generator not in (EXPECTED, NONE):
        generator += f", temperature {sampling['temperature']}, at most {sampling['max_tokens']} tokens"
    top_k, agent = meta["retrieval"]["top_k"], _duration(time.agent)
    return [
        ("Data", f"{meta['dataset']}, split {meta['split']}, {meta['n']} questions; {meta['origin']}"),
        ("Corpus", f"{meta['share']:.0%} of the documents poisoned, seed {meta['seed']}; K = {top_k}"),
        ("Generator", generator),
        ("NLI model", str(meta["nli"])),
        ("Embedder", str(meta["embedder"])),
        ("Agent", f"preset {meta['preset']}, τ = {run.threshold:.2f}, fingerprint {meta['fingerprint']}"),
        ("Time", f"{len(run.records)} samples in {_duration(time.total)}; the agent's share {agent}{factor}"),
        ("Version", f"Ragstone {meta['version']}"),
    ]


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def notices_of(run: StoredRun) -> list[str]:
    notices = []
    if not run.complete:
        notices.append(f"This run is not finished: {len(run.records)} of {run.expected} samples.")
    if run.meta["split"] == "tune":
        notices.append("This split is for tuning. What was tuned on it is no result on it.")
    if run.meta["generator"] == EXPECTED:
        notices.append("The answers are the data set's own: a generator that is never misled, and never hedges.")
    if run.meta["generator"] == NONE:
        notices.append("No answers were generated: trust is that of the screening alone, without factuality.")
    return notices


def tiles_of(run: StoredRun) -> list[dict[str, str]]:
    scores = score_trial(run.trial(run.main_strategy), run.threshold)
    confusion, controls = scores.retrieval.confusion, score_controls(run)
    clean = share_of(trust < run.threshold for trust in clean_trust(run))
    shares = [
        ("Recall", Share(confusion.true_positives, confusion.poisoned), "of samples that retrieved poison"),
        ("Precision", Share(confusion.true_positives, confusion.flagged), "of flagged samples"),
        ("Clean flagged", clean, "of part A"),
    ]
    if controls is not None:
        shares.append(("Benign edits flagged", controls.edited, "of questions that met one"))
    tiles = [
        {
            "name": name,
            "value": "n/a" if share.value is None else f"{100 * share.value:.1f} %",
            "note": f"{share.count} of {share.total} {note}",
        }
        for name, share, note in shares
    ]
    f1, area = scores.retrieval.f1.value, scores.retrieval.roc_auc.value
    ranking = "n/a" if area is None else f"{area:.3f}"
    note = f"ROC-AUC {ranking}; strategy: {title_of(run.main_strategy).lower()}"
    tiles.insert(2, {"name": "F1", "value": "n/a" if f1 is None else f"{100 * f1:.1f} %", "note": note})
    return tiles
