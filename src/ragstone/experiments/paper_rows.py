"""Which printed row of paper 000 a strategy on a data set is to be compared with."""

from __future__ import annotations

from ragstone.experiments.replay_published import PUBLISHED

__all__ = ["paper_row"]

_TABLES = {"truthfulqa": "Table I", "securecode": "Table VI"}
_ROWS = {
    "instruction_injection": "Instruction injection",
    "contradiction": "Contradiction",
    "subtle_manipulation": "Subtle manipulation",
    "entity_swap": "Entity swap",
    "mixed": "Mixed",
}


def paper_row(dataset: str, strategy: str) -> dict[str, float | None]:
    """Accuracy, precision, recall and F1 in [0, 1], and delta, as far as they are printed; empty without a row.

    FEVER was only run with mixed strategies, and only its accuracy and delta are printed (section V-F).
    """
    if dataset == "fever" and strategy == "mixed":
        place, row = "V-F", "FEVER, K = 5"
    elif dataset in _TABLES:
        place, row = _TABLES[dataset], _ROWS.get(strategy.removeprefix("secure_"), "")
    else:
        return {}
    cells = {cell.column: cell.printed for cell in PUBLISHED if (cell.place, cell.row) == (place, row)}
    return {
        key: None if printed == "n/a" else float(printed) / (1.0 if key == "delta" else 100.0)
        for key, printed in cells.items()
        if key in ("accuracy", "precision", "recall", "f1", "delta")
    }
