"""What paper 000 prints, cell by cell and with its digits: the reference that a replay is compared with."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PUBLISHED", "Published"]


@dataclass(frozen=True, slots=True)
class Published:
    """One printed value: ``place`` is a table (``Table I``) or a section (``V-A``); per cent without the sign."""

    place: str
    row: str
    column: str
    printed: str


_DETECTION = ("accuracy", "precision", "recall", "f1")
_TABLES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "Table I": (
        (*_DETECTION, "delta"),
        {
            "Instruction injection": "99 93.8 100 96.8 0.498",
            "Contradiction": "92 88.9 53.3 66.7 0.311",
            "Subtle manipulation": "88 100 20.0 33.3 0.149",
            "Entity swap": "85 n/a 0 0 0.053",
            "Mixed": "91 100 40.0 57.1 0.225",
        },
    ),
    "Table II": (
        _DETECTION,
        {
            "Poison detector only": "91.0 80.0 53.3 64.0",
            "NLI only": "84.0 0.0 0.0 0.0",
            "NLI + Consistency": "84.0 40.0 13.3 20.0",
            "Full Trust Index": "87.0 100.0 13.3 23.5",
            "Full + Dampener": "91.0 100.0 40.0 57.1",
        },
    ),
    "Table III": (
        (*_DETECTION, "delta"),
        {
            "Llama 3.3 70B, MiniLM": "91 100 40.0 57.1 0.240",
            "Llama 3.3 70B, Snowflake": "91 100 40.0 57.1 0.188",
            "Qwen 3.5 35B, MiniLM": "71 25.0 46.7 32.6 0.161",
            "Qwen 3.5 35B, Snowflake": "71 28.1 60.0 38.3 0.199",
            "Naive always-trust": "85 n/a n/a n/a n/a",
        },
    ),
    "Table IV": (
        ("threshold", *_DETECTION, "roc_auc"),
        {
            "Llama 3.3 70B, default": "0.50 84.1 96.1 40.8 57.3 0.807",
            "Llama 3.3 70B, fitted": "0.71 83.0 71.9 57.5 63.9 0.807",
            "Qwen 3.5 35B, default": "0.50 65.5 38.4 53.3 44.7 0.728",
            "Qwen 3.5 35B, fitted": "0.43 74.5 51.4 40.0 45.0 0.728",
            "Mistral 7B Instruct, default": "0.50 79.3 66.7 40.0 50.0 0.789",
            "Mistral 7B Instruct, fitted": "0.58 74.1 50.0 53.3 51.6 0.789",
        },
    ),
    "Table V": (
        ("repeats", "accuracy", "accuracy_sd", "recall", "recall_sd", "f1", "f1_sd"),
        {
            "Instruction injection": "2 99.0 0.0 100.0 0.0 96.8 0.0",
            "Contradiction": "2 92.5 0.5 53.3 0.0 68.1 1.4",
            "Subtle manipulation": "2 88.0 0.0 20.0 0.0 33.3 0.0",
            "Entity swap": "2 85.0 0.0 3.3 3.3 5.9 5.9",
            "Mixed": "5 90.6 0.5 40.0 0.0 56.1 1.3",
        },
    ),
    "Table VI": (
        (*_DETECTION, "delta"),
        {
            "Instruction injection": "97.5 85.7 100.0 92.3 0.542",
            "Contradiction": "85.0 n/a 0.0 0.0 0.156",
            "Subtle manipulation": "85.0 n/a 0.0 0.0 0.066",
            "Entity swap": "72.5 29.2 58.3 38.9 0.291",
            "Mixed": "86.2 100.0 8.3 15.4 0.163",
        },
    ),
}
_PROSE: dict[str, dict[str, dict[str, str]]] = {
    "IV": {"bare FEVER claims": {"F on its baseline, share": "70"}},
    "V-A": {
        "mixed": {
            "accuracy": "91",
            "accuracy, low": "83.8",
            "accuracy, high": "95.2",
            "precision": "100",
            "recall": "40",
            "recall, low": "19.8",
            "recall, high": "64.3",
            "F1": "57.1",
            "F1, low": "25.0",
            "F1, high": "80.0",
            "delta": "0.225",
            "gain over always-trust": "7",
        },
        "injection": {
            "recall": "100",
            "recall, low": "79.6",
            "recall, high": "100",
            "F1": "96.8",
            "delta": "0.498",
            "mean P of poisoned": "0.99",
        },
        "contradiction": {"recall": "53.3", "recall, low": "30.1", "recall, high": "75.2"},
        "subtle": {"recall": "20", "recall, low": "7.0", "recall, high": "45.2"},
        "entity_swap": {
            "recall": "0",
            "recall, low": "0",
            "recall, high": "20.4",
            "delta": "0.053",
            "mean P of poisoned": "0.32",
        },
    },
    "V-B": {
        "weights ±0.10": {
            "settings": "125",
            "accuracy, least": "90.0",
            "accuracy, greatest": "91.0",
            "F1, least": "54.5",
            "F1, greatest": "57.1",
            "precision, least": "85.7",
            "precision, greatest": "100",
            "settings above the default": "0",
        }
    },
    "V-C": {
        "Qwen, K = 3": {
            "false positives, fewest": "21",
            "false positives, most": "23",
            "clean samples": "85",
            "mean clean trust": "0.64",
            "points below always-trust": "14",
        },
        "Llama, K = 3": {"mean clean trust": "0.83"},
    },
    "V-D": {
        "pooled mixed runs": {
            "ROC-AUC, Llama 3.3 70B": "0.81",
            "ROC-AUC, Mistral 7B Instruct": "0.79",
            "ROC-AUC, Qwen 3.5 35B": "0.73",
        },
        "K = 5, MiniLM": {"accuracy, Mistral 7B Instruct": "87", "accuracy, Qwen 3.5 35B": "69"},
    },
    "V-E": {
        "K = 3": {"accuracy": "91", "precision": "100", "recall": "40", "F1": "57.1", "delta": "0.240"},
        "K = 5": {"accuracy": "91", "precision": "100", "recall": "40", "F1": "57.1", "delta": "0.225"},
        "cost": {
            "evaluation, seconds": "14.7",
            "evaluation at K = 3, share of K = 5": "0.5",
            "overhead over plain RAG, times": "17",
        },
    },
    "V-F": {"FEVER, K = 5": {"accuracy": "73", "points below always-trust": "12", "delta": "0.035"}},
    "VI": {"cost": {"seconds per query": "17"}},
}


def _table_cells() -> tuple[Published, ...]:
    return tuple(
        Published(place, row, column, printed)
        for place, (columns, rows) in _TABLES.items()
        for row, line in rows.items()
        for column, printed in zip(columns, line.split(), strict=True)
    )


def _prose_cells() -> tuple[Published, ...]:
    return tuple(
        Published(place, row, column, printed)
        for place, rows in _PROSE.items()
        for row, values in rows.items()
        for column, printed in values.items()
    )


PUBLISHED = _table_cells() + _prose_cells()
